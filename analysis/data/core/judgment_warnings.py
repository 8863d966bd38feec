"""Warnings about values in a file of judgments that are rarely meant; they are used all the same."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.judgment_frame import FIRST_ROW, JUDGMENT, dimensions_of
from annotation.platform.core.phrases import counted

MAX_TURNED: Final = 10  # scores that codes turn round
ROUNDED: Final = 0.005 + 1e-9  # means are often written with two digits


def judgment_warnings(frame: pd.DataFrame) -> Iterator[str]:
    """Warnings, in sentences. Rows are counted as in a file of the frame's rows, whose header is row 1."""
    yield from _composites(frame)
    yield from _ranks(frame)
    yield from scores_against_ranks(frame)


def _composites(frame: pd.DataFrame) -> Iterator[str]:
    """A score stands for the sum of the dimensions, or for their mean."""
    dimensions = dimensions_of(frame)
    if not dimensions:
        return
    score, total = frame["score"].to_numpy(), frame[dimensions].sum(axis=1, skipna=False).to_numpy()
    told = ~np.isnan(score) & ~np.isnan(total)
    is_sum, is_mean = (np.isclose(score, by, rtol=0, atol=ROUNDED) for by in (total, total / len(dimensions)))
    wrong = told & ~is_sum & ~is_mean
    if wrong.any():
        first = int(wrong.argmax())
        yield (
            f"In {wrong.sum():,} of {counted(int(told.sum()), 'rating')} the score is neither the sum nor the mean "
            f"of the dimensions, first in row {first + FIRST_ROW}: {score[first]:g}, where they come to "
            f"{total[first]:g}. Means come from the dimensions, ranks by default from the scores."
        )


def _ranks(frame: pd.DataFrame) -> Iterator[str]:
    """Nobody ranks an answer behind more answers than there are, unless one of them was withdrawn."""
    answers = frame.groupby(JUDGMENT)["true_id"].transform("size")
    wrong = (frame["rank"] > answers).to_numpy()
    if wrong.any():
        first = int(wrong.argmax())
        yield (
            f"{wrong.sum():,} of {counted(int(frame['rank'].count()), 'rank')} are beyond the number of answers, "
            f"first in row {first + FIRST_ROW}: {frame['rank'].iloc[first]:g} of {answers.iloc[first]:,}. That may "
            "be so where an answer was withdrawn."
        )


def scores_against_ranks(frame: pd.DataFrame) -> Iterator[str]:
    """A warning where most judgments rank answers the better the lower their scores are: ranks are better the
    lower they are, scores the higher.
    """
    known = frame[frame["rank"].notna() & frame["score"].notna()]
    judgment = [known[name] for name in JUDGMENT]
    rank, score = (known[name] - known[name].groupby(judgment).transform("mean") for name in ("rank", "score"))
    together = (rank * score).groupby(judgment).sum().round(9)
    against, told = int((together > 0).sum()), int((together != 0).sum())
    if against * 2 > told:
        given = frame[dimensions_of(frame) or ["score"]].to_numpy(dtype=float)
        low, high = float(np.nanmin(given)), float(np.nanmax(given))
        are_few = (np.mod(given[~np.isnan(given)], 1) == 0).all() and high - low < MAX_TURNED
        turned = ",".join(f"{low + step:g}={high - step:g}" for step in range(int(high - low) + 1))
        yield (
            f"In {against:,} of {counted(told, 'judgment')} answers are ranked the better the lower their scores "
            f"are. Scores are taken for the better the higher they are: where {low:g} is the best, turn them round "
            f"{f'by codes: {turned}' if are_few else 'in the file'}."
        )
