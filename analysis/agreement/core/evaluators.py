"""How alike people score the same answers: correlations between them, and whether they choose the same band."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final, Self

import numpy as np
import pandas as pd

from analysis.agreement.core.column_alpha import ColumnRatings, alpha_of
from analysis.agreement.core.judge_pairs import RATED, PairSums, mean_raters, number_of_pairs
from analysis.data.core.judgment_frame import dimensions_of, mean_of_dimensions, standard_only
from analysis.data.core.rank_tables import indices_among
from analysis.data.core.results import Estimate, FloatArray, Interval, quotient
from analysis.uncertainty.core.intervals import (
    CORRELATION,
    SHARE,
    Reliability,
    cut_at,
    of_correlation,
    of_reliability,
    or_exact,
)
from analysis.uncertainty.core.judgment_arrays import BoolArray
from analysis.uncertainty.core.resampling import (
    JUDGES_FOR_CORRELATIONS,
    METHOD,
    Weights,
    leaving_out,
    resampled,
    with_interval,
)
from annotation.study.core.rubric import Band

OVERALL: Final = "mean"  # of the dimensions
TARGET: Final = 0.70  # what a protocol of validation may aim at for the mean correlation; no test
MIN_ANSWERS: Final = 3  # of two judges in common
MAX_PAIRS: Final = 20_000  # of judges that are resampled
FLAT: Final = 1e-9
UNCORRELATED: Final = "no two judges scored three answers that they have in common, and both told them apart"
UNCORRELATED_WITHIN: Final = "no two judges both told apart answers to one prompt, and have three in common"


@dataclass(frozen=True, slots=True)
class EvaluatorAgreement:
    """Agreement between any two judges of the same answers, on a `dimension` or on the mean of all (`OVERALL`).

    `r` is the mean of Pearson's r over pairs of judges, each over all answers that both scored; `n` counts pairs.
    It grows with the differences between prompts that all judges see. `r_within` has none of these: each score less
    the judge's mean of those answers to its prompt that both scored.
    `same_band` is the share of pairs of ratings of one answer that lie in the same band of the scale, 0 to 1, and
    `band_alpha` Krippendorff's ordinal α of the bands; both are undefined on a scale without bands.
    """

    dimension: str
    r: Estimate
    r_within: Estimate
    same_band: Estimate
    band_alpha: Estimate


def evaluator_agreement(
    frame: pd.DataFrame, bands: Sequence[Band], *, draws: int = 0, seed: int = 0, level: float = 0.95
) -> list[EvaluatorAgreement]:
    """Agreement on the mean of the dimensions, then on each of them, over standard items; intervals of so many
    `draws`.
    """
    standard = standard_only(frame)
    columns = {OVERALL: mean_of_dimensions(standard), **{name: standard[name] for name in dimensions_of(standard)}}
    return [
        agreement_on(name, standard, scores, bands, draws=draws, seed=seed, level=level)
        for name, scores in columns.items()
    ]


def agreement_on(
    name: str,
    standard: pd.DataFrame,
    scores: "pd.Series[float]",
    bands: Sequence[Band],
    *,
    draws: int,
    seed: int,
    level: float,
) -> EvaluatorAgreement:
    """Agreement on the `scores` of a frame's rows, all of ordinary items."""
    resampler = EvaluatorResampler.of(standard, scores.to_numpy(dtype=float), bands)
    estimates = resampler.estimates(standard)
    if resampler.pairs.sums.one.size > MAX_PAIRS:
        return EvaluatorAgreement(name, **_without_intervals(estimates, level))
    prompts, judges = len(resampler.prompts), len(resampler.judges)
    values = resampled(resampler, prompts=prompts, judges=judges, draws=draws, seed=seed, load=resampler.load)
    if resampler.banded and values:
        values["band_alpha"] = replace(values["band_alpha"], without=resampler.banded.without_each("ordinal"))
        values["same_band"] = replace(values["same_band"], without=resampler.pairs.same_band_without_each(judges))
    intervals = {
        of: with_interval(
            each,
            values.get(of),
            level=level,
            bounds=resampler.bounds(of, each.value),
            judges=JUDGES_FOR_CORRELATIONS,
        )
        for of, each in estimates.items()
    }
    intervals["band_alpha"] = cut_at(CORRELATION, intervals["band_alpha"])
    # Two pairs that share no judge, on different prompts, are surely independent.
    same_band = or_exact(intervals["same_band"], min(prompts, judges // 2), level=level)
    return EvaluatorAgreement(name, **intervals | {"same_band": same_band})


def _without_intervals(estimates: Mapping[str, Estimate], level: float) -> dict[str, Estimate]:
    reason = f"not computed for more than {MAX_PAIRS:,} pairs of judges"
    interval = Interval(None, None, level, METHOD, reason=reason)
    return {
        name: each if each.value is None else replace(each, interval=interval) for name, each in estimates.items()
    }


@dataclass(frozen=True)
class EvaluatorResampler:
    """The figures of an `EvaluatorAgreement` in resamples of a frame's prompts and judges (see `resampling`).
    `raters` are the judges of an answer that two or more scored, on average.
    """

    prompts: tuple[str, ...]
    judges: tuple[str, ...]
    pairs: "_Pairs"
    raters: float
    bands: FloatArray | None
    banded: ColumnRatings | None

    @classmethod
    def of(cls, frame: pd.DataFrame, scores: FloatArray, bands: Sequence[Band] = ()) -> Self:
        """`scores` are the frame's rows', NaN where there is none."""
        prompts, judges = (tuple(sorted(frame[column].unique())) for column in ("prompt_id", "judge_id"))
        of_bands = _bands(scores, bands) if bands else None
        pairs = _Pairs.of(frame, scores, of_bands, prompts, judges)
        banded = None if of_bands is None else ColumnRatings.of(frame, of_bands, prompts=prompts, judges=judges)
        sizes = frame[~np.isnan(scores)].groupby(["prompt_id", "true_id"]).size().to_numpy()
        return cls(prompts, judges, pairs, mean_raters(sizes), of_bands, banded)

    @property
    def load(self) -> int:
        """Numbers made of a draw."""
        return self.pairs.sums.load

    def bounds(self, name: str, value: float | None) -> tuple[float, float]:
        """What a figure can be, as far as its spread goes by it.

        That of α grows with its distance from the least: of bands that hardly anybody chooses α is small, and known
        the better the smaller it comes out.
        """
        if name == "band_alpha":
            return Reliability(of_reliability(self.raters, value).least, inf)
        return SHARE if name == "same_band" else of_correlation(len(self.judges), value)

    def __call__(self, weights: Weights) -> Mapping[str, FloatArray]:
        found = dict(self.pairs(weights))
        if self.banded is None:
            del found["same_band"]
            return found
        return found | {"band_alpha": self.banded.alpha("ordinal", weights)}

    def estimates(self, frame: pd.DataFrame) -> dict[str, Estimate]:
        """The figures themselves, by name."""
        correlations = self.pairs.mean_correlations()
        if self.bands is None:
            without = Estimate("same_band", None, 0, reason="the scale has no bands, or they are not known")
            return {**correlations, "same_band": without, "band_alpha": replace(without, name="band_alpha")}
        alpha = replace(alpha_of(frame, self.bands, "ordinal"), name="band_alpha")
        return {**correlations, "same_band": self.pairs.share_of_same_band(), "band_alpha": alpha}


_ByPair = tuple[FloatArray, FloatArray, dict[str, FloatArray]]


@dataclass(frozen=True)
class _Pairs:
    """The figures of pairs of judges, from their sums by prompt or over all prompts."""

    sums: PairSums
    # What was made last, and from which weights: the same prompts are drawn with all judges, and with some of them.
    last: list[tuple[FloatArray, _ByPair]] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        scores: FloatArray,
        bands: FloatArray | None,
        prompts: Sequence[str],
        judges: Sequence[str],
    ) -> Self:
        """Sums by pair; where there are more than MAX_PAIRS, which are not resampled, those over all prompts
        alone.
        """
        scored = ~np.isnan(scores)
        rows, own = frame.loc[scored, RATED], None if bands is None else bands[scored]
        judge = indices_among(judges, rows["judge_id"])
        # Around the middle, so that sums of squares stay exact.
        values = scores[scored] - scores[scored].mean() if scored.any() else scores[scored]
        if number_of_pairs(rows) > MAX_PAIRS:
            return cls(PairSums.over_all(rows, values, judge, own))
        prompt = indices_among(prompts, rows["prompt_id"])
        return cls(PairSums.of(rows, values, judge, prompt, (len(prompts), len(judges)), bands=own))

    def __call__(self, weights: Weights) -> Mapping[str, FloatArray]:
        number, same, correlations = self._by_pair(weights.prompts)
        drawn = weights.judges[:, self.sums.one] * weights.judges[:, self.sums.other]
        return {
            **{
                name: quotient((drawn * np.nan_to_num(r)).sum(axis=1), (drawn * ~np.isnan(r)).sum(axis=1))
                for name, r in correlations.items()
            },
            "same_band": quotient((drawn * same).sum(axis=1), (drawn * number).sum(axis=1)),
        }

    def mean_correlations(self) -> dict[str, Estimate]:
        found = self._by_pair(np.ones((1, self.sums.prompts)))[2]
        return {
            "r": _mean("mean_pairwise_r", found["r"][0], UNCORRELATED),
            "r_within": _mean("mean_pairwise_r_within", found["r_within"][0], UNCORRELATED_WITHIN),
        }

    def share_of_same_band(self) -> Estimate:
        number, same, _ = self._by_pair(np.ones((1, self.sums.prompts)))
        n = round(float(number.sum()))
        if not n:
            return Estimate("same_band", None, 0, reason="no answer was scored by two judges")
        return Estimate("same_band", float(same.sum() / n), n)

    def same_band_without_each(self, judges: int) -> tuple[FloatArray, FloatArray]:
        """The share without each prompt and without each of so many judges, or groups of them."""
        number, same = self.sums.over(leaving_out(self.sums.prompts), [0, -1])
        left = leaving_out(judges)
        there = left[:, self.sums.one] * left[:, self.sums.other]
        total, alike = self.sums.over(np.ones((1, self.sums.prompts)), [0, -1])
        of_prompts = quotient(same.sum(axis=1), number.sum(axis=1))
        return of_prompts, quotient((there * alike).sum(axis=1), (there * total).sum(axis=1))

    def _by_pair(self, weights: FloatArray) -> _ByPair:
        if not self.last or self.last[0][0] is not weights:
            self.last[:] = [(weights, self._made(weights))]
        return self.last[0][1]

    def _made(self, weights: FloatArray) -> _ByPair:
        """Sums by draw and pair of judges: answers in common, those in the same band, and both kinds of Pearson's
        r.
        """
        number, x, y, xx, yy, xy, within_xx, within_yy, within_xy, same = self.sums.over(weights)
        enough = number >= MIN_ANSWERS
        return (
            number,
            same,
            {
                "r": _pearson(number * xx - x**2, number * yy - y**2, number * xy - x * y, enough),
                "r_within": _pearson(within_xx, within_yy, within_xy, enough),
            },
        )


def _pearson(xx: FloatArray, yy: FloatArray, xy: FloatArray, enough: BoolArray) -> FloatArray:
    """r from sums about the means, NaN where there is not `enough` or one of the two is always the same."""
    defined = enough & (xx > FLAT) & (yy > FLAT)
    return np.where(defined, xy / np.sqrt(np.where(defined, xx * yy, 1)), np.nan)


def _mean(name: str, r: FloatArray, undefined: str) -> Estimate:
    defined = ~np.isnan(r)
    n, left_out = int(defined.sum()), int((~defined).sum())
    if not n:
        return Estimate(name, None, 0, left_out, undefined)
    return Estimate(name, float(r[defined].mean()), n, left_out)


def _bands(scores: FloatArray, bands: Sequence[Band]) -> FloatArray:
    """Numbers of the highest bands that the scores reach; a mean may lie between two."""
    places = np.searchsorted([band.minimum for band in bands], scores, side="right") - 1.0
    return np.where(np.isnan(scores), np.nan, places)
