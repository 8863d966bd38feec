"""Strengths from whole rankings: the model of Plackett and Luce."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import FloatArray
from analysis.outcomes.core.paired_comparison import NO_MAXIMUM, Clusters, Strengths, fit, named, undefined, why_not


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
    1977, JASA 72: 557–565), each of the orders they could stand in counting alike on average. So do those tied for
    the last place: that a judge did not tell them apart speaks for their being alike, there as anywhere else.
    """
    number, n = len(items), len(ranks)
    shown = (codes[..., None] == np.arange(number)).astype(float)
    not_behind = (ranks[:, :, None] <= ranks[:, None, :]).astype(float)
    before = np.einsum("rai,rab,rbj->ij", shown, not_behind, shown, optimize=True)
    np.fill_diagonal(before, 0)
    if reason := why_not(number, before):
        return undefined(items, n, reason)
    fitted = fit(_Choices.of(shown, ranks), clusters)
    return undefined(items, n, NO_MAXIMUM) if fitted is None else Strengths(named(items, fitted, n, level))


@dataclass(frozen=True)
class _Choices:
    """The choices that rankings consist of, as many for each as it has places.

    `chosen` (rankings × items) counts how often each item was; `risks` (rankings × places × items) how often each
    was there to be chosen, those tied with what was chosen before by the share that is left of them. What is not
    ranked is no choice: its row is 0.
    """

    chosen: FloatArray
    risks: FloatArray
    size: int

    @classmethod
    def of(cls, shown: FloatArray, ranks: FloatArray) -> "_Choices":
        one, other = ranks[:, :, None], ranks[:, None, :]
        tied = (one == other).astype(float)
        step = np.tril(tied, k=-1).sum(axis=2) / np.maximum(tied.sum(axis=2), 1)
        is_choice = ~np.isnan(ranks)
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
