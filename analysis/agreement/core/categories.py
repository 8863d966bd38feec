"""Agreement of judges on ratings that are categories: few values of a dimension, or which of two answers is
better."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.judgment_frame import JUDGMENT, dimensions_of
from analysis.data.core.results import Estimate, FloatArray, Interval
from analysis.data.core.trials import AskedScale
from analysis.sections.core.inputs import Masked
from annotation.platform.core.category_agreement import Coefficient, category_agreement

MAX_CATEGORIES: Final = 7
VERDICT: Final = "which_of_two"  # which of the two answers of a judgment is ranked first
MAX_OFFERED: Final = 20  # beyond it a scale is one of points, which nobody takes for categories
FIRST_OR_SECOND: Final = (-1.0, 1.0)  # of VERDICT; whether a tie could be said is not known
METHOD: Final = "t of the jackknife over prompts, with these judges"
NONE: Final = "no dimension has so few values that they are categories, and judgments are not of two answers each"
COEFFICIENTS: Final = ("share", "cohen", "fleiss", "alpha_nominal", "alpha_ordinal", "ac1", "ac2")


@dataclass(frozen=True, slots=True)
class DimensionCategories:
    """Agreement on a `dimension`, or on VERDICT, with so many `categories` in use, or offered where that is known;
    see `category_agreement`. `n` of each figure counts answers, or pairs of answers, with two ratings or more.
    """

    dimension: str
    categories: int
    share: Estimate
    cohen: Estimate
    fleiss: Estimate
    alpha_nominal: Estimate
    alpha_ordinal: Estimate
    ac1: Estimate
    ac2: Estimate


def categories(masked: Masked) -> tuple[DimensionCategories, ...]:
    """Agreement on verdicts on pairs, and on every dimension with at most MAX_CATEGORIES values."""
    return tuple(
        _estimates(name, rows, values, _offered(name, values, masked), masked.parameters.level)
        for name, rows, values in _rated(masked.standard)
    )


def why_none(masked: Masked) -> str:
    """Why there is nothing of the kind; "" where there is."""
    return "" if next(_rated(masked.standard), None) else NONE


def _rated(standard: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, FloatArray]]:
    """What is rated, its rows with the thing in `true_id`, and their categories."""
    if (verdicts := _verdicts(standard)) is not None:
        yield VERDICT, verdicts, verdicts["verdict"].to_numpy(dtype=float)
    for name in dimensions_of(standard):
        rows = standard[standard[name].notna()]
        values = rows[name].to_numpy(dtype=float)
        if values.size and np.unique(values).size <= MAX_CATEGORIES:
            yield name, rows, values


def _verdicts(standard: pd.DataFrame) -> pd.DataFrame | None:
    """A row for each judgment: −1 where the answer with the lesser id is first, 1 the other, 0 none. None where
    some prompt has not just two answers.
    """
    answers = standard.groupby("prompt_id")["true_id"].nunique()
    if answers.empty or (answers != 2).any():
        return None
    ranked = standard[standard["rank"].notna()].sort_values([*JUDGMENT, "true_id"])
    ranks = ranked.groupby(JUDGMENT)["rank"].agg(["first", "last", "size"]).reset_index()
    both = ranks[ranks["size"] == 2]
    return both.assign(true_id=both["prompt_id"], verdict=np.sign(both["first"] - both["last"]))


def _offered(name: str, values: FloatArray, masked: Masked) -> tuple[float, ...]:
    """What judges could choose from, used or not, as far as it is known: one answer or the other, or what the scale
    has, if all values are on it.
    """
    ends = masked.parameters.scale
    if name == VERDICT:
        return FIRST_OR_SECOND
    if ends is None:
        return ()
    scale = masked.scale
    step = scale.step if scale and (scale.minimum, scale.maximum) == ends else 1
    known = tuple(each for each in AskedScale.between(*ends).categories if (each - ends[0]) % step == 0)
    return known if len(known) <= MAX_OFFERED and np.isin(values, known).all() else ()


def _estimates(
    name: str, rows: pd.DataFrame, values: FloatArray, offered: tuple[float, ...], level: float
) -> DimensionCategories:
    units = (rows["prompt_id"] + "\0" + rows["true_id"]).tolist()
    raters, clusters = rows["judge_id"].tolist(), rows["prompt_id"].tolist()
    found = category_agreement(values.tolist(), units, raters, clusters, offered=offered)
    return DimensionCategories(
        name,
        len(found.categories),
        **{each: coefficient_estimate(each, getattr(found, each), n=found.n, level=level) for each in COEFFICIENTS},
    )


def coefficient_estimate(
    name: str, found: Coefficient, *, n: int, level: float, method: str = METHOD, cluster: str = "prompt"
) -> Estimate:
    """The coefficient of `n` things with its interval, by the `method` that leaves out one `cluster` at a time."""
    if found.value is None:
        return Estimate(name, None, n, reason=found.reason)
    ends = found.interval(level)
    if ends is None:
        reason = found.why_no_error or f"the same whichever {cluster} is left out"
        return Estimate(name, found.value, n, interval=Interval(None, None, level, method, reason=reason))
    return Estimate(name, found.value, n, interval=Interval(*ends, level, method, least=found.least, most=1.0))
