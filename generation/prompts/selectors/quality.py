"""What models and people make of a study's prompts, counted: who passes how many, who agrees, and what is wrong."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

from django.db.models import F

from annotation.platform.core.category_agreement import Concordance, cohen
from annotation.study.models.studies import Study
from generation.calls.core.outcomes import OUTCOMES_IN_WORDS
from generation.prompts.core.quality import REASONS, SCHEMES, Agreement, Scheme, between_judges
from generation.prompts.selectors.candidates import (
    judged,
    people_and_models,
    reasons_by_generator,
    standing_models,
    tallied,
    verdicts,
)
from generation.prompts.selectors.origins import generators, sources
from generation.prompts.selectors.pool import Votes, quality_votes
from generation.prompts.selectors.refusals import refusals, unwritten, violations


@dataclass(frozen=True)
class PassCounts:
    """Prompts of a generator from a source, or of several. `by_passes[n]` are passed by n models, and `open` ones
    lack votes that the study's scheme asks for; `passing` is by scheme how many get through.
    """

    source: str
    generator: str
    by_passes: tuple[int, ...]
    open: int
    passing: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.by_passes) + self.open


@dataclass(frozen=True)
class Comparison:
    """How far two agree. `detail` says what is compared where that is not plain."""

    between: str
    detail: str
    agreement: Concordance


@dataclass(frozen=True)
class ReasonShare:
    """How many of the `votes` on a generator's prompts name a reason.

    `of_greatest` compares their share with the greatest of any reason and generator, 0 to 1.
    """

    generator: str
    number: int
    votes: int
    of_greatest: float

    @property
    def share(self) -> float:
        return self.number / self.votes


@dataclass(frozen=True)
class ReasonRow:
    reason: str
    shares: tuple[ReasonShare, ...]


@dataclass(frozen=True)
class Losses:
    """What did not become prompts: scenarios declined by a generator and given up otherwise, and replies of another
    form than the one asked for, by what was wrong with them.
    """

    source: str
    generator: str
    declined: int
    given_up: int
    violations: Mapping[str, int]


@dataclass(frozen=True)
class Quality:
    """Everything the page of quality tells. `judges` are the models; `is_reviewed`: people have judged as well."""

    votes: Votes
    counts: tuple[PassCounts, ...]
    together: PassCounts
    judges: Agreement
    comparisons: tuple[Comparison, ...]
    is_reviewed: bool
    reasons: tuple[ReasonRow, ...]
    losses: tuple[Losses, ...]

    @property
    def is_judged(self) -> bool:
        return bool(self.reasons[0].shares)

    @property
    def pass_numbers(self) -> range:
        return range(len(self.together.by_passes))


def quality_of(study: Study) -> Quality:
    families = generators(study)
    counts = _pass_counts(study, families)
    judges = between_judges(verdicts(study).values())
    people = [row for row in (_with_people(study, scheme) for scheme in get_args(Scheme)) if row.agreement.n]
    return Quality(
        votes=quality_votes(study),
        counts=counts,
        together=_sum(counts),
        judges=judges,
        comparisons=(*_between_models(judges, families), *people),
        is_reviewed=bool(people),
        reasons=_reasons(study, families),
        losses=_losses(study, families),
    )


def _between_models(judges: Agreement, families: Mapping[int, str]) -> Iterator[Comparison]:
    for (first, second), agreement in judges.pairs.items():
        yield Comparison(f"{families[first]} and {families[second]}", "", agreement)


def _with_people(study: Study, scheme: Scheme) -> Comparison:
    verdicts = people_and_models(study, scheme=scheme, least_passes=study.quality_passes_needed)
    return Comparison("People and models", SCHEMES[scheme], cohen(verdicts))


def _pass_counts(study: Study, families: Mapping[int, str]) -> tuple[PassCounts, ...]:
    judges = set(standing_models(study).values_list("pk", flat=True))
    by_passes: Counter[tuple[int, int, int]] = Counter()
    open_: Counter[tuple[int, int]] = Counter()
    written: Counter[tuple[int, int]] = Counter()
    passing: dict[str, Counter[tuple[int, int]]] = {scheme: Counter() for scheme in SCHEMES}
    for (source, generator, passes, votes, *by_scheme), number in _tallies(study).items():
        written[source, generator] += number
        if votes < len(judges - {generator} if study.quality_voting == "others" else judges):
            open_[source, generator] += number
        else:
            by_passes[source, generator, passes] += number
        for scheme, passed in zip(SCHEMES, by_scheme, strict=True):
            passing[scheme][source, generator] += number * passed
    most = max([len(judges), *(passes for _, _, passes in by_passes)])  # retired models' votes stand as well
    return tuple(
        PassCounts(
            source=name,
            generator=family,
            by_passes=tuple(by_passes[source, generator, passes] for passes in range(most + 1)),
            open=open_[source, generator],
            passing={scheme: passing[scheme][source, generator] for scheme in SCHEMES},
        )
        for source, name in sources(study).values_list("pk", "name")
        for generator, family in families.items()
        if (source, generator) in written
    )


def _tallies(study: Study) -> Counter[tuple[int, ...]]:
    """How many prompts have the same source, generator, numbers of passes and of votes that the study's scheme asks
    for, and verdict under each scheme.
    """
    found = tallied(study)
    for scheme in get_args(Scheme):
        found = judged(found, scheme=scheme, least_passes=study.quality_passes_needed)
        found = found.annotate(**{f"passes_{scheme}": F("is_passing")})
    votes = "other_names_voted" if study.quality_voting == "others" else "names_voted"
    verdicts = (f"passes_{scheme}" for scheme in get_args(Scheme))
    return Counter(
        found.order_by().values_list("bundle__scenario__source", "bundle__target", "pass_count", votes, *verdicts)
    )


def _sum(counts: tuple[PassCounts, ...]) -> PassCounts:
    return PassCounts(
        source="",
        generator="",
        by_passes=tuple(map(sum, zip(*(row.by_passes for row in counts), strict=True))),
        open=sum(row.open for row in counts),
        passing={scheme: sum(row.passing[scheme] for row in counts) for scheme in SCHEMES},
    )


def _reasons(study: Study, families: Mapping[int, str]) -> tuple[ReasonRow, ...]:
    """A row for each reason, in the order of the form."""
    counted = {pk: counts for pk, counts in reasons_by_generator(study).items() if counts["votes"]}
    shares = {(code, pk): counts[code] / counts["votes"] for pk, counts in counted.items() for code in REASONS}
    greatest = max(shares.values(), default=0) or 1
    return tuple(
        ReasonRow(
            reason=words,
            shares=tuple(
                ReasonShare(family, counted[pk][code], counted[pk]["votes"], shares[code, pk] / greatest)
                for pk, family in families.items()
                if pk in counted
            ),
        )
        for code, words in REASONS.items()
    )


def _losses(study: Study, families: Mapping[int, str]) -> tuple[Losses, ...]:
    """Losses, where there are any."""
    declined, given_up, broken = refusals(study), unwritten(study), violations(study)
    return tuple(
        Losses(
            source=name,
            generator=family,
            declined=declined.get((source, generator), 0),
            given_up=given_up.get((source, generator), 0),
            violations={
                OUTCOMES_IN_WORDS.get(outcome, outcome): number
                for outcome, number in broken.get((source, generator), {}).items()
            },
        )
        for source, name in sources(study).values_list("pk", "name")
        for generator, family in families.items()
        if any((source, generator) in lost for lost in (declined, given_up, broken))
    )
