"""Means of observations that come in clusters, such as the answers to a prompt, and how sure they are."""

from dataclasses import replace
from math import sqrt
from typing import Final

import numpy as np

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import FloatArray, Summary, summarise
from analysis.uncertainty.core.intervals import UNBOUNDED, with_t_interval

METHOD: Final = "t over prompts, as a sample from many"


def clustered_summary(
    name: str,
    values: FloatArray,
    clusters: IntArray,
    *,
    level: float,
    bounds: tuple[float, float] = UNBOUNDED,
) -> Summary:
    """Summary of observations by the codes of their prompts, the mean with its interval at this level.

    The standard error is that of a ratio of sums over prompts, √(G/(G − 1) · Σ_g (Σ_i y_gi − n_g·ȳ)²) / N (Cochran
    1977, Sampling Techniques, 6.4), sd/√G where every prompt has one observation; with fewer than two prompts it is
    undefined. NaN marks an observation without a value; `bounds` are those of what the mean can be.
    """
    summary = summarise(name, values)
    kept = ~np.isnan(values)
    _, codes = np.unique(clusters[kept], return_inverse=True)
    prompts = int(codes.max(initial=-1)) + 1
    if prompts < 2:
        se = replace(summary.se, value=None, reason=f"needs values of at least 2 prompts, has {prompts}")
    else:
        deviations = np.bincount(codes, weights=values[kept] - values[kept].mean())
        error = sqrt(prompts / (prompts - 1) * float((deviations**2).sum())) / codes.size
        se = replace(summary.se, value=error, reason=None)
    mean = with_t_interval(summary.mean, se, prompts - 1, level=level, method=METHOD, bounds=bounds)
    return replace(summary, mean=mean, se=se)
