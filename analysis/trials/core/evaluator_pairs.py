"""What two evaluators of the same answers have in common, pair by pair, and why some pairs have nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Final

import numpy as np
from scipy import stats

from analysis.data.core.results import FloatArray
from analysis.trials.core.polychoric import polychoric
from analysis.uncertainty.core.judgment_arrays import BoolArray

MIN_ANSWERS: Final = 3
MIN_USES: Final = 5  # of a category by both, so that it counts for a polychoric correlation
TOO_FEW: Final = "fewer than three answers scored by both"
TOO_FEW_EVALUATORS: Final = "fewer than two evaluators"
GAVE_NONE: Final = "gave no score"
NEITHER: Final = "neither gave a score"
NOT_ASSESSABLE: Final = "not assessable"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two evaluators with `n` answers in common: Pearson's and Spearman's r, or the `reason` why neither."""

    one: str
    other: str
    n: int
    pearson: float
    spearman: float
    reason: str = ""


def pairs(scores: FloatArray, evaluators: Sequence[str]) -> list[Pair]:
    """Every two evaluators of `scores`, evaluators × answers."""
    return [_pair(scores[[i, j]], evaluators[i], evaluators[j]) for i, j in combinations(range(len(evaluators)), 2)]


def mean_correlation(scores: FloatArray, kind: str) -> float:
    """The mean over pairs of `kind`, “pearson” or “spearman”; NaN where any pair has none."""
    if (
        scores.shape[1] >= MIN_ANSWERS
        and not np.isnan(scores).any()
        and (scores != scores[:, :1]).any(axis=1).all()
    ):
        # The same from one table, which is what takes time: nothing is missing, and nobody gave one value to all.
        values = scores if kind == "pearson" else np.asarray(stats.rankdata(scores, axis=1))
        return float(np.corrcoef(values)[np.triu_indices(len(scores), 1)].mean())
    found = [_correlation(scores[[i, j]], kind) for i, j in combinations(range(len(scores)), 2)]
    return float(np.mean(found)) if found else float("nan")


def why_undefined(found: Sequence[Pair]) -> str:
    """How many pairs are undefined, by reason; "" where none is."""
    reasons = Counter(each.reason for each in found if each.reason)
    if not found:
        return f"{NOT_ASSESSABLE}: {TOO_FEW_EVALUATORS}"
    if not reasons:
        return ""
    number = reasons.total()
    whole = f"{len(found)} pairs of evaluators"
    of = (
        "its one pair of evaluators is"
        if len(found) == 1
        else f"{number} of {whole} {'is' if number == 1 else 'are'}"
    )
    which = f"all {whole} are" if number == len(found) > 1 else of
    if len(reasons) == 1:
        return f"{NOT_ASSESSABLE}: {which} undefined, because {next(iter(reasons))}"
    said = "; ".join(f"{number} because {reason}" for reason, number in reasons.items())
    return f"{NOT_ASSESSABLE}: {which} undefined: {said}"


def mean_polychoric(scores: FloatArray) -> tuple[float, int, int]:
    """The mean polychoric correlation of ordinal scores over the pairs in which both used two categories at least
    MIN_USES times: the mean (NaN without any), how many pairs these are, and how many others.
    """
    found = []
    for i, j in combinations(range(len(scores)), 2):
        both = ~np.isnan(scores[[i, j]]).any(axis=0)
        used = [np.unique(row[both], return_counts=True)[1] for row in scores[[i, j]]]
        if all((counts >= MIN_USES).sum() >= 2 for counts in used):
            found.append(polychoric(np.asarray(stats.contingency.crosstab(scores[i, both], scores[j, both]).count)))
    others = len(scores) * (len(scores) - 1) // 2 - len(found)
    return (float(np.mean(found)) if found else float("nan")), len(found), others


def _pair(scores: FloatArray, one: str, other: str) -> Pair:
    both = _of_both(scores)
    n = both.shape[1]
    nan = float("nan")
    if reason := _why_none(scores, both, (one, other)):
        return Pair(one, other, n, nan, nan, reason)
    return Pair(one, other, n, _r(both), _r(_ranks(both)))


def _why_none(scores: FloatArray, both: FloatArray, names: tuple[str, str]) -> str:
    silent = [name for name, row in zip(names, scores, strict=True) if np.isnan(row).all()]
    if silent:
        return f"{silent[0]} {GAVE_NONE}" if len(silent) == 1 else NEITHER
    if both.shape[1] < MIN_ANSWERS:
        return TOO_FEW
    flat = [name for name, is_flat in zip(names, _are_flat(both), strict=True) if is_flat]
    if flat:
        return f"{flat[0]} gave one value to all" if len(flat) == 1 else "both gave one value to all"
    return ""


def _correlation(scores: FloatArray, kind: str) -> float:
    """The correlation of two evaluators; NaN where it is undefined."""
    both = _of_both(scores)
    if both.shape[1] < MIN_ANSWERS or _are_flat(both).any():
        return float("nan")
    return _r(both if kind == "pearson" else _ranks(both))


def _of_both(scores: FloatArray) -> FloatArray:
    """The two evaluators' scores of the answers that both scored."""
    return scores[:, ~np.isnan(scores).any(axis=0)]


def _are_flat(both: FloatArray) -> BoolArray:
    return np.asarray((both == both[:, :1]).all(axis=1))


def _ranks(both: FloatArray) -> FloatArray:
    """Ties share the mean of their places; in a tenth of the time that a general ranking takes, for the jackknife
    needs thousands.
    """
    found = np.empty(both.shape)
    for place, row in enumerate(both):
        _, which, counts = np.unique(row, return_inverse=True, return_counts=True)
        found[place] = (counts.cumsum() - (counts - 1) / 2)[which]
    return found


def _r(both: FloatArray) -> float:
    one, other = both - both.mean(axis=1, keepdims=True)
    return float(np.clip(one @ other / sqrt((one @ one) * (other @ other)), -1, 1))
