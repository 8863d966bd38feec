"""How sure a figure is, from its values without each of the independent things that it is of (Efron & Tibshirani
1993, An Introduction to the Bootstrap, ch. 11). NaN marks a value that is undefined.
"""

from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]

ROUNDING: Final = 1e-12


def jackknife_variance(without: FloatArray) -> float:
    """The variance of the figure; 0 where it is defined without none of them."""
    defined = without[~np.isnan(without)]
    return float((defined.size - 1) * defined.var()) if defined.size else 0.0


def jackknife_bias(without: FloatArray, value: float) -> float:
    """How far the `value` of the figure lies above what it is of very many of them (Quenouille 1956, Biometrika 43:
    353–360).
    """
    defined = without[~np.isnan(without)]
    return float((defined.size - 1) * (defined.mean() - value)) if defined.size else 0.0


def jackknife_degrees(without: FloatArray, number: int) -> float:
    """Degrees of freedom of the variance, 1 to `number` − 1, the figure being of so many things.

    A few that bring far more than the others leave the variance uncertain: that of n values with kurtosis κ varies
    by (κ − 1)/n of its square, as one with 2n/(κ − 1) degrees of freedom does (O'Neill 2014, The American
    Statistician 68: 282–296).
    """
    most = float(max(number - 1, 1))
    brought = without[~np.isnan(without)]
    if brought.size < 3 or not np.ptp(brought) > ROUNDING:
        return most
    squares = (brought - brought.mean()) ** 2
    excess = float((squares**2).mean() / squares.mean() ** 2) - 1
    return min(max(2 * brought.size / excess, 1.0), most) if excess > 0 else most


def degrees_of_squares(degrees: float, number: int) -> float:
    """Degrees of freedom of the variance of a figure made of so many things' squares and products, as agreement and
    correlations are: (`number` − 1)/2 at most. What such things bring has a kurtosis of about 5, as sums of six
    squares of normal figures have, which so few of them hardly show.
    """
    return min(degrees, max((number - 1) / 2, 1.0))


def skewness_of(without: FloatArray) -> float:
    """Skewness of what each of them brings to the figure, corrected for how few they are; 0 of fewer than three, or
    where all bring the same.
    """
    brought = -without[~np.isnan(without)]
    number, deviations = brought.size, brought - brought.mean() if brought.size else brought
    if number < 3 or not np.ptp(brought) > ROUNDING:
        return 0.0
    skewness = float((deviations**3).mean() / (deviations**2).mean() ** 1.5)
    return skewness * sqrt(number * (number - 1)) / (number - 2)
