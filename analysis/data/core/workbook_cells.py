"""The cells of a workbook's sheet: where they stand, and what they hold."""

import csv
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Final

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.workbook_parts import MAX_UNPACKED, check_unpacked

MAX_CELLS: Final = 5_000_000  # of the smallest rectangle that holds all
MAX_ROWS: Final = 1_048_576  # a sheet has no more
MAX_COLUMNS: Final = 16_384
DAY_0, DAY_0_OF_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001  (a sheet knows no zones)
# Spreadsheets count a 29th of February 1900, which there was not.
END_OF_FEBRUARY_1900: Final = datetime(1900, 2, 28)  # noqa: DTZ001
END_OF_DAYS: Final = datetime(9999, 12, 31, 23, 59, 59)  # noqa: DTZ001
NO_VALUE: Final = (
    "the value of its formula was not saved; open the workbook in a spreadsheet program and save it, or save the "
    "sheet as CSV"
)
NO_TEXT: Final = "it has a sign that no text has, such as a control character; delete it"
_PLACE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_WHOLE: Final = re.compile(r"[0-9]{1,10}")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ENDS_OF_LINES: Final = re.compile("[\x0b\x0c]")  # within a cell, as other programs end lines
_IN_NO_TEXT: Final = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # by XML 1.0


class Unread(str):
    """Stands for a cell that cannot be read; `why` says so, and begins with the column."""

    __slots__ = ("why",)
    why: str

    @classmethod
    @cache
    def of(cls, column: int, why: str) -> "Unread":
        """One for all such cells of a column."""
        found = cls("(cannot be read)")
        found.why = f"column {letters(column)}: {why}"
        return found


class Grid:
    """The texts of cells, by row and column, from 1 on; the `width` is of the widest row."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.width = 0
        self._characters = 0

    def get(self, row: int, column: int) -> str:
        """ "" where there is nothing."""
        line = self.rows[row - 1] if row <= len(self.rows) else []
        return line[column - 1] if column <= len(line) else ""

    def put(self, row: int, column: int, text: str) -> None:
        """Raises JudgmentFileError where the sheet becomes too large by it."""
        if row > len(self.rows) or column > self.width:
            height, self.width = max(row, len(self.rows)), max(column, self.width)
            check_area(height * self.width)
            self.rows.extend([] for _ in range(height - len(self.rows)))
        self._characters += len(text)
        if self._characters > MAX_UNPACKED:
            check_unpacked(self._characters)
        line = self.rows[row - 1]
        if column > len(line):
            line.extend([""] * (column - len(line) - 1))
            line.append(text)
        else:
            line[column - 1] = text


def check_area(cells: int) -> None:
    """Raises JudgmentFileError for more cells than are read."""
    if cells > MAX_CELLS:
        raise JudgmentFileError(
            f"the sheet reaches over {cells:,} cells, and {MAX_CELLS:,} at most are read: delete what stands far "
            "from the table, or save it as CSV"
        )


def place(name: str) -> tuple[int, int]:
    """Row and column of a cell such as “B3”, from 1 on. Raises ValueError for what names none."""
    found = _PLACE.fullmatch(name)
    column = 0
    for letter in found[1] if found else "":
        column = 26 * column + ord(letter) - ord("A") + 1
    row = int(found[2]) if found else 0
    if not (1 <= row <= MAX_ROWS and 1 <= column <= MAX_COLUMNS):
        raise ValueError(f"{name[:20]!r} names no cell of a sheet")
    return row, column


def rectangle(name: str) -> tuple[int, int, int, int]:
    """The first row and column, then the last ones, of cells such as “A1:B3”. Raises ValueError for what names
    none, or not from the upper left to the lower right.
    """
    first, _, last = name.partition(":")
    (top, left), (bottom, right) = place(first), place(last or first)
    if top > bottom or left > right:
        raise ValueError(f"{name!r} does not begin at its upper left cell")
    return top, left, bottom, right


def whole(text: str, what: str) -> int:
    """A number from 0 on. Raises ValueError for what is none."""
    if _WHOLE.fullmatch(text.strip()) is None:
        raise ValueError(f"{text[:20]!r} is no {what}")
    return int(text)


def letters(column: int) -> str:
    """What a spreadsheet program calls a column, from 1 on."""
    found = ""
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(ord("A") + rest) + found
    return found


def text_of(shown: str, kind: str, shown_as: str, day_0: datetime, texts: Sequence[str]) -> str:
    """What a table has of a cell that holds `shown`, which is of this `kind`, such as "s" for the number of one of
    the `texts`, "b" for truth, "n" for a number, and `shown_as` a “date” or a “per cent”.

    Raises ValueError for what no cell of this kind holds.
    """
    if kind in ("s", "b", "n") and not (shown := shown.strip()):
        return ""
    if kind == "s":
        number = whole(shown, "number of a text")
        if number >= len(texts):
            raise ValueError(f"there is no text with the number {number}")
        return texts[number]
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(shown, shown.upper())
    return _number(shown, shown_as, day_0) if kind == "n" else shown


def fault_of(text: str) -> str:
    """Why no table has a text in a cell; "" where it may."""
    if len(text) > csv.field_size_limit():
        return f"it has more than {csv.field_size_limit():,} characters"
    return NO_TEXT if _IN_NO_TEXT.search(text) else ""


def unescaped(text: str) -> str:
    """A text whose control characters a workbook writes as `_x000D_`. It may have some that no text has."""
    if "_x" not in text:
        return text
    return _ENDS_OF_LINES.sub("\n", _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text))


def number_of(shown: str) -> float:
    """Raises ValueError for what a workbook has for no number."""
    found = float(shown) if _NUMBER.fullmatch(shown) else float("inf")
    if abs(found) == float("inf"):
        raise ValueError(f"{shown[:20]!r} is no number")
    return found


def _number(shown: str, shown_as: str, day_0: datetime) -> str:
    number = number_of(shown)
    if shown_as == "per cent":
        return f"{100 * number:.15g}%"
    if shown_as == "date" and 0 <= number <= (END_OF_DAYS - day_0) / timedelta(days=1):
        return _date(number, day_0)
    return shown if shown.isdecimal() else f"{number:.15g}"


def _date(days: float, day_0: datetime) -> str:
    found = day_0 + timedelta(seconds=round(86_400 * days))
    if found - day_0 >= timedelta(days=1) and found < END_OF_FEBRUARY_1900:
        found += timedelta(days=1)
    if found - day_0 < timedelta(days=1):
        return found.strftime("%H:%M:%S")
    return found.strftime("%Y-%m-%d %H:%M:%S").removesuffix(" 00:00:00")
