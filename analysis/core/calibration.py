"""Whether judges used the rubric discriminatively, and whether they mind answers being by models: calibration
items.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot
from typing import Final

import pandas as pd

from analysis.core.crossed import crossed_mean
from analysis.core.judgment_frame import MODEL, mean_of_dimensions
from analysis.core.rank_tables import IntArray
from analysis.core.results import Estimate

QUALITY_FLOOR: Final = "cal_quality_floor"
SOURCE_ATTRIBUTION: Final = "cal_source_attribution"
JUDGMENT: Final = ["prompt_id", "judge_id"]
NOT_SAID: Final = "the data do not say which answers are deliberately weak"


@dataclass(frozen=True, slots=True)
class JudgeFloor:
    """Of one judge's quality-floor items: the share in which the weak answer was strictly last; `n` counts items.

    `is_flagged`: never once.
    """

    judge: str
    last: Estimate
    is_flagged: bool


@dataclass(frozen=True, slots=True)
class QualityFloor:
    """Over judgments of quality-floor items: the share, 0 to 1, in which the weak answer was strictly last, and by
    how many points of the scale its score lay below the mean of the other answers.
    """

    last: Estimate
    gap: Estimate
    gap_se: Estimate
    judges: tuple[JudgeFloor, ...]


@dataclass(frozen=True, slots=True)
class Attribution:
    """By how many points a model's answers were scored higher among models alone than beside people's; `n` counts
    judgments of both kinds. Different prompts, so that a difference may be theirs.
    """

    source: str
    difference: Estimate
    se: Estimate


def quality_floor(frame: pd.DataFrame, weak: "pd.Series[bool] | None") -> QualityFloor:
    """`weak` says of every row of the frame whether its answer is a deliberately weak one; `None`: nobody knows."""
    items = frame[frame["item_type"] == QUALITY_FLOOR]
    if weak is None:
        undefined = Estimate("weak_last", None, 0, reason=NOT_SAID)
        return QualityFloor(undefined, undefined, undefined, ())
    rows = items.assign(weak=weak.loc[items.index], score=mean_of_dimensions(items))
    weak_rows, others = rows[rows["weak"]].set_index(JUDGMENT), rows[~rows["weak"]].groupby(JUDGMENT)
    last = (weak_rows["rank"] > others["rank"].max().reindex(weak_rows.index)).astype(float)
    gap = others["score"].mean().reindex(weak_rows.index) - weak_rows["score"]
    if last.empty:
        undefined = Estimate("weak_last", None, 0, reason="no judgment of a quality-floor item")
        return QualityFloor(undefined, undefined, undefined, ())
    crossed = crossed_mean("weak_gap", gap.to_numpy(dtype=float), *_codes(gap))
    by_judge = last.groupby(level="judge_id", sort=True)
    return QualityFloor(
        last=Estimate("weak_last", float(last.mean()), last.size),
        gap=crossed.mean,
        gap_se=crossed.se,
        judges=tuple(
            JudgeFloor(str(judge), Estimate("weak_last", float(part.mean()), part.size), not part.any())
            for judge, part in by_judge
        ),
    )


def source_attribution(frame: pd.DataFrame) -> list[Attribution]:
    """One for each model that is in items of models alone and in ordinary ones, by name.

    The standard error combines those of both means, each with prompts and judges as samples.
    """
    rows = frame.assign(score=mean_of_dimensions(frame))
    alone = rows[rows["item_type"] == SOURCE_ATTRIBUTION]
    beside = rows[(rows["item_type"] == "standard") & (rows["true_source"] == MODEL)]
    shared = sorted(set(alone["model"]) & set(beside["model"]) - {""})
    return [_attribution(source, *(part[part["model"] == source] for part in (alone, beside))) for source in shared]


def _attribution(source: str, alone: pd.DataFrame, beside: pd.DataFrame) -> Attribution:
    among_models, among_people = (
        crossed_mean("score", part["score"].to_numpy(dtype=float), *_codes(part.set_index(JUDGMENT)["score"]))
        for part in (alone, beside)
    )
    n = sum(len(part[JUDGMENT].drop_duplicates()) for part in (alone, beside))
    return Attribution(
        source,
        _combined("difference", among_models.mean, among_people.mean, n, lambda one, other: one - other),
        _combined("difference_se", among_models.se, among_people.se, n, hypot),
    )


def _combined(
    name: str, one: Estimate, other: Estimate, n: int, combine: Callable[[float, float], float]
) -> Estimate:
    if one.value is None or other.value is None:
        return Estimate(name, None, n, reason=one.reason or other.reason)
    return Estimate(name, combine(one.value, other.value), n)


def _codes(by_judgment: "pd.Series[float]") -> list[IntArray]:
    return [pd.factorize(by_judgment.index.get_level_values(level))[0] for level in JUDGMENT]
