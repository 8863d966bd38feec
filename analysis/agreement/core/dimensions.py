"""How the rubric's dimensions hang together: correlations between them, and their principal components."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, Self

import numpy as np
import pandas as pd
from scipy import sparse

from analysis.data.core.judgment_frame import JUDGMENT, STANDARD, dimensions_of, standard_only
from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray
from analysis.uncertainty.core.intervals import CORRELATION, SHARE, cut_at
from analysis.uncertainty.core.resampling import (
    BY_JUDGES,
    JUDGES_FOR_CORRELATIONS,
    PROMPTS_ALONE,
    Weights,
    leaving_out,
    pigeonhole,
    resampled,
    with_interval,
    with_one_way_interval,
)

FLAT = 1e-9
BOUNDS: Final = {"r": CORRELATION, "shares": SHARE}


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r of two dimensions, −1 to 1, over ratings or over answers; `n` counts those that have both."""

    one: str
    other: str
    r: Estimate


@dataclass(frozen=True, slots=True)
class Component:
    """A principal component of the dimensions' correlation matrix: its share of their variance, 0 to 1, and its
    loadings by dimension (correlations with it, the largest one positive).
    """

    share: Estimate
    loadings: tuple[float, ...]


def correlations(frame: pd.DataFrame) -> list[Correlation]:
    """Correlations of every two dimensions of the standard items, in the frame's order."""
    standard = standard_only(frame)
    names = dimensions_of(standard)
    values = {name: standard[name].to_numpy(dtype=float) for name in names}
    return [Correlation(one, other, _pearson(values[one], values[other])) for one, other in combinations(names, 2)]


@dataclass(frozen=True)
class DimensionResampler:
    """Correlations and components' shares in resamples of the prompts and judges of a frame (see `resampling`),
    over the ratings that have all dimensions.

    `sums` (judgments × figures) has of every judgment the number of ratings, their sums and sums of products by
    dimension; `of_prompts` and `of_judges` say which place among all its prompt and judge have.
    """

    prompts: int
    judges: int
    of_prompts: IntArray
    of_judges: IntArray
    dimensions: int
    sums: FloatArray

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Self:
        standard = standard_only(frame)
        rated = standard.dropna(subset=dimensions_of(standard))
        codes = [pd.Categorical(rated[column], categories=sorted(standard[column].unique())) for column in JUDGMENT]
        prompts, judges = (each.codes.astype(np.intp) for each in codes)
        values = rated[dimensions_of(standard)].to_numpy(dtype=float)
        # Around the middle, so that sums of products stay exact.
        values = values - (values.mean(axis=0) if len(values) else 0)
        figures = np.hstack([np.ones((len(values), 1)), values, *(values * each for each in values.T[..., None])])
        width = len(codes[1].categories)
        cells, judgment = np.unique(prompts * width + judges, return_inverse=True)
        shape = (cells.size, judgment.size)
        member = sparse.csr_array((np.ones(judgment.size), (judgment, np.arange(judgment.size))), shape=shape)
        return cls(
            prompts=len(codes[0].categories),
            judges=width,
            of_prompts=cells // max(width, 1),
            of_judges=cells % max(width, 1),
            dimensions=values.shape[1],
            sums=np.asarray(member @ figures),
        )

    @property
    def load(self) -> int:
        """Numbers made of a draw: two weights of each judgment, and their product."""
        return 3 * len(self.sums)

    def without_each(self) -> dict[str, tuple[FloatArray, FloatArray]]:
        """The figures without each prompt and without each judge, or groups of them (see `leaving_out`)."""
        prompts = self._leaving_out(self.of_prompts, self.prompts)
        judges = self._leaving_out(self.of_judges, self.judges)
        return {name: (prompts[name], judges[name]) for name in prompts}

    def _leaving_out(self, places: IntArray, number: int) -> dict[str, FloatArray]:
        left = leaving_out(number)
        by_place = np.zeros((number, self.sums.shape[1]))
        np.add.at(by_place, places, self.sums)
        return self._figures(left @ by_place)

    def __call__(self, weights: Weights) -> dict[str, FloatArray]:
        """Figures by draw: `r`, draws × dimensions × dimensions, and `shares`, draws × components, the largest
        first.
        """
        drawn = weights.prompts[:, self.of_prompts] * weights.judges[:, self.of_judges]
        return self._figures(drawn @ self.sums)

    def _figures(self, totals: FloatArray) -> dict[str, FloatArray]:
        """From the sums of the ratings that count, draws × figures."""
        number = np.maximum(totals[:, 0], 1)[:, None]
        means = totals[:, 1 : self.dimensions + 1] / number
        shape = (len(totals), self.dimensions, self.dimensions)
        products = (totals[:, self.dimensions + 1 :] / number).reshape(shape)
        covariance = products - means[:, :, None] * means[:, None, :]
        scale = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2).clip(min=0))
        flat = (scale < FLAT).any(axis=1)
        scale = np.where(flat[:, None], 1.0, scale)
        r = covariance / (scale[:, :, None] * scale[:, None, :])
        shares = np.linalg.eigvalsh(r)[:, ::-1] / max(self.dimensions, 1)
        return {
            "r": np.where(flat[:, None, None], np.nan, r),
            "shares": np.where(flat[:, None], np.nan, shares),
        }


def correlations_and_components(
    frame: pd.DataFrame, *, draws: int, seed: int, level: float
) -> tuple[tuple[Correlation, ...], tuple[Component, ...]]:
    """Correlations and components, with intervals of so many draws.

    These are made on the figures' own scale: where judges' noise differs, the spread grows less towards 1 than
    about the logit, whose intervals lay below the truth.
    """
    resampler = DimensionResampler.of(frame)
    values = resampled(
        resampler,
        prompts=resampler.prompts,
        judges=resampler.judges,
        draws=draws,
        seed=seed,
        load=resampler.load,
    )
    without = resampler.without_each()
    values = {name: replace(each, without=without[name]) for name, each in values.items()}
    names = dimensions_of(frame)

    def interval(estimate: Estimate, name: str, *place: int) -> Estimate:
        drawn = values.get(name)
        found = with_interval(
            estimate,
            drawn and drawn.at(*place),
            level=level,
            judges=JUDGES_FOR_CORRELATIONS,
            degrees=BY_JUDGES,
        )
        return cut_at(BOUNDS[name], found)

    return (
        tuple(
            replace(each, r=interval(each.r, "r", names.index(each.one), names.index(each.other)))
            for each in correlations(frame)
        ),
        tuple(
            replace(each, share=interval(each.share, "shares", place))
            for place, each in enumerate(components(frame))
        ),
    )


def of_consensus(
    frame: pd.DataFrame, *, draws: int, seed: int, level: float
) -> tuple[tuple[Correlation, ...], tuple[Component, ...]]:
    """Correlations and components over consensus scores, an answer's means over its raters, which leave out what
    differs between raters. Intervals take prompts as a sample, with these judges.
    """
    means = consensus(frame)
    resampler = DimensionResampler.of(means)
    parts = [
        resampler(weights)
        for weights in pigeonhole(prompts=resampler.prompts, judges=1, draws=draws, seed=seed, load=resampler.load)
    ]
    names = dimensions_of(means)

    def interval(estimate: Estimate, name: str, *place: int) -> Estimate:
        values = np.concatenate([np.zeros(0), *(np.moveaxis(part[name], 0, -1)[place] for part in parts)])
        return with_one_way_interval(
            estimate, values, resampler.prompts, level=level, method=PROMPTS_ALONE, bounds=BOUNDS[name]
        )

    return (
        tuple(
            replace(each, r=interval(each.r, "r", names.index(each.one), names.index(each.other)))
            for each in correlations(means)
        ),
        tuple(
            replace(each, share=interval(each.share, "shares", place))
            for place, each in enumerate(components(means))
        ),
    )


def consensus(frame: pd.DataFrame) -> pd.DataFrame:
    """A row for each answer to a standard item: its dimensions' means over the ratings that have all of them."""
    standard = standard_only(frame)
    names = dimensions_of(standard)
    rated = standard.dropna(subset=names)
    means = rated.groupby(["prompt_id", "true_id"], sort=True)[names].mean().reset_index()
    return means.assign(item_type=STANDARD, judge_id="")


def components(frame: pd.DataFrame) -> list[Component]:
    """Principal components of the dimensions, the largest first, over the ratings that have all of them.

    Of the correlation matrix, so that a dimension that judges spread more does not count more. One component with
    nearly all of the variance says that the dimensions measure one thing. Empty where there is nothing to
    correlate.
    """
    standard = standard_only(frame)
    names = dimensions_of(standard)
    ratings = standard[names].dropna().to_numpy(dtype=float)
    left_out = len(standard) - len(ratings)
    if len(names) < 2 or len(ratings) < 2 or (ratings == ratings[0]).all(axis=0).any():
        return []
    shares, vectors = np.linalg.eigh(np.corrcoef(ratings, rowvar=False))
    shares, vectors = np.maximum(shares[::-1], 0), vectors[:, ::-1]
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(len(names))])
    loadings = vectors * signs * np.sqrt(shares)
    return [
        Component(
            Estimate("component_share", float(share / len(names)), len(ratings), left_out),
            tuple(float(loading) for loading in column),
        )
        for share, column in zip(shares, loadings.T, strict=True)
    ]


def _pearson(one: FloatArray, other: FloatArray) -> Estimate:
    kept = ~np.isnan(one) & ~np.isnan(other)
    n, left_out = int(kept.sum()), int((~kept).sum())
    if n < 2:
        return Estimate("pearson_r", None, n, left_out, "fewer than two ratings have both")
    one, other = one[kept], other[kept]
    if (one == one[0]).all() or (other == other[0]).all():
        return Estimate("pearson_r", None, n, left_out, "one of the two is the same in every rating")
    return Estimate("pearson_r", float(np.corrcoef(one, other)[0, 1]), n, left_out)
