"""Sums of pairs of judges by prompt; where answers have many, made prompt by prompt, without listing ratings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Final, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import FloatArray
from analysis.uncertainty.core.judgment_arrays import BoolArray

RATED: Final = ["prompt_id", "true_id", "judge_id"]  # the columns of rows that are ratings
FIGURES: Final = 10  # of a pair, as `sums_of_pairs` has them
IN_MEMORY: Final = 20_000_000  # numbers at once
LISTED: Final = 2_000_000  # pairs of ratings


@dataclass(frozen=True)
class PairSums:
    """What pairs of judges, `one` and `other` their places among all, have on every prompt that both judged: a cell
    for each pair and prompt, those of a prompt together. `figures` are the first of FIGURES, figures × cells;
    `pairs` has the cells' pairs, and `starts` where the cells of each prompt begin, and the last ones end.
    """

    one: IntArray
    other: IntArray
    figures: FloatArray
    pairs: NDArray[np.int32]
    starts: NDArray[np.int32]

    @classmethod
    def of(
        cls,
        rows: pd.DataFrame,
        values: FloatArray,
        judges: IntArray,
        prompts: IntArray,
        shape: tuple[int, int],
        *,
        figures: int = FIGURES,
        bands: FloatArray | None = None,
    ) -> Self:
        """Sums over rows that are ratings, with their `values`, `bands`, and the indices of their judges and
        prompts; `shape` is how many prompts and judges there are. Nobody rates an answer twice.
        """
        ratings = _Ratings(rows, values, judges, prompts, shape, bands)
        keys, sums, sizes = ratings.summed(figures) if _is_large(rows) else ratings.listed()
        distinct, pairs = _distinct(keys, shape[1] ** 2)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        width = max(shape[1], 1)
        return cls(distinct // width, distinct % width, sums[:figures], pairs.astype(np.int32), starts)

    @classmethod
    def over_all(
        cls, rows: pd.DataFrame, values: FloatArray, judges: IntArray, bands: FloatArray | None = None
    ) -> Self:
        """Sums over all prompts together, as if these were one: of pairs too many to be resampled."""
        one, other, sums = sums_of_pairs(rows, values, judges, bands)
        return cls(one, other, sums, np.arange(one.size, dtype=np.int32), np.array([0, one.size], dtype=np.int32))

    @property
    def prompts(self) -> int:
        return self.starts.size - 1

    @property
    def load(self) -> int:
        """Numbers made of a draw: the figures, and as many of what is made of them."""
        return 2 * len(self.figures) * self.one.size

    def over(self, weights: FloatArray, which: Sequence[int] | None = None) -> list[FloatArray]:
        """Each figure, or `which`, draws × pairs, from how often each prompt was drawn (draws × prompts)."""
        drawn = np.ascontiguousarray(weights.T)
        tables = self._tables if which is None else [self._tables[place] for place in which]
        return [np.asarray(table @ drawn).T for table in tables]

    @cached_property
    def _tables(self) -> "list[sparse.csc_array]":
        """Pairs × prompts. They share their places, and the figures: made from these, each would have its own."""
        tables = []
        for figure in self.figures:
            table = sparse.csc_array((self.one.size, self.prompts))
            table.data, table.indices, table.indptr = figure, self.pairs, self.starts
            tables.append(table)
        return tables


def _is_large(rows: pd.DataFrame) -> bool:
    """Whether there are so many pairs of ratings of one answer that no list of them is made."""
    of_answers = rows.groupby(["prompt_id", "true_id"]).size().to_numpy().astype(float)
    return float((of_answers * (of_answers - 1) / 2).sum()) > LISTED


# Keys of cells' pairs (the lesser judge · judges + the other), FIGURES × cells, and how many cells each prompt has.
_Cells = tuple[IntArray, FloatArray, IntArray]


@dataclass(frozen=True)
class _Ratings:
    """Ratings as `PairSums.of` takes them."""

    rows: pd.DataFrame
    values: FloatArray
    judges: IntArray
    prompts: IntArray
    shape: tuple[int, int]
    bands: FloatArray | None

    def listed(self) -> _Cells:
        """Sums from a list of every two ratings of an answer."""
        left, right = rated_together(self.rows)
        band = np.zeros(len(self.rows)) if self.bands is None else self.bands
        x, y, width = self.values[left], self.values[right], max(self.shape[1], 1)
        keys = (self.prompts[left] * width + self.judges[left]) * width + self.judges[right]
        cells, cell = np.unique(keys, return_inverse=True)
        number, *sums, same = (
            np.bincount(cell, weights=figure, minlength=cells.size)
            for figure in (np.ones(x.size), x, y, x**2, y**2, x * y, band[left] == band[right])
        )
        sum_x, sum_y, xx, yy, xy = sums
        within = (xx - sum_x**2 / number, yy - sum_y**2 / number, xy - sum_x * sum_y / number)
        of_prompts = np.bincount(cells // width**2, minlength=self.shape[0])
        return cells % width**2, np.stack([number, *sums, *within, same]), of_prompts

    def summed(self, figures: int) -> _Cells:
        """The first so many figures, prompt by prompt, into arrays with room for every two judges of each: in a
        large study the sums are most of the memory, and are not made twice.
        """
        number, width = self.shape
        of_prompts = np.bincount(np.unique(self.prompts * width + self.judges) // width, minlength=number)
        keys = np.empty(int((of_prompts * (of_prompts - 1) // 2).sum()), dtype=np.int64)
        sums, sizes, end = np.empty((figures, keys.size)), np.zeros(number, dtype=np.int64), 0
        there = np.flatnonzero(of_prompts)
        tables = tables_by_prompt(self.rows, self.prompts, self.values, self.judges, self.bands)
        for prompt, (who, rated, given, banded) in zip(there, tables, strict=True):
            made = np.stack([*islice(_figures(rated, given, banded, np.ones(who.size, dtype=bool)), figures)])
            one, other = np.nonzero(np.triu(made[0], k=1))
            own = slice(end, end := end + one.size)
            keys[own], sums[:, own], sizes[prompt] = who[one] * width + who[other], made[:, one, other], one.size
        return keys[:end], sums[:, :end], sizes


def _distinct(keys: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """What `np.unique` has of keys below `size`, with the places; by a table of them where that is small."""
    if size > IN_MEMORY:
        distinct, places = np.unique(keys, return_inverse=True)
        return distinct, places
    is_there = np.zeros(size, dtype=bool)
    is_there[keys] = True
    return np.flatnonzero(is_there), (np.cumsum(is_there) - 1)[keys]


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


def mean_raters(sizes: NDArray[np.integer[Any]]) -> float:
    """Mean number of raters of the answers that have two or more, from how many each has; 2 where none has."""
    several = sizes[sizes > 1]
    return float(several.mean()) if several.size else 2.0


def number_of_pairs(rows: pd.DataFrame) -> int:
    """How many pairs of judges have rated an answer in common; rows are ratings."""
    judges = pd.factorize(rows["judge_id"])[0]
    units = rows.groupby(["prompt_id", "true_id"]).ngroup().to_numpy()
    if not len(rows):
        return 0
    who = sparse.csr_array((np.ones(len(rows), dtype=np.int32), (judges, units)))
    return int(((who @ who.T).nnz - np.unique(judges).size) // 2)


def sums_of_pairs(
    rows: pd.DataFrame, values: FloatArray, judges: IntArray, bands: FloatArray | None = None
) -> tuple[IntArray, IntArray, FloatArray]:
    """Places of every two judges who rated an answer in common, the lesser first, and FIGURES × pairs: answers in
    common, Σx, Σy, Σx², Σy², Σxy, the last three about the prompt's own means, and answers in the same band.
    `values`, `judges` (their places among all) and `bands` are of the rows, of which none has a judge twice for an
    answer.
    """
    prompts = pd.factorize(rows["prompt_id"])[0]
    tables = list(tables_by_prompt(rows, prompts, values, judges, bands))
    number = int(judges.max(initial=-1)) + 1
    size = max(1, IN_MEMORY // (FIGURES * max(number, 1)))
    parts = [_block(tables, start, min(start + size, number), number) for start in range(0, number, size)]
    if not parts:
        empty = np.zeros(0, dtype=np.intp)
        return empty, empty, np.zeros((FIGURES, 0))
    one, other, sums = zip(*parts, strict=True)
    return np.concatenate(one), np.concatenate(other), np.concatenate(sums, axis=1)


_Table = tuple[IntArray, FloatArray, FloatArray, FloatArray | None]


def tables_by_prompt(
    rows: pd.DataFrame,
    prompts: IntArray,
    values: FloatArray,
    judges: IntArray,
    bands: FloatArray | None = None,
) -> Iterator[_Table]:
    """The judges of each prompt, and what was rated, answers × judges: values (0 where not) and bands."""
    answers = rows.groupby(["prompt_id", "true_id"]).ngroup().to_numpy()
    order = np.argsort(prompts, kind="stable")
    ends = np.flatnonzero(np.diff(prompts[order])) + 1
    for own in np.split(order, ends) if order.size else ():
        who, column = np.unique(judges[own], return_inverse=True)
        what, row = np.unique(answers[own], return_inverse=True)
        shape = what.size, who.size
        rated, given = np.zeros(shape), np.zeros(shape)
        rated[row, column], given[row, column] = 1, values[own]
        banded = None
        if bands is not None:
            banded = np.full(shape, np.nan)
            banded[row, column] = bands[own]
        yield who, rated, given, banded


def _block(tables: list[_Table], start: int, end: int, number: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Sums of the judges from `start` to before `end` with all who come after them."""
    sums = np.zeros((FIGURES, end - start, number))
    for who, rated, given, banded in tables:
        own = (who >= start) & (who < end)
        if not own.any():
            continue
        at = np.ix_(who[own] - start, who)
        for place, figure in enumerate(_figures(rated, given, banded, own)):
            sums[place][at] += figure
    ahead = np.arange(number)[None, :] > np.arange(start, end)[:, None]
    one, other = np.nonzero((sums[0] > 0) & ahead)
    return one + start, other, sums[:, one, other]


def _figures(
    rated: FloatArray, given: FloatArray, banded: FloatArray | None, own: BoolArray
) -> Iterator[FloatArray]:
    """FIGURES of one prompt, own × all of its judges."""
    mine, my_marks, squares = rated[:, own], given[:, own], given**2
    number = mine.T @ rated
    x, y, xy = my_marks.T @ rated, mine.T @ given, my_marks.T @ given
    xx, yy = squares[:, own].T @ rated, mine.T @ squares
    size = np.maximum(number, 1)
    yield from (number, x, y, xx, yy, xy)
    yield from (xx - x**2 / size, yy - y**2 / size, xy - x * y / size)
    if banded is None:
        yield number
    else:
        yield (banded[:, own, None] == banded[:, None, :]).sum(axis=0).astype(float)
