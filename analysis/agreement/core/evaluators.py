"""How alike people score the same answers: correlations between them, and whether they choose the same band."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final, Self

import numpy as np
import pandas as pd
from scipy import sparse

from analysis.agreement.core.column_alpha import ColumnRatings, alpha_of
from analysis.agreement.core.judge_pairs import FIGURES, is_large, number_of_pairs, sums_by_prompt, sums_of_pairs
from analysis.data.core.judgment_frame import dimensions_of, mean_of_dimensions, standard_only
from analysis.data.core.rank_tables import IntArray, places_among
from analysis.data.core.results import Estimate, FloatArray, Interval, quotient
from analysis.uncertainty.core.intervals import SHARE, or_exact
from analysis.uncertainty.core.judgment_arrays import BoolArray
from analysis.uncertainty.core.resampling import (
    JUDGES_FOR_CORRELATIONS,
    METHOD,
    Weights,
    at_a_time,
    resampled,
    with_interval,
)
from annotation.study.core.rubric import Band

OVERALL: Final = "mean"  # of the dimensions
TARGET: Final = 0.70  # what a protocol of validation may aim at for the mean correlation; no test
MIN_ANSWERS: Final = 3  # of two judges in common
MAX_PAIRS: Final = 20_000  # of judges that are resampled
SUMS: Final = FIGURES  # of a pair of judges and a prompt
FLAT: Final = 1e-9
BOUNDS: Final = {"r": (-1.0, 1.0), "r_within": (-1.0, 1.0), "same_band": SHARE, "band_alpha": (-inf, 1.0)}
CORRELATIONS: Final = ("r", "r_within")
UNCORRELATED: Final = "no two judges both told apart three answers that they have in common"
UNCORRELATED_WITHIN: Final = "no two judges both told apart answers to one prompt, and have three in common"


@dataclass(frozen=True, slots=True)
class EvaluatorAgreement:
    """Between any two judges of the same answers, on a `dimension` or on the mean of all (`OVERALL`).

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
    """On the mean of the dimensions, then on each of them, over standard items; intervals of so many `draws`."""
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
    """On the `scores` of a frame's rows, all of ordinary items."""
    resampler = EvaluatorResampler.of(standard, scores.to_numpy(dtype=float), bands)
    estimates = resampler.estimates(standard)
    if resampler.pairs.one.size > MAX_PAIRS:
        return EvaluatorAgreement(name, **_without_intervals(estimates, level))
    prompts, judges = len(resampler.prompts), len(resampler.judges)
    values = resampled(resampler, prompts=prompts, judges=judges, draws=draws, seed=seed, load=resampler.load)
    if "band_alpha" in values:
        values["band_alpha"] = replace(values["band_alpha"], without=resampler.band_alpha_without_each())
    intervals = {
        of: with_interval(
            each,
            values.get(of),
            level=level,
            bounds=BOUNDS[of],
            judges=JUDGES_FOR_CORRELATIONS if of in CORRELATIONS else 2,
        )
        for of, each in estimates.items()
    }
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
    """The figures of an `EvaluatorAgreement` in resamples of a frame's prompts and judges (see `resampling`)."""

    prompts: tuple[str, ...]
    judges: tuple[str, ...]
    pairs: "_Pairs"
    bands: FloatArray | None
    banded: ColumnRatings | None

    @classmethod
    def of(cls, frame: pd.DataFrame, scores: FloatArray, bands: Sequence[Band] = ()) -> Self:
        """`scores` are the frame's rows', NaN where there is none."""
        prompts, judges = (tuple(sorted(frame[column].unique())) for column in ("prompt_id", "judge_id"))
        of_bands = _bands(scores, bands) if bands else None
        pairs = _Pairs.of(frame, scores, of_bands, prompts, judges)
        banded = None if of_bands is None else ColumnRatings.of(frame, of_bands, prompts=prompts, judges=judges)
        return cls(prompts, judges, pairs, of_bands, banded)

    @property
    def load(self) -> int:
        """Numbers made of a draw."""
        return int(self.pairs.sums.shape[0])

    def __call__(self, weights: Weights) -> Mapping[str, FloatArray]:
        found = dict(self.pairs(weights))
        if self.banded is None:
            del found["same_band"]
            return found
        return found | {"band_alpha": self.banded.alpha("ordinal", weights)}

    def band_alpha_without_each(self) -> tuple[FloatArray, FloatArray]:
        """α of bands without each prompt and without each judge; without bands, nothing."""
        numbers = len(self.prompts), len(self.judges)
        return self._alpha_without(0, numbers), self._alpha_without(1, numbers)

    def _alpha_without(self, kind: int, numbers: tuple[int, int]) -> FloatArray:
        if self.banded is None:
            return np.zeros(0)
        size, parts = at_a_time(sum(numbers), self.banded.load), []
        for start in range(0, numbers[kind], size):
            left_out = np.arange(start, min(start + size, numbers[kind]))
            weights = [np.ones((left_out.size, number)) for number in numbers]
            weights[kind][np.arange(left_out.size), left_out] = 0
            parts.append(self.banded.alpha("ordinal", Weights(*weights)))
        return np.concatenate(parts)

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
    """Pairs of judges, `one` and `other` their places among all, with ten sums over the answers of each prompt that
    both scored (10 · pairs × prompts, or × 1 over all of them): how many there are, Σx, Σy, Σx², Σy², Σxy, the last
    three once more about the prompt's own means, and how many have the same band.
    """

    one: IntArray
    other: IntArray
    sums: sparse.csr_array | sparse.csc_array
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
        """Of more than MAX_PAIRS, which are not resampled, the sums over all prompts alone."""
        scored = ~np.isnan(scores)
        rows = frame[scored]
        judge = places_among(judges, rows["judge_id"])
        # Around the middle, so that sums of squares stay exact.
        values = scores[scored] - scores[scored].mean() if scored.any() else scores[scored]
        if number_of_pairs(rows) > MAX_PAIRS:
            one, other, together = sums_of_pairs(rows, values, judge, None if bands is None else bands[scored])
            return cls(one, other, sparse.csr_array(together.reshape(-1, 1)))
        prompt = places_among(prompts, rows["prompt_id"])
        if is_large(rows):
            own = None if bands is None else bands[scored]
            return cls(*sums_by_prompt(rows, values, judge, prompt, (len(prompts), len(judges)), bands=own))
        left, right = rated_together(rows)
        band = np.zeros(len(rows)) if bands is None else bands[scored]
        keys, pair = np.unique(judge[left] * len(judges) + judge[right], return_inverse=True)
        x, y = values[left], values[right]
        cells, cell = np.unique(prompt[left] * keys.size + pair, return_inverse=True)
        number, *sums, same = (
            np.bincount(cell, weights=figure, minlength=cells.size)
            for figure in (np.ones(x.size), x, y, x**2, y**2, x * y, band[left] == band[right])
        )
        sum_x, sum_y, xx, yy, xy = sums
        within = (xx - sum_x**2 / number, yy - sum_y**2 / number, xy - sum_x * sum_y / number)
        pairs = max(keys.size, 1)
        columns = np.concatenate([cells % pairs + place * keys.size for place in range(SUMS)])
        places = (columns, np.tile(cells // pairs, SUMS))
        shape = (SUMS * keys.size, len(prompts))
        width = max(len(judges), 1)
        table = sparse.csr_array((np.concatenate([number, *sums, *within, same]), places), shape=shape)
        return cls(keys // width, keys % width, table)

    def __call__(self, weights: Weights) -> Mapping[str, FloatArray]:
        number, same, correlations = self._by_pair(weights.prompts)
        drawn = weights.judges[:, self.one] * weights.judges[:, self.other]
        return {
            **{
                name: quotient((drawn * np.nan_to_num(r)).sum(axis=1), (drawn * ~np.isnan(r)).sum(axis=1))
                for name, r in correlations.items()
            },
            "same_band": quotient((drawn * same).sum(axis=1), (drawn * number).sum(axis=1)),
        }

    def mean_correlations(self) -> dict[str, Estimate]:
        found = self._by_pair(np.ones((1, self.sums.shape[1])))[2]
        return {
            "r": _mean("mean_pairwise_r", found["r"][0], UNCORRELATED),
            "r_within": _mean("mean_pairwise_r_within", found["r_within"][0], UNCORRELATED_WITHIN),
        }

    def share_of_same_band(self) -> Estimate:
        number, same, _ = self._by_pair(np.ones((1, self.sums.shape[1])))
        n = round(float(number.sum()))
        if not n:
            return Estimate("same_band", None, 0, reason="no answer was scored by two judges")
        return Estimate("same_band", float(same.sum() / n), n)

    def _by_pair(self, weights: FloatArray) -> _ByPair:
        if not self.last or self.last[0][0] is not weights:
            self.last[:] = [(weights, self._made(weights))]
        return self.last[0][1]

    def _made(self, weights: FloatArray) -> _ByPair:
        """By draw and pair of judges: answers in common, those in the same band, and both kinds of Pearson's r."""
        table = np.asarray((self.sums @ weights.T).T).reshape(len(weights), SUMS, self.one.size)
        number, x, y, xx, yy, xy, within_xx, within_yy, within_xy, same = np.moveaxis(table, 1, 0)
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


def rated_together(rows: pd.DataFrame) -> tuple[IntArray, IntArray]:
    """Every two ratings of one answer, as places of rows, that of the judge who is first in the alphabet first."""
    units = rows.groupby(["prompt_id", "true_id"]).ngroup().to_numpy()
    judges = pd.factorize(rows["judge_id"], sort=True)[0]
    order = np.lexsort((judges, units))
    units = units[order]
    most = int(np.bincount(units).max(initial=0)) if units.size else 0
    pairs = []
    for distance in range(1, most):
        starts = np.flatnonzero(units[distance:] == units[:-distance])
        pairs.append((order[starts], order[starts + distance]))
    empty = (np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp))
    left, right = (np.concatenate(part) for part in zip(empty, *pairs, strict=True))
    return left, right


def _bands(scores: FloatArray, bands: Sequence[Band]) -> FloatArray:
    """Numbers of the highest bands that the scores reach; a mean may lie between two."""
    places = np.searchsorted([band.minimum for band in bands], scores, side="right") - 1.0
    return np.where(np.isnan(scores), np.nan, places)
