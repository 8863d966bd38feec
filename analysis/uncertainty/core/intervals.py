"""Intervals from a standard error: t with the degrees of freedom that the error itself rests on.

None reaches beyond what its figure can be (see `interval_ends`); a known bias is taken off.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import NamedTuple

from scipy import special, stats

from analysis.data.core.results import Estimate, FloatArray, Interval
from annotation.platform.core.interval_ends import ends_about

EXACT = "exact binomial, Clopper and Pearson 1934"
ROUNDING = 1e-12
MAX_REACH = 2.0  # an upper end seven times as far from the least as the figure does not count
UNBOUNDED = (-inf, inf)
SHARE = (0.0, 1.0)
CORRELATION = (-1.0, 1.0)
RATERS_OF_R = 3  # that can disagree by −1/2 in the mean at the most
TOO_FEW = "too few prompts for an interval"
TOO_FEW_JUDGES = "too few judges for an interval"
AT_THE_END = "the figure is the least or the most that it can be"
BEYOND = "the figure lies beyond what it can be in many prompts"
NEAR_LEAST = "too near to the least that raters can agree for an interval"


class Reliability(NamedTuple):
    """Bounds of agreement beyond chance. Where an interval would reach more than `MAX_REACH` times as far as its
    estimate is from the least, the slope there says nothing of how far the truth may be away.
    """

    least: float
    most: float = 1.0


def with_t_interval(
    estimate: Estimate,
    se: Estimate,
    degrees: float,
    *,
    level: float,
    method: str,
    bounds: tuple[float, float] = UNBOUNDED,
    bias: float = 0.0,
) -> Estimate:
    """The estimate with its interval at `level`, within the `bounds` of what the figure can be, about the estimate
    less its `bias`, which the value shown is not corrected for.

    Without a standard error, or where it is nothing, there is a reason in the interval's place; without a value the
    estimate stays as it is.
    """
    if estimate.value is None:
        return estimate
    if se.value is None or se.value < ROUNDING:
        reason = se.reason or "all observations are alike"
        return replace(estimate, interval=Interval(None, None, level, method, reason=reason))
    if not bounds[0] + ROUNDING < estimate.value < bounds[1] - ROUNDING:
        is_beyond = not bounds[0] - ROUNDING <= estimate.value <= bounds[1] + ROUNDING
        reason = BEYOND if is_beyond else AT_THE_END
        return replace(estimate, interval=Interval(None, None, level, method, reason=reason))
    reach = reach_of(se.value, degrees, level)
    if isinstance(bounds, Reliability) and reach > MAX_REACH * (estimate.value - bounds.least):
        return replace(estimate, interval=Interval(None, None, level, method, reason=NEAR_LEAST))
    ends = ends_about(estimate.value, reach, bounds, bias=bias)
    if not all(map(isfinite, ends)):
        return replace(estimate, interval=Interval(None, None, level, method, reason=TOO_FEW))
    least, most = (bound if isfinite(bound) else None for bound in bounds)
    return replace(estimate, interval=Interval(*ends, level, method, least=least, most=most))


def with_exact_interval(share: Estimate, *, level: float) -> Estimate:
    """A share of `n` observations that are independent of each other, with the interval of Clopper & Pearson (1934,
    Biometrika 26: 404–413).
    """
    if share.value is None:
        return share
    found, tail = round(share.value * share.n), (1 - level) / 2
    low = float(stats.beta.ppf(tail, found, share.n - found + 1)) if found else 0.0
    high = float(stats.beta.ppf(1 - tail, found + 1, share.n - found)) if found < share.n else 1.0
    return replace(share, interval=Interval(low, high, level, EXACT, least=0.0, most=1.0))


def or_exact(share: Estimate, independent: int, *, level: float) -> Estimate:
    """A share of 0 or 1, which varies nowhere and so has no interval of its own, with the exact one of so many
    observations as are surely `independent` of each other; with fewer than two of these it stays as it is.
    """
    has_none = share.interval is not None and share.interval.low is None
    if share.value not in SHARE or not has_none or independent < 2:
        return share
    return replace(share, interval=with_exact_interval(replace(share, n=independent), level=level).interval)


def cut_at(bounds: tuple[float, float], figure: Estimate) -> Estimate:
    """The figure with its interval cut at what it can be, where it was made on a scale that goes on there."""
    found = figure.interval
    if found is None or found.low is None or found.high is None:
        return figure
    least = bounds[0] if found.least is None else max(bounds[0], found.least)
    most = bounds[1] if found.most is None else min(bounds[1], found.most)
    cut = replace(found, low=max(found.low, least), high=min(found.high, most), least=least, most=most)
    return replace(figure, interval=cut)


def of_scores(scale: tuple[float, float] | None, scores: FloatArray) -> tuple[float, float]:
    """What a mean of these scores can be, NaN where there is none: within the scale, if they keep to it."""
    if scale is None or (scores < scale[0]).any() or (scores > scale[1]).any():
        return UNBOUNDED
    return scale


def of_differences(bounds: tuple[float, float]) -> tuple[float, float]:
    """What the difference of two figures can be that each lie within the bounds."""
    return bounds[0] - bounds[1], bounds[1] - bounds[0]


def of_reliability(raters: float, value: float | None) -> Reliability:
    """What agreement of so many raters, on average, beyond chance can be, from −1/(raters − 1) to 1. The
    logit between these is Fisher's z of intraclass correlations (1925, Statistical Methods for Research Workers,
    § 39), about which they vary alike whatever they are. From −1 where the estimate lies below, as one from few
    things may.
    """
    least = -1 / (max(raters, 2) - 1)
    return Reliability(least if value is None or value > least + ROUNDING else -1.0)


def of_correlation(raters: int, value: float | None) -> Reliability:
    """What the mean correlation between so many raters can be, as far as its spread goes by it.

    That is much the same about the logit between −1/2 and 1, and of two raters about that between −1 and 1; about
    Fisher's z of many raters it falls as r grows.
    """
    return of_reliability(min(raters, RATERS_OF_R), value)


def why_not_crossed(prompts: int, judges: int, *, least: int = 2) -> str | None:
    """Why so many prompts and judges are no two samples to tell from, in words; `least` judges are needed."""
    if prompts < 2:
        return "fewer than two prompts"
    if judges < 2:
        return "fewer than two judges"
    return TOO_FEW_JUDGES if judges < least else None


def reach_of(se: float, degrees: float, level: float) -> float:
    """How far the interval reaches to either side."""
    return float(special.stdtrit(degrees, (1 + level) / 2) * se)


def satterthwaite(variances: Sequence[float], degrees: Sequence[float]) -> float:
    """Degrees of freedom of a sum of variances estimated each by itself (Satterthwaite 1946, Biometrics Bulletin 2:
    110–114); at least 1.
    """
    parts = sum(variance**2 / own for variance, own in zip(variances, degrees, strict=True) if variance)
    return max(sum(variances) ** 2 / parts, 1.0) if parts else 1.0


def degrees_of_crossed(
    of_prompts: float,
    of_judges: float,
    together: float,
    degrees: tuple[float, float],
    *,
    in_both: float | None = None,
) -> float:
    """Degrees of freedom of the variance `together`, from what prompts and judges alone bring of it.

    What is in both is neither's own. Its degrees of freedom lie between those of the larger number of the two and,
    where every judge judged every prompt, their product: the former is on the safe side, unless others are given.
    `degrees` are prompts' and judges'.
    """
    shared = of_prompts + of_judges - together
    parts = [max(part, 0.0) for part in (together - of_judges, together - of_prompts, shared)]
    return satterthwaite(parts, (*degrees, in_both or max(degrees)))
