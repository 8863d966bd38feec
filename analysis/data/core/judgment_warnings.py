"""Warnings about values in a file of judgments that are rarely meant; they are used all the same."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.cell_numbers import number_of
from analysis.data.core.judgment_frame import FIRST_ROW, JUDGMENT, dimensions_of
from analysis.data.core.number_format import shortest
from analysis.data.core.results import FloatArray
from annotation.platform.core.phrases import counted

MAX_TURNED: Final = 11  # numbers of a scale that codes turn round: 0 to 10 has so many
ROUNDED: Final = 0.005 + 1e-9  # means are often written with two digits


def judgment_warnings(frame: pd.DataFrame, scale: tuple[float, float] | None = None) -> Iterator[str]:
    """Warnings, in sentences. Rows are counted as in a file of the frame's rows, whose header is row 1. `scale` has
    the ends of the scores', given or inferred.
    """
    yield from _composites(frame)
    yield from _ranks(frame)
    yield from scores_against_ranks(frame, scale)


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


def scores_against_ranks(
    frame: pd.DataFrame,
    scale: tuple[float, float] | None = None,
    coded: FloatArray | None = None,
    codes: Mapping[str, float] = MappingProxyType({}),
) -> Iterator[str]:
    """A warning where most judgments rank answers the better the lower their scores are: ranks are better the
    lower they are, scores the higher.

    `scale` has the ends of the scores', given or inferred; without it they are the least and the most of them.
    `coded` are all scores that codes reach, as they are with the `codes` that were given; None where there can be
    no codes.
    """
    known = frame[frame["rank"].notna() & frame["score"].notna()]
    judgment = [known[name] for name in JUDGMENT]
    rank, score = (known[name] - known[name].groupby(judgment).transform("mean") for name in ("rank", "score"))
    together = (rank * score).groupby(judgment).sum().round(9)
    against, told = int((together > 0).sum()), int((together != 0).sum())
    if against * 2 > told:
        rated = frame[dimensions_of(frame)].to_numpy(dtype=float).ravel()
        given = rated if np.isfinite(rated).any() else known["score"].to_numpy(dtype=float)
        low, high = scale or (float(np.nanmin(given)), float(np.nanmax(given)))
        turned = "" if coded is None else turning_codes(coded, (low, high), codes)
        yield (
            f"In {against:,} of {counted(told, 'judgment')} answers are ranked the better the lower their scores "
            f"are. Scores are taken for the better the higher they are: where {shortest(low)} is the best, turn "
            f"them round {f'by codes: {turned}' if turned else 'in the file'}."
        )


def turning_codes(scores: FloatArray, scale: tuple[float, float], codes: Mapping[str, float]) -> str:
    """Codes in place of the `codes` that there are, which turn the scale's scores round, as in `1=3,2=2,3=1`; ""
    where these are not all among few whole numbers between its ends.
    """
    low, high = scale
    known = scores[np.isfinite(scores)]
    are_whole = low % 1 == high % 1 == 0 and not (known % 1).any()
    if not are_whole or high - low + 1 > MAX_TURNED or (known < low).any() or (known > high).any():
        return ""
    coded = {number_of(word) for word in codes}
    steps = (low + step for step in range(int(high - low) + 1))
    found = {f"{step:.0f}": step for step in steps if step not in coded} | dict(codes)
    return ",".join(f"{word}={low + high - value:g}" for word, value in found.items())
