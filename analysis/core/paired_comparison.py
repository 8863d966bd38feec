"""Strengths of items from who was put before whom: Bradley–Terry, Davidson's model with ties, Plackett–Luce.

All are fitted by maximum likelihood with Newton's method. Strengths are logarithms with sum 0 over the items, so
that exp(a − b) are the odds of a before b. They exist only where no group of items was always put before all
others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from analysis.core.rank_tables import IntArray
from analysis.core.results import Estimate, FloatArray

STEPS = 100
CONVERGED = 1e-10
LONGEST_STEP = 2.0


@dataclass(frozen=True, slots=True)
class Strength:
    """An item's log-strength and its standard error, which takes comparisons as independent."""

    item: str
    log_strength: Estimate
    se: Estimate


@dataclass(frozen=True, slots=True)
class Strengths:
    """`ties` is Davidson's ν, 0 or more: at equal strengths a tie has ν/(2 + ν) of the probability."""

    items: tuple[Strength, ...]
    ties: Estimate | None = None


# At given parameters: the gradient of the log-likelihood, and its curvature (the negative second derivatives).
Slope = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def bradley_terry(items: Sequence[str], wins: FloatArray) -> Strengths:
    """Bradley–Terry strengths (Bradley & Terry 1952) from wins, items × items, row over column; `n` counts wins.

    Ties can be given as half a win to either side.
    """
    return davidson(items, wins, np.zeros_like(wins), fit_ties=False)


def davidson(items: Sequence[str], wins: FloatArray, ties: FloatArray, *, fit_ties: bool = True) -> Strengths:
    """Davidson's model (1970, JASA 65: 317–328); `n` counts comparisons.

    P(i before j) : P(tie) : P(j before i) = πᵢ : ν√(πᵢπⱼ) : πⱼ. `wins` and `ties` are items × items, ties
    symmetric. Without any tie ν is 0, and where all are ties it has no bound and nothing is defined.
    """
    number = len(items)
    fit_ties = fit_ties and bool(ties.any())
    one, other = np.triu_indices(number, k=1)
    counts = np.stack([wins[one, other], wins[other, one], ties[one, other]])
    n = round(float(counts.sum()))
    if reason := _why_not(number, wins + ties):
        return _undefined(items, n, reason)
    if fit_ties and not wins.any():
        return _undefined(items, n, "every comparison is a tie")
    # Utilities of the three outcomes are linear in (θ₁ … θₖ, log ν): a multinomial logit, hence concave.
    features = np.zeros((3, one.size, number + fit_ties))
    pairs = np.arange(one.size)
    features[0, pairs, one] = features[1, pairs, other] = 1
    features[2, pairs, one] = features[2, pairs, other] = 0.5
    features[2, :, number:] = 1
    if not fit_ties:
        features, counts = features[:2], counts[:2]

    def slope(parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        odds = np.exp(features @ parameters)
        chances = odds / odds.sum(axis=0)
        totals = counts.sum(axis=0)
        gradient = np.einsum("op,opf->f", counts - totals * chances, features)
        mean = np.einsum("op,opf->pf", chances, features)
        second = np.einsum("op,opf,opg->fg", totals * chances, features, features)
        return gradient, second - np.einsum("p,pf,pg->fg", totals, mean, mean)

    fitted = _fitted(slope, number + fit_ties, items=number)
    if fitted is None:
        return _undefined(items, n, "the likelihood has no maximum")
    parameters, errors = fitted
    nu = Estimate("davidson_nu", exp(parameters[number]) if fit_ties else 0.0, n)
    return Strengths(_named(items, parameters, errors, n), nu)


def plackett_luce(items: Sequence[str], rankings: Sequence[tuple[IntArray, FloatArray]]) -> Strengths:
    """Plackett–Luce strengths (Luce 1959; Plackett 1975) from rankings; `n` counts rankings.

    A ranking is the codes of what was ranked and their ranks, 1 = best; the same item may be in it more than once,
    as people are who wrote several answers. Each place is a choice among what is left, with chances in proportion
    to exp(strength); tied items share their places (Efron 1977, JASA 72: 557–565), each of the orders they could
    stand in counting alike on average.
    """
    number, n = len(items), len(rankings)
    before = np.zeros((number, number))
    for codes, ranks in rankings:
        ahead = ranks[:, None] <= ranks[None, :]
        np.add.at(before, (np.repeat(codes, codes.size), np.tile(codes, codes.size)), ahead.ravel())
    np.fill_diagonal(before, 0)
    if reason := _why_not(number, before):
        return _undefined(items, n, reason)
    stages = [_Stages.of(codes, ranks, number) for codes, ranks in rankings]
    chosen = sum((stage.chosen for stage in stages), np.zeros(number))
    risks = np.concatenate([stage.risks for stage in stages])

    def slope(parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        weighted = risks * np.exp(parameters)
        shares = weighted / weighted.sum(axis=1, keepdims=True)
        return chosen - shares.sum(axis=0), np.diag(shares.sum(axis=0)) - shares.T @ shares

    fitted = _fitted(slope, number, items=number)
    if fitted is None:
        return _undefined(items, n, "the likelihood has no maximum")
    return Strengths(_named(items, *fitted, n))


@dataclass(frozen=True)
class _Stages:
    """The choices a ranking consists of. `chosen` counts how often each item was; a row of `risks` says how often
    each item was there to be chosen, those tied with what was chosen before by the share that is left of them.
    """

    chosen: FloatArray
    risks: FloatArray

    @classmethod
    def of(cls, codes: IntArray, ranks: FloatArray, number: int) -> "_Stages":
        chosen, risks = np.zeros(number), []
        left = np.bincount(codes, minlength=number).astype(float)
        for place in np.unique(ranks)[:-1]:  # the last ones are left over, and no choice
            tied = np.bincount(codes[ranks == place], minlength=number).astype(float)
            size = int(tied.sum())
            risks += [left - step / size * tied for step in range(size)]
            chosen, left = chosen + tied, left - tied
        return cls(chosen, np.array(risks).reshape(-1, number))


def _fitted(slope: Slope, size: int, *, items: int) -> tuple[FloatArray, FloatArray] | None:
    """As many parameters as `size` says, the strengths first, and the strengths' standard errors; `None` where
    there is no maximum.
    """
    parameters = np.zeros(size)
    for _ in range(STEPS):
        gradient, curvature = slope(parameters)
        # Strengths are known but for a constant, which the pseudo-inverse leaves alone.
        spread = np.linalg.pinv(curvature, rcond=CONVERGED, hermitian=True)
        step = spread @ gradient
        parameters += step * min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), CONVERGED))
        if np.abs(step).max() < CONVERGED:
            return parameters, np.sqrt(np.diag(spread)[:items])
    return None


def _why_not(number: int, before: FloatArray) -> str | None:
    if number < 2:
        return "fewer than two items"
    if not before.any():
        return "nothing is compared"
    parts, _ = connected_components(sparse.csr_array(before), directed=True, connection="strong")
    if parts > 1:
        return "some items were never put before any of the others"
    return None


def _named(items: Sequence[str], parameters: FloatArray, errors: FloatArray, n: int) -> tuple[Strength, ...]:
    return tuple(
        Strength(item, Estimate("log_strength", float(value), n), Estimate("log_strength_se", float(error), n))
        for item, value, error in zip(items, parameters, errors, strict=False)
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
