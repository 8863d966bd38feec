"""What conditions cost or gain against the baseline without a framework, scenario by scenario."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
import pandas as pd
from scipy import special

from analysis.data.core.results import ROUNDING, Estimate, FloatArray
from analysis.data.core.trials import TrialDesign
from analysis.trials.core.score_table import ScoreTable, adjusted_means, who_counts
from analysis.uncertainty.core.intervals import of_differences, of_scores, with_t_interval

METHOD: Final = "t of scenario means, with these evaluators"
PREDICTED: Final = (85.0, 95.0)  # points
PREDICTED_HIDDEN: Final = (60.0, 80.0)  # of the baseline, on dimensions beside integrity
EQUAL, DIFFERENT, OPEN = "equal", "different", "open"


@dataclass(frozen=True, slots=True)
class Contrast:
    """A condition less the baseline on a dimension, in points: the mean over scenarios (`n`) of differences between
    their means over models, answers and evaluators, with a paired t interval of n − 1 degrees of freedom. A model
    counts where it answered under both; an evaluator who failed moves no mean (see `adjusted_means`).

    `p_equal` is that of two one-sided tests (Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15:
    657–680) against ±`margin`; `p_different` that of the paired t-test, times the number of conditions
    (Bonferroni). `verdict` is, at α = 1 − level, EQUAL, or else DIFFERENT, or else OPEN: what is not different is
    not equal for that. `sd` is that of the scenarios’ differences.
    """

    dimension: str
    condition: str
    margin: float
    mean: Estimate
    baseline: Estimate
    difference: Estimate
    sd: Estimate
    p_equal: Estimate
    p_different: Estimate
    verdict: str


@dataclass(frozen=True, slots=True)
class Predicted:
    """The mean of a condition on a dimension, in points, with its t interval over scenarios, beside the range that
    the protocol predicted: no test.
    """

    dimension: str
    condition: str
    mean: Estimate
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Control:
    """How far a positive control lies below other answers to its scenarios on a dimension, in points: the same
    figures as those of a `Contrast`. It `holds` where the interval lies below 0.
    """

    dimension: str
    condition: str
    difference: Estimate
    holds: bool


@dataclass(frozen=True, slots=True)
class PassedOver:
    """An evaluator of too few scores on a dimension to be compared with others. Of those `given`, `left_out` count
    in no contrast, since somebody with more scored the same answers.
    """

    dimension: str
    evaluator: str
    left_out: int
    given: int


def contrasts(table: ScoreTable, design: TrialDesign, level: float) -> Iterator[Contrast]:
    """Contrasts of every dimension and every condition that is neither the baseline nor a control."""
    known = list(dict.fromkeys(table.answers["condition"]))
    others = [name for name in known if name != design.baseline and name not in design.controls]
    for dimension in table.dimensions:
        margin = design.margin if dimension == design.integrity else design.smallest_effect
        cases = _case_means(table, dimension, (design.baseline, *others))
        for condition in others:
            means, baseline = _of_both(table, _within(cases, (condition,)), _within(cases, (design.baseline,)))
            of = (dimension, condition, margin)
            bounds = of_differences(table.scale.ends)
            yield _contrast(of, means, baseline, tests=len(others), level=level, bounds=bounds)


def predictions(table: ScoreTable, design: TrialDesign, level: float) -> Iterator[Predicted]:
    """Predictions for each dimension and each condition that is no control, the baseline first."""
    every = dict.fromkeys([design.baseline, *table.answers["condition"]])
    known = [condition for condition in every if condition not in design.controls]
    for dimension in table.dimensions:
        cases = _case_means(table, dimension, known)
        for condition in known:
            means = _scenario_means(table, _within(cases, (condition,)))
            mean, _ = paired(means, level, table.scale.ends)
            is_hidden = condition == design.baseline and dimension != design.integrity
            yield Predicted(dimension, condition, mean, *(PREDICTED_HIDDEN if is_hidden else PREDICTED))


def controls(table: ScoreTable, design: TrialDesign, level: float) -> Iterator[Control]:
    """Results of each dimension and each control, which may be made to fail one dimension alone."""
    every = dict.fromkeys(table.answers["condition"])
    ordinary = [condition for condition in every if condition not in design.controls]
    for dimension in table.dimensions:
        cases = _case_means(table, dimension, every)
        for control in design.controls:
            means, others = _of_both(table, _within(cases, (control,)), _within(cases, ordinary))
            difference, sd = paired(means - others, level, of_differences(table.scale.ends))
            yield Control(dimension, control, difference, _is_below_0(difference, sd))


def passed_over(table: ScoreTable, design: TrialDesign) -> Iterator[PassedOver]:
    """How many scores are passed over, by dimension and evaluator, of answers that are not controls."""
    kept = ~table.answers["condition"].isin(design.controls).to_numpy()
    for dimension in table.dimensions:
        scores = table.scores[dimension][:, kept]
        given = ~np.isnan(scores)
        left_out = (given & ~who_counts(scores)).sum(axis=1)
        for evaluator, number, of in zip(
            table.evaluators, left_out.tolist(), given.sum(axis=1).tolist(), strict=True
        ):
            if number:
                yield PassedOver(dimension, evaluator, number, of)


def _case_means(table: ScoreTable, dimension: str, conditions: Collection[str]) -> "pd.Series[float]":
    """Means of cases, by scenario's number, model and condition: means over answers of means over evaluators,
    adjusted for how severe these are.
    """
    kept = table.answers["condition"].isin(conditions).to_numpy()
    rows = table.answers[kept].assign(
        score=adjusted_means(table.scores[dimension][:, kept]), cluster=table.clusters[kept]
    )
    return rows.groupby(["cluster", "model", "condition"])["score"].mean().dropna()


def _within(cases: "pd.Series[float]", conditions: Collection[str]) -> "pd.Series[float]":
    """Means by scenario's number and model, taken over those of these conditions that are there."""
    found = cases[cases.index.get_level_values("condition").isin(conditions)]
    return found.groupby(["cluster", "model"]).mean()


def _of_both(
    table: ScoreTable, one: "pd.Series[float]", other: "pd.Series[float]"
) -> tuple[FloatArray, FloatArray]:
    """Means by scenario, over the cases that have both."""
    shared = one.index.intersection(other.index)
    return _scenario_means(table, one.loc[shared]), _scenario_means(table, other.loc[shared])


def _scenario_means(table: ScoreTable, of_cases: "pd.Series[float]") -> FloatArray:
    """Means over models, NaN where there is none."""
    found = of_cases.groupby("cluster").mean().reindex(range(int(table.clusters.max(initial=-1)) + 1))
    return np.asarray(found.to_numpy(dtype=float))


def paired(differences: FloatArray, level: float, bounds: tuple[float, float]) -> tuple[Estimate, Estimate]:
    """The mean difference with its t interval, within the `bounds` of what it can be, and the SD; scenarios without
    one are left out.
    """
    kept = differences[~np.isnan(differences)]
    left_out = differences.size - kept.size
    if kept.size < 2:
        reason = f"needs two scenarios with both, has {kept.size}"
        return (
            Estimate("difference", None, kept.size, left_out, reason),
            Estimate("sd", None, kept.size, left_out, reason),
        )
    mean, sd = float(kept.mean()), float(kept.std(ddof=1))
    difference = with_t_interval(
        Estimate("difference", mean, kept.size, left_out),
        Estimate("se", sd / sqrt(kept.size), kept.size),
        kept.size - 1,
        level=level,
        method=METHOD,
        bounds=of_scores(bounds, kept),
    )
    return difference, Estimate("sd", sd, kept.size, left_out)


def _is_below_0(difference: Estimate, sd: Estimate) -> bool:
    """Surely: by its interval, or where it is the same in all scenarios."""
    if difference.value is None or sd.value is None:
        return False
    ends = difference.interval
    high = difference.value if sd.value < ROUNDING else ends.high if ends else None
    return high is not None and high < 0


def equivalence_p(mean: float, sd: float, n: int, margin: float) -> float:
    """The greater p of the two one-sided t-tests that a mean of n differences lies within ±margin."""
    if not sd:
        return 0.0 if abs(mean) < margin else 1.0
    return float(special.stdtr(n - 1, (abs(mean) - margin) / (sd / sqrt(n))))


def difference_p(mean: float, sd: float, n: int) -> float:
    """The p-value of the paired t-test, two-sided."""
    if not sd:
        return 0.0 if mean else 1.0
    return float(2 * special.stdtr(n - 1, -abs(mean) / (sd / sqrt(n))))


def _contrast(
    of: tuple[str, str, float],
    means: FloatArray,
    baseline: FloatArray,
    *,
    tests: int,
    level: float,
    bounds: tuple[float, float],
) -> Contrast:
    """`of` has dimension, condition and margin."""
    margin = of[2]
    difference, sd = paired(means - baseline, level, bounds)
    of_condition, of_baseline = (
        Estimate(name, float(np.nanmean(each)), int((~np.isnan(each)).sum()))
        if (~np.isnan(each)).any()
        else Estimate(name, None, 0, reason="no scores")
        for name, each in (("mean", means), ("baseline", baseline))
    )
    n = difference.n
    if difference.value is None or sd.value is None:
        no_p, neither = (Estimate(name, None, n, reason=difference.reason) for name in ("p_equal", "p_different"))
        return Contrast(*of, of_condition, of_baseline, difference, sd, no_p, neither, OPEN)
    p_equal = equivalence_p(difference.value, sd.value, n, margin)
    p_different = min(difference_p(difference.value, sd.value, n) * tests, 1.0)
    alpha = 1 - level
    # Within the margin a difference may be sure and still be none that matters.
    verdict = EQUAL if p_equal < alpha else DIFFERENT if p_different < alpha else OPEN
    return Contrast(
        *of,
        of_condition,
        of_baseline,
        difference,
        sd,
        Estimate("p_equal", p_equal, n),
        Estimate("p_different", p_different, n),
        verdict,
    )
