"""What single judges contribute: how strict they are, and what the figures would be without each of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.data.core.judgment_frame import standard_only
from analysis.data.core.results import FloatArray, Summary
from analysis.uncertainty.core.clustered import clustered_summary
from analysis.uncertainty.core.intervals import of_differences, of_scores
from analysis.uncertainty.core.resampling import Statistics, Weights, at_a_time

ANSWER = ["prompt_id", "true_id"]


@dataclass(frozen=True, slots=True)
class Severity:
    """How far a judge's scores lie above (+) or below (−) those of the others on the same answers, in points of the
    rubric's scale. Each summary counts answers; those that nobody else scored are left out. The standard error and
    the interval take the judge's prompts as independent of each other, not the answers of one prompt.
    """

    judge: str
    lead: Summary


def severities(
    frame: pd.DataFrame,
    scores: "pd.Series[float]",
    *,
    level: float = 0.95,
    scale: tuple[float, float] | None = None,
) -> list[Severity]:
    """One for each judge of the standard items, by name. `scores` are the frame's rows', such as means of
    dimensions, on a `scale` with these ends.
    """
    bounds = of_differences(of_scores(scale, scores.to_numpy(dtype=float)))
    standard = standard_only(frame)
    rows = standard[[*ANSWER, "judge_id"]].assign(score=scores.loc[standard.index])
    answers = rows.groupby(ANSWER)["score"]
    number = answers.transform("count") - rows["score"].notna()
    others = (answers.transform("sum") - rows["score"].fillna(0)) / number.where(number > 0)
    leads = rows.assign(lead=rows["score"] - others).groupby("judge_id", sort=True)
    return [
        Severity(
            str(judge),
            clustered_summary(
                "severity",
                part["lead"].to_numpy(dtype=float),
                pd.factorize(part["prompt_id"])[0],
                level=level,
                bounds=bounds,
            ),
        )
        for judge, part in leads
    ]


def without_each(statistics: Statistics, *, prompts: int, judges: int, load: int = 0) -> Mapping[str, FloatArray]:
    """Every figure without one of the judges: by name, one value for each judge left out, NaN where undefined.

    Some judges at a time, so that memory stays flat: `load` numbers are made for each (see `resampling`).
    """
    size = at_a_time(prompts + judges, load)
    parts = []
    for start in range(0, judges, size):
        left_out = np.arange(start, min(start + size, judges))
        present = np.ones((left_out.size, judges))
        present[np.arange(left_out.size), left_out] = 0
        parts.append(statistics(Weights(np.ones((left_out.size, prompts)), present)))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {}
