"""Whether the panel puts answers in the order in which people do."""

from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
from scipy import stats

from analysis.core.panel_report import Validity
from analysis.core.rank_tables import IntArray
from analysis.core.results import Estimate, FloatArray, Interval, summarise

METHOD: Final = "cluster bootstrap over prompts"
MOST_ANSWERS: Final = 3_000  # every pair of which is resampled
FEWEST_DEFINED: Final = 0.5  # of the resamples, or there is no interval
NO_ORDER: Final = "needs at least two answers that the panel and people both judged, and told apart"


def validity(frame: pd.DataFrame, *, draws: int, level: float, seed: int) -> Validity:
    """Kendall's τ-b (1945) between two columns, `panel` and `people`, greater for better answers, NaN: not judged.

    `frame` has a row for each answer, with its `prompt_id`. The p-value is that of `scipy.stats.kendalltau`.
    Intervals at `level` are percentiles over resamples of the prompts, each with all its answers; an answer is
    never compared with its own copy.
    """
    judged = frame.dropna(subset=["people"]).sort_values("prompt_id", kind="stable")
    both = judged.dropna(subset=["panel"])
    # Means that are equal may differ in how they were rounded, and are ties all the same.
    panel, people = (both[column].to_numpy(dtype=float).round(9) for column in ("panel", "people"))
    codes, names = pd.factorize(both["prompt_id"])
    pooled, p = _pooled(panel, people, left_out=len(judged) - len(both))
    within = np.array([_tau_b(panel[codes == code], people[codes == code])[0] for code in range(len(names))])
    summary = summarise("validity_within", within)
    if len(names) < 2:
        reason = "needs answers to at least 2 prompts"
    elif len(both) > MOST_ANSWERS:
        reason = f"not computed for more than {MOST_ANSWERS:,} answers"
    else:
        weights = _multiplicities(len(names), draws, seed)
        return Validity(
            pooled=_with_interval(pooled, _pooled_draws(panel, people, codes, weights), level),
            pooled_p=p,
            within=replace(summary, mean=_with_interval(summary.mean, _mean_draws(within, weights), level)),
        )
    without = Interval(None, None, level, METHOD, reason=reason)
    return Validity(_with(pooled, without), p, replace(summary, mean=_with(summary.mean, without)))


def _tau_b(panel: FloatArray, people: FloatArray) -> tuple[float, float]:
    """τ-b and its p-value, NaN where there is nothing to compare."""
    if panel.size < 2:
        return np.nan, np.nan
    found = stats.kendalltau(panel, people)
    return float(found.statistic), float(found.pvalue)


def _pooled(panel: FloatArray, people: FloatArray, *, left_out: int) -> tuple[Estimate, Estimate]:
    def estimate(name: str, value: float) -> Estimate:
        if np.isnan(value):
            return Estimate(name, None, panel.size, left_out, NO_ORDER)
        return Estimate(name, value, panel.size, left_out)

    tau, p = _tau_b(panel, people)
    return estimate("validity_pooled", tau), estimate("validity_pooled_p", p)


def _multiplicities(prompts: int, draws: int, seed: int) -> FloatArray:
    """How often every prompt was drawn, draws × prompts."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(prompts, np.full(prompts, 1 / prompts), size=draws).astype(float)


def _pooled_draws(panel: FloatArray, people: FloatArray, codes: IntArray, weights: FloatArray) -> FloatArray:
    """τ-b by draw: sums over pairs of answers are first made for pairs of prompts, which are then weighted."""
    one, other = (np.sign(values[:, None] - values).astype(np.int8) for values in (panel, people))
    starts = np.flatnonzero(np.diff(codes, prepend=-1))

    def weighted(products: "np.ndarray[tuple[int, int], np.dtype[np.int8]]") -> FloatArray:
        rows = np.add.reduceat(products, starts, axis=0, dtype=np.int64)
        blocks = np.add.reduceat(rows, starts, axis=1).astype(float)
        return np.asarray(((weights @ blocks) * weights).sum(axis=1))

    scale = np.sqrt(weighted(one**2) * weighted(other**2))
    with np.errstate(invalid="ignore"):
        return np.asarray(weighted(one * other) / scale)


def _mean_draws(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Mean over prompts that have a value, by draw."""
    number = weights @ (~np.isnan(values)).astype(float)
    with np.errstate(invalid="ignore"):
        return np.asarray(weights @ np.nan_to_num(values) / number)


def _with_interval(estimate: Estimate, draws: FloatArray, level: float) -> Estimate:
    defined = draws[~np.isnan(draws)]
    left_out = draws.size - defined.size
    if defined.size < max(FEWEST_DEFINED * draws.size, 1):
        reason = f"undefined in {left_out} of {draws.size} resamples"
        return _with(estimate, Interval(None, None, level, METHOD, left_out, reason))
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return _with(estimate, Interval(float(low), float(high), level, METHOD, left_out))


def _with(estimate: Estimate, interval: Interval) -> Estimate:
    return estimate if estimate.value is None else replace(estimate, interval=interval)
