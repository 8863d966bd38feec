"""The first sheet of a workbook (.xlsx) as the lines of a table."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from typing import Final

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.rating_frame import Doubt
from analysis.data.core.workbook_cells import (
    DAY_0,
    DAY_0_OF_1904,
    MAX_COLUMNS,
    MAX_ROWS,
    NO_VALUE,
    Grid,
    Unread,
    check_area,
    fault_of,
    letters,
    number_of,
    place,
    rectangle,
    text_of,
    unescaped,
    whole,
)
from analysis.data.core.workbook_parts import MAX_LISTED, Attributes, Parts
from annotation.platform.core.phrases import counted, listed

TRUE: Final = ("1", "true")
MAX_STYLES: Final = 1_000_000  # elements of the part that has them
PER_CENT: Final = frozenset((9, 10))  # of the formats that have a number alone
DATES: Final = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_NO_FORMAT: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\[\]]*\]', re.IGNORECASE)


@dataclass
class _Book:
    """`kinds` has “date” and “per cent” by style; `computes` says that formulas are left to whoever opens it."""

    name: str = ""
    part: str = ""
    others: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    kinds: dict[int, str] = field(default_factory=dict)
    day_0: datetime = DAY_0
    computes: bool = False


def lines_of_workbook(content: bytes, doubts: list[Doubt]) -> list[list[str]]:
    """Rows from the sheet's first on, of equal length, without those behind the last that has anything.

    Numbers are at full precision, those in a format of per cents as “85%”, of dates as 2024-05-01; every cell of
    merged ones below the first row of the table has what they show. Other sheets, merged cells and hidden ones,
    which are read too, go to `doubts`. A formula whose value was not saved, or a text that is none, is `Unread`.
    Raises JudgmentFileError for what is no workbook or too large a one.
    """
    parts = Parts(content)
    book = _book(parts)
    sheet = _Sheet(book)
    parts.read(book.part, sheet.begin, sheet.end)
    if book.others:
        others = listed([f"“{name}”" for name in book.others])
        doubts.append(Doubt(f"the sheet “{book.name}” is read, and not {others}"))
    doubts.extend(sheet.doubts())
    sheet.fill(doubts)
    rows, width = sheet.grid.rows, sheet.grid.width
    if not rows:
        raise JudgmentFileError(f"the sheet “{book.name}” is empty: put the table on the first one")
    for line in rows:
        line.extend([""] * (width - len(line)))
    return rows


def check_read(lines: list[list[str]], first: int = 1) -> list[list[str]]:
    """The lines of a workbook from its `first` row on. Raises JudgmentFileError for a cell that cannot be read."""
    for row, line in enumerate(lines, first):
        for cell in line:
            if isinstance(cell, Unread):
                raise JudgmentFileError(f"row {row}, {cell.why}")
    return lines


def _book(parts: Parts) -> _Book:
    found, related, sheets = _Book(), parts.related(parts.workbook), list[Attributes]()

    def begin(tag: str, attributes: Attributes) -> None:
        if tag == "sheet":
            sheets.append(attributes)
        elif tag == "workbookPr" and attributes.get("date1904") in TRUE:
            found.day_0 = DAY_0_OF_1904
        elif tag == "calcPr":
            found.computes = attributes.get("fullCalcOnLoad") in TRUE

    parts.read(parts.workbook, begin, most=MAX_LISTED)
    of_cells = [each for each in sheets if related.get(each.get("id", ""), ("", ""))[0] == "worksheet"]
    shown = [each for each in of_cells if each.get("state", "visible") == "visible"] or of_cells
    if not shown:
        raise JudgmentFileError("the workbook has no sheet of cells: bring the table as CSV")
    found.name, found.part = shown[0].get("name", ""), related[shown[0]["id"]][1]
    found.others = [each.get("name", "") for each in of_cells if each is not shown[0]]
    kinds = {kind: name for kind, name in related.values() if parts.has(name)}
    if "sharedStrings" in kinds:
        found.texts = _texts(parts, kinds["sharedStrings"])
    if "styles" in kinds:
        found.kinds = _kinds(parts, kinds["styles"])
    return found


class _Runs:
    """The runs of a text, without what says how they are pronounced."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._is_phonetic = False

    def begin(self, tag: str) -> None:
        if tag == "rPh":
            self._is_phonetic = True

    def end(self, tag: str, text: str) -> None:
        if tag == "rPh":
            self._is_phonetic = False
        elif tag in ("t", "v") and text and not self._is_phonetic:
            self.texts.append(unescaped(text))

    def taken(self) -> str:
        """The whole text; another one begins."""
        found = "".join(self.texts)
        self.texts.clear()
        self._is_phonetic = False
        return found


def _texts(parts: Parts, name: str) -> list[str]:
    """Texts that cells have the numbers of."""
    found, runs = list[str](), _Runs()

    def end(tag: str, text: str) -> None:
        runs.end(tag, text)
        if tag == "si":
            found.append(runs.taken())

    parts.read(name, lambda tag, _attributes: runs.begin(tag), end)
    return found


def _kinds(parts: Parts, name: str) -> dict[int, str]:
    """“date” and “per cent” by the styles of cells whose formats say so."""
    formats = {**dict.fromkeys(DATES, "date"), **dict.fromkeys(PER_CENT, "per cent")}
    found, within = list[str](), ""

    def begin(tag: str, attributes: Attributes) -> None:
        nonlocal within
        if tag in ("cellXfs", "cellStyleXfs", "dxfs"):
            within = tag
        elif tag == "numFmt" and within != "dxfs":
            code = _NO_FORMAT.sub("", attributes["formatCode"]).casefold()
            is_date = re.search("[dmyhs]", code) and "general" not in code
            kind = "per cent" if "%" in code else "date" if is_date else ""
            formats[whole(attributes["numFmtId"], "number of a format")] = kind
        elif tag == "xf" and within == "cellXfs":
            found.append(formats.get(whole(attributes.get("numFmtId", "0"), "number of a format"), ""))

    parts.read(name, begin, most=MAX_STYLES)
    return {style: kind for style, kind in enumerate(found) if kind}


class _Sheet:
    """What is gathered of a sheet while it is read."""

    def __init__(self, book: _Book) -> None:
        self.grid = Grid()
        self._book = book
        self._row = self._column = 0
        self._row_is_numbered = self._has_formula = False
        self._cell: Attributes | None = None  # that is being read
        self._runs = _Runs()
        self._merged: list[tuple[int, int, int, int]] = []
        self._area = self._cells = 0
        self._hidden_rows: set[int] = set()
        # By how many more ranges of hidden columns a column is in than the one before it.
        self._hidden = [0] * (MAX_COLUMNS + 2)
        self._recomputed: list[tuple[int, int]] = []  # the first formula that is to be computed anew

    def begin(self, tag: str, attributes: Attributes) -> None:
        if tag == "c":
            self._begin_cell(attributes)
        elif tag == "row":
            self._begin_row(attributes)
        elif tag == "f":
            self._has_formula = True
        elif tag == "rPh":
            self._runs.begin(tag)
        elif tag == "mergeCell":
            self._merge(rectangle(attributes["ref"]))
        elif tag == "col" and attributes.get("hidden") in TRUE:
            first, last = (whole(attributes[name], "number of a column") for name in ("min", "max"))
            if 1 <= first <= last:
                self._hidden[min(first, MAX_COLUMNS + 1)] += 1
                self._hidden[min(last, MAX_COLUMNS) + 1] -= 1

    def end(self, tag: str, text: str) -> None:
        if self._cell is None:
            return
        if tag != "c":
            self._runs.end(tag, text)
            return
        cell, self._cell = self._cell, None
        try:
            found = self._text(cell, self._runs.taken())
        except ValueError as error:
            raise JudgmentFileError(f"{self._place}: the cell is none that can be read: {error}") from error
        if found:
            if self.grid.get(self._row, self._column):
                raise JudgmentFileError(f"{self._place}: two cells of the sheet stand there")
            self.grid.put(self._row, self._column, found)

    @property
    def _place(self) -> str:
        return f"row {self._row}, column {letters(self._column)}"

    def _begin_row(self, attributes: Attributes) -> None:
        number = attributes.get("r")
        self._row = self._row + 1 if number is None else whole(number, "number of a row")
        self._column, self._row_is_numbered = 0, number is not None
        if not 1 <= self._row <= MAX_ROWS:
            raise ValueError(f"a sheet has no row {self._row}")
        if attributes.get("hidden") in TRUE:
            self._hidden_rows.add(self._row)

    def _begin_cell(self, attributes: Attributes) -> None:
        self._cells += 1
        check_area(self._cells)
        self._cell, self._has_formula = attributes, False
        if (name := attributes.get("r")) is None:
            self._column += 1
        else:
            row, self._column = place(name)
            if row != self._row and self._row_is_numbered:
                raise ValueError(f"the cell {name} stands in row {self._row}")
            self._row = row
        if not self._row or self._column > MAX_COLUMNS:
            raise ValueError(f"a cell stands behind the last column of row {self._row}, or in no row")

    def _text(self, cell: Attributes, shown: str) -> str:
        """Raises ValueError."""
        kind, style = cell.get("t", "n"), whole(cell.get("s", "0"), "number of a style")
        if self._has_formula:
            if kind != "str" and not shown.strip():
                return Unread.of(self._column, NO_VALUE)
            if self._book.computes:
                # What programs write that compute nothing.
                if kind == "n" and number_of(shown.strip()) == 0:
                    return Unread.of(self._column, NO_VALUE)
                self._recomputed = self._recomputed or [(self._row, self._column)]
        found = text_of(shown, kind, self._book.kinds.get(style, ""), self._book.day_0, self._book.texts)
        fault = "" if kind == "n" else fault_of(found)
        return Unread.of(self._column, fault) if fault else found

    def _merge(self, cells: tuple[int, int, int, int]) -> None:
        top, left, bottom, right = cells
        if (area := (bottom - top + 1) * (right - left + 1)) > 1:
            self._area += area
            check_area(self._area)
            self._merged.append(cells)

    def doubts(self) -> Iterator[Doubt]:
        """What is read though nobody sees it, or though somebody may see something else."""
        rows = sum(any(self.grid.rows[row - 1]) for row in self._hidden_rows if row <= len(self.grid.rows))
        hidden = [*accumulate(self._hidden)]
        used = {place for line in self.grid.rows for place, text in enumerate(line, 1) if text}
        columns = sum(hidden[column] > 0 for column in used)
        for number, what in ((rows, "row"), (columns, "column")):
            if number:
                words = f"{counted(number, f'hidden {what}')} of the sheet {'is' if number == 1 else 'are'}"
                yield Doubt(f"{words} read as well")
        for row, column in self._recomputed:
            words = "the value of a formula that was saved is read, though all are to be computed anew"
            yield Doubt(words, row, letters(column))

    def fill(self, doubts: list[Doubt]) -> None:
        """Every one of merged cells below the table's first row has what all of them show."""
        header = next((row for row, line in enumerate(self.grid.rows, 1) if any(line)), 0)
        filled = list[tuple[int, int]]()
        for top, left, bottom, right in sorted(self._merged):
            text = self.grid.get(top, left)
            if top > header and text:
                for row in range(top, bottom + 1):
                    for column in range(left, right + 1):
                        self.grid.put(row, column, text)
                filled.append((top, left))
        if filled:
            (row, column), groups = filled[0], counted(len(filled), "group")
            words = f"{groups} of merged cells: each cell is read as having what is shown"
            doubts.append(Doubt(words, row, letters(column)))
