"""Intervals from a standard error: t with the degrees of freedom that the error itself rests on."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from scipy import special, stats

from analysis.data.core.results import Estimate, Interval

EXACT = "exact binomial, Clopper and Pearson 1934"
ROUNDING = 1e-12
UNBOUNDED = (-inf, inf)
SHARE = (0.0, 1.0)


def with_t_interval(
    estimate: Estimate,
    se: Estimate,
    degrees: float,
    *,
    level: float,
    method: str,
    bounds: tuple[float, float] = UNBOUNDED,
) -> Estimate:
    """The estimate with its interval at `level`, cut off at the `bounds` of what the figure can be.

    Without a standard error, or where it is nothing, there is a reason in the interval's place; without a value the
    estimate stays as it is.
    """
    if estimate.value is None:
        return estimate
    if se.value is None or se.value < ROUNDING:
        reason = se.reason or "all observations are alike"
        return replace(estimate, interval=Interval(None, None, level, method, reason=reason))
    reach = reach_of(se.value, degrees, level)
    low, high = max(estimate.value - reach, bounds[0]), min(estimate.value + reach, bounds[1])
    return replace(estimate, interval=Interval(low, high, level, method))


def with_exact_interval(share: Estimate, *, level: float) -> Estimate:
    """A share of `n` observations that are independent of each other, with the interval of Clopper & Pearson (1934,
    Biometrika 26: 404–413).
    """
    if share.value is None:
        return share
    found, tail = round(share.value * share.n), (1 - level) / 2
    low = float(stats.beta.ppf(tail, found, share.n - found + 1)) if found else 0.0
    high = float(stats.beta.ppf(1 - tail, found + 1, share.n - found)) if found < share.n else 1.0
    return replace(share, interval=Interval(low, high, level, EXACT))


def or_exact(share: Estimate, independent: int, *, level: float) -> Estimate:
    """A share of 0 or 1, which varies nowhere and so has no interval of its own, with the exact one of so many
    observations as are surely `independent` of each other; with fewer than two of these it stays as it is.
    """
    has_none = share.interval is not None and share.interval.low is None
    if share.value not in SHARE or not has_none or independent < 2:
        return share
    return replace(share, interval=with_exact_interval(replace(share, n=independent), level=level).interval)


def why_not_crossed(prompts: int, judges: int) -> str | None:
    """Why so many prompts and judges are no two samples to tell anything from, in words."""
    if prompts < 2:
        return "fewer than two prompts"
    if judges < 2:
        return "fewer than two judges"
    return None


def reach_of(se: float, degrees: float, level: float) -> float:
    """How far the interval reaches to either side."""
    return float(special.stdtrit(degrees, (1 + level) / 2) * se)


def satterthwaite(variances: Sequence[float], degrees: Sequence[float]) -> float:
    """Degrees of freedom of a sum of variances estimated each by itself (Satterthwaite 1946, Biometrics Bulletin 2:
    110–114); at least 1.
    """
    parts = sum(variance**2 / own for variance, own in zip(variances, degrees, strict=True) if variance)
    return max(sum(variances) ** 2 / parts, 1.0) if parts else 1.0
