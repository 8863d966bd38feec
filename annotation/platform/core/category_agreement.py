"""How far people or models agree who put the same things into categories: Cohen's and Fleiss' κ, Krippendorff's α,
Gwet's AC1 and AC2.

Two raters are compared by `cohen`, any number of them by `category_agreement`, whose standard errors leave out one
cluster of things at a time: what is of one prompt, story or case is not independent.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Final

import numpy as np
import scipy

from annotation.platform.core.category_sums import CategorySums, FloatArray, indices_of
from annotation.platform.core.interval_ends import ends_about
from annotation.platform.core.jackknife import (
    degrees_of_squares,
    jackknife_bias,
    jackknife_degrees,
    jackknife_variance,
)

LEVEL: Final = 0.95  # of intervals
ROUNDING: Final = 1e-12
NOTHING_IN_COMMON: Final = "nothing judged by both"
ONE_VERDICT: Final = "one verdict throughout"
NOT_RATED_TWICE: Final = "nothing has two ratings"
ONE_CATEGORY: Final = "all ratings are in one category"
ONE_CLUSTER: Final = "fewer than two clusters of things"
MIN_IN_COMMON: Final = 2.0  # clusters that pairs of raters rated, on average, so that κ of pairs has an interval
TOO_LITTLE_IN_COMMON: Final = "pairs of raters have too few clusters of things in common for an interval"
TOO_MANY: Final = "not computed for so many pairs of raters"
UNDEFINED_WITHOUT_ONE: Final = "undefined without one of the clusters"


@dataclass(frozen=True, slots=True)
class Concordance:
    """How far two judges agree on the `n` things that both judged.

    `share` is that of equal verdicts, 0 to 1; `kappa` is Cohen's κ, at most 1, with its `interval`. None where
    nothing can be said: both without anything in common, κ also where both give one and the same verdict
    throughout, as the `reason` tells; the interval where they always agree or never.
    """

    n: int
    share: float | None
    kappa: float | None
    interval: tuple[float, float] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement, at most 1, 0 for chance: its `value`, or the `reason` why there is none. Beside
    it its standard `error` with so many `degrees` of freedom, or why there is none (`why_no_error`), and by how
    much the value lies above that of very many things (`bias`).

    `least` is the least that it can be, or −1 where so near to it the spread says little.
    """

    value: float | None
    reason: str = ""
    error: float | None = None
    degrees: float = 0
    why_no_error: str = ""
    least: float = -1.0
    bias: float = 0.0

    def interval(self, level: float = LEVEL) -> tuple[float, float] | None:
        """t about the value less its bias, on the scale of `interval_ends`. None where there is no error, or it is
        nothing.
        """
        if self.value is None or not self.error or not self.least < self.value < 1:
            return None
        reach = float(scipy.special.stdtrit(self.degrees, (1 + level) / 2)) * self.error
        return ends_about(self.value, reach, (self.least, 1.0), bias=self.bias)


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """Agreement on `n` things with two ratings or more, of `categories` in use or offered, in their order.

    `share` is that of equal ratings among pairs of ratings of a thing, in the mean over things; `cohen` the mean κ
    over pairs of raters. `ac2` weighs two categories by 1 less the square of their distance, `alpha_ordinal` by how
    many ratings lie between them: both take the categories' order for granted.
    """

    n: int
    categories: tuple[float, ...]
    share: Coefficient
    cohen: Coefficient
    fleiss: Coefficient
    alpha_nominal: Coefficient
    alpha_ordinal: Coefficient
    ac1: Coefficient
    ac2: Coefficient


def cohen(verdicts: Iterable[tuple[Hashable, Hashable]]) -> Concordance:
    """Agreement of two judges whose verdicts on the same things come two by two.

    κ = (p_o − p_e) / (1 − p_e): p_o is the share of equal verdicts, p_e the share to be expected if both gave their
    verdicts as often as they do, but independently (Cohen 1960). Its interval takes the things judged as a sample,
    each independent of the others, and reaches no further than κ can, from −1 to 1.
    """
    table = Counter(verdicts)
    n = table.total()
    if n == 0:
        return Concordance(0, None, None, reason=NOTHING_IN_COMMON)
    shares = {pair: number / n for pair, number in table.items()}
    share = sum(number for (one, other), number in table.items() if one == other) / n
    first, second = (_marginals(shares, place) for place in (0, 1))
    expected = sum(first[verdict] * second.get(verdict, 0.0) for verdict in first)
    if 1 - expected < ROUNDING:
        return Concordance(n, share, None, reason=ONE_VERDICT)
    kappa = (share - expected) / (1 - expected)
    error = _kappa_error(shares, kappa, expected, n)
    return Concordance(n, share, kappa, Coefficient(kappa, error=error, degrees=inf).interval())


def category_agreement(
    categories: Sequence[float],
    units: Sequence[Hashable],
    raters: Sequence[Hashable],
    clusters: Sequence[Hashable],
    *,
    offered: Iterable[float] = (),
) -> CategoryAgreement:
    """Agreement of ratings, from each one's category, the thing rated, its rater, and the cluster that the thing is
    of.

    `offered` are the categories that raters could choose from, where that is known: AC1 and AC2 count those that
    nobody used as well, since the agreement that chance brings falls with the number of categories.
    Nobody rates a thing twice. Shares of categories are means over all things that anybody rated (Fleiss 1971,
    Psychological Bulletin 76: 378–382; Gwet 2008, British Journal of Mathematical and Statistical Psychology 61:
    29–48, and 2014, Handbook of Inter-Rater Reliability, ch. 4–5), α of those with two ratings or more
    (Krippendorff 2013, ch. 12). Errors are those of the jackknife over clusters.
    """
    used = np.asarray(categories, dtype=float)
    names = np.union1d(used, np.asarray(tuple(offered), dtype=float))
    codes = np.searchsorted(names, used)
    sums = CategorySums.of(codes, indices_of(units), indices_of(raters), indices_of(clusters), len(names))
    found = {name: _coefficient(name, sums) for name in _COEFFICIENTS}
    return CategoryAgreement(n=int(sums.rated_twice.sum()), categories=tuple(names.tolist()), **found)


def _coefficient(name: str, sums: CategorySums) -> Coefficient:
    if not sums.rated_twice.sum():
        return Coefficient(None, NOT_RATED_TWICE)
    if name == "cohen" and sums.tables is None:
        return Coefficient(None, TOO_MANY)
    whole = sums.whole()
    value = float(_COEFFICIENTS[name](whole)[0])
    if np.isnan(value):
        return Coefficient(None, ONE_CATEGORY if sums.shares.shape[1] == 1 else ONE_VERDICT)
    return _with_error(name, value, sums, whole)


def _with_error(name: str, value: float, sums: CategorySums, whole: CategorySums) -> Coefficient:
    number = len(sums.rated)
    if number < 2:
        return Coefficient(value, why_no_error=ONE_CLUSTER)
    if name == "cohen" and sums.in_common < MIN_IN_COMMON:
        return Coefficient(value, why_no_error=TOO_LITTLE_IN_COMMON)
    of_interval = _OF_INTERVALS.get(name, _COEFFICIENTS[name])
    without, about = of_interval(sums.without_each()), float(of_interval(whole)[0])
    if np.isnan(without).any():
        return Coefficient(value, why_no_error=UNDEFINED_WITHOUT_ONE)
    error = sqrt(jackknife_variance(without))
    return Coefficient(
        value,
        error=error,
        degrees=degrees_of_squares(jackknife_degrees(without, number), number),
        least=_least(name, value - 2 * error, whole),
        bias=value - about + jackknife_bias(without, about),
    )


def _least(name: str, low: float, whole: CategorySums) -> float:
    """What the coefficient can be at the least: −1/(k − 1) of k ratings of a thing on average, where it is
    corrected for chance. It is −1 where two errors below the value (`low`) is no more than that.
    """
    if name == "share":
        return 0.0
    raters = 2 if name == "cohen" else float(whole.coincidences.sum() / whole.rated_twice.sum())
    least = -1 / (raters - 1)
    return least if low > least else -1.0


def _share(sums: CategorySums) -> FloatArray:
    return _over(np.trace(sums.together, axis1=1, axis2=2), sums.rated_twice)


def _fleiss(sums: CategorySums) -> FloatArray:
    return _beyond(_share(sums), (_shares(sums) ** 2).sum(axis=1))


def _ac1(sums: CategorySums) -> FloatArray:
    shares = _shares(sums)
    return _beyond(
        _share(sums), _over((shares * (1 - shares)).sum(axis=1), np.full(len(shares), shares.shape[1] - 1))
    )


def _ac2(sums: CategorySums) -> FloatArray:
    shares = _shares(sums)
    size = shares.shape[1]
    places = np.arange(size)
    weights = 1 - ((places[:, None] - places) / max(size - 1, 1)) ** 2
    spread = (shares * (1 - shares)).sum(axis=1) * weights.sum()
    expected = _over(spread, np.full(len(shares), size * (size - 1)))
    return _beyond(_over((sums.together * weights).sum(axis=(1, 2)), sums.rated_twice), expected)


def _alpha_nominal(sums: CategorySums) -> FloatArray:
    size = sums.shares.shape[1]
    return _alpha(sums.coincidences, np.broadcast_to(1 - np.eye(size), sums.coincidences.shape))


def _alpha_ordinal(sums: CategorySums) -> FloatArray:
    """Two categories are apart by the ratings between them, half of their own included."""
    totals = sums.coincidences.sum(axis=2)
    middles = totals.cumsum(axis=1) - totals / 2
    return _alpha(sums.coincidences, (middles[:, :, None] - middles[:, None, :]) ** 2)


def _alpha(coincidences: FloatArray, apart: FloatArray) -> FloatArray:
    totals = coincidences.sum(axis=2)
    expected = (totals[:, :, None] * totals[:, None, :] * apart).sum(axis=(1, 2))
    observed = (coincidences * apart).sum(axis=(1, 2)) * (totals.sum(axis=1) - 1)
    return np.asarray(1 - _over(observed, expected))


def _cohen(sums: CategorySums) -> FloatArray:
    """The mean over pairs of raters with anything in common whose κ is defined."""
    tables = np.zeros((len(sums.rated), 0, 1, 1)) if sums.tables is None else sums.tables
    number = tables.sum(axis=(2, 3))
    observed = _over(np.trace(tables, axis1=2, axis2=3), number)
    expected = _over((tables.sum(axis=3) * tables.sum(axis=2)).sum(axis=2), number**2)
    kappas = _beyond(observed, expected)
    defined = ~np.isnan(kappas)
    return _over(np.where(defined, kappas, 0.0).sum(axis=1), defined.sum(axis=1).astype(float))


def _cohen_by_shares(sums: CategorySums) -> FloatArray:
    """The mean of κ over pairs of raters, each pair as often as it has things in common, with chance counted from
    what its raters said of everything that they rated with anybody.

    The mean of pairs' own κ is drawn towards nothing where they have few things in common, since a pair's ratings
    of the one thing are among those that its chance is counted from.
    """
    if sums.tables is None or sums.of_pairs is None:
        return np.full(len(sums.rated), np.nan)
    one, other = sums.of_pairs
    said = np.zeros((int(other.max(initial=-1)) + 1, len(sums.rated), sums.tables.shape[2]))
    np.add.at(said, one, sums.tables.sum(axis=3).swapaxes(0, 1))
    np.add.at(said, other, sums.tables.sum(axis=2).swapaxes(0, 1))
    shares = said / np.maximum(said.sum(axis=2, keepdims=True), 1)
    expected = (shares[one] * shares[other]).sum(axis=2).T
    number = sums.tables.sum(axis=(2, 3))
    kappas = _beyond(_over(np.trace(sums.tables, axis1=2, axis2=3), number), expected)
    counts = np.where(np.isnan(kappas), 0.0, number)
    return _over((np.nan_to_num(kappas) * counts).sum(axis=1), counts.sum(axis=1))


_COEFFICIENTS: Final = {
    "share": _share,
    "cohen": _cohen,
    "fleiss": _fleiss,
    "alpha_nominal": _alpha_nominal,
    "alpha_ordinal": _alpha_ordinal,
    "ac1": _ac1,
    "ac2": _ac2,
}


_OF_INTERVALS: Final = {"cohen": _cohen_by_shares}


def _shares(sums: CategorySums) -> FloatArray:
    return np.asarray(sums.shares / np.maximum(sums.rated, 1)[:, None])


def _beyond(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """The share that is there of the agreement that chance does not bring; NaN where chance brings all."""
    return _over(observed - expected, 1 - expected)


def _over(of: FloatArray, by: FloatArray) -> FloatArray:
    return np.asarray(np.divide(of, by, out=np.full(of.shape, np.nan), where=by > ROUNDING))


def _marginals(shares: Mapping[tuple[Hashable, Hashable], float], place: int) -> dict[Hashable, float]:
    found: dict[Hashable, float] = {}
    for pair, share in shares.items():
        found[pair[place]] = found.get(pair[place], 0.0) + share
    return found


def _kappa_error(shares: Mapping[tuple[Hashable, Hashable], float], kappa: float, expected: float, n: int) -> float:
    """The standard error of κ in large samples (Fleiss, Cohen & Everitt 1969, Psychological Bulletin 72: 323–327)
    from the shares of pairs of verdicts.
    """
    first, second = (_marginals(shares, place) for place in (0, 1))
    equal = sum(
        share * (1 - (first.get(one, 0.0) + second.get(one, 0.0)) * (1 - kappa)) ** 2
        for (one, two), share in shares.items()
        if one == two
    )
    unequal = sum(
        share * (second.get(one, 0.0) + first.get(two, 0.0)) ** 2
        for (one, two), share in shares.items()
        if one != two
    )
    total = equal + (1 - kappa) ** 2 * unequal - (kappa - expected * (1 - kappa)) ** 2
    return sqrt(total / n) / (1 - expected) if total > ROUNDING else 0.0
