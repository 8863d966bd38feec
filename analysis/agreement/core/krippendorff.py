"""Krippendorff's α, for any number of raters, units and distinct values, with ratings missing.

α = 1 − observed / expected disagreement (Krippendorff, Content Analysis, 3rd ed. 2013, ch. 12), with sums in the
place of coincidence matrices: of the squared differences within a unit m·Σx² − (Σx)² is left.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray

Level = Literal["nominal", "ordinal", "interval"]
# α by draw, from how often every unit was drawn (draws × units); one row stands for every draw.
OfUnits = Callable[[FloatArray], FloatArray]

NOT_TWO: Final = "no unit has two ratings"
NO_RATING: Final = "there is no rating of this kind"


def alpha_of_ratings(values: FloatArray, units: IntArray, *, number: int, level: Level) -> Estimate:
    """Krippendorff's α from one value and one unit for each rating, of `number` units from 0 on; `n` counts units.

    At most 1. Nobody rates a unit twice. Units with fewer than two ratings are left out and counted.
    """
    name = f"krippendorff_alpha_{level}"
    pairable = np.bincount(units, minlength=number) >= 2
    n, left_out = int(pairable.sum()), int((~pairable).sum())
    if n == 0:
        return Estimate(name, None, n, left_out, NOT_TWO if values.size else NO_RATING)
    kept = pairable[units]
    # Where everybody counts once it does not matter who they are.
    ratings = Ratings.of(values[kept], units[kept], np.zeros(int(kept.sum()), dtype=np.intp), shape=(number, 1))
    if ratings.domain.size == 1:
        return Estimate(name, None, n, left_out, "all ratings are equal")
    found = ratings.of_raters(np.ones((1, 1)), level=level)(np.ones((1, number)))
    return Estimate(name, float(found[0]), n, left_out)


@dataclass(frozen=True)
class Ratings:
    """One rating each in `values`, `units` and `raters`; units and raters are places, `shape` says among how many.

    Values are places too, in the sorted `domain`.
    """

    domain: FloatArray
    values: IntArray
    units: IntArray
    raters: IntArray
    shape: tuple[int, int]

    @classmethod
    def of(cls, values: FloatArray, units: IntArray, raters: IntArray, *, shape: tuple[int, int]) -> Self:
        """Made from ratings, of which none is missing."""
        domain, codes = np.unique(values, return_inverse=True)
        return cls(domain, codes, units, raters, shape)

    def of_raters(self, weights: FloatArray, *, level: Level) -> OfUnits:
        """What gives α by draw: `weights` (draws × raters) say how often each rater was drawn.

        Units in which fewer than two different raters were drawn do not count; NaN where none is left or all
        ratings are equal. Two copies of a rater never count as a pair.
        """
        drawn = _Drawn.of(self._seen @ weights.T, self._seen @ (weights**2).T)
        if level == "interval":
            return self._by_sums(drawn, weights.T)
        return self._by_counts(drawn, weights.T, level)

    def _by_sums(self, drawn: "_Drawn", weights: FloatArray) -> OfUnits:
        sums, squares = self._sums @ weights, self._squares @ weights
        within = 2 * (drawn.number * squares - sums**2)

        def alpha(units: FloatArray) -> FloatArray:
            kept = units.T * drawn.is_compared
            number, total, square = (_over_units(kept, each) for each in (drawn.number, sums, squares))
            return drawn.alpha(kept, within, number, 2 * (number * square - total**2))

        return alpha

    def _by_counts(self, drawn: "_Drawn", weights: FloatArray, level: Level) -> OfUnits:
        """`counts`, values × units × draws, may be many: for a rating scale, not for measurements."""
        counts = (self._cells @ weights).reshape(self.domain.size, self.shape[0], weights.shape[1])

        def alpha(units: FloatArray) -> FloatArray:
            kept = units.T * drawn.is_compared
            number, totals = _over_units(kept, drawn.number), np.einsum("ud,vud->vd", kept, counts)
            if level == "nominal":
                within = drawn.number**2 - (counts**2).sum(axis=0)
                return drawn.alpha(kept, within, number, number**2 - (totals**2).sum(axis=0))
            # Between two values lie the ratings between them, each end's own by half. Around the middle, which
            # keeps the sums of squares exact.
            places = totals.cumsum(axis=0) - totals / 2 - number / 2
            sums, squares = (np.einsum("vud,vd->ud", counts, each) for each in (places, places**2))
            total, square = ((totals * each).sum(axis=0) for each in (places, places**2))
            within = 2 * (drawn.number * squares - sums**2)
            return drawn.alpha(kept, within, number, 2 * (number * square - total**2))

        return alpha

    @cached_property
    def _seen(self) -> sparse.csr_array:
        return self._table(np.ones(self.values.size))

    @cached_property
    def _sums(self) -> sparse.csr_array:
        return self._table(self._about_the_middle)

    @cached_property
    def _squares(self) -> sparse.csr_array:
        return self._table(self._about_the_middle**2)

    @cached_property
    def _cells(self) -> sparse.csr_array:
        """Who rated, by value and unit (all units of the first value first)."""
        units, raters = self.shape
        places = (self.values * units + self.units, self.raters)
        return sparse.csr_array((np.ones(self.values.size), places), shape=(self.domain.size * units, raters))

    @property
    def _about_the_middle(self) -> FloatArray:
        """Values centred by rating, which keeps the sums of squares exact."""
        return np.asarray((self.domain - self.domain.sum() / max(self.domain.size, 1))[self.values])

    def _table(self, of_ratings: FloatArray) -> sparse.csr_array:
        return sparse.csr_array((of_ratings, (self.units, self.raters)), shape=self.shape)


@dataclass(frozen=True)
class _Drawn:
    """The `number` of ratings by unit and draw, in how many `pairs` of different raters, and whether in any."""

    number: FloatArray
    pairs: FloatArray
    is_compared: NDArray[np.bool_]

    @classmethod
    def of(cls, number: FloatArray, squares: FloatArray) -> Self:
        pairs = number**2 - squares
        return cls(number, pairs, pairs > 0)

    def alpha(self, kept: FloatArray, within: FloatArray, number: FloatArray, overall: FloatArray) -> FloatArray:
        """α by draw, from how often each unit was `kept` and its squared differences `within` (units × draws), and
        from how many ratings there are `overall` and their squared differences.
        """
        scale = np.divide(self.number, self.pairs, out=np.zeros_like(self.pairs), where=self.is_compared)
        observed = _over_units(kept, scale * within) * (number - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(overall > 0, 1 - observed / overall, np.nan))


def _over_units(kept: FloatArray, values: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ud,ud->d", kept, values))
