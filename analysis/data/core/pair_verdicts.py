"""Verdicts on two answers as people, spreadsheets and judge models write them: 1 for the first, 0 for the second,
½ for a tie.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

import pandas as pd

from analysis.data.core.cell_numbers import have_no_rating, plain_word, plain_words
from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.rating_frame import Doubt
from analysis.data.core.table_file import place_of, where
from annotation.platform.core.phrases import listed

# What is called A and B, or 1 and 2; sources before texts, where a file has both.
OF_TWO: Final = ("model", "system", "assistant", "option", "answer", "output", "response")
WORDS: Final[Mapping[str, float]] = {
    **dict.fromkeys(("first", "win", "won", "left", "a", "1", "a>b", "a>>b", "b<a", "b<<a"), 1.0),
    **dict.fromkeys((f"{thing} {one}" for thing in OF_TWO for one in "a1"), 1.0),
    **dict.fromkeys(("second", "loss", "lose", "lost", "right", "b", "2", "-1", "b>a", "b>>a", "a<b", "a<<b"), 0.0),
    **dict.fromkeys((f"{thing} {other}" for thing in OF_TWO for other in "b2"), 0.0),
    **dict.fromkeys(("tie", "tied", "draw", "equal", "same", "both", "neither", "0", "a=b", "b=a"), 0.5),
    **dict.fromkeys(("bothbad", "both bad", "both good", "tie (bothbad)", "tie (both bad)", "0.5"), 0.5),
    **dict.fromkeys(("about the same", "the same", "equally good", "equally bad", "no preference"), 0.5),
}
NUMBERS: Final[tuple[str, ...]] = ("1", "-1", "2", "0", "0.5")  # among them, in the order in which they are told of
HALF, ZERO, BESIDE_A_TIE_AT_0 = "0.5", "0", frozenset(("2", "-1"))
ROLES: Final = ((1.0, "the first", " answer"), (0.0, "the second", " answer"), (0.5, "a tie", ""))
# As judge models are asked to say it: [[A]].
_AROUND: Final = re.compile(r"\[\[(?P<verdict>[a-c])\]\]")
_BEHIND: Final = re.compile(r" (?:(?:is|was) (?:better|preferred)|wins|won)\Z")
_NUMBER: Final = re.compile(r"[-+]?(?:\d{1,3}(?:[.,]\d{0,3})?|[.,]\d{1,3})")
CODES: Final = (
    "give verdicts codes, 1 for the first answer, 0 for the second, 0.5 for a tie, as in better=1,worse=0"
)


def verdicts(
    columns: Mapping[str, "pd.Series[str]"],
    first: "pd.Series[str]",
    second: "pd.Series[str]",
    *,
    codes: Mapping[str, float],
    failures: frozenset[str],
    doubts: list[Doubt],
) -> dict[str, "pd.Series[float]"]:
    """The verdicts of columns by their names, NaN where there is none; a cell may also have the name of the answer
    that was preferred. What numbers stand for goes to `doubts`: it is told by all columns together.

    Raises JudgmentFileError, naming row and column, for what is no verdict, and for numbers that may be meant in
    several ways.
    """
    exact = {plain_word(word): value for word, value in codes.items()}
    own = {_as_known(word): value for word, value in exact.items()} | exact
    known = {name: _known(cells, own) for name, cells in columns.items()}
    values = {**WORDS, **_numbers(columns, known, own, doubts), **own}
    return {
        name: _read(cells, known[name], values, first, second, is_none=have_no_rating(cells, failures, codes))
        for name, cells in columns.items()
    }


def _known(cells: "pd.Series[str]", own: Mapping[str, float]) -> "pd.Series[str]":
    """The words as the codes have them, or else as WORDS have."""
    words = plain_words(cells)
    return words.map({word: word if word in own else _as_known(word) for word in words.unique()})


def _as_known(word: str) -> str:
    """A verdict as WORDS have it, whatever stands around it and between its words."""
    if found := _AROUND.fullmatch(word):
        return found["verdict"].replace("c", "tie")
    if word == "½":
        return HALF
    if _NUMBER.fullmatch(word):
        return f"{float(word.replace(',', '.')) + 0:g}"  # +0 for -0 as well
    spaced = re.sub(r"[\s_]+", " ", word)
    return _BEHIND.sub("", re.sub(r" ?([<>=]+) ?", r"\1", spaced))


def _numbers(
    columns: Mapping[str, "pd.Series[str]"],
    known: Mapping[str, "pd.Series[str]"],
    own: Mapping[str, float],
    doubts: list[Doubt],
) -> dict[str, float]:
    """What the numbers stand for that have no code: 0 the second answer beside a tie, and a tie beside the second.
    Raises JudgmentFileError where it may be either, and where halves, of which 0 is the second, stand beside 2 or
    −1, of which 0 is the tie.
    """
    words = {word for each in known.values() for word in each}
    numbers = [word for word in NUMBERS if word in words and word not in own]
    if not numbers:
        return {}

    def place(word: str) -> tuple["pd.Series[bool]", "pd.Series[str]"]:
        return next((each == word, columns[name]) for name, each in known.items() if (each == word).any())

    others = words & BESIDE_A_TIE_AT_0
    if HALF in numbers and others:
        wrong, cells = place(HALF)
        raise JudgmentFileError(
            f"{where(wrong, str(cells.name))}: 0.5 stands beside {listed(sorted(others))}, so that 0 may be the "
            f"second answer or a tie; {CODES}"
        )
    besides = {({**WORDS, **own}).get(word) for word in words if word != ZERO}
    if ZERO in numbers and (0.5 in besides) == (0.0 in besides):
        wrong, cells = place(ZERO)
        raise JudgmentFileError(
            f"{where(wrong, str(cells.name))}: 0 may be the second answer or a tie, and "
            f"{'both have other words' if 0.5 in besides else 'no other verdict tells'}; say which by a code, 0=0 "
            "for the second, 0=0.5 for a tie"
        )
    found = {word: 0.0 if word == ZERO and 0.5 in besides else WORDS[word] for word in numbers}
    told = ", ".join(_roles(found))
    earliest = min(numbers, key=lambda word: int(place(word)[0].to_numpy().argmax()))
    doubts.append(
        Doubt(
            f"verdicts are numbers, of which {told}; give codes if they say otherwise", *place_of(*place(earliest))
        )
    )
    return found


def _roles(numbers: Mapping[str, float]) -> Iterator[str]:
    """“1 is the first answer”, “0 the second”, “0.5 a tie”."""
    is_first = True
    for value, role, noun in ROLES:
        if which := listed([word for word, stands_for in numbers.items() if stands_for == value]):
            yield f"{which} is {role}{noun}" if is_first else f"{which} {role}"
            is_first = False


def _read(
    cells: "pd.Series[str]",
    known: "pd.Series[str]",
    values: Mapping[str, float],
    first: "pd.Series[str]",
    second: "pd.Series[str]",
    *,
    is_none: "pd.Series[bool]",
) -> "pd.Series[float]":
    words = plain_words(cells)
    value = known.map(dict(values)).astype(float)
    for own, other, is_own in ((first, second, 1.0), (second, first, 0.0)):
        is_named = (words == plain_words(own)) & (plain_words(own) != plain_words(other))
        if (wrong := is_named & known.isin(values) & (value != is_own)).any():
            cell = cells.iloc[int(wrong.to_numpy().argmax())]
            raise JudgmentFileError(
                f"{where(wrong, str(cells.name))}: {cell!r} may be the answer of this name, or stand for the "
                "other one; write first, second or tie"
            )
        value = value.where(~is_named, is_own)
    if (wrong := value.isna() & ~is_none).any():
        cell = cells.iloc[int(wrong.to_numpy().argmax())]
        raise JudgmentFileError(
            f"{where(wrong, str(cells.name))}: {cell!r} is no verdict, nor a code for one: {CODES}"
        )
    if (wrong := ~value.isin((0.0, 0.5, 1.0)) & ~is_none).any():
        raise JudgmentFileError(f"{where(wrong, str(cells.name))}: {CODES}")
    return value.where(~is_none)
