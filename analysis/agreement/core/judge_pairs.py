"""Pairs of judges where answers have many of them: their sums, made prompt by prompt, without listing ratings."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import pandas as pd
from scipy import sparse

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import FloatArray
from analysis.uncertainty.core.judgment_arrays import BoolArray

FIGURES: Final = 10  # of a pair, as `sums_of_pairs` has them
IN_MEMORY: Final = 20_000_000  # numbers at once
LISTED: Final = 2_000_000  # pairs of ratings


def is_large(rows: pd.DataFrame) -> bool:
    """Whether there are so many pairs of ratings of one answer that no list of them is made."""
    of_answers = rows.groupby(["prompt_id", "true_id"]).size().to_numpy().astype(float)
    return float((of_answers * (of_answers - 1) / 2).sum()) > LISTED


def sums_by_prompt(
    rows: pd.DataFrame,
    values: FloatArray,
    judges: IntArray,
    prompts: IntArray,
    shape: tuple[int, int],
    *,
    figures: int = FIGURES,
    bands: FloatArray | None = None,
) -> tuple[IntArray, IntArray, sparse.csc_array]:
    """Places of every two judges who rated an answer in common, the lesser first, and the first so many of FIGURES
    · pairs × prompts. `shape` is how many prompts and judges there are, `prompts` the rows' places among them.
    """
    number, width = shape
    keys: list[IntArray] = [np.zeros(0, dtype=np.intp)] * number
    sums: list[FloatArray] = [np.zeros((figures, 0))] * number
    of_rows = prompts[np.argsort(prompts, kind="stable")]
    starts = np.flatnonzero(np.diff(of_rows, prepend=-1))
    for prompt, (who, rated, given, banded) in zip(
        of_rows[starts], _tables(rows, prompts, values, judges, bands), strict=True
    ):
        made = _figures(rated, given, banded, np.ones(who.size, dtype=bool))
        tables = np.stack([figure for _, figure in zip(range(figures), made, strict=False)])
        one, other = np.nonzero(np.triu(tables[0], k=1))
        keys[prompt], sums[prompt] = who[one] * width + who[other], tables[:, one, other]
    sizes = np.array([each.size for each in keys])
    distinct, pair = np.unique(np.concatenate(keys), return_inverse=True)
    ends = np.cumsum(sizes)
    # Made in place, and each prompt's let go: in a large study this is most of the memory.
    data, indices = np.empty(figures * pair.size), np.empty(figures * pair.size, dtype=np.int32)
    places = np.arange(figures)[:, None] * distinct.size
    for prompt, (end, size) in enumerate(zip(ends, sizes, strict=True)):
        own = slice(figures * (end - size), figures * end)
        data[own] = sums[prompt].ravel()
        indices[own] = (pair[end - size : end] + places).ravel()
        sums[prompt] = np.zeros((figures, 0))
    pointers = np.concatenate([[0], figures * ends])
    table = sparse.csc_array((data, indices, pointers), shape=(figures * distinct.size, number))
    return distinct // max(width, 1), distinct % max(width, 1), table


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
    tables = list(_tables(rows, prompts, values, judges, bands))
    number = int(judges.max(initial=-1)) + 1
    size = max(1, IN_MEMORY // (FIGURES * max(number, 1)))
    parts = [_block(tables, start, min(start + size, number), number) for start in range(0, number, size)]
    if not parts:
        empty = np.zeros(0, dtype=np.intp)
        return empty, empty, np.zeros((FIGURES, 0))
    one, other, sums = zip(*parts, strict=True)
    return np.concatenate(one), np.concatenate(other), np.concatenate(sums, axis=1)


_Table = tuple[IntArray, FloatArray, FloatArray, FloatArray | None]


def _tables(
    rows: pd.DataFrame, prompts: IntArray, values: FloatArray, judges: IntArray, bands: FloatArray | None
) -> Iterator[_Table]:
    """Of each prompt its judges, and of answers × judges what was rated, values (0 where not) and bands."""
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
    """Of the judges from `start` to before `end` with all who come after them."""
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
