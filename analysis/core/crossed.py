"""Means over judgments whose prompts and judges are both samples: standard errors and components of variance."""

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from analysis.core.rank_tables import IntArray
from analysis.core.results import Estimate, FloatArray


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
    """Of observations, prompts and judges; `even_prompts` and `even_judges` are how many would give the same error
    if all had equally many observations.
    """

    observations: int
    prompts: int
    judges: int
    even_prompts: float
    even_judges: float


@dataclass(frozen=True, slots=True)
class CrossedMean:
    """`se` is the standard error of the mean where prompts and judges are both samples from many."""

    mean: Estimate
    se: Estimate
    components: Components
    numbers: Numbers


def crossed_mean(name: str, values: FloatArray, prompts: IntArray, judges: IntArray) -> CrossedMean:
    """Mean of observations y = μ + prompt + judge + rest, by the codes of their prompt and judge; `n` counts them.

    Components by Henderson's first method (1953, Biometrics 9: 226–252), which takes unequal numbers and gaps, by
    equating three sums of squares to what is expected of them; Var(mean) = σ²_prompt ΣN_p²/N² + σ²_judge ΣN_j²/N² +
    σ²_rest/N. NaN marks an observation without a value. The standard error is undefined with fewer than two
    prompts or judges, or where the two cannot be told apart.
    """
    kept = ~np.isnan(values)
    left_out = int((~kept).sum())
    values = values[kept]
    n = values.size
    by_prompt, by_judge = (_Groups.of(codes[kept], values) for codes in (prompts, judges))
    numbers = Numbers(n, by_prompt.sizes.size, by_judge.sizes.size, by_prompt.even, by_judge.even)
    if n == 0:
        reason = "there is no observation"
        mean = Estimate(f"{name}_mean", None, 0, left_out, reason)
        return CrossedMean(mean, *_without_error(name, n, left_out, reason), numbers)
    mean = Estimate(f"{name}_mean", float(values.mean()), n, left_out)
    if too_few := _why_not(numbers):
        return CrossedMean(mean, *_without_error(name, n, left_out, too_few), numbers)
    found = _components(values, by_prompt, by_judge)
    if found is None:
        reason = "prompts and judges cannot be told apart: hardly any judge has two prompts"
        return CrossedMean(mean, *_without_error(name, n, left_out, reason), numbers)
    parts = ("variance_prompts", "variance_judges", "variance_rest")
    components = Components(
        *(Estimate(f"{name}_{part}", value, n, left_out) for part, value in zip(parts, found, strict=True))
    )
    se = _error(found, numbers)
    return CrossedMean(mean, Estimate(f"{name}_se", se, n, left_out), components, numbers)


def error_with_more_judges(found: CrossedMean, more: int) -> Estimate:
    """The standard error to be expected if `more` judges judged as many items as those there, on the same prompts.

    Prompts stay what they are: however many judges there are, the error does not fall below what prompts
    contribute.
    """
    parts = (found.components.prompts, found.components.judges, found.components.rest)
    values = [part.value for part in parts if part.value is not None]
    if len(values) < 3 or found.se.value is None:
        return replace(found.se, name=f"{found.se.name}_with_{more}_more")
    growth = (found.numbers.judges + more) / found.numbers.judges
    numbers = replace(
        found.numbers,
        observations=round(found.numbers.observations * growth),
        even_judges=found.numbers.even_judges * growth,
    )
    se = _error((values[0], values[1], values[2]), numbers)
    return Estimate(f"{found.se.name}_with_{more}_more", se, found.se.n, found.se.left_out)


def _error(components: tuple[float, float, float], numbers: Numbers) -> float:
    of_prompts, of_judges, rest = components
    return sqrt(of_prompts / numbers.even_prompts + of_judges / numbers.even_judges + rest / numbers.observations)


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


def _why_not(numbers: Numbers) -> str | None:
    if numbers.prompts < 2:
        return "fewer than two prompts"
    if numbers.judges < 2:
        return "fewer than two judges"
    return None


def _without_error(name: str, n: int, left_out: int, reason: str) -> tuple[Estimate, Components]:
    def undefined(what: str) -> Estimate:
        return Estimate(f"{name}_{what}", None, n, left_out, reason)

    parts = ("variance_prompts", "variance_judges", "variance_rest")
    return undefined("se"), Components(*map(undefined, parts))
