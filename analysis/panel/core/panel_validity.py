"""Whether the panel puts answers in the order in which people do."""

from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
from scipy import stats

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray, Interval, summarise
from analysis.panel.core.panel_report import Validity
from analysis.uncertainty.core.intervals import CORRELATION
from analysis.uncertainty.core.resampling import PROMPTS_ALONE, pigeonhole, with_one_way_interval

MAX_ANSWERS: Final = 3_000  # every pair of which is resampled
TOO_FEW: Final = "fewer than two answers that both the panel and people judged"
PANEL_ALIKE: Final = "the panel’s scores of all answers that people judged are alike"
PEOPLE_ALIKE: Final = "people’s mean ranks of all answers that the panel scored are alike"
NOT_WITHIN: Final = "on no prompt both the panel and people tell two answers apart"


def validity(frame: pd.DataFrame, *, draws: int, level: float, seed: int) -> Validity:
    """Kendall's τ-b (1945) between two columns, `panel` and `people`, greater for better answers, NaN: not judged.

    `frame` has a row for each answer, with its `prompt_id`. The p-value is that of `scipy.stats.kendalltau`.
    Intervals at `level` are those of agreement, but over resamples of the prompts alone, each with all its answers:
    the panel and the people who judged are taken as they are. An answer is never compared with its own copy.
    """
    judged = frame.dropna(subset=["people"]).sort_values("prompt_id", kind="stable")
    both = judged.dropna(subset=["panel"])
    # Means that are equal may differ in how they were rounded, and are ties all the same.
    panel, people = (both[column].to_numpy(dtype=float).round(9) for column in ("panel", "people"))
    codes, names = pd.factorize(both["prompt_id"])
    pooled, p = _pooled(panel, people, left_out=len(judged) - len(both))
    within = np.array([_tau_b(panel[codes == code], people[codes == code])[0] for code in range(len(names))])
    summary = summarise("validity_within", within)
    if summary.mean.value is None:
        summary = replace(summary, mean=replace(summary.mean, reason=NOT_WITHIN))
    if len(names) < 2:
        reason = "needs answers to at least 2 prompts"
    elif len(both) > MAX_ANSWERS:
        reason = f"not computed for more than {MAX_ANSWERS:,} answers"
    else:
        drawn = [weights.prompts for weights in pigeonhole(prompts=len(names), judges=0, draws=draws, seed=seed)]
        weights = np.concatenate([np.zeros((0, len(names))), *drawn])

        def over_prompts(estimate: Estimate, values: FloatArray) -> Estimate:
            return with_one_way_interval(
                estimate,
                values,
                len(names),
                level=level,
                method=PROMPTS_ALONE,
                bounds=CORRELATION,
                is_of_squares=True,
            )

        return Validity(
            pooled=over_prompts(pooled, _pooled_draws(panel, people, codes, weights)),
            pooled_p=p,
            within=replace(summary, mean=over_prompts(summary.mean, _mean_draws(within, weights))),
        )
    return Validity(
        _without(pooled, reason, level), p, replace(summary, mean=_without(summary.mean, reason, level))
    )


def _tau_b(panel: FloatArray, people: FloatArray) -> tuple[float, float]:
    """τ-b and its p-value, NaN where there is nothing to compare."""
    if panel.size < 2:
        return np.nan, np.nan
    found = stats.kendalltau(panel, people)
    return float(found.statistic), float(found.pvalue)


def _pooled(panel: FloatArray, people: FloatArray, *, left_out: int) -> tuple[Estimate, Estimate]:
    def estimate(name: str, value: float) -> Estimate:
        if np.isnan(value):
            return Estimate(name, None, panel.size, left_out, _why_no_order(panel))
        return Estimate(name, value, panel.size, left_out)

    tau, p = _tau_b(panel, people)
    return estimate("validity_pooled", tau), estimate("validity_pooled_p", p)


def _why_no_order(panel: FloatArray) -> str:
    if panel.size < 2:
        return TOO_FEW
    return PANEL_ALIKE if np.ptp(panel) == 0 else PEOPLE_ALIKE


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


def _without(estimate: Estimate, reason: str, level: float) -> Estimate:
    if estimate.value is None:
        return estimate
    return replace(estimate, interval=Interval(None, None, level, PROMPTS_ALONE, reason=reason))
