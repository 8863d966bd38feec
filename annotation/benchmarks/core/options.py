"""What a question's options are and which of them is right, as tables of other people say it."""

import ast
import json
import re
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import listed as in_one_line
from annotation.platform.core.text import clean

MAX_OPTIONS: Final = 26
BY_WORDS: Final = "by words"
BY_LETTER: Final = "by letter"
FROM_1: Final = "by number, counted from 1"
FROM_0: Final = "by number, counted from 0"
BY_NONE: Final = "not among the options"
CHARACTERS: Final = 20_000  # of a list in one cell
_COLUMN: Final = re.compile(
    r"(option|opt|choice|answer|ans|candidate|ending|)[\W_]{0,3}(\d{1,2}|[a-z])", re.IGNORECASE | re.ASCII
)
_MARK: Final = re.compile(
    r"\(?(?:(?:option|opt|choice|answer|ans)[ _]?)?(?:([a-z])|(\d{1,2})(?:\.0)?)[).]?", re.IGNORECASE | re.ASCII
)
# Spreadsheets and data frames may write whole numbers with a point.
_NUMBER: Final = re.compile(r"(\d{1,2})(?:\.0)?", re.ASCII)
_WORDS: Final = ("text", "label", "value", "content")


def options_in(cell: str) -> tuple[str, ...]:
    """The options that one cell holds: as a list or an object in JSON, or a list as Python writes it; else on lines
    of their own or, in one line, separated by semicolons, or by upright strokes where there are none. Empty ones
    count: others keep their number.
    """
    listed = _listed(cell)
    if listed is not None:
        return listed
    mark = next((mark for mark in "\n;|" if mark in cell), ";")
    return tuple(part.strip() for part in cell.split(mark))


def one_text(cell: str) -> str:
    """A text that may stand in a list of JSON, or in an object with one, such as {"text": ["…"]}; several are
    separated by semicolons. Raises `Refused` for objects of other things, whose parts nobody would tell apart.
    """
    parts = _object(cell)
    if parts is None or any(isinstance(parts.get(name), list) for name in _WORDS):
        listed = _listed(cell) if cell[:1] in ("[", "{") else None
        return "; ".join(listed) if listed else cell
    raise Refused(
        f"holds an object with {in_one_line([f'“{name}”' for name in parts])}: give each a column of its own"
    )


def options_cell(options: Sequence[str]) -> str | list[str]:
    """What a file has for these, so that they are read as they are: a line for each, or a list where lines would be
    read otherwise.
    """
    lines = "\n".join(options)
    return lines if options_in(lines) == tuple(options) else list(options)


def option_columns(columns: Iterable[str]) -> list[str]:
    """Columns that hold an option each, such as A to D, option_1 to option_4 or answerA to answerC, in their order;
    none where there are not two that follow upon each other from the first.
    """
    found: dict[str, dict[int, str]] = {}
    for column in columns:
        if match := _COLUMN.fullmatch(column.strip()):
            stem, mark = match[1].casefold(), match[2].casefold()
            if stem or not mark.isdecimal():
                kind = "number" if mark.isdecimal() else "letter"
                number = int(mark) if mark.isdecimal() else _option_number(mark)
                found.setdefault(f"{stem} {kind}", {})[number] = column
    for by_number in found.values():
        first = min(by_number)
        if (
            first in (0, 1)
            and len(by_number) > 1
            and sorted(by_number) == list(range(first, first + len(by_number)))
        ):
            return [by_number[number] for number in sorted(by_number)]
    return []


def joined(cells: Mapping[str, str], columns: Sequence[str]) -> str:
    """One cell for the options of several; a row may have fewer than there are columns."""
    options = [cells.get(column, "") for column in columns]
    while options and not options[-1]:
        options.pop()
    return json.dumps(options, ensure_ascii=False) if options else ""


def gold_option(gold: str, options: Sequence[str]) -> int | None:
    """The number of the option that `gold` means, from 1: by its words, else its letter, else its number."""
    plain = [_plain(option) for option in options]
    if (words := _plain(gold)) in plain:
        return plain.index(words) + 1
    mark = _MARK.fullmatch(gold.strip())
    if mark is None:
        return None
    number = _option_number(mark[1]) if mark[1] else int(mark[2])
    return number if 1 <= number <= len(options) else None


def way_to_name(gold: str, options: Sequence[str]) -> str:
    """How `gold` means the option that `gold_option` finds."""
    if _plain(gold) in map(_plain, options):
        return BY_WORDS
    if gold_option(gold, options) is None:
        return BY_NONE
    mark = _MARK.fullmatch(gold.strip())
    return BY_LETTER if mark and mark[1] else FROM_1


def with_letter(gold: str, place: int) -> str:
    """A right answer that is named by its letter, such as “(b)”, with that of the option at `place`, from 0."""
    match = _MARK.fullmatch(gold.strip())
    if match is None or not match[1]:
        raise ValueError(f"{gold} has no letter.")
    letter = chr(ord("A" if match[1].isupper() else "a") + place)
    return gold.strip()[: match.start(1)] + letter + gold.strip()[match.end(1) :]


def count_from_0(golds: Collection[tuple[str, Sequence[str]]]) -> bool:
    """Whether right answers, each with its options, are numbers of options counted from 0: most are numbers, and
    more of them are 0 than the number of the last option, where neither is an option's words. A few that are wrong
    turn nobody else's right answer into another one.
    """
    numbers = [(whole_number(gold), gold, options) for gold, options in golds]
    strange = [(number, len(options)) for number, gold, options in numbers if gold not in options]
    zeros, lasts = sum(number == 0 for number, _ in strange), sum(number == most for number, most in strange)
    are_numbers = 2 * sum(number is not None for number, _, _ in numbers) > len(numbers)
    return are_numbers and zeros > lasts


def whole_number(cell: str) -> int | None:
    """A whole number of at most two digits; None where the cell is not one."""
    match = _NUMBER.fullmatch(cell)
    return int(match[1]) if match else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _option_number(letter: str) -> int:
    return ord(letter.casefold()) - ord("a") + 1


def _object(cell: str) -> dict[str, Any] | None:
    """None where the cell is not a JSON object."""
    if len(cell) > CHARACTERS or cell[:1] != "{" or cell[-1:] != "}":
        return None
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _listed(cell: str) -> tuple[str, ...] | None:
    """None where the cell is no list."""
    if len(cell) > CHARACTERS or cell[:1] not in "[{" or cell[-1:] not in "]}":
        return None
    try:
        found = json.loads(cell, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        found = _as_python_writes(cell)
    if isinstance(found, dict):
        # As {"text": […], "label": […]}, or {"A": "…", "B": "…"}.
        lists = [found[name] for name in _WORDS if isinstance(found.get(name), list)]
        found = lists[0] if lists else list(found.values())
    if not isinstance(found, list):
        return None
    words = [_words(each) for each in found]
    return tuple(word for word in words if word is not None) if words and None not in words else None


def _as_python_writes(cell: str) -> Any:
    """A list of several texts, in single quotes. One text alone may be several that were written without commas."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = ast.literal_eval(cell)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return found if isinstance(found, list) and len(found) > 1 else None


def _words(option: Any) -> str | None:
    """The words of an option that is a text, or an object with one, such as {"label": "A", "text": "…"}."""
    if isinstance(option, dict):
        option = next((option[name] for name in _WORDS if isinstance(option.get(name), str)), None)
    return " ".join(clean(option).split()) if isinstance(option, str) else None
