"""An audit of two invented benchmarks, finished and unblinded: flags, rulings and models' answers are synthetic."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from analysis.ceremony.services import ceremony
from analysis.report.selectors.runs import parameters_of
from analysis.report.services import runs
from annotation.assignment.services import assembling, designing
from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.core.layouts import LayoutName
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.services.benchmarks import add_benchmark
from annotation.platform.services import work
from annotation.study.core.presets import PRESETS
from annotation.study.models.studies import Study
from annotation.study.services import studies
from generation.benchmarks.core.asking import HISTORY, SINGLY
from generation.benchmarks.services.model_marks import plan_model_marks
from generation.benchmarks.services.people_marks import give_answers_to_mark, give_rephrasings_to_check
from generation.benchmarks.services.predictions import plan_predictions
from generation.benchmarks.services.rephrasings import plan_rephrasings
from generation.calls.core.work_kinds import PLAN_RUN
from generation.calls.models import Call, GenerationRun
from generation.calls.services import planning
from generation.calls.services.claiming import Outgoing
from generation.catalogue.services import targets
from generation.demo.core.deterministic_rng import chance
from generation.demo.providers import DemoProvider
from generation.providers.base import Outcome, Reply, Request
from generation.providers.catalogue import endpoint
from scrub_site.demo import audit_people, audited, cast, texts

# How often each family is right, and how often where the published answer is wrong.
RIGHT = {"claude": 0.86, "gpt": 0.8, "gemini": 0.7}
ON_FLAWED = 0.45
AFTER_OWN_WORDS = 0.06  # less often in a conversation
IN_SENTENCES = 0.2  # of right answers where answers are free: people see that they are right, and no rule does
MARKED = 25  # per cent of the answers


def load_audit() -> Study:
    """92 questions, 12 of them with a planted flaw; two annotate, a third adjudicates; three models answer singly,
    in conversations and in other words; a model and people mark what they answer.
    """
    coordinator = cast.person(cast.COORDINATOR)
    parameters: dict[str, Any] = {**PRESETS["audit"]}
    study = studies.create_study(
        slug="audit",
        title="Benchmark audit: synthetic, finished",
        description="Two invented benchmarks with planted flaws: which errors are the models’, and which theirs?",
        is_demo=True,
        is_synthetic=True,
        consent_text=cast.AUDIT_CONSENT,
        by=coordinator,
        preset="audit",
        **parameters,
    )
    cast.staff(study)
    audit_people.take_part(study)
    for role, families in (("answers", RIGHT), ("prompts", ("claude",)), ("panel", ("gpt",))):
        for family in families:
            targets.add_target(
                study=study,
                role=role,
                family=family,
                provider="demo",
                model_id=texts.MODELS[family],
                by=coordinator,
            )
    social = _added(study, "socialiqa", audited.social())
    beliefs = _added(study, "tomi", audited.beliefs())
    cast.unblinders(study)
    designing.lock_design(study=study, by=coordinator, seed=b"finished demo audit, open to all")
    study.refresh_from_db()
    for benchmark in (social, beliefs):
        benchmark.refresh_from_db()
    assembling.open_judging(study=study, by=coordinator)
    study.refresh_from_db()
    audit_people.annotate(social, audited.social().flaws)
    audit_people.annotate(beliefs, audited.beliefs().flaws)
    for benchmark, modes in ((social, [SINGLY]), (beliefs, [SINGLY, HISTORY])):
        for mode in modes:
            _answered(plan_predictions(benchmark=benchmark, by=coordinator, mode=mode))
            _replied(plan_model_marks(benchmark=benchmark, by=coordinator, mode=mode))
            give_answers_to_mark(benchmark=benchmark, by=coordinator, share=MARKED, mode=mode)
    _replied(plan_rephrasings(benchmark=social, by=coordinator))
    _answered(plan_predictions(benchmark=social, by=coordinator, subset="cleaned", rephrased=True))
    give_rephrasings_to_check(benchmark=social, by=coordinator)
    audit_people.mark(study)
    _unblind(study)
    return study


def _added(study: Study, layout: LayoutName, given: audited.Audited) -> Benchmark:
    contents = read_contents(layout, given.files)
    return add_benchmark(study=study, name=given.name, contents=contents, by=study.created_by)


def _planned(run: GenerationRun) -> GenerationRun:
    planning.fill_plan(run.pk)
    work.cancel_open_tasks(kind=PLAN_RUN, subject=run.pk)
    run.refresh_from_db()
    return run


def _answered(run: GenerationRun) -> None:
    """An answer, as often right as the family is; otherwise another option, or another word of the story."""

    def replies(batch: Sequence[Outgoing]) -> list[Reply]:
        told = ("run", "target", "subject__wording__question__ruling", "subject__wording__question__story")
        calls = Call.objects.select_related(*told).in_bulk([outgoing.call_id for outgoing in batch])
        return [_reply(each.request, _answer(calls[each.call_id])) for each in batch]

    texts.work_off(_planned(run), replies)


def _reply(request: Request, text: str) -> Reply:
    """A reply as the demonstration's provider would have sent it: conversations read what was said before from
    it.
    """
    raw = json.dumps({"synthetic": True, "outcome": Outcome.OK.value, "text": text})
    return replace(texts.synthetic_reply(request, text), raw=raw)


def _answer(call: Call) -> str:
    wording = call.subject.wording  # type: ignore[union-attr]
    question, family = wording.question, call.target.family
    ruling = getattr(question, "ruling", None)
    is_flawed = ruling is not None and ruling.category not in ("", "none")
    often = ON_FLAWED if is_flawed else RIGHT[family]
    if call.run.materials["only"]["mode"] == HISTORY:
        often -= AFTER_OWN_WORDS
    is_right = chance(family, question.story.text, question.text, wording.text) < often
    if question.options:
        others = [number for number in range(1, len(question.options) + 1) if number != question.gold_option]
        return str(question.gold_option if is_right else others[int(2 * chance(family, question.text))])
    if is_right:
        says_more = chance(family, question.story.text, question.text, "sentence") < IN_SENTENCES
        return f"It is the {question.gold}." if says_more else str(question.gold).capitalize()
    told = question.story.text.replace(".", "").split()
    if chance(family, question.text, "detail") < 0.3:
        return f"in the {next(word for word in told if word in audited.ROOMS)}"
    return next((word for word in told if word in audited.PLACES and word != question.gold), "nowhere")


def _replied(run: GenerationRun) -> None:
    provider = DemoProvider(endpoint("demo"))

    def replies(batch: Sequence[Outgoing]) -> list[Reply]:
        return [provider.reply(outgoing.request) for outgoing in batch]

    texts.work_off(_planned(run), replies)


def _unblind(study: Study) -> None:
    first, second = (cast.person(name) for name in cast.RESEARCHERS)
    ceremony.close_study(study=study, by=first, despite_missing=True)
    study.refresh_from_db()
    request = ceremony.request_unblinding(study=study, reason="The audit is complete.", by=first)
    ceremony.decide_unblinding(request=request, approve=True, by=second)
    study.refresh_from_db()
    runs.ask_for_run(study=study, parameters=parameters_of(study), by=second)
