"""What may be said of a model in words: five declared comparisons, with intervals that hold for all at once.

The comparisons are made within prompts. Half the width of an interval is its standard error times the 95th
percentile of the greatest |t| of any comparison of any model when the signs of whole prompts are flipped (max-|t|,
Westfall and Young 1993). So chance brings a sentence about any model in one of twenty studies at most.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from analysis.data.core.results import ROUNDING, Estimate, FloatArray, Interval
from analysis.framing.core.chance import FLIPS, flips
from analysis.framing.core.deltas import Deltas
from analysis.framing.core.roles import Roles
from analysis.uncertainty.core.intervals import of_differences
from annotation.platform.core.interval_ends import ends_about

METHOD: Final = "max-|t| over all comparisons and models, signs of prompts flipped"
ALIKE: Final = "all prompts are alike"


@dataclass(frozen=True, slots=True)
class Contrast:
    """A comparison in points of the scale. `key` is “level”, “own_friend”, “agree_disagree”, “emotion_empirical” or
    “dimension:” with a dimension's; `estimate` is its mean over prompts, with the adjusted interval.
    """

    key: str
    estimate: Estimate

    @property
    def direction(self) -> int:
        """1 where it is above nothing, −1 where below, 0 where its interval holds nothing or there is none."""
        interval = self.estimate.interval
        if interval is None or interval.low is None or interval.high is None:
            return 0
        return int(interval.low > 0) - int(interval.high < 0)


def contrasts(
    found: Sequence[Deltas], *, roles: Roles, seed: int, level: float = 0.95, draws: int = FLIPS
) -> dict[str, list[Contrast]]:
    """Every model's, by its name. `level` holds for all of them together."""
    values = {each.respondent: _by_prompt(each, roles) for each in found}
    columns = [column for of_model in values.values() for column in of_model.values()]
    if not columns:
        return {each.respondent: [] for each in found}
    reach = _reach(np.column_stack(columns), seed=seed, level=level, draws=draws)
    bounds = of_differences(found[0].scale)
    return {
        name: [
            # A condition less another is of two scores, as Δ is; a dimension beside the others is of two Δ.
            Contrast(key, _estimate(key, column, reach, level, of_differences(bounds) if ":" in key else bounds))
            for key, column in of_model.items()
        ]
        for name, of_model in values.items()
    }


def _by_prompt(of: Deltas, roles: Roles) -> Mapping[str, FloatArray]:
    """Each comparison as a value for each prompt, NaN where one of its parts is missing."""
    found: dict[str, FloatArray] = {"level": of.by_condition.mean(axis=1)}
    pairs = {"own_friend": (roles.own, roles.friend), "agree_disagree": (roles.agree, roles.disagree)}
    there = {key: pair for key, pair in pairs.items() if set(pair) <= set(of.conditions)}
    found |= {key: of.of(first) - of.of(second) for key, (first, second) in there.items()}
    if len(there) == len(pairs):
        emotion, empirical = (of.of(roles.agree) + of.of(roles.disagree), of.of(roles.own) + of.of(roles.friend))
        found["emotion_empirical"] = (emotion - empirical) / 2
    over_conditions = of.values.mean(axis=1)
    for place, dimension in enumerate(of.dimensions if len(of.dimensions) > 1 else ()):
        others = np.delete(over_conditions, place, axis=1).mean(axis=1)
        found[f"dimension:{dimension}"] = over_conditions[:, place] - others
    return found


def _reach(columns: FloatArray, *, seed: int, level: float, draws: int) -> float:
    """The reach in standard errors; infinite where prompts are too few: flipped as a whole they show the same |t|
    again.
    """
    if 2.0 ** (1 - columns.shape[0]) > 1 - level:
        return np.inf
    signs = flips(columns.shape[0], seed=seed, draws=draws)
    t = np.abs(_t(signs, columns[:, _differs(columns)]))
    return float(np.quantile(t.max(axis=1, initial=0), level, method="higher")) if t.size else np.inf


def _t(signs: FloatArray, columns: FloatArray) -> FloatArray:
    """Student's t of every column (NaN left out) under every flip; flipping leaves the sum of squares as it is."""
    n, squares = np.isfinite(columns).sum(axis=0), np.nansum(columns**2, axis=0)
    means = signs @ np.nan_to_num(columns) / n
    variances = np.maximum(squares - n * means**2, 0) / (n - 1)
    errors = np.sqrt(variances / n)
    return np.asarray(np.divide(means, errors, out=np.full_like(means, np.inf), where=errors > ROUNDING))


def _differs(columns: FloatArray) -> FloatArray:
    """Which columns have two values that differ."""
    return np.array([_error(column[np.isfinite(column)]) > ROUNDING for column in columns.T], dtype=bool)


def _error(values: FloatArray) -> float:
    return float(values.std(ddof=1)) / sqrt(values.size) if values.size > 1 else 0.0


def _estimate(key: str, column: FloatArray, reach: float, level: float, bounds: tuple[float, float]) -> Estimate:
    values = column[np.isfinite(column)]
    left_out = column.size - values.size
    if not values.size:
        return Estimate(key, None, 0, left_out, "no prompt has all that is compared")
    mean, error = float(values.mean()), _error(values)
    if values.size < 2:
        interval = Interval(None, None, level, METHOD, reason=f"needs at least 2 prompts, has {values.size}")
    elif error <= ROUNDING:
        interval = Interval(None, None, level, METHOD, reason=ALIKE)
    elif not np.isfinite(reach):
        interval = Interval(None, None, level, METHOD, reason="too few prompts for an interval")
    else:
        least, most = (bound if np.isfinite(bound) else None for bound in bounds)
        interval = Interval(*ends_about(mean, reach * error, bounds), level, METHOD, least=least, most=most)
    return Estimate(key, mean, values.size, left_out, None, interval)
