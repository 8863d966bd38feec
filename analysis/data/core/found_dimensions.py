"""Which columns of a file of ratings are dimensions where nobody says, and which nothing is read from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.cell_numbers import (
    GRADES,
    MARKS,
    NO_SCORES,
    NOTHING,
    RATINGS,
    have_no_rating,
    names_a_measure,
    numbers,
    plain_word,
    plain_words,
    sums_among,
    words_of,
)
from analysis.data.core.known_columns import names_something
from analysis.data.core.published_columns import known_by_layout
from analysis.data.core.rated_columns import RatedColumn, no_dimension
from analysis.data.core.rating_frame import RANK, SCORE, Doubt
from analysis.data.core.table_file import header_row, place_of
from analysis.data.core.word_scales import MAX_WORDS, codes_of_words, option, proposed_codes
from annotation.platform.core.phrases import listed

MAX_NAMED: Final = 12  # columns that nothing is read from
IF_IT_IS_ONE: Final = "name it among the dimensions, with codes, if it is one"


def found_dimensions(
    others: pd.DataFrame, *, codes: Mapping[str, float], failures: frozenset[str], doubts: list[Doubt]
) -> list[RatedColumn]:
    """Those of the `others`, columns that are of nothing known, that are numbers throughout and whose names do not
    say that they are of something else. What is nearly one goes to `doubts`.

    Raises JudgmentFileError where there are none.
    """
    found, measures, in_words = list[str](), list[str](), dict[str, np.ndarray]()
    for name in others.columns:
        cells = others[name]
        is_number, filled = numbers(cells, codes).notna(), ~have_no_rating(cells, failures)
        if (is_number & filled).sum() == filled.sum() > 0:
            if not names_a_measure(name, others.columns) and not names_something(name):
                found.append(name)
                continue
            measures.append(name)
            doubts.append(Doubt(NO_SCORES, header_row(cells), name))
        else:
            doubts.extend(_nearly(cells, is_number & filled, filled))
            if not (is_number & filled).any() and codes_of_words(words := cells[filled].str.strip().unique()):
                in_words[name] = words
    proposed = proposed_codes(in_words.values())
    if not found:
        nearly = [str(doubt) for doubt in doubts if doubt.text.endswith(IF_IT_IS_ONE)]
        raise no_dimension(
            others, measures, nearly, f". Words can be read with {option(proposed)}" if proposed else ""
        )
    if proposed and _are_on(proposed, others[found], codes):
        doubts.append(Doubt(f"words of {listed([*in_words])} can be read with {option(proposed)}"))
    doubts += sums_among(others, found, codes)
    return [RatedColumn(name, name) for name in found]


def _are_on(proposed: Mapping[str, int], columns: pd.DataFrame, codes: Mapping[str, float]) -> bool:
    """Whether numbers of other columns lie on the scale that codes of words have, which is then that of all."""
    low, high = min(proposed.values()), max(proposed.values())
    values = [numbers(columns[name], codes).dropna() for name in columns if name not in (RANK, SCORE)]
    return all(each.between(low, high).all() for each in values)


def words_in(others: pd.DataFrame) -> dict[str, int]:
    """Codes for the words of columns, where these alone may be dimensions: none of the columns is of numbers."""
    in_words = []
    for name, cells in others.items():
        filled = ~have_no_rating(cells, frozenset())
        if numbers(cells[filled], {}).notna().any():
            if not names_a_measure(str(name)) and not names_something(str(name)):
                return {}
        elif codes_of_words(words := cells[filled].str.strip().unique()):
            in_words.append(words)
    return proposed_codes(in_words)


def _nearly(cells: "pd.Series[str]", is_number: "pd.Series[bool]", filled: "pd.Series[bool]") -> Iterator[Doubt]:
    """A doubt of a column that may be a dimension: by its numbers, its words or its name."""
    if is_number.sum() * 2 >= filled.sum() > 0:
        wrong = filled & ~is_number
        yield Doubt(
            f"{cells.iloc[int(wrong.to_numpy().argmax())]!r} is no number, though {int(is_number.sum()):,} of "
            f"{int(filled.sum()):,} cells are: the column is not taken for a dimension; {IF_IT_IS_ONE}",
            *place_of(wrong, cells),
        )
    elif words := _marks(cells[filled]):
        yield Doubt(
            f"its words may be ratings: {listed(words)}; the column is not taken for a dimension; {IF_IT_IS_ONE}",
            header_row(cells),
            str(cells.name),
        )
    elif filled.any() and words_of(str(cells.name)) & RATINGS:
        yield Doubt(
            "its name says that it holds ratings, but "
            f"{'few cells are numbers' if is_number.any() else 'no cell is a number'}: nothing is read from it; "
            f"{IF_IT_IS_ONE}",
            header_row(cells),
            str(cells.name),
        )


def _marks(cells: "pd.Series[str]") -> list[str]:
    """A column's different words, if all are marks such as True and False, or grades such as Strongly agree."""
    found = list(dict.fromkeys(cells.str.strip()))
    are_grades = 1 < len(found) <= MAX_WORDS and all(
        words_of(word) & GRADES and len(word.split()) < 5 for word in found
    )
    return found if found and (are_grades or MARKS.issuperset(plain_word(word) for word in found)) else []


def given_score(table: pd.DataFrame, rated: Sequence[RatedColumn], codes: Mapping[str, float]) -> list[Doubt]:
    """A doubt where a score stands beside dimensions, and is neither their sum nor their mean."""
    others = [each.name for each in rated if each.dimension not in (RANK, SCORE)]
    given = [each.name for each in rated if each.dimension == SCORE and not each.rater]
    if not others or not given:
        return []
    values = pd.DataFrame({name: numbers(table[name], codes) for name in (*given, *others)}).dropna()
    score, total = values[given[0]], values[others].sum(axis=1)
    if any(np.allclose(score, each, atol=0.01) for each in (total, total / len(others))):
        return []
    return [
        Doubt(
            f"it is taken for the score that was given, in place of the sum of {listed(others)}, and answers are "
            "ranked by it; name it otherwise if it is a dimension like these",
            header_row(table),
            given[0],
        )
    ]


def unread(
    table: pd.DataFrame,
    columns: Mapping[str, tuple[str, ...]],
    rated: Sequence[RatedColumn],
    doubts: Sequence[Doubt],
) -> list[Doubt]:
    """One doubt of all columns that nothing is read from, that no other doubt is of and that hold anything, but for
    those that published tables have.
    """
    used = {name for own in columns.values() for name in own}
    used |= {each.name for each in rated} | {doubt.column for doubt in doubts}
    used |= known_by_layout(table.columns)
    filled = [name for name in table.columns if not plain_words(table[name]).isin(NOTHING).all()]
    found = [name for name in filled if name not in used]
    if not found:
        return []
    if len(found) > MAX_NAMED:
        found = [*found[: MAX_NAMED - 1], f"{len(found) - MAX_NAMED + 1:,} others"]
    one = len(found) == 1
    return [
        Doubt(
            f"nothing is read from the column{'' if one else 's'} {listed(found)}; say what "
            f"{'it is, if it matters' if one else 'they are, if they matter'}"
        )
    ]
