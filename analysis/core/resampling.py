"""Intervals for figures that rest on prompts and judges, both of which could have been others.

The two-way bootstrap draws prompts and judges independently of each other, with replacement; a judgment counts as
often as its prompt was drawn times as often as its judge was (the “pigeonhole” bootstrap: Owen 2007, Annals of
Applied Statistics 1: 386–411). What is neither the prompt's nor the judge's part of the variance it counts about
three times; prompts drawn alone, with all judges, count it once beside their own part, and so do judges drawn
alone. With V for the variances of the three, 2(V_prompts + V_judges) − V_both therefore counts every part once: the
draws' spread is brought to that. Answers are taken as given.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from analysis.core.results import Estimate, FloatArray, Interval

PROMPTS_ALONE = "bootstrap over prompts"
JUDGES_ALONE = "bootstrap over judges"
METHOD = "two-way bootstrap over prompts and judges, each part of the variance once"
FEWEST = 0.5  # of the draws must have a value, or there is no interval
ROUNDING = 1e-12
IN_MEMORY = 1_000_000  # weights at once


@dataclass(frozen=True)
class Weights:
    """How often prompts (draws × prompts) and judges (draws × judges) were drawn."""

    prompts: FloatArray
    judges: FloatArray


# What is resampled: every figure by its name, by draw, NaN where it is undefined in that draw.
Statistics = Callable[[Weights], Mapping[str, FloatArray]]


def pigeonhole(*, prompts: int, judges: int, draws: int, seed: int, load: int = 0) -> Iterator[Weights]:
    """Weights of `draws` resamples, some at a time, so that memory stays flat: `load` numbers are made of a draw.

    The same seed and load give the same draws.
    """
    rng = np.random.default_rng(seed)
    size = at_a_time(prompts + judges, load)
    for start in range(0, draws, size):
        number = min(size, draws - start)
        yield Weights(_multiplicities(rng, prompts, number), _multiplicities(rng, judges, number))


@dataclass(frozen=True)
class Draws:
    """A figure by draw, the draws on the first axis: of prompts and judges, of prompts alone, of judges alone."""

    both: FloatArray
    prompts: FloatArray
    judges: FloatArray

    def at(self, *place: int) -> "Draws":
        """Of a figure that has several parts, one of them."""
        of_all: tuple[slice | int, ...] = (slice(None), *place)
        return Draws(self.both[of_all], self.prompts[of_all], self.judges[of_all])


def resampled(
    statistics: Statistics, *, prompts: int, judges: int, draws: int, seed: int, load: int = 0
) -> dict[str, Draws]:
    """Every figure in every draw."""
    parts: list[list[Mapping[str, FloatArray]]] = [[], [], []]
    for weights in pigeonhole(prompts=prompts, judges=judges, draws=draws, seed=seed, load=load):
        everyone = Weights(np.ones_like(weights.prompts), np.ones_like(weights.judges))
        parts[0].append(statistics(weights))
        parts[1].append(statistics(replace(weights, judges=everyone.judges)))
        parts[2].append(statistics(replace(weights, prompts=everyone.prompts)))
    names = parts[0][0] if parts[0] else ()
    return {name: Draws(*(np.concatenate([part[name] for part in each]) for each in parts)) for name in names}


def with_interval(estimate: Estimate, draws: Draws | None, *, level: float) -> Estimate:
    """The estimate with the percentile interval of its draws about their mean, brought to the variance that counts
    every part once, and laid about the estimate; without a value it stays as it is.
    """
    if draws is None:
        return estimate
    both, of_prompts, of_judges = (_variance(values) for values in (draws.both, draws.prompts, draws.judges))
    once = max(2 * (of_prompts + of_judges) - both, of_prompts, of_judges)
    scale = sqrt(min(once / both, 1.0)) if both else 0.0
    return with_percentiles(estimate, draws.both, level=level, method=METHOD, scale=scale)


def with_percentiles(
    estimate: Estimate, draws: FloatArray, *, level: float, method: str, scale: float = 1.0
) -> Estimate:
    """The estimate with the percentile interval of its draws about their mean, `scale` times as wide, laid about
    the estimate; without a value it stays as it is.
    """
    if estimate.value is None or not draws.size:
        return estimate
    defined = draws[~np.isnan(draws)]
    left_out = draws.size - defined.size
    if defined.size < max(FEWEST * draws.size, 1):
        reason = f"undefined in {left_out} of {draws.size} resamples"
        return replace(estimate, interval=Interval(None, None, level, method, left_out, reason))
    if np.ptp(defined) < ROUNDING:
        reason = "the same in every resample"
        return replace(estimate, interval=Interval(None, None, level, method, left_out, reason))
    ends = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]) - defined.mean()
    low, high = (float(estimate.value + scale * end) for end in ends)
    return replace(estimate, interval=Interval(low, high, level, method, left_out))


def at_a_time(weights: int, load: int) -> int:
    """How many draws are made together, where each has so many `weights` and makes `load` numbers."""
    return max(1, IN_MEMORY // max(weights, load, 1))


def _variance(values: FloatArray) -> float:
    """Of the draws that have a value."""
    defined = values[~np.isnan(values)]
    return float(defined.var()) if defined.size else 0.0


def _multiplicities(rng: np.random.Generator, number: int, draws: int) -> FloatArray:
    if number == 0:
        return np.zeros((draws, 0))
    return rng.multinomial(number, np.full(number, 1 / number), size=draws).astype(float)
