"""How different a study's prompts are, by generator and source, and what people say of a sample of pairs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, get_args

from django.db.models import QuerySet

from annotation.platform.core.category_agreement import cohen
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from generation.prompts.core import diversity as core
from generation.prompts.core.diversity import READINGS, Cell, Diversity, Mixed, Reading, Stage
from generation.prompts.core.position_bias import PositionBias
from generation.prompts.core.quality import Scheme
from generation.prompts.models import Candidate, PairVote
from generation.prompts.selectors import origins
from generation.prompts.selectors.pairs import (
    SampledPair,
    cells,
    people_and_models_on_pairs,
    position_biases,
    sampled_pairs,
)
from generation.prompts.selectors.quality import Comparison

ALL_PAIRS: Final = "All pairs of generators"

# Id and name of each source, `None` for all of them together; ids of models, with their families.
Sources = list[tuple[int | None, str]]
Families = dict[int, str]


@dataclass(frozen=True)
class Asked:
    """Which prompts are compared, and by whom those of two generators."""

    stage: Stage
    scheme: Scheme
    mixed: Mixed


@dataclass(frozen=True)
class DiversityRow:
    """Diversity of one generator or two from a source, or from all together; by reading, the study's own first."""

    source: str
    generators: str
    by_reading: tuple[Diversity, ...]


@dataclass(frozen=True)
class DiversityPage:
    """Everything the page tells. Of `wanted` comparisons by models `votes` are there.

    `own_pairs` is how many pairs the person has compared; `people` is how far people's verdicts are the models'.
    """

    readings: Mapping[Reading, str]
    within: tuple[DiversityRow, ...]
    across: tuple[DiversityRow, ...]
    votes: int
    wanted: int
    own_pairs: int
    people: tuple[Comparison, ...]
    orders: tuple[PositionBias, ...]


@dataclass(frozen=True)
class ModelSays:
    """What a model makes of a pair."""

    family: str
    is_equivalent: bool
    is_swapped: bool
    reason: str
    call: int | None


@dataclass(frozen=True)
class PairPage:
    """Two prompts for a person to compare, `done` of `of` being compared by them.

    What they said, and what the models do, is there once they have said it.
    """

    first: Candidate
    second: Candidate
    done: int
    of: int
    own: PairVote | None
    models: tuple[ModelSays, ...]
    has_next: bool

    @property
    def prompts(self) -> tuple[Candidate, Candidate]:
        return self.first, self.second


def diversity_of(study: Study, asked: Asked, *, person: User) -> DiversityPage:
    found = cells(study, stage=asked.stage, scheme=asked.scheme, mixed=asked.mixed)
    readings = _readings(study)
    sources, families = _sources(study, found), origins.generators(study)
    return DiversityPage(
        readings=readings,
        within=tuple(_within(found, list(readings), sources, families)),
        across=tuple(_across(found, list(readings), sources, families)),
        votes=sum(cell.votes for cell in found),
        wanted=sum(cell.wanted for cell in found),
        own_pairs=PairVote.objects.filter(first__bundle__study=study, reviewer=person).count(),
        orders=tuple(position_biases(study)),
        people=(Comparison("People and models", "", cohen(people_and_models_on_pairs(study))),),
    )


def _readings(study: Study) -> dict[Reading, str]:
    """Readings with their words, the study's own first."""
    return {reading: READINGS[reading] for reading in sorted(get_args(Reading), key=study.equivalence.__ne__)}


def _sources(study: Study, found: list[Cell]) -> Sources:
    """Sources, with all of them together where there are several, which says so while it is of one alone."""
    sources = dict(origins.sources(study).values_list("pk", "name"))
    if len(sources) < 2:
        return [*sources.items()]
    complete = {cell.source for cell in found if cell.is_complete}
    only = f", {sources[complete.pop()]} only so far" if len(complete) == 1 else ""
    return [*sources.items(), (None, f"All sources{only}")]


def _within(
    found: list[Cell], readings: Sequence[Reading], sources: Sources, families: Families
) -> Iterator[DiversityRow]:
    by_reading = [core.within(found, reading) for reading in readings]
    for source, name in sources:
        for pk, family in families.items():
            if (source, pk) in by_reading[0]:
                yield DiversityRow(name, family, tuple(values[source, pk] for values in by_reading))


def _across(
    found: list[Cell], readings: Sequence[Reading], sources: Sources, families: Families
) -> Iterator[DiversityRow]:
    """Every two generators, then the mean over them."""
    by_pairs = [core.across_pairs(found, reading) for reading in readings]
    by_source = [core.across(found, reading) for reading in readings]
    for source, name in sources:
        for one, other in combinations(families, 2):
            pair = min(one, other), max(one, other)
            if (source, pair) in by_pairs[0]:
                names = f"{families[one]} and {families[other]}"
                yield DiversityRow(name, names, tuple(values[source, pair] for values in by_pairs))
        if source in by_source[0]:
            yield DiversityRow(name, ALL_PAIRS, tuple(values[source] for values in by_source))


def next_pair(study: Study, *, person: User) -> PairPage | None:
    """The first pair of the sample that the person has not compared; `None` once they have compared all."""
    sample = sampled_pairs(study, person)
    following = next((pair for pair in sample if pair.person_says is None), None)
    if following is None:
        return None
    pair = Candidate.objects.filter(pk__in=[following.first_id, following.second_id])
    return _pair_page(sample, _in_order(pair), person)


def pair_page(study: Study, *, first: int, second: int, person: User) -> PairPage | None:
    """Two prompts of one scenario, by their ids; `None` where these are not two of one scenario. The person may
    have been shown them before later votes changed the sample.
    """
    pair = _in_order(Candidate.objects.filter(bundle__study=study, pk__in=[first, second]))
    if len({candidate.bundle.scenario_id for candidate in pair}) != 1 or len(pair) != 2:
        return None
    return _pair_page(sampled_pairs(study, person), pair, person)


def _in_order(candidates: QuerySet[Candidate]) -> list[Candidate]:
    return list(candidates.select_related("bundle__study").order_by("pk"))


def _pair_page(sample: Sequence[SampledPair], pair: Sequence[Candidate], person: User) -> PairPage:
    first, second = pair
    votes = PairVote.objects.filter(first=first, second=second)
    own = votes.filter(reviewer=person).first()
    by_models = (
        votes.filter(target__isnull=False, stands=True)
        .select_related("target")
        .order_by("target__family", "is_swapped", "pk")
    )
    to_come = [(pair.first_id, pair.second_id) for pair in sample if pair.person_says is None]
    return PairPage(
        first=first,
        second=second,
        done=len(sample) - len(to_come),
        of=len(sample),
        own=own,
        models=tuple(
            ModelSays(vote.target.family, vote.is_equivalent, vote.is_swapped, vote.reason, vote.call_id)
            for vote in by_models
            if own and vote.target
        ),
        has_next=any(other != (first.pk, second.pk) for other in to_come),
    )
