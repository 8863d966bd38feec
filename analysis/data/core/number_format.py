"""Figures formatted for readers: decimal places, a true minus sign, intervals in brackets."""

from math import ceil
from typing import Final

from analysis.data.core.results import ROUNDING, Estimate, Interval
from annotation.platform.core.phrases import counted

MIN_P: Final = 0.001


def numeral(value: float, digits: int = 2) -> str:
    """Rounded, with a true minus sign; what rounds to zero has none."""
    return f"{value:z,.{digits}f}".replace("-", "−")


def shortest(value: float) -> str:
    """The number in as few digits as tell it, with a true minus sign, as the ends of a scale are written."""
    return f"{value:g}".replace("-", "−")


def number(value: float, digits: int) -> str:
    """A count as it is, anything else rounded."""
    return numeral(value, 0 if isinstance(value, int) else digits)


def percentage(share: float, digits: int = 1) -> str:
    """A share between 0 and 1 as in “74.4 %”; no line breaks before the sign."""
    return f"{numeral(100 * share, digits)}\N{NO-BREAK SPACE}%"


def p_value(p: float) -> str:
    """A p-value as in “p = 0.043”, or “p < 0.001”."""
    return f"p < {MIN_P}" if p < MIN_P else f"p = {numeral(p, 3)}"


def permutation_p(p: float, permutations: int) -> str:
    """A p-value of so many permutations, with their number, as in “p = 0.043 (200 permutations)”. Where none of
    them brought as much, all that is known is a bound: “p ≤ 0.005”.
    """
    least = 1 / (permutations + 1)
    is_bound = p <= least * (1 + ROUNDING) and p >= MIN_P
    told = f"p ≤ {numeral(ceil(1000 * least) / 1000, 3)}" if is_bound else p_value(p)
    return f"{told} ({counted(permutations, 'permutation')})"


def interval_text(interval: Interval | None, digits: int = 2, *, is_share: bool = False) -> str:
    """An interval as in “[0.30, 0.46]”; empty where there are no ends. A share is in per cent, without the sign."""
    if interval is None or interval.low is None or interval.high is None:
        return ""
    low, high = (
        numeral(100 * end, 1) if is_share else numeral(end, digits) for end in (interval.low, interval.high)
    )
    return f"[{low}, {high}]"


def value_text(estimate: Estimate, digits: int = 2, *, is_share: bool = False) -> str:
    """The value without its interval; very small p-values as “< 0.001”. Raises ValueError without a value."""
    if estimate.value is None:
        raise ValueError(f"{estimate.name} has no value: {estimate.reason}")
    if is_share:
        return percentage(estimate.value)
    is_p = estimate.name == "p" or estimate.name.endswith("_p")
    smallest: float = 10.0**-digits
    return (
        f"< {numeral(smallest, digits)}" if is_p and estimate.value < smallest else numeral(estimate.value, digits)
    )


def estimate_text(estimate: Estimate, digits: int = 2, *, is_share: bool = False) -> str:
    """The value with its interval, as in “0.38 [0.30, 0.46]”; a dash where there is no value."""
    if estimate.value is None:
        return "–"
    value = value_text(estimate, digits, is_share=is_share)
    return f"{value} {interval_text(estimate.interval, digits, is_share=is_share)}".rstrip()
