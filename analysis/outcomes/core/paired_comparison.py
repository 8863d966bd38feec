"""Strengths of items from who was put before whom: what Davidson's model and Plackett–Luce have in common.

Both are fitted by maximum likelihood with Newton's method. Strengths are logarithms with sum 0 over the items, so
that exp(a − b) are the odds of a before b. They exist only where no group of items was always put before all
others.

Standard errors take comparisons as independent, unless it is known which prompt and which judge each is of. Then
errors that prompts and judges share are counted (Cameron, Gelbach & Miller 2011, Journal of Business & Economic
Statistics 29: 238–249), and intervals are t with the degrees of freedom of crossed samples.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray
from analysis.uncertainty.core.intervals import degrees_of_crossed, with_t_interval

METHOD = "t, errors shared within prompts and within judges"
TOO_FEW = "fewer than two prompts or judges"
NO_MAXIMUM = "the likelihood has no maximum"
STEPS = 100
CONVERGED = 1e-10
MAX_STEP = 2.0


@dataclass(frozen=True, slots=True)
class Strength:
    """An item's log-strength and its standard error."""

    item: str
    log_strength: Estimate
    se: Estimate


@dataclass(frozen=True, slots=True)
class Strengths:
    """`ties` is Davidson's ν, 0 or more: at equal strengths a tie has ν/(2 + ν) of the probability. Plackett's and
    Luce's model has none.
    """

    items: tuple[Strength, ...]
    ties: Estimate | None = None


@dataclass(frozen=True)
class Clusters:
    """Which prompt and which judge each judgment is of, by codes from 0."""

    prompts: IntArray
    judges: IntArray

    @property
    def n_judges(self) -> int:
        return int(np.unique(self.judges).size)

    def variances(self, scores: FloatArray, spread: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Variances of the parameters, from the judgments' parts in the gradient (judgments × parameters) and the
        inverse of the curvature; and their degrees of freedom, 0 with fewer than two prompts or judges.

        The variance of prompts' sums and that of judges', less that of judgments', which is in both; never less
        than one of the two alone. Of few prompts or judges, each of which has drawn the fit towards itself, it
        would be too small: each is multiplied by n/(n − 1) once more, as leaving out one at a time does to first
        order (MacKinnon & White 1985, Journal of Econometrics 29: 305–325). Degrees are at most those of prompts.
        """
        cells = self.prompts * (self.judges.max(initial=0) + 1) + self.judges
        numbers = np.unique(self.prompts).size, np.unique(self.judges).size
        of_prompts, of_judges, of_both = (
            np.diag(spread @ _products(scores, codes) @ spread) for codes in (self.prompts, self.judges, cells)
        )
        variances = np.maximum(of_prompts + of_judges - of_both, np.maximum(of_prompts, of_judges))
        if min(numbers) < 2:
            return variances, np.zeros(len(variances))
        parts = zip(of_prompts, of_judges, variances, strict=True)
        degrees = numbers[0] - 1, numbers[1] - 1
        return variances, np.array([min(degrees_of_crossed(*each, degrees), degrees[0]) for each in parts])


class Likelihood(Protocol):
    """A log-likelihood that is concave in its parameters, the items' strengths first."""

    @property
    def size(self) -> int:
        """Number of parameters."""

    def slope(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The gradient, and the curvature (the negative second derivatives)."""

    def scores(self, parameters: FloatArray) -> FloatArray:
        """What every judgment contributes to the gradient, judgments × parameters."""


@dataclass(frozen=True)
class Fitted:
    """Parameters with their standard errors, and the degrees of freedom of these; without clusters, none."""

    parameters: FloatArray
    errors: FloatArray
    degrees: FloatArray | None

    def estimate(self, place: int, name: str, n: int, level: float) -> tuple[Estimate, Estimate]:
        """A parameter and its standard error; an interval where clusters are known."""
        estimate = Estimate(name, float(self.parameters[place]), n)
        se = Estimate(f"{name}_se", float(self.errors[place]), n)
        if self.degrees is None:
            return estimate, se
        degrees = float(self.degrees[place])
        if degrees == 0:
            se = Estimate(f"{name}_se", None, n, reason=TOO_FEW)
        return with_t_interval(estimate, se, degrees, level=level, method=METHOD), se


def fit(likelihood: Likelihood, clusters: Clusters | None) -> Fitted | None:
    """`None` where there is no maximum."""
    parameters = np.zeros(likelihood.size)
    for _ in range(STEPS):
        gradient, curvature = likelihood.slope(parameters)
        # Strengths are known but for a constant, which the pseudo-inverse leaves alone.
        spread = np.linalg.pinv(curvature, rcond=CONVERGED, hermitian=True)
        step = spread @ gradient
        parameters += step * min(1.0, MAX_STEP / max(float(np.abs(step).max()), CONVERGED))
        if np.abs(step).max() < CONVERGED:
            if clusters is None:
                return Fitted(parameters, np.sqrt(np.diag(spread)), None)
            variances, degrees = clusters.variances(likelihood.scores(parameters), spread)
            return Fitted(parameters, np.sqrt(variances), degrees)
    return None


def named(items: Sequence[str], fitted: Fitted, n: int, level: float) -> tuple[Strength, ...]:
    return tuple(
        Strength(item, *fitted.estimate(place, "log_strength", n, level)) for place, item in enumerate(items)
    )


def undefined(items: Sequence[str], n: int, reason: str) -> Strengths:
    return Strengths(
        tuple(
            Strength(
                item,
                Estimate("log_strength", None, n, reason=reason),
                Estimate("log_strength_se", None, n, reason=reason),
            )
            for item in items
        )
    )


def why_not(number: int, before: FloatArray) -> str | None:
    if number < 2:
        return "fewer than two items"
    if not before.any():
        return "nothing is compared"
    parts, _ = connected_components(sparse.csr_array(before), directed=True, connection="strong")
    if parts > 1:
        return "some items were never put before any of the others"
    return None


def _products(scores: FloatArray, codes: IntArray) -> FloatArray:
    """Sums of products of the groups' sums, with the correction for their number, n/(n − 1) twice."""
    groups = np.unique(codes, return_inverse=True)[1]
    number = groups.max(initial=-1) + 1
    member = sparse.csr_array((np.ones(groups.size), (groups, np.arange(groups.size))), shape=(number, groups.size))
    sums = member @ scores
    return np.asarray(sums.T @ sums * (number / max(number - 1, 1)) ** 2)
