"""The first sheet of a workbook (.xlsx) as the lines of the CSV file that it would be saved as."""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.rating_frame import Doubt
from analysis.data.core.workbook_parts import Attributes, Parts, unescaped
from annotation.platform.core.phrases import counted, listed

MAX_CELLS: Final = 5_000_000  # of the smallest rectangle that holds all
MAX_COLUMNS: Final = 16_384  # a sheet has no more
TRUE: Final = ("1", "true")
DAY_0, DAY_0_OF_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001  (a sheet knows no zones)
MAX_DAYS: Final = 2_958_466  # a sheet's last day is 9999-12-31
PER_CENT: Final = frozenset((9, 10))  # of the formats that have a number alone
DATES: Final = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_PLACE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_RANGE: Final = re.compile(r"([A-Z]{1,3}\d{1,7}):([A-Z]{1,3}\d{1,7})")
_NO_FORMAT: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\[\]]*\]', re.IGNORECASE)


@dataclass
class _Sheet:
    """What is gathered of a sheet. `cells` are by row and column, from 1 on; `merged` are rectangles."""

    cells: dict[int, dict[int, str]] = field(default_factory=dict)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)


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


def lines_of_workbook(content: bytes, doubts: list[Doubt] | None) -> list[list[str]]:
    """Rows from the sheet's first on, of equal length, without those behind the last that has anything.

    A per cent is as it is shown, “85%”, a date as 2024-05-01; every cell of merged ones below the first row of the
    table has what they show. Other sheets, merged cells and hidden ones, which are read too, go to `doubts`.
    Raises JudgmentFileError for what is no workbook or too large a one, and for a formula whose value was not
    saved.
    """
    parts, said = Parts(content), list[Doubt]()
    book = _book(parts)
    sheet = _sheet(parts, book)
    if book.others:
        said.append(
            Doubt(f"the sheet “{book.name}” is read, and not {listed([f'“{name}”' for name in book.others])}")
        )
    columns = {column for cells in sheet.cells.values() for column in cells}
    for hidden, what in (
        (sheet.hidden_rows & sheet.cells.keys(), "row"),
        (sheet.hidden_columns & columns, "column"),
    ):
        if number := len(hidden):
            words = f"{counted(number, f'hidden {what}')} of the sheet {'is' if number == 1 else 'are'}"
            said.append(Doubt(f"{words} read as well"))
    _fill(sheet, said)
    if not sheet.cells:
        raise JudgmentFileError(f"the sheet “{book.name}” is empty: put the table on the first one")
    rows, width = max(sheet.cells), max(map(max, sheet.cells.values()))
    _check_area(rows * width)
    if doubts is not None:
        doubts.extend(said)
    blank = dict[int, str]()
    return [
        [cells.get(column, "") for column in range(1, width + 1)]
        for cells in (sheet.cells.get(row, blank) for row in range(1, rows + 1))
    ]


def _book(parts: Parts) -> _Book:
    found, related, sheets = _Book(), parts.related(parts.workbook), list[Attributes]()

    def begin(tag: str, attributes: Attributes) -> None:
        if tag == "sheet":
            sheets.append(attributes)
        elif tag == "workbookPr" and attributes.get("date1904") in TRUE:
            found.day_0 = DAY_0_OF_1904
        elif tag == "calcPr":
            found.computes = attributes.get("fullCalcOnLoad") in TRUE

    parts.check_size(parts.workbook)
    parts.read(parts.workbook, begin)
    of_cells = [each for each in sheets if related.get(each.get("id", ""), ("", ""))[0] == "worksheet"]
    shown = [each for each in of_cells if each.get("state", "visible") == "visible"] or of_cells
    if not shown:
        raise JudgmentFileError("the workbook has no sheet of cells: bring the table as CSV")
    found.name, found.part = shown[0]["name"], related[shown[0]["id"]][1]
    found.others = [each["name"] for each in of_cells if each is not shown[0]]
    kinds = {kind: name for kind, name in related.values() if parts.has(name)}
    parts.check_size(found.part, *(kinds[name] for name in ("sharedStrings", "styles") if name in kinds))
    if "sharedStrings" in kinds:
        found.texts = _texts(parts, kinds["sharedStrings"])
    if "styles" in kinds:
        found.kinds = _kinds(parts, kinds["styles"])
    return found


def _texts(parts: Parts, name: str) -> list[str]:
    """Texts that cells have the numbers of, without what says how they are pronounced."""
    found, phonetic = list[str](), [False]

    def begin(tag: str, _attributes: Attributes) -> None:
        if tag == "si":
            found.append("")
        elif tag == "rPh":
            phonetic[0] = True

    def end(tag: str, text: str) -> None:
        if tag == "rPh":
            phonetic[0] = False
        elif tag == "t" and found and not phonetic[0]:
            found[-1] += unescaped(text)

    parts.read(name, begin, end)
    return found


def _kinds(parts: Parts, name: str) -> dict[int, str]:
    """“date” and “per cent” by the styles of cells that are shown so."""
    formats = {**dict.fromkeys(DATES, "date"), **dict.fromkeys(PER_CENT, "per cent")}
    found, within = list[str](), [""]

    def begin(tag: str, attributes: Attributes) -> None:
        if tag in ("cellXfs", "cellStyleXfs", "dxfs"):
            within[0] = tag
        elif tag == "numFmt" and within[0] != "dxfs":
            code = _NO_FORMAT.sub("", attributes["formatCode"]).casefold()
            is_date = re.search("[dmyhs]", code) and "general" not in code
            formats[int(attributes["numFmtId"])] = "per cent" if "%" in code else "date" if is_date else ""
        elif tag == "xf" and within[0] == "cellXfs":
            found.append(formats.get(int(attributes.get("numFmtId", 0)), ""))

    parts.read(name, begin)
    return {style: kind for style, kind in enumerate(found) if kind}


def _sheet(parts: Parts, book: _Book) -> _Sheet:
    found, at, cell, value = _Sheet(), [0, 0], dict[str, str](), list[str]()
    formula = [False]

    def begin(tag: str, attributes: Attributes) -> None:
        if tag == "row":
            at[:] = int(attributes.get("r", at[0] + 1)), 0
            if attributes.get("hidden") in TRUE:
                found.hidden_rows.add(at[0])
        elif tag == "c":
            at[1] = _place(attributes["r"])[1] if "r" in attributes else at[1] + 1
            cell.clear()
            cell.update(attributes)
            value.clear()
            formula[0] = False
        elif tag == "f":
            formula[0] = True
        elif tag == "mergeCell" and (corners := _RANGE.fullmatch(attributes["ref"])):
            found.merged.append((*_place(corners[1]), *_place(corners[2])))
        elif tag == "col" and attributes.get("hidden") in TRUE:
            found.hidden_columns |= {*range(int(attributes["min"]), min(int(attributes["max"]), MAX_COLUMNS) + 1)}

    def end(tag: str, text: str) -> None:
        if tag in ("v", "t"):
            value.append(text)
        elif tag == "rPh":
            del value[-1:]
        elif tag == "c":
            shown = "".join(value)
            if formula[0] and (book.computes or (shown == "" and cell.get("t") != "str")):
                raise JudgmentFileError(
                    f"row {at[0]}, column {_letters(at[1])}: the value of its formula was not saved; open the "
                    "workbook in a spreadsheet program and save it, or save the sheet as CSV"
                )
            if text_of := _text(shown, cell, book):
                found.cells.setdefault(at[0], {})[at[1]] = text_of

    parts.read(book.part, begin, end)
    return found


def _text(shown: str, cell: Attributes, book: _Book) -> str:
    """A cell's content as CSV has it."""
    kind = cell.get("t", "n")
    if kind == "s":
        return book.texts[int(shown)]
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(shown, shown.upper())
    if kind != "n" or not shown:
        return unescaped(shown)
    number, shown_as = float(shown), book.kinds.get(int(cell.get("s", 0)), "")
    if shown_as == "per cent":
        return f"{100 * number:.15g}%"
    if shown_as == "date" and 0 <= number < MAX_DAYS:
        return _date(number, book.day_0)
    return shown if shown.isdecimal() else f"{number:.15g}"


def _date(days: float, day_0: datetime) -> str:
    found = day_0 + timedelta(seconds=round(86_400 * days))
    if days < 1:
        return found.strftime("%H:%M:%S")
    return found.strftime("%Y-%m-%d %H:%M:%S").removesuffix(" 00:00:00")


def _fill(sheet: _Sheet, doubts: list[Doubt]) -> None:
    """Every one of merged cells below the table's first row has what all of them show."""
    _check_area(sum((bottom - top + 1) * (right - left + 1) for top, left, bottom, right in sheet.merged))
    header = min(sheet.cells, default=0)
    filled = list[tuple[int, int]]()
    for top, left, bottom, right in sorted(sheet.merged):
        text = sheet.cells.get(top, {}).get(left, "")
        if top > header and text:
            for row in range(top, bottom + 1):
                sheet.cells.setdefault(row, {}).update(dict.fromkeys(range(left, right + 1), text))
            filled.append((top, left))
    if filled:
        (row, column), groups = filled[0], counted(len(filled), "group")
        words = f"{groups} of merged cells: each cell is read as having what is shown"
        doubts.append(Doubt(words, row, _letters(column)))


def _check_area(cells: int) -> None:
    if cells > MAX_CELLS:
        raise JudgmentFileError(
            f"the sheet reaches over {cells:,} cells, and {MAX_CELLS:,} at most are read: delete what stands far "
            "from the table, or save it as CSV"
        )


def _place(name: str) -> tuple[int, int]:
    """Row and column of a cell such as “B3”, from 1 on."""
    found = _PLACE.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} names no cell")
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(found[2]), column


def _letters(column: int) -> str:
    found = ""
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(ord("A") + rest) + found
    return found
