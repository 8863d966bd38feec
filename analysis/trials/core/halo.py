"""Whether a prompt for each dimension keeps dimensions apart that one prompt for both runs together."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

from analysis.data.core.results import Estimate, FloatArray
from analysis.trials.core.evaluator_pairs import MIN_ANSWERS, TOO_FEW_EVALUATORS
from analysis.trials.core.score_table import ScoreTable, with_jackknife
from analysis.uncertainty.core.intervals import CORRELATION, of_differences
from analysis.uncertainty.core.judgment_arrays import BoolArray


@dataclass(frozen=True, slots=True)
class Halo:
    """Halo of two dimensions in an approach: the mean Spearman r of the one with the other, both by the same
    evaluator (`within`), and by different ones (`between`). What is more within is halo: it is of the evaluator,
    not of the answers (Thorndike 1920, Journal of Applied Psychology 4: 25–29; the multitrait–multimethod
    comparison of Campbell & Fiske 1959, Psychological Bulletin 56: 81–105).
    """

    approach: str
    one: str
    other: str
    within: Estimate
    between: Estimate
    halo: Estimate


@dataclass(frozen=True, slots=True)
class HaloDifference:
    """How much more halo the `first` approach has than the `second`, on the same answers and evaluators."""

    first: str
    second: str
    difference: Estimate


def halos(table: ScoreTable, level: float) -> tuple[Halo, ...]:
    return tuple(_halo(table, one, other, level) for one, other in combinations(table.dimensions, 2))


def halo_difference(first: ScoreTable, second: ScoreTable, level: float) -> HaloDifference:
    """The difference in halo of the first two dimensions. Evaluators that only one of the two has are left out."""
    name = "halo_difference"
    shared = [each for each in first.evaluators if each in second.evaluators]
    dimensions = first.dimensions[:2]
    reason = ""
    if len(dimensions) < 2 or not set(dimensions) <= set(second.dimensions):
        reason = "the two approaches have fewer than two dimensions in common"
    elif len(shared) < 2:
        reason = "fewer than two evaluators scored in both approaches"
    if reason:
        return HaloDifference(first.approach, second.approach, Estimate(name, None, 0, reason=reason))
    scores = [
        np.array([[table.scores[each][table.evaluators.index(who)] for who in shared] for each in dimensions])
        for table in (first, second)
    ]
    paired = ~np.isnan(np.concatenate(scores, axis=1)).any(axis=(0, 1))

    def gap(kept: BoolArray) -> float:
        (within, between), (of_second, between_second) = (_parts(each[:, :, kept & paired]) for each in scores)
        return (within - between) - (of_second - between_second)

    if np.isnan(gap(paired)):
        both = (_why_none(each[:, :, paired], dimensions, shared, "in both approaches") for each in scores)
        names = (" in the first approach", " in the second approach")
        said = [(why, name) for why, name in zip(both, names, strict=True) if why]
        reason = said[0][0] + ("" if paired.sum() < MIN_ANSWERS else said[0][1])
        return HaloDifference(first.approach, second.approach, Estimate(name, None, 0, reason=reason))
    n, bounds = int(paired.sum()), of_differences(of_differences(CORRELATION))
    found = with_jackknife(name, gap, first.clusters, n=n, level=level, bounds=bounds)
    return HaloDifference(first.approach, second.approach, found)


def _halo(table: ScoreTable, one: str, other: str, level: float) -> Halo:
    scores = np.array([table.scores[one], table.scores[other]])
    within, between = _parts(scores)
    n = len(table.evaluators)
    if np.isnan(within - between):
        reason = _why_none(scores, (one, other), table.evaluators)
        nothing = [Estimate(name, None, n, reason=reason) for name in ("within", "between", "halo")]
        return Halo(table.approach, one, other, *nothing)

    def gap(kept: BoolArray) -> float:
        within, between = _parts(scores[:, :, kept])
        return within - between

    return Halo(
        table.approach,
        one,
        other,
        Estimate("within", within, n),
        Estimate("between", between, n * (n - 1)),
        with_jackknife("halo", gap, table.clusters, n=n, level=level, bounds=of_differences(CORRELATION)),
    )


def _why_none(scores: FloatArray, dimensions: Sequence[str], evaluators: Sequence[str], where: str = "") -> str:
    """Why `_parts` of scores by dimension, evaluator and answer has none; "" where it has."""
    if len(evaluators) < 2:
        return TOO_FEW_EVALUATORS
    complete = scores[:, :, ~np.isnan(scores).any(axis=(0, 1))]
    if (answers := complete.shape[2]) < MIN_ANSWERS:
        words = "fewer than three answers have scores of all evaluators on both dimensions"
        return f"{' '.join(filter(None, (words, where)))}: {answers}"
    flat = np.argwhere((complete == complete[:, :, :1]).all(axis=2))
    return next((f"{evaluators[who]} gave one value to all on {dimensions[place]}" for place, who in flat), "")


def _parts(scores: FloatArray) -> tuple[float, float]:
    """Mean correlation within and between evaluators, of scores by dimension, evaluator and answer."""
    complete = scores[:, :, ~np.isnan(scores).any(axis=(0, 1))]
    raters = complete.shape[1]
    if raters < 2 or complete.shape[2] < MIN_ANSWERS or (complete == complete[:, :, :1]).all(axis=2).any():
        return float("nan"), float("nan")
    ranks = stats.rankdata(complete, axis=2)
    crossed = np.corrcoef(ranks[0], ranks[1])[:raters, raters:]
    own = float(np.trace(crossed) / raters)
    return own, float((crossed.sum() - np.trace(crossed)) / (raters * (raters - 1)))
