"""The samples that were drawn of a study's prompts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.db.models import Count

from annotation.study.models.studies import Study
from generation.prompts.core.quality import Scheme
from generation.prompts.models import PromptSample
from generation.prompts.selectors.candidates import passing, passing_in, tallied


@dataclass(frozen=True)
class SampleLine:
    """A sample among a study's. `rule` says in words which prompts could be in it; `shortfalls` are counted."""

    id: int
    made_at: datetime
    size: int
    seed: int
    per_source: int
    rule: str
    shortfalls: int
    taken_at: datetime | None


@dataclass(frozen=True)
class SampledPromptLine:
    code: str
    candidate: int
    text: str
    label: str
    stratum: str
    scenario: str
    generator: str


@dataclass(frozen=True)
class SamplePage:
    """A sample and its prompts in their order; `sources` is its report. `fallen`: as the function says."""

    line: SampleLine
    made_by: str
    taken_by: str
    content_sha256: str
    sources: tuple[Mapping[str, Any], ...]
    prompts: tuple[SampledPromptLine, ...]
    fallen: tuple[str, ...]


def passing_by_the_studys_rule(study: Study) -> int:
    """How many prompts pass the quality filter as the study's design sets it."""
    return passing_in(study).count()


def samples_of(study: Study) -> list[SampleLine]:
    """The newest first."""
    samples = PromptSample.objects.filter(study=study).annotate(size=Count("prompts")).order_by("-pk")
    return [_line(sample, sample.size) for sample in samples]


def sample_page(sample: PromptSample) -> SamplePage:
    prompts = tuple(
        SampledPromptLine(*row)
        for row in sample.prompts.order_by("position").values_list(
            "code",
            "candidate_id",
            "candidate__text",
            "candidate__label",
            "candidate__bundle__scenario__stratum",
            "candidate__bundle__scenario__key",
            "candidate__bundle__target__family",
        )
    )
    return SamplePage(
        line=_line(sample, len(prompts)),
        made_by=sample.made_by.name if sample.made_by else "",
        taken_by=sample.taken_by.name if sample.taken_by else "",
        content_sha256=sample.content_sha256,
        sources=tuple(sample.report),
        prompts=prompts,
        fallen=fallen(sample),
    )


def fallen(sample: PromptSample) -> tuple[str, ...]:
    """The codes of its prompts that do not pass by its own rule any more: people or models judged since."""
    codes = dict(sample.prompts.order_by("position").values_list("candidate_id", "code"))
    in_it = tallied(sample.study).filter(pk__in=codes)
    passes = passing(in_it, scheme=cast(Scheme, sample.scheme), least_passes=sample.least_passes).values_list(
        "pk", flat=True
    )
    still = set(passes)
    return tuple(code for candidate, code in codes.items() if candidate not in still)


def _line(sample: PromptSample, size: int) -> SampleLine:
    return SampleLine(
        id=sample.pk,
        made_at=sample.made_at,
        size=size,
        seed=sample.seed,
        per_source=sample.per_source,
        rule=_rule(sample),
        shortfalls=sum(len(source["shortfalls"]) for source in sample.report),
        taken_at=sample.taken_at,
    )


def _rule(sample: PromptSample) -> str:
    if sample.scheme == "others":
        return f"All models that did not write it pass it, {sample.least_passes} or more"
    return f"{sample.least_passes} or more of all models pass it"
