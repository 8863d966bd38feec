"""Prompts of a scenario two by two: what models say of them, counted, and what people say of some."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any, Final

from django.contrib.postgres.aggregates import BoolAnd
from django.db import connection
from django.db.models import (
    Case,
    Count,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
    Window,
)
from django.db.models.functions import MD5, Concat, RowNumber

from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.platform.services.rows import named
from annotation.study.models.studies import Study
from generation.catalogue.models import Target
from generation.prompts.core.diversity import Cell, Mixed, Stage, evaluators
from generation.prompts.core.position_bias import PositionBias
from generation.prompts.core.quality import Scheme
from generation.prompts.models import Bundle, Candidate, PairVote
from generation.prompts.selectors.candidates import names_in_use, passing, standing_models, tallied
from generation.prompts.selectors.origins import generators
from generation.sources.models import Scenario

SAMPLED_OF_A_KIND: Final = 20
SAMPLED_SCENARIOS: Final = 60

_COUNTED = """
WITH judged AS (
    SELECT
        bundle.scenario_id AS scenario, least(bundle.target_id, bundle_2.target_id) AS a,
        greatest(bundle.target_id, bundle_2.target_id) AS b,
        CASE WHEN %(both)s THEN count(*) FILTER (WHERE target.family = ANY(%(names)s))
            ELSE count(DISTINCT target.family) FILTER (WHERE target.family = ANY(%(names)s)) END AS votes,
        bool_and(vote.is_equivalent) AS by_all, bool_or(vote.is_equivalent) AS by_one
    FROM generation_pairvote AS vote
    JOIN generation_candidate AS prompt ON prompt.id = vote.first_id
    JOIN generation_bundle AS bundle ON bundle.id = prompt.bundle_id
    JOIN generation_candidate AS prompt_2 ON prompt_2.id = vote.second_id
    JOIN generation_bundle AS bundle_2 ON bundle_2.id = prompt_2.bundle_id
    JOIN generation_target AS target ON target.id = vote.target_id
    WHERE prompt.id = ANY(%(prompts)s) AND prompt_2.id = ANY(%(prompts)s) AND vote.stands AND (
        vote.target_id NOT IN (bundle.target_id, bundle_2.target_id)
        OR %(writers_vote)s AND bundle.target_id <> bundle_2.target_id
    )
    GROUP BY vote.first_id, vote.second_id, bundle.scenario_id, bundle.target_id, bundle_2.target_id
)
SELECT scenario, a, b, sum(votes)::int AS votes, count(*) FILTER (WHERE by_all) AS both,
    count(*) FILTER (WHERE by_one) AS either
FROM judged GROUP BY scenario, a, b
"""


@dataclass(frozen=True)
class SampledPair:
    """Two prompts for a person to compare. Models say “equivalent” where all of them that are to compare do.

    `models_say` is None of a pair that is not drawn any more: the person compared it when it was.
    """

    first_id: int
    second_id: int
    models_say: bool | None
    person_says: bool | None


def compared(study: Study, *, stage: Stage = "after", scheme: Scheme = "all") -> QuerySet[Any]:
    """The prompts that are compared at this stage: all, or those that pass the quality filter under the scheme."""
    if stage == "before":
        return Candidate.objects.filter(bundle__study=study)
    return passing(tallied(study), scheme=scheme, least_passes=study.quality_passes_needed)


def cells(study: Study, *, stage: Stage = "after", scheme: Scheme = "all", mixed: Mixed = "third") -> list[Cell]:
    """What is to be compared and how far that is, by scenario and one or two generators; nothing without a pair."""
    models = list(standing_models(study).values_list("pk", flat=True))
    rows = compared(study, stage=stage, scheme=scheme).order_by()
    prompts = list(
        rows.values_list("pk", "bundle__scenario_id", "bundle__target_id", "bundle__scenario__source_id")
    )
    counted = _counted(study, [prompt for prompt, _, _, _ in prompts], mixed)
    times = 2 if study.pair_order == "both" else 1
    found = []
    for (source, scenario), bundles in _bundles(prompts).items():
        for a, b in combinations_with_replacement(sorted(bundles), 2):
            generators = (a,) if a == b else (a, b)
            pairs = comb(bundles[a], 2) if a == b else bundles[a] * bundles[b]
            judges = len(evaluators(models, generators, mixed=mixed)) * times
            votes, both, either = counted.get((scenario, a, b), (0, 0, 0))
            if pairs and judges:
                cell = Cell(source, scenario, generators, pairs, judges, votes, {"both": both, "either": either})
                found.append(cell)
    return found


def sampled_pairs(study: Study, person: User) -> list[SampledPair]:
    """Pairs for a person to compare, in an order of their own: `SAMPLED_OF_A_KIND` pairs that are equivalent by the
    models and as many of the others, or all there are, from `SAMPLED_SCENARIOS`.

    Drawn by keys and texts alone from the pairs that models have compared: everybody gets the same. What a person
    has compared stays theirs, whatever later votes change.
    """
    lot = _lot(study, "first__sha256", "second__sha256")
    ranked = (
        _by_models(study)
        .filter(first__bundle__scenario__in=_drawn_scenarios(study))
        .annotate(place=Window(RowNumber(), partition_by=F("alike"), order_by=(Min(lot), "first_id", "second_id")))
    )
    own = PairVote.objects.filter(first__bundle__study=study, reviewer=person).order_by()
    said = {(vote.first_id, vote.second_id): vote.is_equivalent for vote in own}
    rows = ranked.filter(place__lte=SAMPLED_OF_A_KIND).values_list("first_id", "second_id", "alike")
    drawn = {(first, second): alike for first, second, alike in rows}
    pairs = [SampledPair(*pair, drawn.get(pair), said.get(pair)) for pair in drawn | said]
    return sorted(pairs, key=lambda pair: sha256_hex(f"{person.pk} {pair.first_id} {pair.second_id}"))


def position_biases(study: Study) -> list[PositionBias]:
    """The position bias of each model that was shown pairs, by name: all its votes, those that stand no more as
    well.
    """
    votes = PairVote.objects.filter(first__bundle__study=study, target__isnull=False)
    other = PairVote.objects.filter(
        first=OuterRef("first"), second=OuterRef("second"), target=OuterRef("target"), is_swapped=True
    )
    shown_twice = votes.filter(is_swapped=False).annotate(otherwise=Subquery(other.values("is_equivalent")[:1]))
    twice = _counts_by_model(shown_twice.filter(otherwise__isnull=False), "is_equivalent", "otherwise")
    by_order = _counts_by_model(votes, "is_swapped", "is_equivalent")
    models = Target.objects.filter(pk__in=by_order).order_by("family", "pk").values_list("pk", "family", "model_id")
    return [
        PositionBias(
            model=f"{family}, {model_id}",
            written=by_order[pk][False, True] + by_order[pk][False, False],
            written_equivalent=by_order[pk][False, True],
            swapped=by_order[pk][True, True] + by_order[pk][True, False],
            swapped_equivalent=by_order[pk][True, True],
            twice=twice[pk].total(),
            gained=twice[pk][True, False],
            lost=twice[pk][False, True],
        )
        for pk, family, model_id in models
    ]


def _counts_by_model(votes: QuerySet[Any], one: str, other: str) -> defaultdict[int, Counter[tuple[bool, bool]]]:
    """How often two fields have which values, by the id of the target."""
    found: defaultdict[int, Counter[tuple[bool, bool]]] = defaultdict(Counter)
    for target, *values, number in votes.order_by().values_list("target", one, other).annotate(number=Count("pk")):
        found[target][values[0], values[1]] += number
    return found


def people_and_models_on_pairs(study: Study) -> list[tuple[bool, bool]]:
    """Whether a pair is equivalent, to a person and to models: of every one that they and a person compared."""
    by_people = PairVote.objects.filter(first__bundle__study=study, reviewer__isnull=False).order_by("pk")
    said = list(by_people.values_list("first_id", "second_id", "is_equivalent"))
    pairs = _by_models(study).filter(first__in={first for first, _, _ in said})
    rows = pairs.values_list("first_id", "second_id", "alike")
    models = {(first, second): alike for first, second, alike in rows}
    return [(person, models[first, second]) for first, second, person in said if (first, second) in models]


def _counted(
    study: Study, prompts: Sequence[int], mixed: Mixed
) -> dict[tuple[int, int, int], tuple[int, int, int]]:
    """Counts by scenario and two generators, the lesser first, or one twice: votes in the names of models in use,
    and equivalent pairs by reading.
    """
    given: dict[str, Any] = {
        "prompts": prompts,
        "names": names_in_use(study),
        "both": study.pair_order == "both",
        "writers_vote": mixed == "all",
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED, given)
        return {
            (row["scenario"], row["a"], row["b"]): (row["votes"], row["both"], row["either"])
            for row in named(cursor)
        }


def _bundles(prompts: Iterable[tuple[int, int, int, int]]) -> dict[tuple[int, int], Counter[int]]:
    """How many prompts of each generator there are, by source and scenario."""
    found: defaultdict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    for _, scenario, writer, source in prompts:
        found[source, scenario][writer] += 1
    return found


def _drawn_scenarios(study: Study) -> list[int]:
    scenarios = Scenario.objects.filter(pk__in=Bundle.objects.filter(study=study).order_by().values("scenario"))
    lot = _lot(study, "source__slug", "key")
    return list(scenarios.order_by(lot, "pk").values_list("pk", flat=True)[:SAMPLED_SCENARIOS])


def _lot(study: Study, one: str, other: str) -> MD5:
    """What a row is drawn by: as good as random, and the same whenever the study's seed and the two fields are."""
    fields = Concat(Value(str(study.sampling_seed)), Value(" "), one, Value(" "), other, output_field=TextField())
    return MD5(fields)


def _by_models(study: Study) -> QuerySet[Any, Any]:
    """Pairs that every model in use that wrote neither prompt has compared, or one whose place it took: `alike`
    where all find them so, in either order.
    """
    models = list(standing_models(study).values_list("pk", flat=True))
    by_names = Q(target__family__in=names_in_use(study))
    return (
        PairVote.objects.filter(first__bundle__study=study, target__isnull=False, stands=True)
        .exclude(target=F("first__bundle__target"))
        .exclude(target=F("second__bundle__target"))
        .order_by()
        .values("first_id", "second_id", "first__bundle__target", "second__bundle__target")
        .annotate(alike=BoolAnd("is_equivalent"), votes=Count("target", filter=by_names, distinct=True))
        .filter(votes__gte=_evaluators(study, models))
    )


def _evaluators(study: Study, models: Sequence[int]) -> Case:
    """How many of the models are to compare two prompts, by who wrote them."""
    return Case(
        *(
            When(
                first__bundle__target=one,
                second__bundle__target=other,
                then=len(evaluators(models, (one, other), mixed="third")),
            )
            for one, other in product(generators(study), repeat=2)
        )
    )
