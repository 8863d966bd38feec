"""Means over judgments whose prompts and judges are both samples: standard errors and components of variance."""

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray
from analysis.uncertainty.core.intervals import UNBOUNDED, reach_of, satterthwaite, why_not_crossed, with_t_interval

NOTHING = "there is no observation"
METHOD = "t, prompts and judges as crossed samples"
HARDLY_CROSSED = "prompts and judges cannot be told apart: hardly any {}"


@dataclass(frozen=True, slots=True)
class Components:
    """Variance that prompts, judges and everything else contribute to one observation, in squared units.

    An estimate below zero is taken as zero. `n` of each counts observations.
    """

    prompts: Estimate
    judges: Estimate
    rest: Estimate


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers of observations, prompts and judges; `even_prompts` and `even_judges` are how many would give the
    same error if all had equally many observations.
    """

    observations: int
    prompts: int
    judges: int
    even_prompts: float
    even_judges: float


@dataclass(frozen=True, slots=True)
class CrossedMean:
    """`se` is the standard error of the mean where prompts and judges are both samples from many, and `degrees` the
    degrees of freedom that it has, 1 where it is undefined.
    """

    mean: Estimate
    se: Estimate
    degrees: float
    components: Components
    numbers: Numbers


def crossed_mean(
    name: str,
    values: FloatArray,
    prompts: IntArray,
    judges: IntArray,
    *,
    counts: FloatArray | None = None,
    level: float = 0.95,
    bounds: tuple[float, float] = UNBOUNDED,
) -> CrossedMean:
    """Mean of observations y = μ + prompt + judge + rest, by the codes of their prompt and judge; `n` counts them.

    Components by Henderson's first method (1953, Biometrics 9: 226–252), which takes unequal numbers and gaps, by
    equating three sums of squares to what is expected of them; Var(mean) = σ²_prompt ΣN_p²/N² + σ²_judge ΣN_j²/N² +
    σ²_rest/N. The interval is t with Satterthwaite's degrees of freedom, within the `bounds` of what is measured.
    NaN marks an observation without a value. The standard error is undefined with fewer than two prompts or judges,
    or where the two cannot be told apart.

    With `counts` an observation is the sum of so many figures, which do not vary independently of each other; the
    mean is that of the figures, which `n` counts, and the error that of a ratio to first order.
    """
    kept = ~np.isnan(values) if counts is None else counts > 0
    left_out = int((~kept).sum()) if counts is None else 0
    values, number = values[kept], int(kept.sum()) if counts is None else round(float(counts.sum()))
    if counts is not None and number:
        values = _linear(values, counts[kept])
    by_prompt, by_judge = (_Groups.of(codes[kept], values) for codes in (prompts, judges))
    numbers = Numbers(values.size, by_prompt.sizes.size, by_judge.sizes.size, by_prompt.even, by_judge.even)
    if number == 0:
        return _undefined(Estimate(f"{name}_mean", None, 0, left_out, NOTHING), name, NOTHING, numbers, level)
    mean = Estimate(f"{name}_mean", float(values.mean()), number, left_out)
    reason = why_not_crossed(numbers.prompts, numbers.judges)
    found = None if reason else _components(values, by_prompt, by_judge)
    if found is None:
        lacking = "prompt has two judges" if numbers.judges < numbers.prompts else "judge has two prompts"
        return _undefined(mean, name, reason or HARDLY_CROSSED.format(lacking), numbers, level)
    parts = ("variance_prompts", "variance_judges", "variance_rest")
    components = Components(
        *(Estimate(f"{name}_{part}", value, number, left_out) for part, value in zip(parts, found, strict=True))
    )
    error, degrees = _error(found, numbers)
    se = Estimate(f"{name}_se", error, number, left_out)
    mean = with_t_interval(mean, se, degrees, level=level, method=METHOD, bounds=bounds)
    return CrossedMean(mean, se, degrees, components, numbers)


def with_more_judges(found: CrossedMean, more: int, *, level: float = 0.95) -> tuple[Estimate, Estimate]:
    """The standard error to be expected, and how far the interval would reach, if `more` judges judged as many
    items as those there, on the same prompts.

    Prompts stay what they are: however many judges there are, the error does not fall below what prompts
    contribute. The interval has the degrees of freedom that there are now. Where there is none now, nothing is to
    be expected of more judges.
    """
    names = [f"{found.se.name}_with_{more}_more", f"{found.mean.name}_reach_with_{more}_more"]
    now = found.mean.interval
    if reason := now.reason if now else found.se.reason:
        without = replace(found.se, value=None, reason=reason)
        return replace(without, name=names[0]), replace(without, name=names[1])
    parts = (found.components.prompts, found.components.judges, found.components.rest)
    values = [part.value for part in parts if part.value is not None]
    growth = (found.numbers.judges + more) / found.numbers.judges
    numbers = replace(
        found.numbers,
        observations=round(found.numbers.observations * growth),
        even_judges=found.numbers.even_judges * growth,
    )
    error, _ = _error((values[0], values[1], values[2]), numbers)
    reach = reach_of(error, found.degrees, level)
    return replace(found.se, name=names[0], value=error), replace(found.se, name=names[1], value=reach)


def _error(components: tuple[float, float, float], numbers: Numbers) -> tuple[float, float]:
    """The standard error and its degrees of freedom."""
    of_prompts, of_judges, rest = components
    variances = (
        of_prompts / numbers.even_prompts,
        of_judges / numbers.even_judges,
        rest / numbers.observations,
    )
    of_rest = max(numbers.observations - numbers.prompts - numbers.judges + 1, 1)
    degrees = satterthwaite(variances, (numbers.prompts - 1, numbers.judges - 1, of_rest))
    return sqrt(sum(variances)), degrees


@dataclass(frozen=True)
class _Groups:
    """Sizes and sums by group, and each observation's group."""

    codes: IntArray
    sizes: FloatArray
    sums: FloatArray

    @classmethod
    def of(cls, codes: IntArray, values: FloatArray) -> "_Groups":
        _, codes = np.unique(codes, return_inverse=True)
        return cls(codes, np.bincount(codes).astype(float), np.bincount(codes, weights=values).astype(float))

    @property
    def squares(self) -> float:
        return float((self.sums**2 / self.sizes).sum())

    @property
    def even(self) -> float:
        return float(self.sizes.sum() ** 2 / (self.sizes**2).sum()) if self.sizes.size else 0.0


def _components(values: FloatArray, by_prompt: _Groups, by_judge: _Groups) -> tuple[float, float, float] | None:
    """Solve for (σ²_prompts, σ²_judges, σ²_rest) the three expectations of sums of squares; `None` if singular."""
    n = values.size
    cells = by_prompt.codes * by_judge.sizes.size + by_judge.codes
    _, inverse, together = np.unique(cells, return_inverse=True, return_counts=True)
    first = np.zeros(together.size, dtype=np.intp)
    first[inverse] = np.arange(n)
    prompt_of_cell, judge_of_cell = by_prompt.codes[first], by_judge.codes[first]
    # Σ over groups of (squared sizes of the other grouping within it) / its own size.
    judges_in_prompts = (together**2 / by_prompt.sizes[prompt_of_cell]).sum()
    prompts_in_judges = (together**2 / by_judge.sizes[judge_of_cell]).sum()
    squared_prompts, squared_judges = (by_prompt.sizes**2).sum() / n, (by_judge.sizes**2).sum() / n
    around_mean = n * values.mean() ** 2
    sums = np.array(
        [by_prompt.squares - around_mean, by_judge.squares - around_mean, (values**2).sum() - around_mean]
    )
    expected = np.array(
        [
            [n - squared_prompts, judges_in_prompts - squared_judges, by_prompt.sizes.size - 1],
            [prompts_in_judges - squared_prompts, n - squared_judges, by_judge.sizes.size - 1],
            [n - squared_prompts, n - squared_judges, n - 1],
        ]
    )
    if np.linalg.matrix_rank(expected) < 3:
        return None
    of_prompts, of_judges, rest = np.maximum(np.linalg.solve(expected, sums), 0.0)
    return float(of_prompts), float(of_judges), float(rest)


def _linear(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """One value for each sum, whose mean is the quotient of all sums and counts, and varies as that does."""
    ratio = sums.sum() / counts.sum()
    return np.asarray(ratio + (sums - ratio * counts) / counts.mean())


def _undefined(mean: Estimate, name: str, reason: str, numbers: Numbers, level: float) -> CrossedMean:
    """A mean without a standard error."""

    def without(what: str) -> Estimate:
        return Estimate(f"{name}_{what}", None, mean.n, mean.left_out, reason)

    se = without("se")
    components = Components(*map(without, ("variance_prompts", "variance_judges", "variance_rest")))
    return CrossedMean(with_t_interval(mean, se, 1, level=level, method=METHOD), se, 1, components, numbers)
