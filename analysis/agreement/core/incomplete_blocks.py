"""Concordance where judges saw different objects: the Skillings–Mack test, and whether anything can be compared.

Rankings are arrays of judges × objects with NaN where a judge did not see an object.
"""

import numpy as np
from scipy import sparse, stats
from scipy.sparse.csgraph import connected_components

from analysis.agreement.core.concordance import Significance, mid_ranks, too_few
from analysis.data.core.results import Estimate, FloatArray


def connected_parts(ranks: FloatArray) -> list[tuple[int, ...]]:
    """Objects by the parts into which the design falls: between two parts no judge compares anything.

    Each part lists columns in ascending order; a connected design has one. An object that no judge ranked beside
    another one is a part of its own.
    """
    seen = ~np.isnan(ranks)
    if seen.size and seen.all():
        return [tuple(range(ranks.shape[1]))]
    beside = sparse.csr_array(seen.T.astype(np.intp) @ seen.astype(np.intp))
    number, parts = connected_components(beside, directed=False)
    return [tuple(int(column) for column in np.flatnonzero(parts == part)) for part in range(number)]


def skillings_mack(ranks: FloatArray) -> Significance:
    """Whether judges who each ranked a part of the objects order them alike beyond chance; `n` counts judges.

    T = A'Σ⁻A with n − 1 degrees of freedom, where A sums each object's centred mid-ranks over its judges, those of
    a judge of k objects weighted by √(12/(k + 1)) (Skillings & Mack 1981, Technometrics 23: 171–177). Without gaps
    or ties it is Friedman's χ². Ties make it conservative. Judges of fewer than two objects, or who tie all of
    theirs, tell nothing and are left out. Undefined where the design is not connected.
    """
    judges, objects = ranks.shape
    if reason := too_few(judges, objects):
        return _undefined(reason, 0, 0)
    orders = mid_ranks(ranks)
    spread = np.nanmax(orders, axis=1, initial=-np.inf) > np.nanmin(orders, axis=1, initial=np.inf)
    kept = orders[spread]
    n, left_out = int(spread.sum()), int((~spread).sum())
    if n < 2:
        return _undefined("fewer than two judges distinguish any objects", n, left_out)
    if len(connected_parts(kept)) > 1:
        return _undefined("the judges' sets of objects are not connected", n, left_out)
    seen = ~np.isnan(kept)
    sizes = seen.sum(axis=1, keepdims=True)
    adjusted = (np.nan_to_num(kept - (sizes + 1) / 2) * np.sqrt(12 / (sizes + 1))).sum(axis=0)
    together = seen.T.astype(float) @ seen
    np.fill_diagonal(together, 0)
    covariance = np.diag(together.sum(axis=1)) - together
    # One object's sum follows from the others', which leaves a matrix that can be inverted.
    statistic = float(adjusted[1:] @ np.linalg.solve(covariance[1:, 1:], adjusted[1:]))
    p = float(stats.chi2.sf(statistic, objects - 1))
    return Significance(
        Estimate("skillings_mack", statistic, n, left_out), objects - 1, Estimate("p", p, n, left_out)
    )


def _undefined(reason: str, n: int, left_out: int) -> Significance:
    return Significance(
        Estimate("skillings_mack", None, n, left_out, reason), 0, Estimate("p", None, n, left_out, reason)
    )
