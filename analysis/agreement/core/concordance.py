"""Kendall's coefficient of concordance: how far judges rank the same objects alike.

Rankings are arrays of shape judges × objects, or prompts × judges × objects, 1 = best, NaN where a judge did not
rank an object. A judge who left out an object that another one ranked is left out and counted. `weights`, of shape
draws × prompts × judges, say how often each judge was drawn in a resample; pairs of a judge with its own copy never
count, since a person agrees with itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from analysis.data.core.results import Estimate, FloatArray, quotient

CHUNK = 2_000_000  # permuted ranks in memory at once
ROUNDING = 1e-12
NOT_THE_SAME = "the judges did not rank the same objects"
ALL_TIED = "every judge ties all objects"
NO_PERMUTATION = "no permutation was drawn"


@dataclass(frozen=True, slots=True)
class Significance:
    """A test statistic with its degrees of freedom and p-value, 0 to 1; or, in all three, the reason why not."""

    statistic: Estimate
    degrees: int
    p: Estimate


def kendall_w(ranks: FloatArray, *, tie_corrected: bool) -> Estimate:
    """Kendall's W of judges × objects, 0 to 1; `n` counts judges.

    S is the sum of squared deviations of the rank sums of n objects over m judges from their own mean.
    Plain, on the ranks as they are given: W = 12S / (m²(n³ − n)) (Kendall & Babington Smith 1939). It may
    exceed 1 on tied competition ranks, since 1, 1, 1, 4 lie further apart than 1, 2, 3, 4.
    Tie-corrected, on each judge's mid-ranks: W = 12S / (m²(n³ − n) − mΣT), where T = Σ(t³ − t) over a judge's
    groups of t tied objects (Siegel & Castellan 1988).
    """
    kept = complete(ranks)

    def compute() -> float:
        given = mid_ranks(kept) if tie_corrected else kept
        return float(concordance(given, np.ones(len(kept)), tie_corrected=tie_corrected))

    return _of_judges("kendall_w_tie_corrected" if tie_corrected else "kendall_w", ranks, kept, compute)


def concordance(ranks: FloatArray, weights: FloatArray, *, tie_corrected: bool) -> FloatArray:
    """W by draw and prompt, from ranks (… × judges × objects) and weights (draws × … × judges).

    Tie-corrected W wants mid-ranks. NaN where fewer than two different judges were drawn, or all of them tie
    everything. Objects that none of a prompt's judges ranked, and judges who ranked none, are NaN throughout and do
    not count.
    """
    seen = np.isfinite(ranks)
    weights = weights * seen.any(axis=-1)
    centres = np.nansum(ranks, axis=-1, keepdims=True) / np.maximum(seen.sum(axis=-1, keepdims=True), 1)
    deviations = np.nan_to_num(ranks - centres)
    squares = (deviations**2).sum(axis=-1)
    judges = weights.sum(axis=-1)
    within = (weights * squares).sum(axis=-1)
    pairs = judges**2 - (weights**2).sum(axis=-1)
    sums = np.einsum("...j,...jo->...o", weights, deviations)
    between = (sums**2).sum(axis=-1) - (weights**2 * squares).sum(axis=-1)
    if tie_corrected:
        # A judge's mid-ranks have a sum of squares of (n³ − n − T) / 12.
        largest = judges * within
    else:
        objects = seen.any(axis=-2).sum(axis=-1)
        largest = judges**2 * (objects**3 - objects) / 12
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (between * judges * (judges - 1) / pairs + within) / largest
    return np.where((within > 0) & (pairs > 0), found, np.nan)


def most_concordance(ranks: FloatArray) -> FloatArray:
    """The most that plain W can be of judges whose ranks (… × judges × objects) spread as these do: 12 Σ(r − r̄)² /
    (n³ − n) in the mean over judges, by the inequality of Cauchy and Schwarz. It is 1 where none of them ties, NaN
    with fewer than two judges or objects; who ranked nothing is NaN throughout.
    """
    seen = np.isfinite(ranks)
    judges, objects = seen.any(axis=-1).sum(axis=-1), seen.any(axis=-2).sum(axis=-1)
    centres = np.nansum(ranks, axis=-1, keepdims=True) / np.maximum(seen.sum(axis=-1, keepdims=True), 1)
    squares = (np.nan_to_num(ranks - centres) ** 2).sum(axis=(-2, -1))
    largest = judges * (objects**3 - objects) / 12
    return np.where((judges > 1) & (objects > 1), quotient(squares, largest), np.nan)


def friedman_test(ranks: FloatArray) -> Significance:
    """Whether judges agree beyond chance: χ² = m(n − 1)W with n − 1 degrees of freedom, W tie-corrected.

    Friedman's test (1937), an approximation for many objects; `permutation_p` is exact but for its draws.
    """
    w = kendall_w(ranks, tie_corrected=True)
    if w.value is None:
        return Significance(replace(w, name="chi_squared"), 0, replace(w, name="p"))
    degrees = complete(ranks).shape[1] - 1
    chi_squared = w.n * degrees * w.value
    p = float(stats.chi2.sf(chi_squared, degrees))
    return Significance(replace(w, name="chi_squared", value=chi_squared), degrees, replace(w, name="p", value=p))


def permutation_p(ranks: FloatArray, *, draws: int, rng: np.random.Generator) -> Estimate:
    """Share of permutations in which W is at least as large, 1/(draws + 1) to 1; `n` counts draws.

    Under the hypothesis that every judge's ranks fell on the objects at random, each judge's own ranks are
    permuted within that judge, ties and all. The data themselves count as one of the draws (Phipson & Smyth 2010).
    """
    ranks = complete(ranks)
    if reason := why_not_concordant(ranks) or (None if draws else NO_PERMUTATION):
        return Estimate("permutation_p", None, 0, reason=reason)
    deviations = mid_ranks(ranks) - (ranks.shape[1] + 1) / 2
    observed = (deviations.sum(axis=0) ** 2).sum()
    at_least = 0
    for size in _chunks(draws, max(1, CHUNK // deviations.size)):
        shuffled = rng.permuted(np.broadcast_to(deviations, (size, *deviations.shape)), axis=-1)
        at_least += int(((shuffled.sum(axis=1) ** 2).sum(axis=-1) >= observed * (1 - ROUNDING)).sum())
    return Estimate("permutation_p", (1 + at_least) / (1 + draws), draws)


def mean_permutation_p(prompts: Sequence[FloatArray], *, draws: int, rng: np.random.Generator) -> Estimate:
    """The p-value of the mean W over prompts, judges × objects each; those where W is undefined are left out and
    counted.

    Every judge's ranks are permuted within each prompt.
    """
    kept = [mid_ranks(ranks) for ranks in prompts if why_not_concordant(ranks) is None]
    left_out = len(prompts) - len(kept)
    if not kept or not draws:
        reason = NO_PERMUTATION if kept else "W is defined on no prompt"
        return Estimate("mean_permutation_p", None, 0, left_out, reason)
    observed, shuffled = 0.0, np.zeros(draws)
    for ranks in kept:
        deviations = ranks - (ranks.shape[1] + 1) / 2
        largest = len(ranks) * (deviations**2).sum()
        observed += (deviations.sum(axis=0) ** 2).sum() / largest
        start = 0
        for size in _chunks(draws, max(1, CHUNK // deviations.size)):
            permuted = rng.permuted(np.broadcast_to(deviations, (size, *deviations.shape)), axis=-1)
            shuffled[start : start + size] += (permuted.sum(axis=1) ** 2).sum(axis=-1) / largest
            start += size
    at_least = int((shuffled >= observed * (1 - ROUNDING)).sum())
    return Estimate("mean_permutation_p", (1 + at_least) / (1 + draws), draws, left_out)


def top_1_agreement(ranks: FloatArray) -> Estimate:
    """1 if all judges put the same object first, else 0; `n` counts judges.

    A judge's shared first place is the set of objects in it, and agrees only with the same set.
    """
    kept = complete(ranks)

    def compute() -> float:
        first = kept == kept.min(axis=1, keepdims=True)
        return float((first == first[0]).all())

    return _of_judges("top_1_agreement", ranks, kept, compute)


def full_agreement(ranks: FloatArray) -> Estimate:
    """1 if all judges gave the same ranking, else 0; `n` counts judges."""
    kept = complete(ranks)

    def compute() -> float:
        orders = mid_ranks(kept)
        return float((orders == orders[0]).all())

    return _of_judges("full_agreement", ranks, kept, compute)


def complete_only(ranks: FloatArray) -> FloatArray:
    """Ranks (… × judges × objects), NaN throughout for judges who left out an object that another one ranked."""
    is_ranked = ~np.isnan(ranks)
    left_out = is_ranked.any(axis=-2, keepdims=True) & ~is_ranked
    return np.where(left_out.any(axis=-1, keepdims=True), np.nan, ranks)


def common_only(ranks: FloatArray) -> FloatArray:
    """Ranks (… × judges × objects), NaN throughout for objects that a judge who ranked others left out."""
    is_ranked = ~np.isnan(ranks)
    left_out = is_ranked.any(axis=-1, keepdims=True) & ~is_ranked
    return np.where(left_out.any(axis=-2, keepdims=True), np.nan, ranks)


def without_blanks(ranks: FloatArray) -> FloatArray:
    """Judges × objects without the judges who ranked none and the objects that none ranked."""
    is_ranked = ~np.isnan(ranks)
    return ranks[is_ranked.any(axis=1)][:, is_ranked.any(axis=0)]


def complete(ranks: FloatArray) -> FloatArray:
    """Judges × objects: all objects that anybody ranked, and the judges who ranked every one of them."""
    return without_blanks(complete_only(ranks))


def common(ranks: FloatArray) -> FloatArray:
    """Judges × objects: all judges who ranked anything, and the objects that every one of them ranked."""
    return without_blanks(common_only(ranks))


def mid_ranks(values: FloatArray) -> FloatArray:
    """Ranks along the last axis, ties sharing the mean of their places; NaN stays NaN and takes no place.

    Every value is compared with every other one, which is quick for the few objects that a person can rank.
    """
    one, other = values[..., :, None], values[..., None, :]
    places = (other < one).sum(axis=-1) + ((other == one).sum(axis=-1) + 1) / 2
    return np.where(np.isnan(values), np.nan, places)


def why_not_concordant(ranks: FloatArray) -> str | None:
    """Why concordance is undefined on judges × objects without gaps, in words; `None` where it is defined."""
    if reason := too_few(*ranks.shape):
        return reason
    if (ranks == ranks[:, :1]).all():
        return ALL_TIED
    return None


def too_few(judges: int, objects: int) -> str | None:
    """Why so many judges and objects are not enough, in words."""
    if judges < 2:
        return "fewer than two judges"
    if objects < 2:
        return "fewer than two objects"
    return None


def _of_judges(name: str, ranks: FloatArray, kept: FloatArray, compute: Callable[[], float]) -> Estimate:
    """A figure of the judges kept."""
    left_out = len(ranks) - len(kept)
    reason = NOT_THE_SAME if left_out and len(kept) < 2 <= len(ranks) else why_not_concordant(kept)
    if reason:
        return Estimate(name, None, len(kept), left_out, reason)
    return Estimate(name, compute(), len(kept), left_out)


def _chunks(total: int, size: int) -> list[int]:
    return [min(size, total - start) for start in range(0, total, size)]
