"""How much a validation or a full experiment takes: answers, calls, cost, hours, and how wide intervals will be."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

from scipy import special

# Calls for an answer: one for both dimensions, or one for each.
CALLS: Final[Mapping[str, int]] = {"A": 1, "B": 1, "C": 2, "D": 1}


@dataclass(frozen=True, slots=True)
class Size:
    """Calls of evaluators by approach, beside the `answers` that models write."""

    answers: int
    calls: Mapping[str, int]
    total: int
    cost: float
    hours: float


def size(
    *,
    cases: int,
    conditions: int,
    evaluators: int,
    repeats: int = 1,
    calls: Mapping[str, int] = CALLS,
    price: float = 0.0,
    seconds: float = 0.0,
) -> Size:
    """Of any factors; `price` and `seconds` are of one evaluator's call, one call after the other."""
    answers = cases * conditions
    found = {approach: answers * evaluators * repeats * number for approach, number in calls.items()}
    total = sum(found.values())
    return Size(answers, found, total, total * price, total * seconds / 3600)


def half_width(sd: float, scenarios: int, level: float) -> float:
    """Of the paired t interval of a difference whose scenarios spread by `sd`, points; at least two scenarios."""
    return float(special.stdtrit(scenarios - 1, (1 + level) / 2)) * sd / sqrt(scenarios)
