"""Pools of prompts that wait to be chosen, with models' and people's votes, as if runs had gathered them.

Everything is deterministic, and made by few statements, so that a pool of thousands is there within seconds.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.calls.services.targets_in_use import retire_target
from generation.catalogue.models import Target
from generation.prompts.models import Bundle, Candidate, PairVote, QualityVote
from generation.sources.core.shapes import SHAPES
from generation.sources.models import Scenario, Source, StudySource
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import a_target

GENERATORS = ("claude", "gemini", "gpt")
PROMPTS_IN_A_BUNDLE = 5


def a_source(code: str = "BBQ", *, scenarios: int = 2, strata: int = 2, shape: str = "scenario") -> Source:
    """A source `bbq` with scenarios `bbq-001` … in turn of the strata `Stratum 1` …; one is made only once."""
    known = Source.objects.filter(slug=code.lower()).first()
    if known:
        return known
    source = Source.objects.create(
        slug=code.lower(),
        kind="table",
        shape=shape,
        code=code,
        name=f"The {code} source",
        funnel=[{"name": "Read", "kept": scenarios, "removed": 0, "rules": {}}],
        content_sha256=sha256_hex(code),
    )
    Scenario.objects.bulk_create(
        Scenario(
            source=source,
            key=f"{source.slug}-{number:03}",
            stratum=f"Stratum {(number - 1) % strata + 1}",
            payload={field: f"{label} of scenario {number}." for field, label in SHAPES[shape].fields.items()},
        )
        for number in range(1, scenarios + 1)
    )
    return source


def prompt_models(study: Study, families: Iterable[str] = GENERATORS) -> list[Target]:
    """The study's models that write and judge prompts, by family; those it has not yet are added."""
    known = {target.family: target for target in Target.objects.filter(study=study, role="prompts")}
    return [
        known.get(family) or a_target(study, family, role="prompts", weak_temperature=None) for family in families
    ]


def a_pool(
    study: Study,
    *,
    sources: Sequence[str] = ("BBQ",),
    scenarios: int = 2,
    strata: int = 2,
    generators: Collection[str] = GENERATORS,
) -> list[Candidate]:
    """Five prompts by each of the `generators` for each scenario of the sources, which the study draws on.

    They come by source, scenario, generator and position; nobody has voted on them yet.
    """
    targets = prompt_models(study, generators)
    made = [a_source(code, scenarios=scenarios, strata=strata) for code in sources]
    for source in made:
        StudySource.objects.get_or_create(study=study, source=source, defaults={"added_by": coordinator_of(study)})
    places = [
        (scenario, target)
        for source in made
        for scenario in source.scenarios.order_by("key").select_related("source")
        for target in targets
    ]
    calls = _calls(study, "prompts", [{"scenario": scenario, "target": target} for scenario, target in places])
    bundles = Bundle.objects.bulk_create(
        Bundle(study=study, scenario=scenario, target=target, call=call, scratchpad="First I weigh the scene.")
        for (scenario, target), call in zip(places, calls, strict=True)
    )
    return Candidate.objects.bulk_create(
        _candidate(bundle, position) for bundle in bundles for position in range(1, PROMPTS_IN_A_BUNDLE + 1)
    )


def voted(candidates: Iterable[Candidate], *, fails: Collection[str] = ()) -> list[QualityVote]:
    """A vote of each of the study's models on each of the prompts: those of the families `fails` fail it."""
    candidates = list(candidates)
    study = candidates[0].bundle.study
    judges = Target.objects.filter(study=study, role="prompts").order_by("family")
    places = [(candidate, target) for candidate in candidates for target in judges]
    calls = _calls(study, "quality", [{"candidate": candidate, "target": target} for candidate, target in places])
    return QualityVote.objects.bulk_create(
        QualityVote(candidate=candidate, target=target, call=call, **_verdict(target.family not in fails))
        for (candidate, target), call in zip(places, calls, strict=True)
    )


def reviewed(candidate: Candidate, *, passes: bool, by: User | None = None) -> QualityVote:
    """A person's verdict on a prompt, the coordinator's unless `by` says otherwise."""
    reviewer = by or coordinator_of(candidate.bundle.study)
    return QualityVote.objects.create(candidate=candidate, reviewer=reviewer, **_verdict(passes))


def compared(
    first: Candidate, second: Candidate, *, by: str, is_equivalent: bool, is_swapped: bool = False
) -> PairVote:
    """What the model of the family `by` makes of two prompts, the first of which was made first."""
    target = Target.objects.get(study=first.bundle.study, role="prompts", family=by)
    shown = {"candidate": second, "beside": first} if is_swapped else {"candidate": first, "beside": second}
    [call] = _calls(first.bundle.study, "pairs", [{**shown, "target": target}])
    return PairVote.objects.create(
        first=first,
        second=second,
        target=target,
        call=call,
        is_equivalent=is_equivalent,
        is_swapped=is_swapped,
        reason="So it seems.",
    )


def replaced(study: Study, family: str) -> Target:
    """The model that takes the place of the study's model of this name."""
    old = Target.objects.get(study=study, role="prompts", family=family, retired_at__isnull=True)
    retire_target(target=old, by=coordinator_of(study))
    return Target.objects.create(
        study=study, role="prompts", family=family, provider=old.provider, model_id=f"{old.model_id}-next"
    )


def _calls(study: Study, purpose: str, about: Iterable[dict[str, Any]]) -> list[Call]:
    """Accepted calls of the study's run for this purpose, one about each of the subjects."""
    run, _ = GenerationRun.objects.get_or_create(
        study=study,
        purpose=purpose,
        defaults={
            "number": GenerationRun.objects.filter(study=study).count() + 1,
            "planned_by": coordinator_of(study),
            "state": "finished",
            "template_version": purpose,
        },
    )
    first = Call.objects.count()
    return Call.objects.bulk_create(
        Call(run=run, key=sha256_hex(f"{study.slug}, call {number}"), state="accepted", **subject)
        for number, subject in enumerate(about, first)
    )


def _candidate(bundle: Bundle, position: int) -> Candidate:
    text = (
        f"{bundle.scenario.key}, {bundle.target.family}: what would change if reason {position} were left out? Why?"
    )
    return Candidate(
        bundle=bundle,
        position=position,
        label=f"Whether reason {position} still counts once others disagree",
        dimensions=f"Reasoning of kind {position}.",
        text=text,
        sha256=sha256_hex(text),
    )


def _verdict(passes: bool) -> dict[str, Any]:
    """What a vote says: all is well, or there is too little in it and the answer is in the question."""
    return {
        "depth": passes,
        "open_endedness": True,
        "generalisation": True,
        "rejections": [] if passes else ["embedded_answer"],
        "reason": "Sound." if passes else "It answers itself.",
        "passes": passes,
    }
