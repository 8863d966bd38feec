"""Sums of ratings that are categories, by cluster of the things rated, from which agreement is made."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.intp]

MAX_NUMBERS: Final = 50_000_000  # that tables of pairs of raters take, by cluster


@dataclass(frozen=True)
class CategorySums:
    """Sums by cluster: things with two ratings and with any, pairs of categories within a thing, each thing
    counting as 1 (`together`) or as often as it was rated (`coincidences`), shares of categories, and tables of
    pairs of raters (clusters × pairs × categories × categories; None where they would be too many). `of_pairs` are
    the numbers of their raters.
    """

    rated_twice: FloatArray
    rated: FloatArray
    together: FloatArray
    coincidences: FloatArray
    shares: FloatArray
    tables: FloatArray | None
    of_pairs: tuple[IntArray, IntArray] | None

    @classmethod
    def of(
        cls, codes: IntArray, units: IntArray, raters: IntArray, clusters: IntArray, size: int
    ) -> "CategorySums":
        number = int(units.max(initial=-1)) + 1
        counts = np.bincount(units * size + codes, minlength=number * size).reshape(number, size).astype(float)
        of_units = np.zeros(number, dtype=np.intp)
        of_units[units] = clusters
        ratings = counts.sum(axis=1)
        pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size)
        twice = ratings > 1

        def by_cluster(values: FloatArray) -> FloatArray:
            total = np.zeros((int(clusters.max(initial=-1)) + 1, *values.shape[1:]))
            np.add.at(total, of_units, values)
            return total

        others = np.maximum(ratings - 1, 1)[:, None, None]
        tables, of_pairs = _tables(codes, units, raters, of_units, size)
        return cls(
            rated_twice=by_cluster(twice.astype(float)),
            rated=by_cluster(np.ones(number)),
            together=by_cluster(pairs / others / ratings[:, None, None]),
            coincidences=by_cluster(pairs / others),
            shares=by_cluster(counts / ratings[:, None]),
            tables=tables,
            of_pairs=of_pairs,
        )

    def without_each(self) -> "CategorySums":
        """The sums over all other clusters, for each of them."""
        return self._made(lambda values: values.sum(axis=0, keepdims=True) - values)

    def whole(self) -> "CategorySums":
        return self._made(lambda values: values.sum(axis=0, keepdims=True))

    @property
    def in_common(self) -> float:
        """The clusters of things that two raters have in common, in the mean over pairs with any."""
        return float(self.tables.any(axis=(2, 3)).sum(axis=0).mean()) if self.tables is not None else 0.0

    def _made(self, make: Callable[[FloatArray], FloatArray]) -> "CategorySums":
        return CategorySums(
            make(self.rated_twice),
            make(self.rated),
            make(self.together),
            make(self.coincidences),
            make(self.shares),
            None if self.tables is None else make(self.tables),
            self.of_pairs,
        )


def _tables(
    codes: IntArray, units: IntArray, raters: IntArray, of_units: IntArray, size: int
) -> tuple[FloatArray | None, tuple[IntArray, IntArray] | None]:
    """Tables of pairs of raters, and the numbers of these."""
    order = np.lexsort((raters, units))
    codes, units, raters = codes[order], units[order], raters[order]
    most = int(np.bincount(units).max(initial=0)) if units.size else 0
    left, right = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.intp)]
    for distance in range(1, most):
        starts = np.flatnonzero(units[distance:] == units[:-distance])
        left.append(starts)
        right.append(starts + distance)
    one, other = np.concatenate(left), np.concatenate(right)
    width = int(raters.max(initial=0)) + 1
    keys, pair = np.unique(raters[one] * width + raters[other], return_inverse=True)
    clusters = int(of_units.max(initial=-1)) + 1
    if clusters * keys.size * size**2 > MAX_NUMBERS:
        return None, None
    cells = ((of_units[units[one]] * keys.size + pair) * size + codes[one]) * size + codes[other]
    found = np.bincount(cells, minlength=clusters * keys.size * size**2).astype(float)
    return found.reshape(clusters, keys.size, size, size), (keys // width, keys % width)


def indices_of(names: Sequence[Hashable]) -> IntArray:
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.intp)
