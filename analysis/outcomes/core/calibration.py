"""Whether judges used the rubric discriminatively, and whether they mind answers being by models: calibration
items.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot
from operator import sub
from typing import Final

import pandas as pd

from analysis.data.core.judgment_frame import JUDGMENT, MODEL, STANDARD, mean_of_dimensions
from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate
from analysis.uncertainty.core.crossed import METHOD, crossed_mean
from analysis.uncertainty.core.intervals import (
    SHARE,
    of_differences,
    of_scores,
    or_exact,
    satterthwaite,
    with_exact_interval,
    with_t_interval,
)

QUALITY_FLOOR: Final = "cal_quality_floor"
SOURCE_ATTRIBUTION: Final = "cal_source_attribution"
NOT_SAID: Final = "the data do not say which answers are deliberately weak"


@dataclass(frozen=True, slots=True)
class JudgeFloor:
    """Results of one judge's quality-floor items: the share in which the weak answer was strictly last; `n` counts
    items.

    `is_flagged`: never once. The interval is exact for items as independent trials.
    """

    judge: str
    last: Estimate
    is_flagged: bool


@dataclass(frozen=True, slots=True)
class QualityFloor:
    """Results over judgments of quality-floor items: the share, 0 to 1, in which the weak answer was strictly last,
    and by how many points of the scale its score lay below the mean of the other answers. Intervals take prompts
    and judges as samples from many.
    """

    last: Estimate
    gap: Estimate
    gap_se: Estimate
    judges: tuple[JudgeFloor, ...]


@dataclass(frozen=True, slots=True)
class Attribution:
    """How many points higher a model's answers were scored among models alone than beside people's; `n` counts
    judgments of both kinds. Different prompts, so that a difference may be theirs.
    """

    source: str
    difference: Estimate
    se: Estimate


def quality_floor(
    frame: pd.DataFrame,
    weak: "pd.Series[bool] | None",
    *,
    level: float = 0.95,
    scale: tuple[float, float] | None = None,
) -> QualityFloor:
    """`weak` says of every row of the frame whether its answer is a deliberately weak one; `None`: nobody knows.
    `scale` has the ends of the dimensions' scale.
    """
    items = frame[frame["item_type"] == QUALITY_FLOOR]
    if weak is None:
        return _without_floor(NOT_SAID)
    rows = items.assign(weak=weak.loc[items.index], score=mean_of_dimensions(items))
    weak_rows, others = rows[rows["weak"]].set_index(JUDGMENT), rows[~rows["weak"]].groupby(JUDGMENT)
    last = (weak_rows["rank"] > others["rank"].max().reindex(weak_rows.index)).astype(float)
    gap = others["score"].mean().reindex(weak_rows.index) - weak_rows["score"]
    if last.empty:
        return _without_floor("no judgment of a quality-floor item")
    found = crossed_mean("weak_last", last.to_numpy(), *_codes(last), level=level, bounds=SHARE)
    share = or_exact(found.mean, min(found.numbers.prompts, found.numbers.judges), level=level)
    bounds = of_differences(of_scores(scale, rows["score"].to_numpy(dtype=float)))
    crossed = crossed_mean("weak_gap", gap.to_numpy(dtype=float), *_codes(gap), level=level, bounds=bounds)
    return QualityFloor(
        last=replace(share, name="weak_last"),
        gap=crossed.mean,
        gap_se=crossed.se,
        judges=tuple(
            _of_judge(str(judge), part, level) for judge, part in last.groupby(level="judge_id", sort=True)
        ),
    )


def _without_floor(reason: str) -> QualityFloor:
    last, gap, se = (
        Estimate(name, None, 0, reason=reason) for name in ("weak_last", "weak_gap_mean", "weak_gap_se")
    )
    return QualityFloor(last, gap, se, judges=())


def _of_judge(judge: str, last: "pd.Series[float]", level: float) -> JudgeFloor:
    share = Estimate("weak_last", float(last.mean()), last.size)
    return JudgeFloor(judge, with_exact_interval(share, level=level), is_flagged=not last.any())


def source_attribution(
    frame: pd.DataFrame, *, level: float = 0.95, scale: tuple[float, float] | None = None
) -> list[Attribution]:
    """One for each model that is in items of models alone and in ordinary ones, by name.

    The standard error combines those of both means, each with prompts and judges as samples. Judges are mostly the
    same in both, so that their severity cancels out in part: the interval is rather too wide than too narrow.
    """
    rows = frame.assign(score=mean_of_dimensions(frame))
    alone = rows[rows["item_type"] == SOURCE_ATTRIBUTION]
    beside = rows[(rows["item_type"] == STANDARD) & (rows["true_source"] == MODEL)]
    bounds = of_differences(of_scores(scale, rows["score"].to_numpy(dtype=float)))
    shared = sorted(set(alone["model"]) & set(beside["model"]) - {""})
    return [
        _attribution(
            source, *(part[part["model"] == source] for part in (alone, beside)), level=level, bounds=bounds
        )
        for source in shared
    ]


def _attribution(
    source: str, alone: pd.DataFrame, beside: pd.DataFrame, *, level: float, bounds: tuple[float, float]
) -> Attribution:
    found = [
        crossed_mean("score", part["score"].to_numpy(dtype=float), *_codes(part.set_index(JUDGMENT)["score"]))
        for part in (alone, beside)
    ]
    n = sum(len(part[JUDGMENT].drop_duplicates()) for part in (alone, beside))
    among_models, among_people = found
    difference = _combined("difference", among_models.mean, among_people.mean, n, sub)
    se = _combined("difference_se", among_models.se, among_people.se, n, hypot)
    degrees = satterthwaite([(each.se.value or 0) ** 2 for each in found], [each.degrees for each in found])
    difference = with_t_interval(difference, se, degrees, level=level, method=METHOD, bounds=bounds)
    return Attribution(source, difference, se)


def _combined(
    name: str, one: Estimate, other: Estimate, n: int, combine: Callable[[float, float], float]
) -> Estimate:
    if one.value is None or other.value is None:
        return Estimate(name, None, n, reason=one.reason or other.reason)
    return Estimate(name, combine(one.value, other.value), n)


def _codes(by_judgment: "pd.Series[float]") -> list[IntArray]:
    return [pd.factorize(by_judgment.index.get_level_values(level))[0] for level in JUDGMENT]
