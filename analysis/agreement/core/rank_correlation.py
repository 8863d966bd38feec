"""Rank correlation between judges, two by two."""

import numpy as np

from analysis.agreement.core.concordance import too_few
from analysis.data.core.results import Estimate, FloatArray


def mean_pairwise_tau_b(ranks: FloatArray) -> Estimate:
    """Mean of Kendall's τ_b over pairs of judges of judges × objects, −1 to 1; `n` counts pairs.

    Two judges are compared on the objects that both ranked. Pairs whose τ_b is undefined, because one of them
    ties all these objects or there are fewer than two, are left out and counted.
    """
    judges, objects = ranks.shape
    if reason := too_few(judges, objects):
        return Estimate("mean_pairwise_tau_b", None, 0, reason=reason)
    pairs = pairwise_tau_b(ranks)[np.triu_indices(judges, k=1)]
    defined = ~np.isnan(pairs)
    n, left_out = int(defined.sum()), int((~defined).sum())
    if n == 0:
        reason = "no two judges both distinguish objects that they have in common"
        return Estimate("mean_pairwise_tau_b", None, 0, left_out, reason)
    return Estimate("mean_pairwise_tau_b", float(pairs[defined].mean()), n, left_out)


def pairwise_tau_b(ranks: FloatArray) -> FloatArray:
    """τ_b of any two judges, … × judges × judges, from … × judges × objects; NaN where it is undefined.

    τ_b = Σab / √(Σa²·Σb²) over pairs of objects, a and b the signs of the judges' rank differences (Kendall 1945).
    """
    one, other = np.triu_indices(ranks.shape[-1], k=1)
    differences = ranks[..., one] - ranks[..., other]
    compared = (~np.isnan(differences)).astype(float)
    signs = np.sign(np.nan_to_num(differences))
    untied = signs**2 @ np.swapaxes(compared, -1, -2)
    scale = np.sqrt(untied * np.swapaxes(untied, -1, -2))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((signs @ np.swapaxes(signs, -1, -2)) / np.where(scale > 0, scale, np.nan))


def pair_sums(taus: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sum of τ_b over pairs of different judges, and how many there are, by draw and prompt.

    `taus` is … × judges × judges, `weights` draws × … × judges, how often each judge was drawn. Their quotient is
    the mean over a prompt's pairs; the quotient of their sums over prompts is the mean over all pairs.
    """
    judges = taus.shape[-1]
    off_diagonal = ~np.eye(judges, dtype=bool) & ~np.isnan(taus)
    present = off_diagonal.astype(float)
    kept = np.where(off_diagonal, taus, 0.0)
    sums = np.einsum("...i,...ij,...j->...", weights, kept, weights, optimize=True)
    counts = np.einsum("...i,...ij,...j->...", weights, present, weights, optimize=True)
    return sums / 2, counts / 2


def tau_sums(ranks: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sums of τ_b from the ranks, … × judges × objects. Where nobody left out an object, τ_b is the product of two
    judges' unit vectors of signs, and the sum over pairs is one over judges.
    """
    if np.isnan(ranks).any():
        return pair_sums(pairwise_tau_b(ranks), weights)
    one, other = np.triu_indices(ranks.shape[-1], k=1)
    signs = np.sign(ranks[..., one] - ranks[..., other])
    length = np.sqrt((signs**2).sum(axis=-1, keepdims=True))
    units = np.divide(signs, length, out=np.zeros_like(signs), where=length > 0)
    drawn = weights * (length[..., 0] > 0)
    squares = (drawn**2).sum(axis=-1)
    sums = (np.einsum("...j,...jp->...p", drawn, units) ** 2).sum(axis=-1) - squares
    return sums / 2, (drawn.sum(axis=-1) ** 2 - squares) / 2
