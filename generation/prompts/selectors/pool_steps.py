"""What is done on the way from sources to prompts, what comes next, and where to do it."""

from dataclasses import dataclass, replace
from typing import Final

from django.urls import reverse

from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.catalogue.models import Target
from generation.prompts.selectors.pool import Pool

Purpose = GenerationRun.Purpose

# How a step stands: its tag's words, and the tag's kind.
DONE, NEXT, POSSIBLE, LATER = "Done", "Next", "Possible now", "Later"
UNDER_WAY, WAITS_FOR_YOU, TOO_LATE = "Under way", "Waits for you", "Too late"
KINDS: Final = {
    DONE: "success",
    NEXT: "info",
    POSSIBLE: "info",
    LATER: "waiting",
    UNDER_WAY: "progress",
    WAITS_FOR_YOU: "warning",
    TOO_LATE: "waiting",
}
RUN_STATES: Final = {
    "planning": (UNDER_WAY, "is listing what it would ask"),
    "planned": (WAITS_FOR_YOU, "is planned and waits for your approval"),
    "running": (UNDER_WAY, "is under way"),
    "stopped": (WAITS_FOR_YOU, "is stopped"),
}


@dataclass(frozen=True)
class WayStep:
    """One step: how it stands, in a tag and in a sentence, and under the words `way` the page that takes it on."""

    name: str
    state: str
    says: str
    way: str
    address: str

    @property
    def kind(self) -> str:
        return KINDS[self.state]


def way_steps(study: Study, pool: Pool) -> list[WayStep]:
    """All steps in their order. The first that can be taken or waits for somebody is the next one."""
    steps = [
        _sources(study, pool),
        _models(study, pool),
        _writing(study, pool),
        _judging(study, pool),
        _comparing(study, pool),
        _sampling(study, pool),
        _taking(study, pool),
    ]
    following = next((number for number, step in enumerate(steps) if step.state in (POSSIBLE, WAITS_FOR_YOU)), None)
    if following is not None and steps[following].state == POSSIBLE:
        steps[following] = replace(steps[following], state=NEXT)
    return steps


def _sources(study: Study, pool: Pool) -> WayStep:
    name, address = "Draw on sources", reverse("pool_sources", args=[study.slug])
    if not pool.amounts.scenarios:
        says = "A benchmark, or a list of your own, is reduced to scenarios that prompts are written from."
        return WayStep(name, POSSIBLE, says, "Choose a source", address)
    says = f"{counted(len(pool.sources), 'source')}, {counted(pool.amounts.scenarios, 'scenario')}."
    return WayStep(name, DONE, says, "See the sources", address)


def _models(study: Study, pool: Pool) -> WayStep:
    name = "Name the models"
    if not pool.models:
        address = f"{reverse('target_add', args=[study.slug])}?role={Target.Role.PROMPTS}"
        return WayStep(name, POSSIBLE, "They write prompts, and judge each other’s.", "Add a model", address)
    says = f"{counted(pool.models, 'model')} to write prompts and to judge them."
    return WayStep(name, DONE, says, "See the models", reverse("study_models", args=[study.slug]))


def _writing(study: Study, pool: Pool) -> WayStep:
    amounts = pool.amounts
    says = f"{amounts.written:,} of {counted(amounts.asked, 'prompt')} written." if amounts.asked else ""
    state = _state(is_done=amounts.written > 0 and not amounts.to_come, is_possible=amounts.asked > 0)
    return _asking(study, pool, Purpose.PROMPTS, "Have prompts written", says=says, state=state)


def _judging(study: Study, pool: Pool) -> WayStep:
    quality, passed = pool.quality, pool.amounts.passed
    given = f"{quality.given:,} of {counted(quality.wanted, 'vote')} given; {counted(passed, 'prompt')} passed."
    state = _state(is_done=quality.given > 0 and not quality.to_come, is_possible=quality.wanted > 0)
    says = given if quality.wanted else ""
    return _asking(study, pool, Purpose.QUALITY, "Have their quality judged", says=says, state=state)


def _comparing(study: Study, pool: Pool) -> WayStep:
    says = f"{counted(pool.comparisons, 'comparison')} made." if pool.comparisons else ""
    there = pool.amounts.passed if study.diversity_after_filter else pool.amounts.written
    state = _state(is_done=pool.comparisons > 0, is_possible=there > 1 and pool.models > 1)
    return _asking(study, pool, Purpose.PAIRS, "Have them compared", says=says, state=state)


def _state(*, is_done: bool, is_possible: bool) -> str:
    return DONE if is_done else POSSIBLE if is_possible else LATER


def _asking(study: Study, pool: Pool, purpose: str, name: str, *, says: str, state: str) -> WayStep:
    """A step that models are asked for. The run that is open comes before what may be planned."""
    if run := pool.runs.get(purpose):
        (stands, words), address = RUN_STATES[run.state], reverse("run", args=[run.id])
        return WayStep(name, stands, f"Run {run.known_as} {words}. {says}".strip(), "See the run", address)
    plan = f"{reverse('study_runs', args=[study.slug])}?plan={purpose}"
    return WayStep(name, state, says, "Plan another run" if state == DONE else "Plan the run", plan)


def _sampling(study: Study, pool: Pool) -> WayStep:
    name = "Draw a sample"
    if pool.sample is None:
        says = "Spread over strata and models, from the prompts that passed."
        state = _state(is_done=False, is_possible=pool.amounts.passed > 0)
        return WayStep(name, state, says, "Draw one", reverse("pool_samples", args=[study.slug]))
    says = f"{counted(pool.amounts.sampled, 'prompt')} in the newest one."
    return WayStep(name, DONE, says, "See it", reverse("pool_sample", args=[study.slug, pool.sample]))


def _taking(study: Study, pool: Pool) -> WayStep:
    name, prompts = "Make it the study’s prompts", reverse("study_prompts", args=[study.slug])
    if pool.amounts.taken:
        return WayStep(name, DONE, f"{counted(pool.amounts.taken, 'prompt')} taken.", "See the prompts", prompts)
    if study.state != STUDY.initial:
        return WayStep(
            name, TOO_LATE, "The design is locked, so its prompts stay as they are.", "See them", prompts
        )
    if pool.sample is None:
        samples = reverse("pool_samples", args=[study.slug])
        return WayStep(name, LATER, "Possible while the study is being designed.", "See the samples", samples)
    sample = reverse("pool_sample", args=[study.slug, pool.sample])
    return WayStep(name, POSSIBLE, "Possible until the design is locked.", "See the newest sample", sample)
