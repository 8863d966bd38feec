"""Intraclass correlations over all answers of a study, whatever prompt they are to: what differs between prompts
counts as differing between answers. Beside them stand those of components that are pooled within prompts (see
`intraclass`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Final, Self

import numpy as np
import pandas as pd

from analysis.agreement.core.evaluators import MAX_PAIRS
from analysis.agreement.core.intraclass import CONSISTENCY, ROUNDING, mean_of
from analysis.agreement.core.judge_pairs import RATED, PairSums, mean_raters, number_of_pairs
from analysis.data.core.rank_tables import indices_among
from analysis.data.core.results import Estimate, FloatArray, Interval, quotient
from analysis.sections.core.inputs import Masked
from analysis.uncertainty.core.intervals import CORRELATION, of_reliability
from analysis.uncertainty.core.resampling import (
    BY_JUDGES,
    JUDGES_FOR_CORRELATIONS,
    METHOD,
    Weights,
    resampled,
    with_interval,
)

OVERALL_KINDS: Final = ("random", "fixed")
OWN: Final = 6  # of the figures that `PairSums` have
NOTHING_IN_COMMON: Final = "no two judges scored two answers that they have in common"
MEANS_ALIKE: Final = "the answers’ means over judges do not vary"
NOTHING_TOLD_APART: Final = "every judge scored all answers alike"
NOT_OF_A_MEAN: Final = "one rating's interval lies below what the ratings of a mean can have in common"


@dataclass(frozen=True)
class JudgePairScores:
    """Sums of pairs of judges over the answers of each prompt that both scored: how many there are, Σx, Σy, Σx²,
    Σy², Σxy. `judges` counts them; `raters` are the judges of an answer that two or more scored, on average.
    """

    judges: int
    raters: float
    sums: PairSums

    @classmethod
    def of(cls, standard: pd.DataFrame) -> Self:
        """Sums by pair; where there are more than MAX_PAIRS, which are not resampled, over all prompts as if these
        were one.
        """
        prompts, judges = (tuple(sorted(standard[column].unique())) for column in ("prompt_id", "judge_id"))
        rows = standard.loc[standard["score"].notna(), [*RATED, "score"]]
        judge = indices_among(judges, rows["judge_id"])
        scores = rows["score"].to_numpy(dtype=float)
        # Around the middle, so that sums of squares stay exact.
        scores = scores - scores.mean() if scores.size else scores
        sizes = rows.groupby(["prompt_id", "true_id"]).size().to_numpy()
        raters = mean_raters(sizes)
        if number_of_pairs(rows) > MAX_PAIRS:
            return cls(len(judges), raters, PairSums.over_all(rows, scores, judge))
        prompt = indices_among(prompts, rows["prompt_id"])
        shape = len(prompts), len(judges)
        return cls(len(judges), raters, PairSums.of(rows, scores, judge, prompt, shape, figures=OWN))

    @property
    def load(self) -> int:
        """Numbers made of a draw."""
        return self.sums.load

    def __call__(self, weights: Weights) -> Mapping[str, FloatArray]:
        """OVERALL_KINDS of one rating, by draw. The mean squares of the analysis of variance are means over pairs
        of judges where all scored all answers; else every pair weighs as its answers less one.
        """
        number, x, y, xx, yy, xy = self.sums.over(weights.prompts)[:OWN]
        enough = number > 1
        size, freedom = np.maximum(number, 1), np.maximum(number - 1, 1)
        drawn = weights.judges[:, self.sums.one] * weights.judges[:, self.sums.other] * enough * (number - 1)

        def mean(values: FloatArray) -> FloatArray:
            return quotient((drawn * values).sum(axis=1), drawn.sum(axis=1))

        covariance = mean((xy - x * y / size) / freedom)
        own = (xx + yy - (x**2 + y**2) / size) / freedom / 2
        variance, gap = mean(own), mean(((x - y) / size) ** 2 / 2 - (own - (xy - x * y / size) / freedom) / size)
        totals = {"random": variance + gap, "fixed": variance}
        return {name: quotient(covariance, np.where(total > ROUNDING, total, 0)) for name, total in totals.items()}

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """Coefficients of one rating and of the mean of as many as an answer has on average; `n` counts pairs of
        judges.
        """
        found = self(Weights(np.ones((1, self.sums.prompts)), np.ones((1, self.judges))))
        together = self.sums.over(np.ones((1, self.sums.prompts)))[0] > 1
        n, left_out = int(together.sum()), int((~together).sum())

        def estimate(name: str, single: float) -> Estimate:
            is_mean = name.endswith("_mean")
            reason = NOTHING_IN_COMMON if not n else NOTHING_TOLD_APART if np.isnan(single) else None
            if is_mean and not reason and 1 + (self.raters - 1) * single < ROUNDING:
                reason = MEANS_ALIKE
            if reason:
                return Estimate(f"icc_overall_{name}", None, n, left_out, reason)
            value = mean_of(single, self.raters) if is_mean else single
            return Estimate(f"icc_overall_{name}", float(min(value, 1.0)), n, left_out)

        return {
            f"{kind}{suffix}": estimate(f"{kind}{suffix}", float(found[kind][0]))
            for suffix in ("", "_mean")
            for kind in OVERALL_KINDS
        }


def overall_intraclass(standard: pd.DataFrame, *, draws: int, seed: int, level: float) -> dict[str, Estimate]:
    """ICC(2,1), ICC(3,1) and those of a mean over all answers, by the names of `intraclass.COEFFICIENTS`, with
    intervals of so many draws.
    """
    pairs = JudgePairScores.of(standard)
    if pairs.sums.one.size > MAX_PAIRS:
        reason = f"not computed for more than {MAX_PAIRS:,} pairs of judges"
        return {name: _without(each, level, reason) for name, each in pairs.estimates.items()}
    number = {"prompts": pairs.sums.prompts, "judges": pairs.judges}
    drawn = resampled(pairs, **number, draws=draws, seed=seed, load=pairs.load)
    single = {
        name: with_interval(
            pairs.estimates[name],
            drawn.get(name),
            level=level,
            bounds=CORRELATION
            if name == CONSISTENCY
            else of_reliability(pairs.raters, pairs.estimates[name].value),
            judges=JUDGES_FOR_CORRELATIONS,
            degrees=BY_JUDGES,
        )
        for name in OVERALL_KINDS
    }
    return single | {
        f"{name}_mean": of_mean(pairs.estimates[f"{name}_mean"], each.interval, pairs.raters)
        for name, each in single.items()
    }


@dataclass(frozen=True, slots=True)
class OverallIntraclass:
    """ICC(2,1), ICC(3,1) and those of a mean, by the names of `intraclass.COEFFICIENTS`."""

    icc: Mapping[str, Estimate]


def overall_by_scope(masked: Masked) -> dict[str, OverallIntraclass]:
    """Coefficients by scope, `WHOLE` and the domains."""
    asked = masked.parameters
    return {
        scope: OverallIntraclass(overall_intraclass(rows, draws=asked.draws, seed=asked.seed, level=asked.level))
        for scope, rows in masked.scopes.items()
    }


def of_mean(figure: Estimate, single: Interval | None, raters: float) -> Estimate:
    """The correlation of a mean of so many `raters` with the interval that follows from a `single` rating's
    (Spearman and Brown).
    """
    if figure.value is None or single is None or single.low is None or single.high is None:
        return figure if figure.value is None else replace(figure, interval=single)
    # An estimate may lie below −1, a reliability does not.
    least = min(CORRELATION[0], figure.value)
    low, high = (mean_of(end, raters) if end * (raters - 1) > -1 else -inf for end in (single.low, single.high))
    if high < least:
        return _without(figure, single.level, NOT_OF_A_MEAN)
    return replace(figure, interval=replace(single, low=max(low, least), high=high, least=None))


def _without(figure: Estimate, level: float, reason: str) -> Estimate:
    interval = Interval(None, None, level, METHOD, reason=reason)
    return figure if figure.value is None else replace(figure, interval=interval)
