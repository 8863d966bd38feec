"""How much a validation or a full experiment takes: answers, calls, cost, hours, and how wide intervals will be."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

from scipy import special, stats

LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Asked:
    """What is thought of. `answers` are those of each condition to a case, of a control there is one; `repeats` are
    scores of an answer by an evaluator, `calls` those that one answer takes by approach, `ratings` people to a
    case. Prices are in $ for one call, `seconds` what a call takes, `minutes` what a person takes for a case.
    """

    cases: int
    conditions: int
    evaluators: int
    calls: Mapping[str, int]
    controls: int = 0
    answers: int = 1
    repeats: int = 1
    ratings: int = 0
    answer_price: float = 0.0
    score_price: float = 0.0
    seconds: float = 0.0
    minutes: float = 0.0


@dataclass(frozen=True, slots=True)
class Size:
    """Calls of evaluators by approach, and their `evaluations` in all; the `answers` that models write, among them
    `controls`; `cost` in $; hours of models, one call after the other, and of people.
    """

    answers: int
    controls: int
    calls: Mapping[str, int]
    costs: Mapping[str, float]
    evaluations: int
    answers_cost: float
    cost: float
    model_hours: float
    people_hours: float


@dataclass(frozen=True, slots=True)
class Expected:
    """What to expect of a dimension whose scenario differences spread by `sd` points: half the interval of a
    condition less the baseline, and the chance, 0 to 1, of what is tested there: `is_equality`, or else a
    difference.
    """

    dimension: str
    sd: float
    half_width: float
    is_equality: bool
    chance: float


def size(asked: Asked) -> Size:
    """The size of a trial with any factors."""
    controls = asked.cases * asked.controls
    answers = asked.cases * asked.conditions * asked.answers + controls
    each = answers * asked.evaluators * asked.repeats
    calls = {approach: each * number for approach, number in asked.calls.items()}
    costs = {approach: number * asked.score_price for approach, number in calls.items()}
    evaluations = sum(calls.values())
    answers_cost = answers * asked.answer_price
    return Size(
        answers=answers,
        controls=controls,
        calls=calls,
        costs=costs,
        evaluations=evaluations,
        answers_cost=answers_cost,
        cost=answers_cost + sum(costs.values()),
        model_hours=(answers + evaluations) * asked.seconds / 3600,
        people_hours=asked.cases * asked.ratings * asked.minutes / 60,
    )


def half_width(sd: float, scenarios: int, level: float) -> float:
    """Half the width of the paired t interval of a difference whose scenarios spread by `sd`, points; at least two
    scenarios.
    """
    return float(special.stdtrit(scenarios - 1, (1 + level) / 2)) * sd / sqrt(scenarios)


def power_of_equality(sd: float, scenarios: int, margin: float, level: float) -> float:
    """The chance that both one-sided tests find a condition equal that is no different, 0 to 1; approximately, from
    central t.
    """
    if not sd:
        return 1.0
    beyond = margin / (sd / sqrt(scenarios)) - float(special.stdtrit(scenarios - 1, level))
    return max(0.0, 2 * float(special.stdtr(scenarios - 1, beyond)) - 1)


def power_of_difference(sd: float, scenarios: int, effect: float, *, tests: int, level: float) -> float:
    """The chance that the paired t-test finds a difference of so many points, with its p times so many tests."""
    if not sd:
        return 1.0
    bound = float(special.stdtrit(scenarios - 1, 1 - (1 - level) / tests / 2))
    shift = effect / (sd / sqrt(scenarios))
    return float(stats.nct.sf(bound, scenarios - 1, shift) + stats.nct.cdf(-bound, scenarios - 1, shift))


def expected(
    asked: Asked,
    sds: Mapping[str, float],
    *,
    scenarios: int,
    integrity: str,
    margin: float,
    smallest_effect: float,
) -> Iterator[Expected]:
    """What so many scenarios can show at `LEVEL`: that `integrity` is equal within `margin` points, of the other
    dimensions a difference of `smallest_effect`. `sds` are of scenario differences, in points, by dimension.
    """
    for dimension, sd in sds.items():
        is_equality = dimension == integrity
        chance = (
            power_of_equality(sd, scenarios, margin, LEVEL)
            if is_equality
            else power_of_difference(sd, scenarios, smallest_effect, tests=asked.conditions - 1, level=LEVEL)
        )
        yield Expected(dimension, sd, half_width(sd, scenarios, LEVEL), is_equality, chance)
