"""Columns of files of ratings: on which dimension each is, and by which rater where the header says so."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.table_file import header_row
from analysis.data.core.word_scales import MAX_WORDS
from annotation.platform.core.phrases import listed

_RATER: Final = r"(?:r|j|rater|judge|annotator|coder|evaluator|expert|worker|reviewer|grader)[ _.-]?\d{1,4}"
_BETWEEN: Final = r"(?:[ _.:/-]{1,3}[(\[]?|[(\[])"
# Behind a number a dimension may begin at once: R1Clarity.
_RATER_FIRST: Final = re.compile(
    rf"(?P<rater>{_RATER})(?:{_BETWEEN}|(?=[^\W\d_]))(?P<dimension>[^()\[\]]{{1,80}})[)\]]?", re.IGNORECASE
)
_RATER_LAST: Final = re.compile(
    rf"(?P<dimension>[^()\[\]]{{1,80}}?){_BETWEEN}(?P<rater>{_RATER})[)\]]?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class RatedColumn:
    """A column of ratings by its name in the file: the dimension, and the rater, "" where another column tells."""

    name: str
    dimension: str
    rater: str = ""


def crossed(columns: Sequence[str]) -> tuple[RatedColumn, ...]:
    """Columns of a header with a column for every rater and dimension, such as `R1_clarity` or `clarity (rater 2)`,
    in their order; none unless two raters at least are numbered so.
    """
    found = [
        RatedColumn(name, parts["dimension"].strip(), parts["rater"])
        for name in columns
        if (parts := _RATER_FIRST.fullmatch(name) or _RATER_LAST.fullmatch(name))
    ]
    pairs = {(each.rater, each.dimension) for each in found}
    return tuple(found) if len({each.rater for each in found}) > 1 and len(pairs) == len(found) else ()


def crossing(rated: Sequence[RatedColumn]) -> str:
    """What such columns are read as, and what none is there for."""
    raters = list(dict.fromkeys(each.rater for each in rated))
    dimensions = list(dict.fromkeys(each.dimension for each in rated))
    there = {(each.rater, each.dimension) for each in rated}
    lacks = [
        f"{dimension} by {rater}" for rater in raters for dimension in dimensions if (rater, dimension) not in there
    ]
    words = f"a column for every rater and dimension is read as what {listed(raters)} gave on {listed(dimensions)}"
    return f"{words}; there is none for {listed(lacks)}" if lacks else words


def advice(columns: Sequence[str]) -> str:
    """What to do where names, cut at their first “_”, form a table of two or more by two or more that nothing tells
    the raters of; "" where there are none.
    """
    parts = [name.partition("_")[::2] for name in columns if "_" in name.strip("_")]
    behind: dict[str, set[str]] = {}
    for before, after in parts:
        behind.setdefault(before, set()).add(after)
    sets = list(behind.values())
    for before, after in parts:
        if sets.count(behind[before]) > 1 < len(behind[before]):
            return (
                f". If columns such as “{before}_{after}” are each of one rater and one dimension, number the "
                "raters in their names, as in R1_clarity"
            )
    return ""


def no_dimension(
    others: pd.DataFrame, measures: Sequence[str], nearly: Sequence[str], how: str = ""
) -> JudgmentFileError:
    """The error for a table none of whose `others` can be a dimension by itself: neither the `measures`, nor the
    columns that `nearly` hold numbers, of which it says so; `how` is what to do, if that is known.
    """
    if measures:
        return JudgmentFileError(
            f"row {header_row(others)}: numbers throughout are only in columns that by their names hold no scores: "
            f"{listed(measures)}; name among the dimensions which of them holds scores"
            + (f". {nearly[0]}" if nearly else "")
            + how
        )
    return JudgmentFileError(
        f"row {header_row(others)}: no column holds numbers throughout; name the dimensions, with codes for words"
        + (f". {nearly[0]}" if nearly else _words(others))
        + how
    )


def _words(others: pd.DataFrame) -> str:
    """The words of the first column that seems to hold categories."""
    for name, cells in others.items():
        words = [word for word in cells.str.strip().unique() if word]
        if 1 < len(words) <= MAX_WORDS and len(words) < len(cells):
            return f", such as those of {name}: {', '.join(words)}"
    return ""
