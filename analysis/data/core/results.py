"""Figures of a report, each with a reason where it is undefined."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]

ROUNDING: Final = 1e-9  # of a value's own size, or of 1


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a figure may lie, from `low` to `high`, at a `level` between 0 and 1.

    `method` says how it was found; `left_out` counts resamples in which the figure was undefined. Without ends, the
    reason why there are none. `least` and `most` are the ends of what the figure can be, where it has any. Raises
    ValueError unless there are both ends or a reason, and unless least ≤ low ≤ high ≤ most.
    """

    low: float | None
    high: float | None
    level: float
    method: str
    left_out: int = 0
    reason: str | None = None
    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        ends = [end for end in (self.low, self.high) if end is not None]
        if len(ends) != (0 if self.reason else 2) or not all(map(math.isfinite, ends)):
            raise ValueError(f"{self.method}: an interval has either two finite ends or a reason")
        inwards = [end for end in (self.least, self.low, self.high, self.most) if end is not None]
        if inwards != sorted(inwards):
            raise ValueError(f"{self.method}: {inwards} are not in order: least, low, high, most")

    def holds(self, value: float) -> bool:
        """Whether the value lies between the ends, but for rounding; also where there are none."""
        if self.low is None or self.high is None:
            return True
        slack = ROUNDING * (1 + abs(value))
        return self.low - slack <= value <= self.high + slack


@dataclass(frozen=True, slots=True)
class Estimate:
    """One figure: a finite value, or the reason why there is none.

    `n` counts the observations it rests on and `left_out` those that could not be used; the function that
    makes the estimate says what an observation is. Raises ValueError unless exactly one of value and reason
    is given, and the value lies in its interval.
    """

    name: str
    value: float | None
    n: int
    left_out: int = 0
    reason: str | None = None
    interval: Interval | None = None

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason):
            raise ValueError(f"{self.name}: an estimate has either a value or a reason")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.name}: {self.value} is not a figure; give the reason instead")
        if self.value is not None and self.interval is not None and not self.interval.holds(self.value):
            raise ValueError(f"{self.name}: {self.value} does not lie in its interval")


@dataclass(frozen=True, slots=True)
class Summary:
    """Centre and spread of one quantity, in its own unit.

    `sd` is the sample standard deviation (divisor n − 1) and `se` the standard error of the mean: sd/√n, which
    takes the observations as independent, unless whoever made the summary says otherwise.
    """

    mean: Estimate
    median: Estimate
    sd: Estimate
    se: Estimate


def summarise(name: str, values: FloatArray) -> Summary:
    """Summary of a vector; NaN marks an observation without a value, which is left out and counted."""
    kept = values[~np.isnan(values)]
    left_out = values.size - kept.size

    def estimate(statistic: str, compute: Callable[[FloatArray], float], at_least: int) -> Estimate:
        if kept.size < at_least:
            reason = f"needs at least {at_least} value{'s' * (at_least > 1)}, has {kept.size}"
            return Estimate(f"{name}_{statistic}", None, kept.size, left_out, reason)
        return Estimate(f"{name}_{statistic}", float(compute(kept)), kept.size, left_out)

    return Summary(
        mean=estimate("mean", np.mean, 1),
        median=estimate("median", np.median, 1),
        sd=estimate("sd", _sample_sd, 2),
        se=estimate("se", lambda kept: _sample_sd(kept) / math.sqrt(kept.size), 2),
    )


def quotient(of: FloatArray, by: FloatArray) -> FloatArray:
    """Element by element, of arrays of one shape; NaN where there is nothing to divide by."""
    return np.asarray(np.divide(of, by, out=np.full(of.shape, np.nan), where=by > 0))


def _sample_sd(values: FloatArray) -> float:
    return float(np.std(values, ddof=1))
