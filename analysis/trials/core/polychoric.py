"""The polychoric correlation of two ordinal ratings: that of two normal variables that were cut into categories."""

from typing import Final

import numpy as np
from scipy import optimize, stats

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import FloatArray

NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)
MAX_RHO: Final = 0.9999  # of ρ either way, where a table has empty corners
MIN_PROBABILITY: Final = 1e-12  # of a cell
FAR: Final = 8.0  # standard deviations, where nothing is left of the normal distribution


def polychoric(table: IntArray) -> float:
    """ρ, −1 to 1, by maximum likelihood in two steps: thresholds from the margins, then ρ given these (Olsson 1979,
    Psychometrika 44: 443–460).

    `table` counts answers by the one's category and the other's, both in order. NaN where one of the two used
    fewer than two categories.
    """
    used = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0].astype(float)
    if min(used.shape) < 2:
        return float("nan")
    rows, columns = _thresholds(used.sum(axis=1)), _thresholds(used.sum(axis=0))

    def unlikely(rho: float) -> float:
        below = bivariate_normal(rows[:, None], columns[None, :], rho)
        cells = np.diff(np.diff(below, axis=0), axis=1)
        return -float((used * np.log(np.maximum(cells, MIN_PROBABILITY))).sum())

    found = optimize.minimize_scalar(
        unlikely, bounds=(-MAX_RHO, MAX_RHO), method="bounded", options={"xatol": 1e-7}
    )
    return float(found.x)


def bivariate_normal(one: FloatArray, other: FloatArray, rho: float) -> FloatArray:
    """The probability that two standard normal variables of correlation ρ lie below these (of any shape).

    Plackett's identity (1954, Biometrika 41: 351–360): its derivative by ρ is the density, here integrated over the
    arcsine of ρ, which keeps it smooth.
    """
    angles = np.arcsin(rho) * (NODES + 1) / 2
    sines, cosines = np.sin(angles), np.cos(angles)
    h, k = np.broadcast_arrays(one, other)
    h, k = h[..., None], k[..., None]
    density = np.exp(-(h**2 + k**2 - 2 * h * k * sines) / (2 * cosines**2))
    area = (density * WEIGHTS).sum(axis=-1) * np.arcsin(rho) / 2 / (2 * np.pi)
    return np.asarray(stats.norm.cdf(one) * stats.norm.cdf(other) + area)


def _thresholds(margin: FloatArray) -> FloatArray:
    """The k + 1 bounds of k categories, the outer ones where nothing is beyond them."""
    inner = stats.norm.ppf(margin.cumsum()[:-1] / margin.sum())
    return np.asarray(np.concatenate([[-FAR], inner, [FAR]]))
