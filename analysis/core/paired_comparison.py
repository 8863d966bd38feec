"""Strengths of items from who was put before whom: Bradley–Terry, Davidson's model with ties, Plackett–Luce.

All are fitted by maximum likelihood with Newton's method. Strengths are logarithms with sum 0 over the items, so
that exp(a − b) are the odds of a before b. They exist only where no group of items was always put before all
others.

Standard errors take comparisons as independent, unless it is known which prompt and which judge each is of. Then
errors that prompts and judges share are counted (Cameron, Gelbach & Miller 2011, Journal of Business & Economic
Statistics 29: 238–249), and intervals are t with as many degrees of freedom as there are prompts or judges,
whichever are fewer, less one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Protocol

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from analysis.core.intervals import with_t_interval
from analysis.core.rank_tables import IntArray
from analysis.core.results import Estimate, FloatArray

METHOD = "t, errors shared within prompts and within judges"
TOO_FEW = "fewer than two prompts or judges"
NO_MAXIMUM = "the likelihood has no maximum"
STEPS = 100
CONVERGED = 1e-10
LONGEST_STEP = 2.0


@dataclass(frozen=True, slots=True)
class Strength:
    """An item's log-strength and its standard error."""

    item: str
    log_strength: Estimate
    se: Estimate


@dataclass(frozen=True, slots=True)
class Strengths:
    """`ties` is Davidson's ν, 0 or more: at equal strengths a tie has ν/(2 + ν) of the probability."""

    items: tuple[Strength, ...]
    ties: Estimate | None = None


@dataclass(frozen=True)
class Clusters:
    """Which prompt and which judge each judgment is of, by codes from 0."""

    prompts: IntArray
    judges: IntArray

    @property
    def degrees(self) -> int:
        return min(np.unique(self.prompts).size, np.unique(self.judges).size) - 1

    def variances(self, scores: FloatArray, spread: FloatArray) -> FloatArray:
        """Of the parameters, from the judgments' parts in the gradient (judgments × parameters) and the inverse of
        the curvature.

        The variance of prompts' sums and that of judges', less that of judgments', which is in both; never less
        than one of the two alone.
        """
        cells = self.prompts * (self.judges.max(initial=0) + 1) + self.judges
        of_prompts, of_judges, of_both = (
            np.diag(spread @ _products(scores, codes) @ spread) for codes in (self.prompts, self.judges, cells)
        )
        return np.maximum(of_prompts + of_judges - of_both, np.maximum(of_prompts, of_judges))


class Likelihood(Protocol):
    """A log-likelihood that is concave in its parameters, the items' strengths first."""

    @property
    def size(self) -> int:
        """Number of parameters."""

    def slope(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Its gradient, and its curvature (the negative second derivatives)."""

    def scores(self, parameters: FloatArray) -> FloatArray:
        """What every judgment contributes to the gradient, judgments × parameters."""


@dataclass(frozen=True)
class _Fitted:
    """Parameters with their standard errors, and the degrees of freedom of these; without clusters, none."""

    parameters: FloatArray
    errors: FloatArray
    degrees: int | None

    def estimate(self, place: int, name: str, n: int, level: float) -> tuple[Estimate, Estimate]:
        """A parameter and its standard error; an interval where clusters are known."""
        estimate = Estimate(name, float(self.parameters[place]), n)
        se = Estimate(f"{name}_se", float(self.errors[place]), n)
        if self.degrees is None:
            return estimate, se
        if self.degrees == 0:
            se = Estimate(f"{name}_se", None, n, reason=TOO_FEW)
        return with_t_interval(estimate, se, self.degrees, level=level, method=METHOD), se


def bradley_terry(items: Sequence[str], wins: FloatArray) -> Strengths:
    """Bradley–Terry strengths (Bradley & Terry 1952) from wins, items × items, row over column; `n` counts wins.

    Ties can be given as half a win to either side.
    """
    return davidson(items, wins, np.zeros_like(wins), fit_ties=False)


def davidson(
    items: Sequence[str],
    wins: FloatArray,
    ties: FloatArray,
    *,
    fit_ties: bool = True,
    clusters: Clusters | None = None,
    level: float = 0.95,
) -> Strengths:
    """Davidson's model (1970, JASA 65: 317–328); `n` counts comparisons.

    P(i before j) : P(tie) : P(j before i) = πᵢ : ν√(πᵢπⱼ) : πⱼ. `wins` and `ties` are items × items, ties
    symmetric; with `clusters`, judgments × items × items. Without any tie ν is 0, and where all are ties it has no
    bound and nothing is defined.
    """
    number = len(items)
    wins, ties = (counts[None] if counts.ndim == 2 else counts for counts in (wins, ties))
    fit_ties = fit_ties and bool(ties.any())
    one, other = np.triu_indices(number, k=1)
    counts = np.stack([wins[:, one, other], wins[:, other, one], ties[:, one, other]], axis=1)
    n = round(float(counts.sum()))
    if reason := _why_not(number, (wins + ties).sum(axis=0)):
        return _undefined(items, n, reason)
    if fit_ties and not wins.any():
        return _undefined(items, n, "every comparison is a tie")
    fitted = _fitted(_Outcomes.of(number, counts, fit_ties=fit_ties), clusters)
    if fitted is None:
        return _undefined(items, n, NO_MAXIMUM)
    nu = _nu(fitted, number, n, level) if fit_ties else Estimate("davidson_nu", 0.0, n)
    return Strengths(_named(items, fitted, n, level), nu)


def plackett_luce(
    items: Sequence[str],
    codes: IntArray,
    ranks: FloatArray,
    *,
    clusters: Clusters | None = None,
    level: float = 0.95,
) -> Strengths:
    """Plackett–Luce strengths (Luce 1959; Plackett 1975) from rankings; `n` counts rankings.

    Rows are rankings: the codes of what was ranked, −1 where there is no more, and their ranks, 1 = best, NaN
    there. The same item may be in a ranking more than once, as people are who wrote several answers. Each place is
    a choice among what is left, with chances in proportion to exp(strength); tied items share their places (Efron
    1977, JASA 72: 557–565), each of the orders they could stand in counting alike on average.
    """
    number, n = len(items), len(ranks)
    shown = (codes[..., None] == np.arange(number)).astype(float)
    not_behind = (ranks[:, :, None] <= ranks[:, None, :]).astype(float)
    before = np.einsum("rai,rab,rbj->ij", shown, not_behind, shown, optimize=True)
    np.fill_diagonal(before, 0)
    if reason := _why_not(number, before):
        return _undefined(items, n, reason)
    fitted = _fitted(_Choices.of(shown, ranks), clusters)
    return _undefined(items, n, NO_MAXIMUM) if fitted is None else Strengths(_named(items, fitted, n, level))


@dataclass(frozen=True)
class _Outcomes:
    """Comparisons by their outcome, a multinomial logit: utilities of the outcomes are linear in the strengths and
    log ν. `counts` are judgments × outcomes × pairs, `features` outcomes × pairs × parameters.
    """

    counts: FloatArray
    features: FloatArray
    size: int

    @classmethod
    def of(cls, items: int, counts: FloatArray, *, fit_ties: bool) -> "_Outcomes":
        one, other = np.triu_indices(items, k=1)
        pairs = np.arange(one.size)
        features = np.zeros((3, one.size, items + fit_ties))
        features[0, pairs, one] = features[1, pairs, other] = 1
        features[2, pairs, one] = features[2, pairs, other] = 0.5
        features[2, :, items:] = 1
        outcomes = 3 if fit_ties else 2
        return cls(counts[:, :outcomes], features[:outcomes], items + fit_ties)

    def slope(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        chances, counts = self._chances(parameters), self.counts.sum(axis=0)
        totals = counts.sum(axis=0)
        gradient = np.einsum("op,opf->f", counts - totals * chances, self.features)
        mean = np.einsum("op,opf->pf", chances, self.features)
        second = np.einsum("op,opf,opg->fg", totals * chances, self.features, self.features)
        return gradient, second - np.einsum("p,pf,pg->fg", totals, mean, mean)

    def scores(self, parameters: FloatArray) -> FloatArray:
        expected = self.counts.sum(axis=1, keepdims=True) * self._chances(parameters)
        return np.asarray(np.einsum("jop,opf->jf", self.counts - expected, self.features, optimize=True))

    def _chances(self, parameters: FloatArray) -> FloatArray:
        odds = np.exp(self.features @ parameters)
        return np.asarray(odds / odds.sum(axis=0))


@dataclass(frozen=True)
class _Choices:
    """The choices that rankings consist of, as many for each as it has places.

    `chosen` (rankings × items) counts how often each item was; `risks` (rankings × places × items) how often each
    was there to be chosen, those tied with what was chosen before by the share that is left of them. What comes
    last is left over, and no choice: its row is 0.
    """

    chosen: FloatArray
    risks: FloatArray
    size: int

    @classmethod
    def of(cls, shown: FloatArray, ranks: FloatArray) -> "_Choices":
        one, other = ranks[:, :, None], ranks[:, None, :]
        tied = (one == other).astype(float)
        step = np.tril(tied, k=-1).sum(axis=2) / np.maximum(tied.sum(axis=2), 1)
        is_choice = ranks < np.nanmax(ranks, axis=1, initial=-np.inf, keepdims=True)
        there = (other >= one) - step[..., None] * tied
        return cls(
            chosen=np.einsum("ra,rai->ri", is_choice.astype(float), shown),
            risks=(there * is_choice[..., None]) @ shown,
            size=shown.shape[2],
        )

    def slope(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        shares = self._shares(parameters).reshape(-1, self.size)
        gradient = self.chosen.sum(axis=0) - shares.sum(axis=0)
        return gradient, np.diag(shares.sum(axis=0)) - shares.T @ shares

    def scores(self, parameters: FloatArray) -> FloatArray:
        return np.asarray(self.chosen - self._shares(parameters).sum(axis=1))

    def _shares(self, parameters: FloatArray) -> FloatArray:
        weighted = self.risks * np.exp(parameters)
        totals = weighted.sum(axis=2, keepdims=True)
        return np.asarray(np.divide(weighted, totals, out=np.zeros_like(weighted), where=totals > 0))


def _fitted(likelihood: Likelihood, clusters: Clusters | None) -> _Fitted | None:
    """`None` where there is no maximum."""
    parameters = np.zeros(likelihood.size)
    for _ in range(STEPS):
        gradient, curvature = likelihood.slope(parameters)
        # Strengths are known but for a constant, which the pseudo-inverse leaves alone.
        spread = np.linalg.pinv(curvature, rcond=CONVERGED, hermitian=True)
        step = spread @ gradient
        parameters += step * min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), CONVERGED))
        if np.abs(step).max() < CONVERGED:
            if clusters is None:
                return _Fitted(parameters, np.sqrt(np.diag(spread)), None)
            variances = clusters.variances(likelihood.scores(parameters), spread)
            return _Fitted(parameters, np.sqrt(variances), clusters.degrees)
    return None


def _products(scores: FloatArray, codes: IntArray) -> FloatArray:
    """Sums of products of the groups' sums, with the correction for their number."""
    groups = np.unique(codes, return_inverse=True)[1]
    number = groups.max(initial=-1) + 1
    member = sparse.csr_array((np.ones(groups.size), (groups, np.arange(groups.size))), shape=(number, groups.size))
    sums = member @ scores
    return np.asarray(sums.T @ sums * number / max(number - 1, 1))


def _why_not(number: int, before: FloatArray) -> str | None:
    if number < 2:
        return "fewer than two items"
    if not before.any():
        return "nothing is compared"
    parts, _ = connected_components(sparse.csr_array(before), directed=True, connection="strong")
    if parts > 1:
        return "some items were never put before any of the others"
    return None


def _nu(fitted: _Fitted, place: int, n: int, level: float) -> Estimate:
    """ν and its interval from those of its logarithm."""
    interval = fitted.estimate(place, "log_nu", n, level)[0].interval
    if interval is not None and interval.low is not None and interval.high is not None:
        interval = replace(interval, low=exp(interval.low), high=exp(interval.high))
    return Estimate("davidson_nu", exp(fitted.parameters[place]), n, interval=interval)


def _named(items: Sequence[str], fitted: _Fitted, n: int, level: float) -> tuple[Strength, ...]:
    return tuple(
        Strength(item, *fitted.estimate(place, "log_strength", n, level)) for place, item in enumerate(items)
    )


def _undefined(items: Sequence[str], n: int, reason: str) -> Strengths:
    return Strengths(
        tuple(
            Strength(
                item,
                Estimate("log_strength", None, n, reason=reason),
                Estimate("log_strength_se", None, n, reason=reason),
            )
            for item in items
        ),
        Estimate("davidson_nu", None, n, reason=reason),
    )
