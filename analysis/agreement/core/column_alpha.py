"""Krippendorff's α of one column of a frame, for all its rows and in resamples of prompts and judges."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from analysis.agreement.core.judge_pairs import mean_raters
from analysis.agreement.core.krippendorff import Level, OfUnits, Ratings, alpha_of_ratings
from analysis.data.core.rank_tables import IntArray, indices_among
from analysis.data.core.results import Estimate, FloatArray
from analysis.uncertainty.core.resampling import Weights, at_a_time, leaving_out


@dataclass(frozen=True)
class ColumnRatings:
    """What is α of, every answer in every prompt being a unit; `prompts` has by unit the place of its prompt."""

    ratings: Ratings
    prompts: IntArray

    @classmethod
    def of(cls, rows: pd.DataFrame, values: FloatArray, *, prompts: Sequence[str], judges: Sequence[str]) -> Self:
        """Made from a frame of judgments and its rows' values, NaN where there is none."""
        rated = ~np.isnan(values)
        rows = rows[rated]
        units = _units(rows)
        of_units = np.zeros(units.max(initial=-1) + 1, dtype=np.intp)
        of_units[units] = indices_among(prompts, rows["prompt_id"])
        raters = indices_among(judges, rows["judge_id"])
        return cls(Ratings.of(values[rated], units, raters, shape=(of_units.size, len(judges))), of_units)

    @property
    def load(self) -> int:
        """Numbers made of a draw."""
        return self.prompts.size * self.ratings.domain.size

    def of_judges(self, level: Level, judges: FloatArray) -> OfUnits:
        """What gives α by draw of the prompts' weights; NaN where it is undefined."""
        of_units = self.ratings.of_raters(judges, level=level)
        return lambda prompts: of_units(prompts[:, self.prompts])

    @property
    def raters(self) -> float:
        """Ratings of an answer that has two or more, on average; 2 where none has. Where answers' means are all
        alike and their ratings vary alike, α of the interval level is −1/(raters − 1).
        """
        return mean_raters(np.bincount(self.ratings.units))

    def without_each(self, level: Level) -> tuple[FloatArray, FloatArray]:
        """α without each prompt and without each judge, or groups of them (see `leaving_out`)."""
        numbers = int(self.prompts.max(initial=-1)) + 1, self.ratings.shape[1]
        everything: list[FloatArray] = [np.ones((1, number)) for number in numbers]
        prompts, judges = (self._alphas(level, place, everything) for place in (0, 1))
        return prompts, judges

    def _alphas(self, level: Level, place: int, everything: list[FloatArray]) -> FloatArray:
        weights = leaving_out(everything[place].shape[1])
        size, parts = at_a_time(weights.shape[1], self.load), list[FloatArray]([np.zeros(0)])
        for start in range(0, len(weights), size):
            asked = [*everything]
            asked[place] = weights[start : start + size]
            parts.append(self.alpha(level, Weights(*asked)))
        return np.concatenate(parts)

    def alpha(self, level: Level, weights: Weights) -> FloatArray:
        """α by draw; NaN where it is undefined."""
        return self.of_judges(level, weights.judges)(weights.prompts)


def alpha_of(rows: pd.DataFrame, values: FloatArray, level: Level) -> Estimate:
    """Krippendorff's α of the values of a frame's rows; `n` counts answers."""
    units, rated = _units(rows), ~np.isnan(values)
    return alpha_of_ratings(values[rated], units[rated], number=int(units.max(initial=-1)) + 1, level=level)


def _units(rows: pd.DataFrame) -> IntArray:
    """The place of each row's answer among all answers."""
    return rows.groupby(["prompt_id", "true_id"], sort=True).ngroup().to_numpy().astype(np.intp)
