"""Judgments as arrays: all prompts of one shape together, so that nothing is done prompt by prompt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.core.results import FloatArray

IntArray = NDArray[np.intp]


@dataclass(frozen=True)
class RankTable:
    """Prompts that have equally many judges and equally many answers.

    `values` are prompts × judges × answers, NaN where a judge did not see an answer. `judges` (prompts × judges)
    are indices into the list of all judges that the table was made with; answers stand in the order of their ids.
    """

    prompts: tuple[str, ...]
    judges: IntArray
    values: FloatArray

    def weights(self, by_judge: FloatArray) -> FloatArray:
        """Weights by draw and judge (draws × all judges) as draws × prompts × judges of this table."""
        return by_judge[:, self.judges]


def rank_tables(frame: pd.DataFrame, *, judges: Sequence[str], column: str = "rank") -> list[RankTable]:
    """The frame's judgments by shape; prompts in alphabetical order within a table. `judges` are all of them."""
    return list(_tables(frame, judges, column)) if len(frame) else []


def _tables(frame: pd.DataFrame, judges: Sequence[str], column: str) -> Iterator[RankTable]:
    prompt_codes, prompts = pd.factorize(frame["prompt_id"], sort=True)
    judge_codes = indices_among(judges, frame["judge_id"])
    answer_codes, _ = pd.factorize(frame["true_id"], sort=True)
    judge_indices, judge_numbers = _indices_within(prompt_codes, judge_codes)
    answer_indices, answer_numbers = _indices_within(prompt_codes, answer_codes)
    values = frame[column].to_numpy(dtype=float)
    shapes = np.stack([judge_numbers, answer_numbers], axis=1)
    for shape in np.unique(shapes, axis=0):
        chosen = np.flatnonzero((shapes == shape).all(axis=1))
        place = np.full(len(prompts), -1)
        place[chosen] = np.arange(chosen.size)
        rows = np.flatnonzero(place[prompt_codes] >= 0)
        where = (place[prompt_codes[rows]], judge_indices[rows], answer_indices[rows])
        table = np.full((chosen.size, *shape), np.nan)
        table[where] = values[rows]
        of_table = np.zeros((chosen.size, shape[0]), dtype=np.intp)
        of_table[where[:2]] = judge_codes[rows]
        yield RankTable(tuple(prompts[chosen]), of_table, table)


def indices_among(names: Sequence[str], column: "pd.Series[str]") -> IntArray:
    """The index of every cell's name in the list of names."""
    return pd.Index(names).get_indexer(pd.Index(column)).astype(np.intp)


def _indices_within(groups: IntArray, members: IntArray) -> tuple[IntArray, IntArray]:
    """For each row its member's index among the different members of its group, from 0 on; and how many these are,
    by group.
    """
    width = members.max() + 1
    pairs, inverse = np.unique(groups * width + members, return_inverse=True)
    of_pair = pairs // width
    starts = np.searchsorted(of_pair, np.arange(groups.max() + 1))
    numbers = np.bincount(of_pair)
    return inverse - starts[groups], numbers
