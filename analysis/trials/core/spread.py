"""Sources of variance in differences from the baseline, so that other sample sizes can be considered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from analysis.data.core.results import Estimate, FloatArray
from analysis.data.core.trials import TrialDesign, Trials
from analysis.trials.core.score_table import ScoreTable, adjusted_means

UNKNOWN_REPEATS: Final = "no evaluator scored an answer twice"
UNKNOWN_ANSWERS: Final = "no condition was answered twice in a case"


@dataclass(frozen=True, slots=True)
class Spread:
    """Variances, in points², of a condition less the baseline on a dimension; means over conditions.

    `scenario` is what scenarios differ by; `case` what models differ by within one, where a scenario has several
    (else it is part of `scenario`), without `answer`, what answers by one model under one condition differ by;
    `evaluator` what evaluators differ by beyond their severity, without `repeat`, what one of them differs by when
    asked again. What is not known has a reason, and is part of the one before it.
    """

    dimension: str
    scenario: Estimate
    case: Estimate
    answer: Estimate
    evaluator: Estimate
    repeat: Estimate

    def sd(self, *, models: float, evaluators: int, answers: int = 1, repeats: int = 1) -> float:
        """The standard deviation of scenario differences, in points, with so many models to a scenario, evaluators,
        answers to a case under each condition, and scores of each answer by each evaluator.
        """
        of_scores = (_known(self.evaluator) + _known(self.repeat) / repeats) / evaluators
        of_case = _known(self.case) + (_known(self.answer) + of_scores) / answers
        return sqrt(_known(self.scenario) + of_case / models)


def spreads(table: ScoreTable, trials: Trials, design: TrialDesign) -> Iterator[Spread]:
    """Spreads of each dimension, by the method of moments over complete cases; none where no two scenarios have
    both.
    """
    others = [
        name
        for name in dict.fromkeys(table.answers["condition"])
        if name != design.baseline and name not in design.controls
    ]
    for dimension in table.dimensions:
        answer, answers = _of_answers(table, dimension)
        repeat, repeats = _of_repeats(trials, table, dimension)
        found = [
            variances
            for condition in others
            if (variances := _variances(_differences(table, dimension, condition, design.baseline))) is not None
        ]
        if not found:
            continue
        scenario, case, evaluator = _parts(found)
        n = len(found)
        yield Spread(
            dimension,
            Estimate("scenario", scenario, n),
            Estimate("case", max(case - _known(answer) / answers, 0.0), n),
            answer,
            # Case differences are of means over so many answers, each scored so often by an evaluator.
            Estimate("evaluator", max(evaluator * answers - _known(repeat) / repeats, 0.0), n),
            repeat,
        )


def _differences(table: ScoreTable, dimension: str, condition: str, baseline: str) -> pd.DataFrame:
    """Rows by scenario and model, a column for each evaluator; cases that lack any are left out."""
    rows = pd.DataFrame(table.scores[dimension].T, columns=list(table.evaluators))
    keyed = rows.assign(cluster=table.clusters, model=table.answers["model"], condition=table.answers["condition"])
    means = keyed.groupby(["condition", "cluster", "model"]).mean()
    known = means.index.get_level_values("condition")
    if not {condition, baseline} <= set(known):
        return pd.DataFrame(columns=list(table.evaluators))
    return (pd.DataFrame(means.loc[condition]) - pd.DataFrame(means.loc[baseline])).dropna()


class _Variances(NamedTuple):
    """Variances of a condition’s differences. `of_means` is that of cases’ means within scenarios, `of_cases` that
    of all of them, `of_scenarios` that of scenarios’ means, each over `models`; `of_one` that of one evaluator
    within a case, whose mean is over `evaluators`.
    """

    of_scenarios: float
    of_means: float
    of_cases: float
    models: float
    of_one: float
    evaluators: int


def _variances(differences: pd.DataFrame) -> _Variances | None:
    values = differences.to_numpy(dtype=float)
    cases, evaluators = values.shape
    if not cases:
        return None
    residual = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    freedom = (cases - 1) * (evaluators - 1)
    of_one = float((residual**2).sum() / freedom) if freedom else 0.0
    means = differences.mean(axis=1)
    by_scenario = means.groupby("cluster")
    models = by_scenario.size()
    if len(models) < 2:
        return None
    pooled = float(((means - by_scenario.transform("mean")) ** 2).sum())
    freedom = int((models - 1).sum())
    return _Variances(
        float(by_scenario.mean().var(ddof=1)),
        pooled / freedom if freedom else of_one / evaluators,
        float(means.var(ddof=1)),
        float(len(models) / (1 / models).sum()),
        of_one,
        evaluators,
    )


def _parts(found: Sequence[_Variances]) -> tuple[float, float, float]:
    """Variances of scenarios, of cases within, and of evaluators within cases: none is below 0 for all conditions
    together, since what is cut off at 0 for each by itself adds up to more than there was. Where scenarios differ
    no more than their cases do, all cases are a sample of one spread.
    """
    of_one = float(np.mean([each.of_one for each in found]))
    noise = float(np.mean([each.of_one / each.evaluators for each in found]))
    scenario = float(np.mean([each.of_scenarios - each.of_means / each.models for each in found]))
    of_means = float(np.mean([each.of_means if scenario > 0 else each.of_cases for each in found]))
    return max(scenario, 0.0), max(of_means - noise, 0.0), of_one


def _of_answers(table: ScoreTable, dimension: str) -> tuple[Estimate, float]:
    """Twice the variance between answers of one case and condition, and how many there are of each."""
    rows = table.answers.assign(score=adjusted_means(table.scores[dimension]))
    found, number = _within(rows, ["scenario", "model", "condition"], "score")
    return _twice("answer", found, UNKNOWN_ANSWERS), number


def _of_repeats(trials: Trials, table: ScoreTable, dimension: str) -> tuple[Estimate, float]:
    frame = trials.frame
    rows = frame[(frame["approach"] == table.approach) & (frame["dimension"] == dimension)]
    found, number = _within(rows, ["answer", "evaluator"], "value")
    return _twice("repeat", found, UNKNOWN_REPEATS), number


def _within(rows: pd.DataFrame, keys: list[str], name: str) -> tuple[FloatArray, float]:
    """Variances of a column in groups with several values, and the mean number of values."""
    groups = rows.groupby(keys)[name]
    known = groups.var(ddof=1).dropna().to_numpy(dtype=float)
    numbers = groups.count()
    numbers = numbers[numbers > 0]
    return known, float(numbers.mean()) if len(numbers) else 1.0


def _twice(name: str, variances: FloatArray, otherwise: str) -> Estimate:
    """The variance of a difference is the sum of both sides' variances."""
    if not variances.size:
        return Estimate(name, None, 0, reason=otherwise)
    return Estimate(name, float(2 * variances.mean()), variances.size)


def _known(estimate: Estimate) -> float:
    return estimate.value or 0.0
