"""Judgments as arrays: what each judge said about each prompt, all judgments together."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.core.judgment_frame import (
    HUMAN,
    JUDGMENT,
    MODEL,
    dimensions_of,
    mean_of_dimensions,
    standard_only,
)
from analysis.data.core.rank_tables import IntArray
from analysis.data.core.ranks import dense
from analysis.data.core.results import FloatArray
from analysis.uncertainty.core.crossed import CrossedMean, crossed_mean
from analysis.uncertainty.core.intervals import UNBOUNDED

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class JudgmentArrays:
    """The ordinary ratings of a frame of judgments, with what every judgment of n is about.

    `judgment` (by rating) numbers the judgments from 0; `prompts` and `judges` (by judgment) are codes of theirs,
    places in `prompt_ids` for prompts.
    `sources` are people and the models' families, in alphabetical order; `source` (by rating) is a place in them.
    `values` (by rating) are what can be averaged: `competition_rank`, where tied answers share the best of their
    places, `mid_rank`, where they share the mean of them, `score`, the mean of the dimensions where all are there,
    and every dimension; NaN where there is none, ranks also where a judgment ranks a single answer. `scale` has the
    ends of the dimensions' scale, where known.
    """

    judgment: IntArray
    prompts: IntArray
    judges: IntArray
    prompt_ids: tuple[str, ...]
    sources: tuple[str, ...]
    source: IntArray
    values: Mapping[str, FloatArray]
    dimensions: tuple[str, ...]
    scale: tuple[float, float] | None = None

    @classmethod
    def of(cls, frame: pd.DataFrame, *, as_given: bool = True, scale: tuple[float, float] | None = None) -> Self:
        """`as_given`: the frame's ranks are taken for competition ranks as they are, but for dense ones."""
        rows = standard_only(frame)
        (prompts, prompt_ids), (judges, _) = (pd.factorize(rows[column], sort=True) for column in JUDGMENT)
        width = judges.max(initial=0) + 1
        pairs, judgment = np.unique(prompts * width + judges, return_inverse=True)
        sources, names = pd.factorize(rows["model"].where(rows["true_source"] == MODEL, HUMAN), sort=True)
        ranks = rows["rank"].groupby(judgment)
        among_others = ranks.transform("count") > 1
        competition = ranks.rank(method="min").where(dense(rows) | (not as_given), rows["rank"])
        columns = {
            "competition_rank": competition.where(among_others),
            "mid_rank": ranks.rank().where(among_others),
            "score": mean_of_dimensions(rows),
            **{dimension: rows[dimension] for dimension in dimensions_of(rows)},
        }
        return cls(
            judgment.astype(np.intp),
            pairs // width,
            pairs % width,
            tuple(str(prompt) for prompt in prompt_ids),
            tuple(str(name) for name in names),
            sources.astype(np.intp),
            {name: column.to_numpy(dtype=float) for name, column in columns.items()},
            tuple(dimensions_of(rows)),
            scale,
        )

    @property
    def number(self) -> int:
        """The number of judgments."""
        return self.prompts.size

    @property
    def is_human(self) -> FloatArray:
        """1 for people among the sources, 0 for models."""
        return np.array([source == HUMAN for source in self.sources], dtype=float)

    def sums(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Sums of the ratings' values and how many there are, judgments × sources."""
        cells = self.judgment * len(self.sources) + self.source
        size, shape = self.number * len(self.sources), (self.number, len(self.sources))
        kept = ~np.isnan(values)
        return (
            np.bincount(cells[kept], weights=values[kept], minlength=size).astype(float).reshape(shape),
            np.bincount(cells[kept], minlength=size).reshape(shape).astype(float),
        )

    def mean(
        self,
        name: str,
        sums: FloatArray,
        counts: FloatArray,
        *,
        level: float,
        bounds: tuple[float, float] = UNBOUNDED,
    ) -> CrossedMean:
        """Mean of what each judgment has so many of, from its sum by judgment; see `crossed`."""
        return crossed_mean(name, sums, self.prompts, self.judges, counts=counts, level=level, bounds=bounds)

    @cached_property
    def ranks(self) -> FloatArray:
        """Judgments × the places of their answers, NaN where a judgment has fewer or did not rank one."""
        return self._side_by_side(self.values["mid_rank"], np.nan)

    @cached_property
    def ranked_sources(self) -> IntArray:
        """The sources of the answers in `ranks`, −1 where there is none."""
        sources = self._side_by_side(self.source.astype(float), -1.0).astype(np.intp)
        return np.where(np.isnan(self.ranks), -1, sources)

    @cached_property
    def shown(self) -> FloatArray:
        """1 where the answer in `ranks` is of the source, judgments × places × sources."""
        return np.asarray(self.ranked_sources[..., None] == np.arange(len(self.sources)), dtype=float)

    @cached_property
    def wins(self) -> FloatArray:
        """Judgments × sources × sources: pairs of answers, one of either, with the first one before."""
        return self._compared(self.ranks[:, :, None] < self.ranks[:, None, :])

    @cached_property
    def ties(self) -> FloatArray:
        """Pairs of different answers that share a rank."""
        tied = self.ranks[:, :, None] == self.ranks[:, None, :]
        return self._compared(tied & ~np.eye(self.ranks.shape[1], dtype=bool))

    @property
    def between_sources(self) -> tuple[FloatArray, FloatArray]:
        """Wins and ties without those of a source with itself."""
        different = 1 - np.eye(len(self.sources))
        return np.asarray(self.wins * different), np.asarray(self.ties * different)

    @cached_property
    def first(self) -> FloatArray:
        """Judgments × sources: shares of the first place, which answers that share it divide evenly."""
        at_top = (self.ranks == np.nanmin(self.ranks, axis=1, initial=np.inf, keepdims=True)).astype(float)
        shares = at_top / np.maximum(at_top.sum(axis=1, keepdims=True), 1)
        return np.asarray(np.einsum("jp,jps->js", shares, self.shown))

    def _compared(self, holds: BoolArray) -> FloatArray:
        return np.asarray(np.swapaxes(self.shown, 1, 2) @ holds.astype(float) @ self.shown)

    def _side_by_side(self, values: FloatArray, blank: float) -> FloatArray:
        order = np.argsort(self.judgment, kind="stable")
        sizes = np.bincount(self.judgment, minlength=self.number)
        starts = np.cumsum(sizes) - sizes
        codes = self.judgment[order]
        table = np.full((self.number, sizes.max(initial=0)), blank)
        table[codes, np.arange(codes.size) - starts[codes]] = values[order]
        return table
