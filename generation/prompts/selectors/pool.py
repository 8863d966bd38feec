"""How much a study has at each stage of the way from sources to prompts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.prompts.models import Bundle, Candidate, PairVote, PromptSample, QualityVote, SampledPrompt
from generation.prompts.selectors.candidates import names_in_use, passing_in, standing_models
from generation.prompts.selectors.refusals import refusals, unwritten
from generation.sources.core.shapes import FINISHED
from generation.sources.models import Source

Purpose = GenerationRun.Purpose
OF_THE_POOL: Final = (Purpose.PROMPTS, Purpose.QUALITY, Purpose.PAIRS)


@dataclass(frozen=True)
class Amounts:
    """What is there at each stage, from one source or from several. Items and scenarios first, then prompts.

    Prompts are `asked` for: those `written`, and a bundle for each scenario that a model in use has written none
    from. `declined` ones a model would not write, and `given_up` ones were in no reply that could be used; what
    else is not written is still to come. `passed` are those that the votes let through, `sampled` those in the
    newest sample, and `taken` those that became the study's from any.
    """

    items: int = 0
    scenarios: int = 0
    asked: int = 0
    declined: int = 0
    given_up: int = 0
    written: int = 0
    passed: int = 0
    sampled: int = 0
    taken: int = 0

    @property
    def removed(self) -> int:
        return self.items - self.scenarios

    @property
    def lost(self) -> int:
        return self.declined + self.given_up

    @property
    def to_come(self) -> int:
        return self.asked - self.written - self.lost

    def __add__(self, other: "Amounts") -> "Amounts":
        return Amounts(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


@dataclass(frozen=True)
class SourceStanding:
    slug: str
    name: str
    code: str
    amounts: Amounts


@dataclass(frozen=True)
class Votes:
    """Votes of models on prompts; `wanted` is one of each that has a say in each, `failed` ones were given up."""

    wanted: int
    given: int
    failed: int

    @property
    def to_come(self) -> int:
        return self.wanted - self.given - self.failed


@dataclass(frozen=True)
class RunNow:
    """The newest run of a purpose that is neither finished nor withdrawn."""

    id: int
    known_as: int
    state: str


@dataclass(frozen=True)
class Pool:
    """Everything the overview tells. `comparisons` are votes of models on pairs of prompts; `runs` is by purpose;
    `sample` is the id of the newest, `None` where there is none.
    """

    sources: tuple[SourceStanding, ...]
    models: int
    quality: Votes
    comparisons: int
    runs: Mapping[str, RunNow]
    sample: int | None

    @property
    def amounts(self) -> Amounts:
        return sum((source.amounts for source in self.sources), Amounts())


def pool_of(study: Study) -> Pool:
    sample = PromptSample.objects.filter(study=study).order_by("-pk").first()
    models = standing_models(study)
    return Pool(
        sources=tuple(_standings(study, sample)),
        models=models.count(),
        quality=quality_votes(study),
        comparisons=PairVote.objects.filter(first__bundle__study=study, target__isnull=False, stands=True).count(),
        runs=_runs(study),
        sample=sample.pk if sample else None,
    )


def _standings(study: Study, sample: PromptSample | None) -> Iterator[SourceStanding]:
    """The study's sources in the order in which they were added."""
    models = standing_models(study)
    in_a_bundle = study.prompts_per_scenario
    prompts = Candidate.objects.filter(bundle__study=study)
    written = _by_source(prompts, "bundle__scenario__source")
    bundles = _by_source(Bundle.objects.filter(target__in=models), "scenario__source")
    passed = _by_source(prompts.filter(pk__in=passing_in(study).values("pk")), "bundle__scenario__source")
    declined, given_up = _by_first(refusals(study)), _by_first(unwritten(study))
    sampled = _by_source(SampledPrompt.objects.filter(sample=sample), "candidate__bundle__scenario__source")
    of_any_sample = SampledPrompt.objects.filter(sample__study=study)
    taken = _by_source(of_any_sample, "candidate__bundle__scenario__source", each="prompt")
    number = models.count()
    for source in Source.objects.filter(uses__study=study).annotate(size=Count("scenarios")).order_by("uses"):
        missing = 0 if source.shape == FINISHED else source.size * number - bundles[source.pk]
        amounts = Amounts(
            items=source.funnel[0]["kept"],
            scenarios=source.size,
            asked=written[source.pk] + in_a_bundle * missing,
            declined=in_a_bundle * declined[source.pk],
            given_up=in_a_bundle * given_up[source.pk],
            written=written[source.pk],
            passed=passed[source.pk],
            sampled=sampled[source.pk],
            taken=taken[source.pk],
        )
        yield SourceStanding(source.slug, source.name, source.code, amounts)


def _by_source(rows: QuerySet[Any], source: str, *, each: str = "pk") -> Counter[int]:
    """How many of the rows there are, or how many different `each`, by source, to which the path `source` leads."""
    return Counter(dict(rows.order_by().values_list(source).annotate(Count(each, distinct=True))))


def _by_first(counts: Mapping[tuple[int, int], int]) -> Counter[int]:
    """Counts by source and model, as counts by source."""
    found: Counter[int] = Counter()
    for (source, _), count in counts.items():
        found[source] += count
    return found


def quality_votes(study: Study) -> Votes:
    """Votes of the models in use and of those whose place they took, on prompts of their own only where the study's
    scheme asks for these.
    """
    models = standing_models(study)
    prompts = Candidate.objects.filter(bundle__study=study)
    of_the_study = QualityVote.objects.filter(candidate__bundle__study=study, stands=True)
    votes = of_the_study.filter(target__family__in=names_in_use(study))
    there = votes.filter(candidate=OuterRef("candidate"), target__family=OuterRef("target__family"))
    failed = Call.objects.filter(
        ~Exists(there), run__study=study, run__purpose=Purpose.QUALITY, state="failed", target__in=models
    )
    wanted = models.count() * prompts.count()
    if study.quality_voting == "others":
        by_others = ~Q(target=F("candidate__bundle__target"))
        votes, failed = votes.filter(by_others), failed.filter(by_others)
        wanted -= prompts.filter(bundle__target__in=models).count()
    given_up = failed.order_by().values("candidate", "target").distinct()
    return Votes(wanted, votes.count(), given_up.count())


def _runs(study: Study) -> dict[str, RunNow]:
    """The newest run, by purpose, that waits for somebody or is under way."""
    runs = GenerationRun.objects.filter(study=study, purpose__in=OF_THE_POOL)
    open_runs = runs.exclude(state__in=("finished", "withdrawn")).order_by("pk")
    return {run.purpose: RunNow(run.pk, run.known_as, run.state) for run in open_runs}
