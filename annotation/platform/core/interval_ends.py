"""Ends of intervals, made on a scale without ends and brought back: none lies beyond what its figure can be."""

from math import exp, inf, isfinite
from typing import Final

from scipy import special

MAX_STEP: Final = (
    7.0  # on the scale of logarithms: an end a thousand times as far away as the figure does not count
)


def ends_about(
    value: float, reach: float, bounds: tuple[float, float], *, bias: float = 0.0
) -> tuple[float, float]:
    """The ends of an interval that reaches so far to either side of the value less its bias, where bounds are far
    away; `value` lies between. Infinite where nothing is known of an end.

    What has two ends is taken by the logit of its place between them, what has one by the logarithm of its distance
    from it, the reach by the slope there (the delta method).
    """
    least, most = bounds
    # A bias beyond the reach is not known well; the value lies in its interval.
    ways = [min(-reach - bias, 0.0), max(reach - bias, 0.0)]
    if isfinite(least) and isfinite(most):
        place, width = (value - least) / (most - least), most - least
        slope = 1 / (width * place * (1 - place))
        low, high = (float(special.expit(special.logit(place) + way * slope)) for way in ways)
        return least + width * low, min(least + width * high, most)
    if isfinite(most) or isfinite(least):
        end = most if isfinite(most) else least
        steps = [way / (value - end) for way in ways]
        low, high = sorted(end + (value - end) * (exp(step) if step < MAX_STEP else inf) for step in steps)
        return low, high
    return value + ways[0], value + ways[1]
