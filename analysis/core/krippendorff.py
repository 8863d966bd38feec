"""Krippendorff's α, for any number of raters, units and distinct values, with ratings missing."""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from analysis.core.results import Estimate, FloatArray

Level = Literal["nominal", "ordinal", "interval"]
IntArray = NDArray[np.intp]


def krippendorff_alpha(values: FloatArray, *, level: Level) -> Estimate:
    """Krippendorff's α of raters × units, at most 1, with NaN for a missing rating: see `alpha_of_ratings`."""
    raters, units = np.nonzero(~np.isnan(values))
    return alpha_of_ratings(values[raters, units], units, number=values.shape[1], level=level)


def alpha_of_ratings(values: FloatArray, units: IntArray, *, number: int, level: Level) -> Estimate:
    """Krippendorff's α from one value and one unit for each rating, of `number` units from 0 on; `n` counts units.

    Nobody rates a unit twice. Units with fewer than two ratings are left out and counted. α = 1 − observed /
    expected disagreement (Krippendorff, Content Analysis, 3rd ed. 2013, ch. 12), with sums in the place of
    coincidence matrices: of the squared differences within a unit m·Σx² − (Σx)² is left, so that no table of units
    by values is needed, however many values there are.
    """
    name = f"krippendorff_alpha_{level}"
    pairable = np.bincount(units, minlength=number) >= 2
    n, left_out = int(pairable.sum()), int((~pairable).sum())
    if n == 0:
        return Estimate(name, None, n, left_out, "no unit has two ratings")
    kept = pairable[units]
    ratings = Ratings.of(values[kept], units[kept])
    if ratings.domain.size == 1:
        return Estimate(name, None, n, left_out, "all ratings are equal")
    weights = np.ones((1, int(kept.sum())))
    return Estimate(name, float(ratings.alpha(weights, level=level)[0]), n, left_out)


@dataclass(frozen=True)
class Ratings:
    """Ratings in the order of their units, and within a unit of their values.

    `order` takes arrays given by rating into that order; `codes` are places in the sorted `domain` of values, and
    `units` and `cells` (a unit's ratings of one value) begin where these say.
    """

    order: IntArray
    domain: FloatArray
    codes: IntArray
    units: IntArray
    cells: IntArray
    unit_of: IntArray

    @classmethod
    def of(cls, values: FloatArray, units: IntArray) -> Self:
        """From one value and one unit for each rating, without missing ones."""
        domain, codes = np.unique(values, return_inverse=True)
        order = np.lexsort((codes, units))
        codes, units = codes[order], units[order]
        new_unit = np.diff(units, prepend=-1) != 0
        new_cell = new_unit | (np.diff(codes, prepend=-1) != 0)
        return cls(
            order, domain, codes, np.flatnonzero(new_unit), np.flatnonzero(new_cell), np.cumsum(new_unit) - 1
        )

    def alpha(self, weights: FloatArray, *, level: Level, unit_weights: FloatArray | None = None) -> FloatArray:
        """α by draw: `weights` (draws × ratings, as given to `of`) say how often each rating's rater was drawn and
        `unit_weights` (draws × units, in ascending order) how often its unit was.

        Units in which fewer than two different raters were drawn do not count; NaN where none is left or all
        ratings are equal. Two copies of a rater never count as a pair.
        """
        raters = weights[:, self.order]
        drawn = np.add.reduceat(raters, self.units, axis=1)
        pairs = drawn**2 - np.add.reduceat(raters**2, self.units, axis=1)
        kept = (pairs > 0) * (1.0 if unit_weights is None else unit_weights)
        every = raters * kept[:, self.unit_of]
        number = every.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.where(pairs > 0, kept * drawn / pairs, 0.0)
            if level == "nominal":
                within = drawn**2 - np.add.reduceat(
                    np.add.reduceat(raters, self.cells, axis=1) ** 2, self._units_in_cells(), axis=1
                )
                overall = number**2 - (self._totals(every) ** 2).sum(axis=1)
            else:
                places = self._places(every, level)
                within = 2 * (
                    drawn * np.add.reduceat(raters * places**2, self.units, axis=1)
                    - np.add.reduceat(raters * places, self.units, axis=1) ** 2
                )
                overall = 2 * (number * (every * places**2).sum(axis=1) - (every * places).sum(axis=1) ** 2)
            found = 1 - (scale * within).sum(axis=1) * (number - 1) / overall
        return np.where(overall > 0, found, np.nan)

    def _units_in_cells(self) -> IntArray:
        return np.searchsorted(self.cells, self.units)

    def _totals(self, weights: FloatArray) -> FloatArray:
        """Ratings of each value, draws × domain."""
        by_value = np.argsort(self.codes, kind="stable")
        starts = np.searchsorted(self.codes[by_value], np.arange(self.domain.size))
        return np.asarray(np.add.reduceat(weights[:, by_value], starts, axis=1))

    def _places(self, weights: FloatArray, level: Level) -> FloatArray:
        """Where values stand on the scale that differences are squared on, draws × ratings.

        Ordinal values stand where their ratings do among all of them: between two values lie the ratings between
        them, each end's own by half. Around the middle, which keeps the sums of squares exact.
        """
        if level == "interval":
            return np.broadcast_to((self.domain - self.domain.mean())[self.codes], weights.shape)
        totals = self._totals(weights)
        places = totals.cumsum(axis=1) - totals / 2
        return np.asarray((places - totals.sum(axis=1, keepdims=True) / 2)[:, self.codes])
