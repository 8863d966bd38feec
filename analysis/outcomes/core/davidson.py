"""Strengths from wins and ties in pairs: Davidson's model, which without ties is Bradley's and Terry's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

import numpy as np

from analysis.data.core.results import Estimate, FloatArray, Interval
from analysis.outcomes.core.paired_comparison import (
    METHOD,
    NO_MAXIMUM,
    Clusters,
    Fitted,
    Strengths,
    fit,
    named,
    undefined,
    why_not,
)
from analysis.uncertainty.core.intervals import TOO_FEW, TOO_FEW_JUDGES, reach_of
from analysis.uncertainty.core.resampling import JUDGES_FOR_CORRELATIONS


def davidson(
    items: Sequence[str],
    wins: FloatArray,
    ties: FloatArray,
    *,
    clusters: Clusters | None = None,
    level: float = 0.95,
) -> Strengths:
    """Davidson's model (1970, JASA 65: 317–328); `n` counts comparisons.

    P(i before j) : P(tie) : P(j before i) = πᵢ : ν√(πᵢπⱼ) : πⱼ. `wins` and `ties` are items × items, ties
    symmetric; with `clusters`, judgments × items × items. Without any tie ν is 0 and the strengths are those of
    Bradley & Terry (1952); where all are ties ν has no bound and nothing is defined.
    """
    number = len(items)
    wins, ties = (counts[None] if counts.ndim == 2 else counts for counts in (wins, ties))
    fit_ties = bool(ties.any())
    one, other = np.triu_indices(number, k=1)
    counts = np.stack([wins[:, one, other], wins[:, other, one], ties[:, one, other]], axis=1)
    n = round(float(counts.sum()))
    if reason := why_not(number, (wins + ties).sum(axis=0)):
        return _undefined(items, n, reason)
    if fit_ties and not wins.any():
        return _undefined(items, n, "every comparison is a tie")
    fitted = fit(_Outcomes.of(number, counts, fit_ties=fit_ties), clusters)
    if fitted is None:
        return _undefined(items, n, NO_MAXIMUM)
    nu = (
        _nu(fitted, number, n, level, clusters.n_judges if clusters else None)
        if fit_ties
        else _without_ties(n, level)
    )
    return Strengths(named(items, fitted, n, level), nu)


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


def _undefined(items: Sequence[str], n: int, reason: str) -> Strengths:
    return replace(undefined(items, n, reason), ties=Estimate("davidson_nu", None, n, reason=reason))


def _without_ties(n: int, level: float) -> Estimate:
    interval = Interval(None, None, level, METHOD, reason="no comparison is a tie")
    return Estimate("davidson_nu", 0.0, n, interval=interval)


def _nu(fitted: Fitted, place: int, n: int, level: float, judges: int | None) -> Estimate:
    """ν, with an interval that is made of 1/ν, which the odds against a tie of equals are linear in, and on no more
    degrees of freedom than judges have, since some of them tie more than others.

    What few judges do may be ever so common among others: where the upper end is without end there is no interval.
    """
    logarithm, se = fitted.estimate(place, "log_nu", n, level)
    nu, found = Estimate("davidson_nu", exp(fitted.parameters[place]), n), logarithm.interval
    if found is None or found.low is None or fitted.degrees is None or judges is None or se.value is None:
        return replace(nu, interval=found)
    step = reach_of(se.value, min(float(fitted.degrees[place]), judges - 1), level)
    reason = TOO_FEW if step >= 1 else TOO_FEW_JUDGES if judges < JUDGES_FOR_CORRELATIONS else None
    if reason:
        return replace(nu, interval=Interval(None, None, level, METHOD, reason=reason))
    low, high = (exp(fitted.parameters[place]) / (1 + way * step) for way in (1, -1))
    return replace(nu, interval=Interval(low, high, level, METHOD, least=0.0))
