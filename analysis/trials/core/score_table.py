"""Scores of one approach as arrays, evaluators × answers; all approaches have the same answers in one order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.rating_frame import OVERALL as OWN_OVERALL
from analysis.data.core.results import ROUNDING, Estimate, FloatArray, quotient
from analysis.data.core.trials import POINTS, AskedScale, Trials, scales_of
from analysis.uncertainty.core.intervals import CORRELATION, reach_of, with_t_interval
from analysis.uncertainty.core.judgment_arrays import BoolArray
from annotation.platform.core.jackknife import (
    degrees_of_squares,
    jackknife_bias,
    jackknife_degrees,
    jackknife_variance,
    skewness_of,
)

MEAN: Final = "mean"  # of the dimensions
THREE_BANDS: Final = (60.0, 85.0)  # where a band begins, on points from 0 to 100
BANDS: Final = ("low", "medium", "high")
TWO_BANDS: Final = (60.0,)
# Scores, or answers in common, that tell how severe an evaluator is beside others. No published threshold: of two
# evaluators whose scores have the same independent noise, the difference in severity over n answers has a standard
# error of √(2/n) of it, which is less than half from nine on.
MIN_SCORES: Final = 10
MIN_DEGREES: Final = 6.0  # where one scenario in ten brings all, twenty-two have as many
FEW_BRING_MOST: Final = "a few scenarios bring most of it"
METHOD: Final = "t of the jackknife over scenarios, with these evaluators"


@dataclass(frozen=True)
class ScoreTable:
    """`scores` by measure: each dimension, MEAN of all, and OWN_OVERALL where evaluators gave one; NaN where there
    is none, and the mean over an evaluator's repeats. `answers` has a row for each place; `clusters` are the places
    of their scenarios. `given` and `failed` count ratings on dimensions by evaluator.
    """

    approach: str
    scale: AskedScale
    dimensions: tuple[str, ...]
    evaluators: tuple[str, ...]
    answers: pd.DataFrame
    clusters: IntArray
    scores: Mapping[str, FloatArray]
    given: IntArray
    failed: IntArray

    @property
    def has_points(self) -> bool:
        """Whether it is scored from 0 to 100."""
        return (self.scale.least, self.scale.most) == POINTS

    @property
    def categories(self) -> dict[float, str]:
        """What categories, or bands of points, are called by their numbers, also those that nobody used."""
        return dict(enumerate(BANDS)) if self.has_points else dict(self.scale.categories)

    def categorised(self, measure: str) -> FloatArray:
        """Numbers of categories, or of bands of points. The mean of two dimensions may lie between two categories:
        it is in the lower one. A scale of fractions has none.
        """
        scores = self.scores[measure]
        if self.has_points:
            return banded(scores, THREE_BANDS)
        return np.floor(scores) if self.categories else np.full(scores.shape, np.nan)

    def limited_to(self, kept: BoolArray) -> "ScoreTable":
        """The table with some of the answers alone."""
        return replace(
            self,
            answers=self.answers[kept].reset_index(drop=True),
            clusters=np.unique(self.clusters[kept], return_inverse=True)[1],
            scores={name: values[:, kept] for name, values in self.scores.items()},
        )


def score_tables(trials: Trials) -> tuple[ScoreTable, ...]:
    """A table for each approach, in the order of their names."""
    frame, scales = trials.frame, scales_of(trials)
    answers = frame.drop_duplicates("answer")[["answer", "scenario", "model", "condition"]].reset_index(drop=True)
    answers = answers.assign(
        conclusion=answers["answer"].map(lambda answer: trials.conclusions.get(answer, "")),
        words=answers["answer"].map(lambda answer: trials.words.get(answer, np.nan)),
    )
    clusters = pd.factorize(answers["scenario"])[0].astype(np.intp)
    return tuple(
        _table(str(name), rows, scales[str(name)], answers, clusters)
        for name, rows in frame.groupby("approach", sort=True)
    )


def banded(scores: FloatArray, bounds: tuple[float, ...]) -> FloatArray:
    """Numbers of the highest bands that scores reach, NaN where there is no score."""
    return np.where(np.isnan(scores), np.nan, np.searchsorted(bounds, scores, side="right"))


def means_of(scores: FloatArray) -> FloatArray:
    """Means by answer, over the evaluators who scored it; NaN where nobody did."""
    known = ~np.isnan(scores)
    return np.asarray(quotient(np.nansum(scores, axis=0), known.sum(axis=0)))


def adjusted_means(scores: FloatArray) -> FloatArray:
    """The mean, by answer, over the evaluators who count (see `who_counts`), each score less how much milder its
    evaluator is than others on the answers that they have in common: least squares of answers and evaluators
    (Searle, Speed & Milliken 1980, The American Statistician 34: 216–221). Severities are deviations from their
    mean over scores, not over evaluators, so that few scores move no level. They are distinguished among those whom
    enough answers link: between groups with fewer in common a noisy score or two would decide, and nothing is
    adjusted.
    """
    known = who_counts(scores)
    kept = np.where(known, scores, np.nan)
    if known.all() or not known.any():
        return means_of(kept)
    return means_of(kept - _severities(kept, _enough(scores))[:, None])


def who_counts(scores: FloatArray) -> BoolArray:
    """Whether each score counts in `adjusted_means`: it is there, and if its evaluator gave too few to be compared
    with others, then nobody with enough scored the same answer.
    """
    known = ~np.isnan(scores)
    many = known.sum(axis=1) >= _enough(scores)
    return np.asarray(known & (many[:, None] | ~known[many].any(axis=0)))


def _enough(scores: FloatArray) -> int:
    """Scores that tell how severe somebody is: MIN_SCORES, of fewer than twice as many answers half of these."""
    answers = int((~np.isnan(scores)).any(axis=0).sum())
    return min(MIN_SCORES, (answers + 1) // 2)


def _severities(scores: FloatArray, enough: int) -> FloatArray:
    """Severity by evaluator, positive where it is milder than others of its group; 0 of one alone."""
    there = (~np.isnan(scores)).astype(float)
    number, groups = connected_components(there @ there.T >= enough, directed=False)
    found = np.zeros(len(scores))
    for each in range(number):
        group = np.flatnonzero(groups == each)
        if group.size > 1:
            found[group] = _of_group(np.nan_to_num(scores[group]), there[group])
    return found


def _of_group(values: FloatArray, there: FloatArray) -> FloatArray:
    number = there.sum(axis=0)
    per_answer = np.divide(1.0, number, out=np.zeros_like(number), where=number > 0)
    shared = np.diag(there.sum(axis=1)) - (there * per_answer) @ there.T
    beyond = values.sum(axis=1) - there @ (values.sum(axis=0) * per_answer)
    # All of them may be as severe as one likes together: that direction is cut, whatever rounding leaves of it.
    severity = np.linalg.pinv(shared, rcond=ROUNDING, hermitian=True) @ beyond
    return np.asarray(severity - np.average(severity, weights=there.sum(axis=1)))


def with_jackknife(
    name: str,
    compute: Callable[[BoolArray], float],
    clusters: IntArray,
    *,
    n: int,
    level: float,
    bounds: tuple[float, float] = CORRELATION,
    method: str = METHOD,
    is_of_squares: bool = False,
    is_skewed: bool = False,
    least: int = 2,
) -> Estimate:
    """The figure of all answers, with an interval from leaving out one scenario at a time, about the figure less
    its bias. `compute` has a figure from the answers that are kept, NaN where there is none, and lies within
    `bounds`. The value must be defined. With fewer than the `least` scenarios there is no interval.

    `is_of_squares`: see `degrees_of_squares`. `is_skewed` figures, of which few scenarios may bring most, have
    theirs shifted to where these lie (Hall 1992, Journal of the Royal Statistical Society B 54: 221–228, by the
    leading term), and none where these are too few to tell how many more there are (degrees of freedom below
    `MIN_DEGREES`).
    """
    value = compute(np.ones(clusters.size, dtype=bool))
    number = int(clusters.max(initial=-1)) + 1
    without = np.array([compute(clusters != each) for each in range(number)])
    se, degrees = _jackknife_error(without, least), jackknife_degrees(without, number)
    if is_of_squares:
        degrees = degrees_of_squares(degrees, number)
    bias = jackknife_bias(without, value)
    if is_skewed and se.value is not None:
        reach = reach_of(1, degrees, level)
        bias -= se.value * skewness_of(without) * (2 * reach**2 + 1) / (6 * sqrt(number))
        if degrees < MIN_DEGREES:
            se = replace(se, value=None, reason=FEW_BRING_MOST)
    return with_t_interval(
        Estimate(name, value, n), se, degrees, level=level, method=method, bounds=bounds, bias=bias
    )


def _jackknife_error(without: FloatArray, least: int) -> Estimate:
    number = without.size
    if number < 2:
        return Estimate("se", None, number, reason="fewer than two scenarios")
    if number < least:
        return Estimate("se", None, number, reason="too few scenarios for an interval")
    if np.isnan(without).any():
        return Estimate("se", None, number, reason="undefined without one of the scenarios")
    error = sqrt(jackknife_variance(without))
    if error < ROUNDING:
        return Estimate("se", None, number, reason="the same whichever scenario is left out")
    return Estimate("se", error, number)


def _table(
    name: str, rows: pd.DataFrame, scale: AskedScale, answers: pd.DataFrame, clusters: IntArray
) -> ScoreTable:
    evaluators = sorted(rows["evaluator"].unique())
    measures = list(dict.fromkeys(rows["dimension"][rows["value"].notna() | (rows["dimension"] != OWN_OVERALL)]))
    scores = {
        str(measure): rows[rows["dimension"] == measure]
        .pivot_table(index="evaluator", columns="answer", values="value", aggfunc="mean", dropna=False)
        .reindex(index=evaluators, columns=answers["answer"])
        .to_numpy(dtype=float)
        for measure in measures
    }
    dimensions = tuple(measure for measure in scores if measure != OWN_OVERALL)
    with np.errstate(invalid="ignore"):
        mean = np.mean([scores[each] for each in dimensions], axis=0)
    # An evaluator's own overall score is asked of nobody: without it, nothing has failed.
    asked = rows[rows["dimension"] != OWN_OVERALL]
    of_evaluator = asked.groupby("evaluator")["value"].agg(["size", "count"]).reindex(evaluators)
    return ScoreTable(
        approach=name,
        scale=scale,
        dimensions=dimensions,
        evaluators=tuple(map(str, evaluators)),
        answers=answers,
        clusters=clusters,
        scores={**{each: scores[each] for each in dimensions}, MEAN: mean, **_own(scores)},
        given=of_evaluator["count"].to_numpy(dtype=np.intp),
        failed=(of_evaluator["size"] - of_evaluator["count"]).to_numpy(dtype=np.intp),
    )


def _own(scores: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    return {OWN_OVERALL: scores[OWN_OVERALL]} if OWN_OVERALL in scores else {}
