"""Intraclass correlations of Shrout and Fleiss (1979, Psychological Bulletin 86: 420–428)."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import stats

from analysis.core.results import Estimate, FloatArray, Interval

METHOD = "F, Shrout and Fleiss 1979"
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class IntraclassCorrelations:
    """Of one rating (`one`) and of the mean of all k (`mean`); `n` of each counts targets.

    `one_way`: every target has raters of its own. `random`: the raters are a sample from all those who could have
    rated, and their levels count (absolute agreement). `fixed`: these very raters, whose levels do not count
    (consistency).
    """

    one_way: Estimate
    random: Estimate
    fixed: Estimate
    one_way_mean: Estimate
    random_mean: Estimate
    fixed_mean: Estimate


@dataclass(frozen=True, slots=True)
class _Squares:
    """Mean squares of the analysis of variance: between targets, within them, between raters, and what is left."""

    targets: float
    within: float
    raters: float
    rest: float


def intraclass_correlations(ratings: FloatArray, *, level: float = 0.95) -> IntraclassCorrelations:
    """All six of targets × raters without gaps, each at most 1, with intervals at `level`.

    Assumes normal errors. Undefined with fewer than two targets or raters, where a rating is missing (NaN), where
    all ratings are equal, and, each by itself, where nothing varies that it divides by.
    """
    targets, raters = ratings.shape
    if reason := _why_not(ratings):
        return _undefined(reason, targets)
    squares = _squares(ratings)
    kinds = (_one_way, _random, _fixed)
    single, of_mean = zip(*(kind(squares, targets, raters, level) for kind in kinds), strict=True)
    return IntraclassCorrelations(*single, *of_mean)


@dataclass(frozen=True)
class RaterPairs:
    """What any two raters of the same targets have, tables × raters × raters: the covariance of their ratings, the
    mean of their two variances, and half the square of the gap between their means. `targets` counts by table.

    Without weights the coefficients are those of `intraclass_correlations`, whose mean squares are means of these
    over pairs of raters.
    """

    covariance: FloatArray
    variance: FloatArray
    gap: FloatArray
    targets: FloatArray

    @classmethod
    def of(cls, ratings: FloatArray) -> Self:
        """From tables × raters × targets; a target that some rater did not rate (NaN) is left out."""
        rated = ~np.isnan(ratings).any(axis=1, keepdims=True)
        targets = rated.sum(axis=(1, 2)).astype(float)
        kept = np.where(rated, ratings, 0.0)
        means = kept.sum(axis=2) / np.maximum(targets, 1)[:, None]
        around = np.where(rated, kept - means[..., None], 0.0)
        covariance = around @ np.swapaxes(around, 1, 2) / np.maximum(targets - 1, 1)[:, None, None]
        variances = np.diagonal(covariance, axis1=1, axis2=2)
        return cls(
            covariance=covariance,
            variance=(variances[:, :, None] + variances[:, None, :]) / 2,
            gap=(means[:, :, None] - means[:, None, :]) ** 2 / 2,
            targets=targets,
        )

    def coefficients(self, weights: FloatArray) -> dict[str, FloatArray]:
        """By the names in `IntraclassCorrelations`, … × tables, from how often each rater was drawn, … × tables ×
        raters; those of a mean are of as many raters as there are.

        Pairs of a rater with its own copy never count. NaN where it is undefined.
        """
        raters = self.gap.shape[-1]
        pairs = weights.sum(axis=-1) ** 2 - (weights**2).sum(axis=-1)
        covariance, variance, gap = (
            self._over_pairs(each, weights, pairs) for each in (self.covariance, self.variance, self.gap)
        )
        rest = variance - covariance
        within = gap + rest * (self.targets - 1) / np.maximum(self.targets, 1)
        signal = {
            "one_way": (covariance + (rest / np.maximum(self.targets, 1) - gap) / raters, within),
            "random": (covariance, within),
            "fixed": (covariance, rest),
        }
        return {
            f"{name}{suffix}": _ratio(of, of + noise / number)
            for suffix, number in (("", 1), ("_mean", raters))
            for name, (of, noise) in signal.items()
        }

    def _over_pairs(self, values: FloatArray, weights: FloatArray, pairs: FloatArray) -> FloatArray:
        off_diagonal = np.where(np.eye(values.shape[-1], dtype=bool), 0.0, values)
        sums = np.einsum("...i,...ij,...j->...", weights, off_diagonal, weights, optimize=True)
        defined = (pairs > 0) & (self.targets > 1)
        return np.asarray(np.divide(sums, pairs, out=np.full(sums.shape, np.nan), where=defined))


def _ratio(of: FloatArray, by: FloatArray) -> FloatArray:
    return np.asarray(np.divide(of, by, out=np.full(by.shape, np.nan), where=by > ROUNDING))


def _why_not(ratings: FloatArray) -> str | None:
    targets, raters = ratings.shape
    if targets < 2:
        return "fewer than two targets"
    if raters < 2:
        return "fewer than two raters"
    if np.isnan(ratings).any():
        return "the raters did not rate the same targets"
    if (ratings == ratings.flat[0]).all():
        return "all ratings are equal"
    return None


def _squares(ratings: FloatArray) -> _Squares:
    targets, raters = ratings.shape
    mean = ratings.mean()
    by_target, by_rater = ratings.mean(axis=1), ratings.mean(axis=0)
    within = ((ratings - by_target[:, None]) ** 2).sum()
    of_raters = targets * ((by_rater - mean) ** 2).sum()
    rest = ((ratings - by_target[:, None] - by_rater + mean) ** 2).sum()
    found = (
        raters * ((by_target - mean) ** 2).sum() / (targets - 1),
        within / (targets * (raters - 1)),
        of_raters / (raters - 1),
        rest / ((targets - 1) * (raters - 1)),
    )
    negligible = ROUNDING * float(np.var(ratings))
    return _Squares(*(float(square) if square > negligible else 0.0 for square in found))


def _one_way(squares: _Squares, n: int, k: int, level: float) -> tuple[Estimate, Estimate]:
    return _by_ratio("icc_1", squares.targets, squares.within, n=n, k=k, degrees=n * (k - 1), level=level)


def _fixed(squares: _Squares, n: int, k: int, level: float) -> tuple[Estimate, Estimate]:
    return _by_ratio("icc_3", squares.targets, squares.rest, n=n, k=k, degrees=(n - 1) * (k - 1), level=level)


def _by_ratio(
    name: str, signal: float, noise: float, *, n: int, k: int, degrees: int, level: float
) -> tuple[Estimate, Estimate]:
    """Both coefficients that are functions of one F ratio, F = signal / noise: (F − 1)/(F + k − 1), and 1 − 1/F."""
    if signal == noise == 0:
        reason = "the ratings differ by their raters alone"
        return Estimate(name, None, n, reason=reason), Estimate(f"{name}_mean", None, n, reason=reason)
    single = (signal - noise) / (signal + (k - 1) * noise)
    if signal == 0:
        mean = Estimate(f"{name}_mean", None, n, reason="the targets do not differ")
        return Estimate(name, single, n, interval=_no_interval("the targets do not differ", level)), mean
    of_mean = 1 - noise / signal
    if noise == 0:
        reason = "the raters agree perfectly"
        interval = _no_interval(reason, level)
        return Estimate(name, single, n, interval=interval), Estimate(f"{name}_mean", of_mean, n, interval=interval)
    quantile = (1 + level) / 2
    low = signal / noise / stats.f.ppf(quantile, n - 1, degrees)
    high = signal / noise * stats.f.ppf(quantile, degrees, n - 1)
    return (
        Estimate(
            name, single, n, interval=_interval((low - 1) / (low + k - 1), (high - 1) / (high + k - 1), level)
        ),
        Estimate(f"{name}_mean", of_mean, n, interval=_interval(1 - 1 / low, 1 - 1 / high, level)),
    )


def _random(squares: _Squares, n: int, k: int, level: float) -> tuple[Estimate, Estimate]:
    """The interval of one rating is McGraw and Wong's form of the published one; that of the mean follows from it
    by the Spearman–Brown formula.
    """
    between = squares.targets - squares.rest
    total = squares.targets + (k - 1) * squares.rest + k * (squares.raters - squares.rest) / n
    of_mean = squares.targets + (squares.raters - squares.rest) / n
    if total <= 0:
        reason = "the raters differ less than chance would have it"
        return Estimate("icc_2", None, n, reason=reason), Estimate("icc_2_mean", None, n, reason=reason)
    single = Estimate("icc_2", between / total, n, interval=_random_interval(squares, between / total, n, k, level))
    if of_mean <= 0:
        return single, Estimate("icc_2_mean", None, n, reason="the raters differ less than chance would have it")
    interval = single.interval
    if interval and interval.low is not None and interval.high is not None:
        low, high = (k * end / (1 + (k - 1) * end) for end in (interval.low, interval.high))
        interval = _interval(low, high, level)
    return single, Estimate("icc_2_mean", between / of_mean, n, interval=interval)


def _random_interval(squares: _Squares, icc: float, n: int, k: int, level: float) -> Interval:
    if squares.rest == 0 or icc >= 1:
        return _no_interval("the raters differ by their levels alone", level)
    raters_part, rest_part = (
        k * icc / (n * (1 - icc)) * squares.raters,
        (1 + k * icc * (n - 1) / (n * (1 - icc))) * squares.rest,
    )
    degrees = (raters_part + rest_part) ** 2 / (raters_part**2 / (k - 1) + rest_part**2 / ((n - 1) * (k - 1)))
    quantile = (1 + level) / 2
    lower, upper = stats.f.ppf(quantile, n - 1, degrees), stats.f.ppf(quantile, degrees, n - 1)
    noise = k * squares.raters + (k * n - k - n) * squares.rest
    return _interval(
        n * (squares.targets - lower * squares.rest) / (lower * noise + n * squares.targets),
        n * (upper * squares.targets - squares.rest) / (noise + n * upper * squares.targets),
        level,
    )


def _interval(low: float, high: float, level: float) -> Interval:
    return Interval(float(low), float(high), level, METHOD)


def _no_interval(reason: str, level: float) -> Interval:
    return Interval(None, None, level, METHOD, reason=reason)


def _undefined(reason: str, targets: int) -> IntraclassCorrelations:
    names = ("icc_1", "icc_2", "icc_3", "icc_1_mean", "icc_2_mean", "icc_3_mean")
    return IntraclassCorrelations(*(Estimate(name, None, targets, reason=reason) for name in names))
