"""Intervals for figures that rest on prompts and judges, both of which could have been others.

The two-way bootstrap draws prompts and judges independently of each other, with replacement; a judgment counts as
often as its prompt was drawn times as often as its judge was (the “pigeonhole” bootstrap: Owen 2007, Annals of
Applied Statistics 1: 386–411). What is neither the prompt's nor the judge's part of the variance it counts about
three times; prompts drawn alone, with all judges, count it once beside their own part, and so do judges drawn
alone. With V for the variances of the three, 2(V_prompts + V_judges) − V_both therefore counts every part once: the
draws' spread is brought to that; the interval is t with the degrees of freedom of few prompts or judges, on a scale
without ends (`intervals`). Answers are taken as given.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from operator import attrgetter
from typing import Any

import numpy as np

from analysis.data.core.results import Estimate, FloatArray, Interval, Summary
from analysis.uncertainty.core.intervals import (
    UNBOUNDED,
    degrees_of_crossed,
    satterthwaite,
    why_not_crossed,
    with_t_interval,
)
from annotation.platform.core.jackknife import (
    degrees_of_squares,
    jackknife_bias,
    jackknife_degrees,
    jackknife_variance,
)

PROMPTS_ALONE = "t, bootstrap over prompts"
JUDGES_ALONE = "t, jackknife over judges"
METHOD = "t, two-way bootstrap over prompts and judges, each part of the variance once"
JACKKNIFE = "t, jackknife over prompts and over judges, what is in both by the two-way bootstrap"
MIN_DRAWS, MAX_DRAWS = 100, 20_000  # that can be asked for
# Of figures whose spread hangs on how unlike judges' own variances are, as correlations of scores do.
JUDGES_FOR_CORRELATIONS = 6
MIN_DEFINED_SHARE = 0.5  # of the draws must have a value, or there is no interval
ROUNDING = 1e-12
GROUPS = 200  # that are left out one at a time, at most
IN_MEMORY = 8_000_000  # numbers at once


@dataclass(frozen=True)
class Weights:
    """How often prompts (draws × prompts) and judges (draws × judges) were drawn; one row stands for every draw."""

    prompts: FloatArray
    judges: FloatArray


# What is resampled: every figure by its name, by draw, NaN where it is undefined in that draw.
Figures = Mapping[str, FloatArray]
Statistics = Callable[[Weights], Figures]
# The same in two steps: what rests on the judges' weights alone is made first, and then serves for any prompts'.
Steps = Callable[[FloatArray], Callable[[FloatArray], Figures]]


def pigeonhole(*, prompts: int, judges: int, draws: int, seed: int, load: int = 0) -> Iterator[Weights]:
    """Weights of `draws` resamples, some at a time, so that memory stays flat: `load` numbers are made of a draw.

    The same seed gives the same draws.
    """
    of_prompts, of_judges = np.random.default_rng(seed).spawn(2)
    size = at_a_time(prompts + judges, load)
    for start in range(0, draws, size):
        number = min(size, draws - start)
        yield Weights(_multiplicities(of_prompts, prompts, number), _multiplicities(of_judges, judges, number))


@dataclass(frozen=True)
class Draws:
    """A figure by draw, the draws on the first axis: of prompts and judges, of prompts alone, of judges alone.

    `numbers` are how many prompts and judges were drawn from. `without` has the figure without each prompt and
    without each judge (or each of `GROUPS`, where there are more), of those whose draws spread otherwise than
    their samples do: of a judge drawn twice no two ratings of an answer are compared, which leaves fewer judges.
    Their variances are then the jackknife's, and so is their bias.
    """

    both: FloatArray
    prompts: FloatArray
    judges: FloatArray
    numbers: tuple[int, int]
    without: tuple[FloatArray, FloatArray] | None = None

    def at(self, *place: int) -> "Draws":
        """One part of a figure that has several."""
        of_all: tuple[slice | int, ...] = (slice(None), *place)
        both, prompts, judges = (each[of_all] for each in (self.both, self.prompts, self.judges))
        without = self.without and (self.without[0][of_all], self.without[1][of_all])
        return replace(self, both=both, prompts=prompts, judges=judges, without=without)

    @property
    def scale(self) -> float:
        """How much the spread of both drawn together is to be multiplied to count every part once, 0 to 1."""
        both, (of_prompts, of_judges) = _variance(self.both), self.apart
        once = max(2 * (of_prompts + of_judges) - both, of_prompts, of_judges)
        return sqrt(min(once / both, 1.0)) if both else 0.0

    @property
    def apart(self) -> tuple[float, float]:
        """The variances that prompts alone and judges alone bring."""
        return _variance(self.prompts), _variance(self.judges)

    @property
    def error(self) -> float:
        """The standard error that counts every part of the variance once; draws from n of a kind vary by (n − 1)/n
        of what the figure does.
        """
        if self.without:
            apart = [jackknife_variance(each) for each in self.without]
            in_both = max(sum(self.apart) - self.scale**2 * _variance(self.both), 0.0)
            return sqrt(max(sum(apart) - in_both, *apart))
        return self.scale * sqrt(_variance(self.both) * _unbiased(self.apart, self.numbers))

    def bias(self, value: float) -> float:
        """How far a figure of this value lies above what it is over many prompts and judges: among few of them,
        ratings compared by chance are often by one judge or of one prompt, and more alike than others.
        """
        return sum(jackknife_bias(each, value) for each in self.without or ())

    @property
    def degrees(self) -> float:
        """The degrees of freedom of the error (after Hesterberg 2015, The American Statistician 69: 371–386)."""
        return degrees_of_crossed(*self.apart, self.scale**2 * _variance(self.both), self._freedom)

    @property
    def degrees_by_pairs(self) -> float:
        """Degrees of freedom of figures of pairs of judges: what is in both prompts and judges has no more than
        judges. Of fewer than `JUDGES_FOR_CORRELATIONS` the error is on the safe side as it is.
        """
        if self.numbers[1] < JUDGES_FOR_CORRELATIONS:
            return self.degrees
        together = self.scale**2 * _variance(self.both)
        by_pairs = degrees_of_crossed(*self.apart, together, self._freedom, in_both=self._freedom[1])
        return min(by_pairs, self.degrees)

    @property
    def degrees_by_judges(self) -> float:
        """Degrees of freedom, but no more than judges' of all that judges bring: for figures that hang on how
        unlike judges' own variances are.
        """
        together = self.scale**2 * _variance(self.both)
        of_prompts = max(together - self.apart[1], 0.0)
        return min(satterthwaite((of_prompts, together - of_prompts), self._freedom), self.degrees)

    @property
    def _freedom(self) -> tuple[float, float]:
        """The degrees of freedom of what prompts and judges bring."""
        without = self.without or (np.zeros(0), np.zeros(0))
        prompts, judges = (
            jackknife_degrees(each, number) for each, number in zip(without, self.numbers, strict=True)
        )
        return prompts, judges

    @property
    def method(self) -> str:
        return JACKKNIFE if self.without else METHOD


# What degrees of freedom an interval takes.
CROSSED, BY_PAIRS, BY_JUDGES = map(attrgetter, ("degrees", "degrees_by_pairs", "degrees_by_judges"))


def _unbiased(variances: Sequence[float], numbers: Sequence[int]) -> float:
    """How much too small the variance of draws is: from n of a kind by (n − 1)/n."""
    if not any(variances):
        return 1.0
    parts = zip(variances, numbers, strict=True)
    return sum(part * number / max(number - 1, 1) for part, number in parts) / sum(variances)


def resampled(
    statistics: Statistics, *, prompts: int, judges: int, draws: int, seed: int, load: int = 0
) -> dict[str, Draws]:
    """Every figure in every draw."""

    def steps(judges: FloatArray) -> Callable[[FloatArray], Figures]:
        return lambda prompts: statistics(Weights(prompts, judges))

    return resampled_in_steps(steps, prompts=prompts, judges=judges, draws=draws, seed=seed, load=load)


def resampled_in_steps(
    steps: Steps, *, prompts: int, judges: int, draws: int, seed: int, load: int = 0
) -> dict[str, Draws]:
    """Every figure in every draw."""
    every_prompt, everybody = np.ones((1, prompts)), steps(np.ones((1, judges)))
    parts: list[list[Figures]] = [[], [], []]
    for weights in pigeonhole(prompts=prompts, judges=judges, draws=draws, seed=seed, load=load):
        drawn = steps(weights.judges)
        parts[0].append(drawn(weights.prompts))
        parts[1].append(everybody(weights.prompts))
        parts[2].append(drawn(every_prompt))
    names = parts[0][0] if parts[0] else ()

    def joined(kind: int, name: str) -> FloatArray:
        return np.concatenate([part[name] for part in parts[kind]])

    return {name: Draws(joined(0, name), joined(1, name), joined(2, name), (prompts, judges)) for name in names}


def with_interval(
    estimate: Estimate,
    draws: Draws | None,
    *,
    level: float,
    bounds: tuple[float, float] = UNBOUNDED,
    judges: int = 2,
    degrees: Callable[[Draws], float] = CROSSED,
) -> Estimate:
    """The estimate with its interval: t of the standard error that counts every part of the variance once, within
    the `bounds` of what the figure can be, with these `degrees` of freedom. Without a value it stays as it is. From
    one prompt or one judge, or fewer `judges` than it needs, there is the reason in the interval's place.
    """
    if draws is None or estimate.value is None:
        return estimate
    if reason := why_not_crossed(*draws.numbers, least=judges):
        return replace(estimate, interval=Interval(None, None, level, METHOD, reason=reason))
    asked: dict[str, Any] = {"level": level, "method": draws.method, "bounds": bounds}
    bias = draws.bias(estimate.value)
    return _with_error(estimate, draws.both, draws.error, degrees(draws), bias=bias, **asked)


def with_mean_interval(
    summary: Summary,
    draws: Draws | None,
    *,
    level: float,
    bounds: tuple[float, float] = UNBOUNDED,
    degrees: Callable[[Draws], float] = CROSSED,
) -> Summary:
    """The summary whose mean has its interval, and whose standard error is that of the same draws: neither prompts
    nor judges are then taken as given.
    """
    if draws is None:
        return summary
    mean = with_interval(summary.mean, draws, level=level, bounds=bounds, degrees=degrees)
    if summary.se.value is None or mean.interval is None:
        return replace(summary, mean=mean)
    reason = mean.interval.reason
    return replace(summary, mean=mean, se=replace(summary.se, value=None if reason else draws.error, reason=reason))


def with_one_way_interval(
    estimate: Estimate,
    draws: FloatArray,
    number: int,
    *,
    level: float,
    method: str,
    bounds: tuple[float, float] = UNBOUNDED,
    without: FloatArray | None = None,
    is_of_squares: bool = False,
) -> Estimate:
    """The estimate with an interval of draws from one kind alone, so many prompts or judges (`method` says
    which). `without` has it without each of them, from which its degrees of freedom are told; `is_of_squares`: see
    `degrees_of_squares`.
    """
    if estimate.value is None or not draws.size:
        return estimate
    most = max(number - 1, 1)
    error = sqrt(_variance(draws) * number / most)
    degrees = float(most) if without is None else jackknife_degrees(without, number)
    if is_of_squares:
        degrees = degrees_of_squares(degrees, number)
    return _with_error(estimate, draws, error, degrees, level=level, method=method, bounds=bounds)


def _with_error(
    estimate: Estimate,
    draws: FloatArray,
    error: float,
    degrees: float,
    *,
    level: float,
    method: str,
    bounds: tuple[float, float],
    bias: float = 0.0,
) -> Estimate:
    defined = draws[~np.isnan(draws)]
    left_out = draws.size - defined.size

    def why_not() -> str | None:
        if draws.size < 2:
            return "fewer than two resamples"
        if defined.size < max(MIN_DEFINED_SHARE * draws.size, 2):
            return f"undefined in {left_out} of {draws.size} resamples"
        return "the same in every resample" if np.ptp(defined) < ROUNDING else None

    reason = why_not()
    se = Estimate("se", None if reason else error, draws.size, reason=reason)
    found = with_t_interval(estimate, se, degrees, level=level, method=method, bounds=bounds, bias=bias)
    return replace(found, interval=found.interval and replace(found.interval, left_out=left_out))


def at_a_time(weights: int, load: int) -> int:
    """How many draws are made together, where each has so many `weights` and makes `load` numbers."""
    return max(1, IN_MEMORY // max(weights, load, 1))


def _variance(values: FloatArray) -> float:
    """The variance of the draws that have a value."""
    defined = values[~np.isnan(values)]
    return float(defined.var()) if defined.size else 0.0


def leaving_out(number: int) -> FloatArray:
    """Weights of so many, without each of them or, of more than `GROUPS`, of so many groups (groups × number)."""
    groups = min(number, GROUPS)
    return np.asarray(np.arange(number) % groups != np.arange(groups)[:, None], dtype=float)


def _multiplicities(rng: np.random.Generator, number: int, draws: int) -> FloatArray:
    """How often each of so many was drawn, draws × number; the generator goes on from draw to draw."""
    drawn = (rng.random((draws, number)) * number).astype(np.intp) + number * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * number).reshape(draws, number).astype(float)
