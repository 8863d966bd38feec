"""Intraclass correlations of Shrout and Fleiss (1979, Psychological Bulletin 86: 420–428), over several tables of
targets × raters: their components of variance are pooled, and one coefficient of each kind made of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from analysis.data.core.results import FloatArray

# `one_way`: every target has raters of its own. `random`: the raters are a sample from all those who could have
# rated, and their levels count (absolute agreement). `fixed`: these very raters, whose levels do not count
# (consistency).
KINDS: Final = ("one_way", "random", "fixed")
CONSISTENCY: Final = "fixed"
# Of one rating, and of the mean of k.
COEFFICIENTS: Final = (*KINDS, *(f"{kind}_mean" for kind in KINDS))
SIGNAL, NOISE = "signal", "noise"
COMPONENTS: Final = tuple((kind, part) for kind in KINDS for part in (SIGNAL, NOISE))
ROUNDING = 1e-12

# Variance between targets and beside it, by kind.
Components = Mapping[tuple[str, str], FloatArray]


@dataclass(frozen=True)
class RaterPairs:
    """What any two raters of the same targets have: the covariance of their ratings, the mean of their two
    variances, and half the square of the gap between their means. The mean squares of the analysis of variance are
    means of these over pairs of raters, which follow from sums over raters.

    `means` are raters' (tables × raters), `around` their ratings less these (tables × raters × targets, 0 where a
    target does not count); `targets` counts by table.
    """

    means: FloatArray
    around: FloatArray
    targets: FloatArray

    @classmethod
    def of(cls, ratings: FloatArray) -> Self:
        """Components of tables × raters × targets; a target that some rater did not rate (NaN) is left out."""
        rated = ~np.isnan(ratings).any(axis=1, keepdims=True)
        targets = rated.sum(axis=(1, 2)).astype(float)
        kept = np.where(rated, ratings, 0.0)
        means = kept.sum(axis=2) / np.maximum(targets, 1)[:, None]
        # Gaps are small beside what prompts differ by.
        middle = means.mean(axis=1, keepdims=True)
        return cls(means - middle, np.where(rated, kept - means[..., None], 0.0), targets)

    def components(self, weights: FloatArray) -> Components:
        """… × tables, from how often each rater was drawn, … × tables × raters.

        Pairs of a rater with its own copy never count. NaN with fewer than two raters or targets.
        """
        raters, freedom = self.means.shape[-1], np.maximum(self.targets - 1, 1)
        number, squares = weights.sum(axis=-1), (weights**2).sum(axis=-1)
        pairs = number**2 - squares

        def over_pairs(sums: FloatArray) -> FloatArray:
            defined = (pairs > 0) & (self.targets > 1)
            return np.asarray(np.divide(sums, pairs, out=np.full(sums.shape, np.nan), where=defined))

        own = (self.around**2).sum(axis=-1) / freedom[:, None]
        drawn = np.einsum("...i,...it->...t", weights, self.around)
        of_copies = (weights**2 * own).sum(axis=-1)
        covariance = over_pairs((drawn**2).sum(axis=-1) / freedom - of_copies)
        variance = over_pairs(number * (weights * own).sum(axis=-1) - of_copies)
        gap = over_pairs(number * (weights * self.means**2).sum(axis=-1) - (weights * self.means).sum(axis=-1) ** 2)
        rest = variance - covariance
        within = gap + rest * (self.targets - 1) / np.maximum(self.targets, 1)
        return {
            ("one_way", SIGNAL): covariance + (rest / np.maximum(self.targets, 1) - gap) / raters,
            ("one_way", NOISE): within,
            ("random", SIGNAL): covariance,
            ("random", NOISE): within,
            ("fixed", SIGNAL): covariance,
            ("fixed", NOISE): rest,
        }


def coefficients(components: Components, weights: FloatArray, *, raters: float) -> dict[str, FloatArray]:
    """Coefficients by their names in COEFFICIENTS, …, from the components of … × tables, each table with its
    weight.

    Those of a mean are of so many `raters` (Spearman and Brown). At most 1; NaN where nothing varies.
    """
    pooled = {name: _mean(values, weights) for name, values in components.items()}
    return {
        f"{kind}{suffix}": of_components(pooled[kind, SIGNAL], pooled[kind, NOISE] / number)
        for suffix, number in (("", 1.0), ("_mean", raters))
        for kind in KINDS
    }


def mean_of(single: float, raters: float) -> float:
    """The correlation of the mean of so many raters, from that of one, which is greater than −1/(raters − 1)
    (Spearman 1910 and Brown 1910, British Journal of Psychology 3: 271–295 and 296–322).
    """
    return raters * single / (1 + (raters - 1) * single)


def _mean(values: FloatArray, weights: FloatArray) -> FloatArray:
    weights = np.where(np.isnan(values), 0.0, weights)
    totals = weights.sum(axis=-1)
    sums = (weights * np.nan_to_num(values)).sum(axis=-1)
    return np.asarray(np.divide(sums, totals, out=np.full(sums.shape, np.nan), where=totals > 0))


def of_components(signal: FloatArray, noise: FloatArray) -> FloatArray:
    """The correlation, at most 1, from the variance between targets and beside it; NaN where nothing varies."""
    total = signal + noise
    found = np.divide(signal, total, out=np.full(total.shape, np.nan), where=total > ROUNDING)
    return np.asarray(np.minimum(found, 1.0))
