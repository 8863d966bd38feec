"""χ² tests of whether things stand where chance alone would have put them.

A draw puts L things at random on L places. The things are of several kinds, m_s of kind s; the places are of
several sorts, n_c of sort c. The answers of an item are drawn so: kinds are sources, and every label is a sort of
its own. So are a judge's items: kinds are what they are for, sorts the thirds of the judge's list.

With Z_ij = 1 where thing i stands on place j, P(Z_ij = 1) = 1/L, and two different things stand on two given
different places with probability 1/(L(L−1)). Both together are

    Cov(Z_ij, Z_i'j') = ([i=i'] − 1/L) ([j=j'] − 1/L) / (L−1).

Summed over the things of a kind and the places of a sort, the number X_sc of things of kind s on places of sort c
has

    E X_sc = m_s n_c / L
    Cov(X_sc, X_td) = (m_s [s=t] − m_s m_t / L) (n_c [c=d] − n_c n_d / L) / (L−1).

Draws are independent, so expectations and covariances add up, however the numbers differ from draw to draw. Where
chance is at work, (O−E)ᵀ Cov⁺ (O−E) is close to χ² with rank(Cov) degrees of freedom, for the counts O of one kind
as for those of all kinds together. For one source that has m of the k labels in each of n items, the covariance is
n·m(k−m)/(k(k−1)) times (I − 1/k), so that this is Σ(O−E)² / (n·m(k−m)/(k(k−1))) on k−1 degrees of freedom.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import scipy

DIGITS: Final = 6  # so that the same counts give the same figures on every machine
_ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class ChiSquare:
    """`p` is the chance of a value as large or larger; 1 where nothing was left to chance."""

    value: float
    degrees: int
    p: float


@dataclass(frozen=True)
class Fit:
    """Things of each kind (rows) on places of each sort (columns): counted, expected, and how far apart."""

    found: tuple[tuple[int, ...], ...]
    expected: tuple[tuple[float, ...], ...]
    by_kind: tuple[ChiSquare, ...]
    together: ChiSquare


def fit(draws: npt.NDArray[np.int_]) -> Fit:
    """Compare what was drawn with chance. `draws` has the shape (draws, kinds, sorts) and holds counts."""
    of_kind, of_sort = draws.sum(axis=2, dtype=float), draws.sum(axis=1, dtype=float)
    things = of_kind.sum(axis=1)
    found = draws.sum(axis=0)
    expected = np.einsum("ds,dc,d->sc", of_kind, of_sort, 1 / np.maximum(things, 1))
    spread = np.einsum("dst,dce,d->scte", _centred(of_kind), _centred(of_sort), 1 / np.maximum(things - 1, 1))
    apart, cells = found - expected, found.size
    return Fit(
        found=tuple(tuple(map(int, row)) for row in found),
        expected=tuple(tuple(round(float(number), DIGITS) for number in row) for row in expected),
        by_kind=tuple(_chi_square(row, spread[kind, :, kind]) for kind, row in enumerate(apart)),
        together=_chi_square(apart.ravel(), spread.reshape(cells, cells)),
    )


def _centred(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """For each row of `counts`: its diagonal matrix less its outer product with itself over its sum."""
    sums = np.maximum(counts.sum(axis=1), 1)
    outer = counts[:, :, None] * counts[:, None, :] / sums[:, None, None]
    centred: npt.NDArray[np.float64] = counts[:, :, None] * np.eye(counts.shape[1]) - outer
    return centred


def _chi_square(apart: npt.NDArray[np.float64], spread: npt.NDArray[np.float64]) -> ChiSquare:
    """Along the directions in which anything is left to chance; in the others nothing can be apart."""
    variances, directions = np.linalg.eigh(spread)
    free = variances > _ROUNDING * max(variances[-1], 1)
    if not free.any():
        return ChiSquare(0.0, 0, 1.0)
    value, degrees = float(((apart @ directions[:, free]) ** 2 / variances[free]).sum()), int(free.sum())
    return ChiSquare(round(value, DIGITS), degrees, round(float(scipy.stats.chi2.sf(value, degrees)), DIGITS))
