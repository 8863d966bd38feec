"""Rankings and ratings of judges × objects for tests."""

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.agreement.core.krippendorff import Level, alpha_of_ratings
from analysis.data.core.results import Estimate, FloatArray

NAN = math.nan


def ranking(*rows: Any) -> FloatArray:
    return np.array(rows, dtype=float)


# Three judges without ties: rank sums 4, 6, 8, 12 with mean 7.5.
UNTIED = ranking([1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 4])
# The same number of judges, one pair tied by each, as competition ranks.
TIED = ranking([1, 2, 2, 4], [1, 1, 3, 4], [1, 2, 3, 3])


def tables(max_side: int, values: Any, min_rows: int = 2, min_columns: int = 2) -> Any:
    """Arrays of up to `max_side` rows and columns."""
    sides = st.tuples(st.integers(min_rows, max_side), st.integers(min_columns, max_side))
    return sides.flatmap(lambda shape: arrays(float, shape, elements=values))


few_ranks = st.integers(1, 4).map(float)


def krippendorff_alpha(values: FloatArray, *, level: Level) -> Estimate:
    """Of raters × units, NaN for a missing rating."""
    raters, units = np.nonzero(~np.isnan(values))
    return alpha_of_ratings(values[raters, units], units, number=values.shape[1], level=level)


def value(estimate: Estimate | None) -> float:
    """What a figure that is defined says."""
    assert estimate is not None
    assert estimate.value is not None
    return estimate.value


def ends(estimate: Estimate) -> tuple[float, float]:
    """Of an interval that is defined."""
    interval = estimate.interval
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


def why_no_interval(estimate: Estimate) -> str | None:
    return estimate.interval.reason if estimate.interval else None
