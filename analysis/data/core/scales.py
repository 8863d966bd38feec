"""The scale that scores are on, where somebody told it and where nobody did."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.judgment_frame import FIRST_ROW, JudgmentFileError, dimensions_of
from analysis.data.core.number_format import shortest
from analysis.data.core.rating_frame import PREFERENCE, RANK, SCORE, Doubt, Ratings
from analysis.data.core.results import FloatArray

# Scales in use, whose ends are known by scores that reach both.
_MAX_FROM: Final = {0.0: (1, 2, 3, 4, 5, 10, 100), 1.0: (2, 3, 4, 5, 6, 7, 10, 100)}
_MAX_ABOUT_0: Final = (1, 2, 3, 5)
TOLD_BY_ENDS: Final = frozenset(
    [(least, float(most)) for least, many in _MAX_FROM.items() for most in many]
    + [(-float(most), float(most)) for most in _MAX_ABOUT_0]
)
# What other scores are on: the first that holds them.
USUAL_SCALES: Final = ((1.0, 10.0), (0.0, 1.0), (0.0, 10.0), (0.0, 100.0))
UNTOLD: Final = "nobody told the scale"
MISTYPED: Final = 0.1  # of the scores, at most, lie outside the scale that is meant


@dataclass(frozen=True)
class Outside:
    """How many of a frame's scores lie outside a scale, and where in a file of its rows the first of them is."""

    count: int
    of: int
    row: int
    column: str
    score: float


def outside(frame: pd.DataFrame, scale: tuple[float, float]) -> Outside | None:
    """The rubric's scores below or above the ends of `scale`, (low, high); None where there are none."""
    low, high = scale
    dimensions = dimensions_of(frame)
    scores = frame[dimensions].to_numpy(dtype=float)
    beyond = (scores < low) | (scores > high)
    if not beyond.any():
        return None
    row, column = (int(place) for place in np.unravel_index(beyond.argmax(), beyond.shape))
    return Outside(
        count=int(beyond.sum()),
        of=int(np.isfinite(scores).sum()),
        row=row + FIRST_ROW,
        column=dimensions[column],
        score=float(scores[row, column]),
    )


def scores_in(frame: pd.DataFrame) -> FloatArray:
    """All scores of the rubric's dimensions, of any shape, NaN where there is none."""
    return frame[dimensions_of(frame)].to_numpy(dtype=float)


def scores_of(ratings: Ratings) -> FloatArray:
    """All scores of a file's dimensions, or those that were given in place of them."""
    names = set(ratings.frame["dimension"]) - {RANK, PREFERENCE}
    rated = ratings.frame["dimension"].isin(names - {SCORE} or names)
    return ratings.frame.loc[rated, "value"].to_numpy(dtype=float)


def scale_of_scores(scores: FloatArray) -> tuple[float, float]:
    """The scale in use whose ends are the least and the most of the scores; where there is none, the first of
    USUAL_SCALES that holds all but a few, which somebody has mistyped, or else the one that holds the most.
    """
    known = scores[np.isfinite(scores)]
    if known.size and (reached := (float(known.min()), float(known.max()))) in TOLD_BY_ENDS:
        return reached

    def missed(scale: tuple[float, float]) -> float:
        low, high = scale
        return float(((known < low) | (known > high)).mean()) if known.size else 0.0

    holding = (scale for scale in USUAL_SCALES if missed(scale) <= MISTYPED)
    return next(holding, None) or min(USUAL_SCALES, key=missed)


def inferred_scale(frame: pd.DataFrame) -> tuple[float, float]:
    """What the scores of a frame's dimensions are taken to be on."""
    return scale_of_scores(scores_in(frame))


def taken_scale(scores: FloatArray) -> tuple[tuple[float, float] | None, tuple[Doubt, ...]]:
    """What scores are taken to be on that nobody told the scale of, None where there are none, and the doubt that
    says so.
    """
    known = scores[np.isfinite(scores)]
    if not known.size:
        return None, ()
    low, high = taken = scale_of_scores(known)
    least, most = float(known.min()), float(known.max())
    why = (
        "which its scores reach from end to end"
        if (least, most) == taken
        else f"though its scores run from {shortest(round(least, 2))} to {shortest(round(most, 2))}"
    )
    return taken, (
        Doubt(
            f"{UNTOLD}: taken as {shortest(low)} to {shortest(high)}, {why}, in pictures alone; give "
            "its ends (--scale) if they are others"
        ),
    )


def check_scale(
    frame: pd.DataFrame, scale: tuple[float, float], place: str = "", *, is_inferred: bool = False
) -> None:
    """Raises JudgmentFileError, naming row and column, where a score lies outside `scale`, (low, high). Where the
    file's rows are none of the frame's, `place` says where it is. `is_inferred`: nobody gave this scale.
    """
    if found := outside(frame, scale):
        low, high = scale
        scores = scores_in(frame)
        # What stands for no rating is one number, as −99; several are scores.
        is_one = np.unique(scores[(scores < low) | (scores > high)]).size == 1
        no_rating = "; if it says that there is no rating, name it so (failures)" if place and is_one else ""
        place = place or f"row {found.row}, column {found.column}"
        name = "the usual scale that holds most scores" if is_inferred else "the scale"
        raise JudgmentFileError(
            f"{place}: {found.score:g} lies outside {name}, {low:g} to {high:g} "
            f"({found.count:,} of {found.of:,} scores, which run from {np.nanmin(scores):g} to "
            f"{np.nanmax(scores):g}); if that is meant, give the scale or name dimensions{no_rating}"
        )
