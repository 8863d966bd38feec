"""How alike people score the same answers: correlations between them, and whether they choose the same band."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
import pandas as pd
from scipy import sparse

from analysis.core.judgment_frame import dimensions_of, mean_of_dimensions, standard_only
from analysis.core.rank_tables import IntArray, places_among
from analysis.core.rated import Rated, alpha_of
from analysis.core.resampling import Weights, resampled, with_interval
from analysis.core.results import Estimate, FloatArray
from annotation.core.rubric import Band

OVERALL: Final = "mean"  # of the dimensions
TARGET: Final = 0.70  # what a protocol of validation may aim at for the mean correlation; no test
FEWEST_ANSWERS: Final = 3  # of two judges in common
MOST_PAIRS: Final = 20_000  # of judges that are resampled
SUMS: Final = 7  # of a pair of judges and a prompt
FLAT: Final = 1e-9
UNCORRELATED: Final = "no two judges both told apart three answers that they have in common"


@dataclass(frozen=True, slots=True)
class EvaluatorAgreement:
    """Between any two judges of the same answers, on a `dimension` or on the mean of all (`OVERALL`).

    `r` is the mean of Pearson's r over pairs of judges, each over all answers that both scored; `n` counts pairs.
    `same_band` is the share of pairs of ratings of one answer that lie in the same band of the scale, 0 to 1, and
    `band_alpha` Krippendorff's ordinal α of the bands; both are undefined on a scale without bands.
    """

    dimension: str
    r: Estimate
    same_band: Estimate
    band_alpha: Estimate


def evaluator_agreement(
    frame: pd.DataFrame, bands: Sequence[Band], *, draws: int = 0, seed: int = 0, level: float = 0.95
) -> list[EvaluatorAgreement]:
    """On the mean of the dimensions, then on each of them, over standard items; intervals of so many `draws`."""
    standard = standard_only(frame)
    columns = {OVERALL: mean_of_dimensions(standard), **{name: standard[name] for name in dimensions_of(standard)}}
    found = []
    for name, scores in columns.items():
        resampler = EvaluatorResampler.of(standard, scores.to_numpy(dtype=float), bands)
        estimates = resampler.estimates(standard)
        values = resampled(
            resampler,
            prompts=len(resampler.prompts),
            judges=len(resampler.judges),
            draws=draws if resampler.pairs.one.size <= MOST_PAIRS else 0,
            seed=seed,
            load=resampler.load,
        )
        found.append(
            EvaluatorAgreement(
                name, **{of: with_interval(each, values.get(of), level=level) for of, each in estimates.items()}
            )
        )
    return found


@dataclass(frozen=True)
class EvaluatorResampler:
    """The figures of an `EvaluatorAgreement` in resamples of a frame's prompts and judges (see `resampling`)."""

    prompts: tuple[str, ...]
    judges: tuple[str, ...]
    pairs: "_Pairs"
    bands: FloatArray | None
    banded: Rated | None

    @classmethod
    def of(cls, frame: pd.DataFrame, scores: FloatArray, bands: Sequence[Band] = ()) -> Self:
        """`scores` are the frame's rows', NaN where there is none."""
        prompts, judges = (tuple(sorted(frame[column].unique())) for column in ("prompt_id", "judge_id"))
        of_bands = _bands(scores, bands) if bands else None
        pairs = _Pairs.of(frame, scores, of_bands, prompts, judges)
        banded = None if of_bands is None else Rated.of(frame, of_bands, prompts=prompts, judges=judges)
        return cls(prompts, judges, pairs, of_bands, banded)

    @property
    def load(self) -> int:
        """Numbers made of a draw."""
        return int(self.pairs.sums.shape[1])

    def __call__(self, weights: Weights) -> Mapping[str, FloatArray]:
        found = dict(self.pairs(weights))
        if self.banded is None:
            del found["same_band"]
            return found
        return found | {"band_alpha": self.banded.alpha("ordinal", weights)}

    def estimates(self, frame: pd.DataFrame) -> dict[str, Estimate]:
        """The figures themselves, by name."""
        r = self.pairs.mean_r()
        if self.bands is None:
            without = Estimate("same_band", None, 0, reason="the scale has no bands, or they are not known")
            return {"r": r, "same_band": without, "band_alpha": replace(without, name="band_alpha")}
        alpha = replace(alpha_of(frame, self.bands, "ordinal"), name="band_alpha")
        return {"r": r, "same_band": self.pairs.share_of_same_band(), "band_alpha": alpha}


@dataclass(frozen=True)
class _Pairs:
    """Pairs of judges, `one` and `other` their places among all, with seven sums over the answers of each prompt
    that both scored (prompts × 7 · pairs): how many there are, Σx, Σy, Σx², Σy², Σxy, and how many have the same
    band.
    """

    one: IntArray
    other: IntArray
    sums: sparse.csr_array

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        scores: FloatArray,
        bands: FloatArray | None,
        prompts: Sequence[str],
        judges: Sequence[str],
    ) -> Self:
        scored = ~np.isnan(scores)
        rows = frame[scored]
        left, right = _rated_together(rows)
        judge, prompt = places_among(judges, rows["judge_id"]), places_among(prompts, rows["prompt_id"])
        # Around the middle, so that sums of squares stay exact.
        values = scores[scored] - scores[scored].mean() if scored.any() else scores[scored]
        band = np.zeros(len(rows)) if bands is None else bands[scored]
        keys, pair = np.unique(judge[left] * len(judges) + judge[right], return_inverse=True)
        x, y = values[left], values[right]
        figures = (np.ones(x.size), x, y, x**2, y**2, x * y, (band[left] == band[right]).astype(float))
        columns = np.concatenate([pair + place * keys.size for place in range(SUMS)])
        places = (np.tile(prompt[left], SUMS), columns)
        shape = (len(prompts), SUMS * keys.size)
        width = max(len(judges), 1)
        return cls(keys // width, keys % width, sparse.csr_array((np.concatenate(figures), places), shape=shape))

    def __call__(self, weights: Weights) -> Mapping[str, FloatArray]:
        number, same, r = self._by_pair(weights.prompts)
        drawn = weights.judges[:, self.one] * weights.judges[:, self.other]
        defined = ~np.isnan(r)
        return {
            "r": _quotient((drawn * np.where(defined, r, 0)).sum(axis=1), (drawn * defined).sum(axis=1)),
            "same_band": _quotient((drawn * same).sum(axis=1), (drawn * number).sum(axis=1)),
        }

    def mean_r(self) -> Estimate:
        r = self._by_pair(np.ones((1, self.sums.shape[0])))[2][0]
        defined = ~np.isnan(r)
        n, left_out = int(defined.sum()), int((~defined).sum())
        if not n:
            return Estimate("mean_pairwise_r", None, 0, left_out, UNCORRELATED)
        return Estimate("mean_pairwise_r", float(r[defined].mean()), n, left_out)

    def share_of_same_band(self) -> Estimate:
        number, same, _ = self._by_pair(np.ones((1, self.sums.shape[0])))
        n = round(float(number.sum()))
        if not n:
            return Estimate("same_band", None, 0, reason="no answer was scored by two judges")
        return Estimate("same_band", float(same.sum() / n), n)

    def _by_pair(self, weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """By draw and pair of judges: answers in common, those in the same band, and Pearson's r."""
        table = np.asarray((self.sums.T @ weights.T).T).reshape(len(weights), SUMS, self.one.size)
        number, x, y, xx, yy, xy, same = np.moveaxis(table, 1, 0)
        spread = (number * xx - x**2) * (number * yy - y**2)
        defined = (number >= FEWEST_ANSWERS) & (spread > FLAT)
        r = (number * xy - x * y) / np.sqrt(np.where(defined, spread, 1))
        return number, same, np.where(defined, r, np.nan)


def _rated_together(rows: pd.DataFrame) -> tuple[IntArray, IntArray]:
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


def _quotient(of: FloatArray, by: FloatArray) -> FloatArray:
    return np.asarray(np.divide(of, by, out=np.full(of.shape, np.nan), where=by > 0))
