"""Tables that people bring along, as CSV or JSON Lines: read, mapped to fields, and every fault named by its line.

Nothing here raises over what a file contains. Cells are cleaned as every text is that enters.
"""

import codecs
import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from annotation.platform.core import limits
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.core.text import clean

MAX_BYTES: Final = limits.TABLE_BYTES
MAX_ROWS: Final = limits.TABLE_ROWS
MAX_COLUMNS: Final = limits.TABLE_COLUMNS
MAX_NAME_LENGTH: Final = limits.COLUMN_NAME_CHARACTERS
LINES_OF_A_ROW: Final = 10  # on average at most, as cells may hold several

UTF_16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
FIRST_COLUMN: Final = "column 1"  # what the first is called where the table gives it no name
AROUND: Final = 40  # characters shown on each side of what could not be read
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")  # in no table, and in every compressed file

BAD_QUOTES = (
    "a cell that begins with a quotation mark does not end with one, so nothing from here on was read; double the "
    "marks within a cell"
)
NO_OBJECT = 'this is not one JSON object in a line, such as {"text": "…"}'


@dataclass(frozen=True)
class Problem:
    """What is wrong with a line, counted from 1 as editors count; without a line, with the table as a whole.

    `file` is named where it is another one than that which is read.
    """

    text: str
    line: int | None = None
    file: str = ""

    def __str__(self) -> str:
        place = ", ".join(filter(None, (self.file, f"line {self.line}" if self.line else "")))
        return f"{place}: {self.text}" if place else self.text


@dataclass(frozen=True)
class Row:
    """Cells by column, as written where the row begins. A column that the row does not have is left out."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True)
class Table:
    """What could be read. Without `columns` nothing could; `text` is empty where it could not even be decoded.

    `guessed` names the encoding that it was read by where it is not UTF-8, and `doubtful` are the lines, with their
    numbers, whose letters another encoding would read otherwise.
    """

    text: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    problems: tuple[Problem, ...] = ()
    guessed: str = ""

    @property
    def doubtful(self) -> list[tuple[int, str]]:
        lines = enumerate(self.text.splitlines(), start=1) if self.guessed else ()
        return [(number, line) for number, line in lines if not line.isascii()]

    def line(self, number: int) -> str:
        """A line as it was brought; empty where there is none of that number."""
        lines = self.text.splitlines()
        return lines[number - 1] if 0 < number <= len(lines) else ""


@dataclass(frozen=True)
class Field:
    """Something a column can hold: `take` turns a cell that is not empty into a value, or raises `Refused`.

    `also` are names by which columns of this kind go, besides the field's own.
    """

    name: str
    label: str
    take: Callable[[str], Any]
    is_required: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class ParsedRow:
    """Values by field, of those cells that hold something."""

    line: int
    values: Mapping[str, Any]


Found = TypeVar("Found")


@dataclass(frozen=True)
class Examined(Generic[Found]):
    """What rows mean, given what is there already. `known` counts those that say nothing new."""

    found: tuple[Found, ...]
    known: int
    problems: tuple[Problem, ...]


ZIP: Final = b"PK\x03\x04"  # how one begins, and so a workbook
# How files begin that are often chosen for a table or a text and are neither.
_NO_TEXT: Final = (
    (ZIP, "an Excel workbook, a Word document or another packed file"),
    (b"\xd0\xcf\x11\xe0", "an older Excel workbook or Word document"),
    (b"%PDF-", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)


def no_text(data: bytes) -> str:
    """What a file is that is no text, in words, as far as its first bytes tell; empty where they do not."""
    return next((what for mark, what in _NO_TEXT if data.startswith(mark)), "")


def _no_table(data: bytes) -> str:
    """Why such a file can hold no table; empty where it may."""
    what = no_text(data)
    return (
        f"This is {what}, not a table in a text. In a spreadsheet, save the table as “CSV UTF-8”." if what else ""
    )


def read(
    data: bytes,
    *,
    max_bytes: int = MAX_BYTES,
    max_rows: int = MAX_ROWS,
    guesses_encoding: bool = False,
    keeps_nested: bool = False,
) -> Table:
    """The table in a file: CSV with commas, semicolons or tabs and names in its first line, or JSON Lines.
    The first column of CSV may lack a name.

    One that is not UTF-8 is refused, unless somebody will look at what was guessed: then it is read as spreadsheets
    in Western Europe write it. `keeps_nested` takes lists and objects of JSON Lines as the JSON that they are.
    """
    if refused := _too_much(data, max_bytes, max_rows) or _no_table(data):
        return _unreadable(refused)
    guessed = ""
    try:
        text = data.decode("utf-8-sig").replace("\0", "")
    except UnicodeDecodeError as error:
        guessed, text = _guess(data) if guesses_encoding else ("", "")
        if not guessed:
            return _unreadable(f"{not_utf_8(data, error)} In a spreadsheet, save the table as “CSV UTF-8”.")
    if not text.strip():
        return _unreadable("There is nothing in it.", text)
    is_json = text.lstrip()[0] in "{["
    columns, rows, problems = _json_lines(text, max_rows, keeps_nested) if is_json else _csv(text, max_rows)
    if fault := _fault(columns, rows, max_rows):
        return _unreadable(fault, text)
    if not rows and not problems:
        return _unreadable("There are names of columns and nothing below them.", text)
    return Table(text, tuple(columns), tuple(rows), tuple(problems), guessed)


def not_utf_8(data: bytes, fault: UnicodeDecodeError) -> str:
    """The message that a file is not UTF-8, with the line where it shows and how that reads in another encoding."""
    line = data.count(b"\n", 0, fault.start) + 1
    return f"Line {line} is not UTF-8 text. {as_western(data, fault)}."


def as_western(data: bytes, fault: UnicodeDecodeError) -> str:
    """How the text about the first byte that is not UTF-8 reads in the usual encoding of Western Europe.

    UTF-16 would read as nonsense there, so that it is named instead.
    """
    if data[:2] in UTF_16_MARKS:
        return "It begins as text in UTF-16 does"
    start = data.rfind(b"\n", 0, fault.start) + 1
    end = data.find(b"\n", fault.end)
    line = data[start : end if end >= 0 else len(data)].decode("cp1252", errors="replace")
    here = fault.start - start
    shown = line[max(0, here - AROUND) : here + AROUND].strip()
    return f"Read as Windows-1252 (Latin-1) it says “{shown}”"


def _guess(data: bytes) -> tuple[str, str]:
    """The encoding that a text which is not UTF-8 may have, and the text; empty where it is no text at all."""
    name, codec = ("UTF-16", "utf-16") if data[:2] in UTF_16_MARKS else ("Windows-1252 (Latin-1)", "cp1252")
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return "", ""
    return (name, text) if _CONTROL.search(text) is None else ("", "")


def _too_much(data: bytes, max_bytes: int, max_rows: int) -> str:
    """Why so much is not even decoded; empty where it is."""
    if len(data) > max_bytes:
        return f"This is larger than {max_bytes // 1000:,} kB. Bring it in several parts."
    ends_of_lines = max(data.count(b"\n"), data.count(b"\r"))
    return _too_many(max_rows) if ends_of_lines > max_rows * LINES_OF_A_ROW else ""


def _unreadable(why: str, text: str = "") -> Table:
    return Table(text, problems=(Problem(why),))


def _fault(columns: Sequence[str], rows: Collection[Row], max_rows: int) -> str:
    """Why the table cannot be used as a whole; empty where it can."""
    if len(rows) > max_rows:
        return _too_many(max_rows)
    if len(columns) > MAX_COLUMNS:
        return f"There are {len(columns)} columns, and at most {MAX_COLUMNS} can be read."
    seen = set()
    for number, name in enumerate(columns, start=1):
        if not name:
            return f"Column {number} has no name. Give it one in the first line."
        if len(name) > MAX_NAME_LENGTH:
            return (
                f"The name of column {number} has more than {MAX_NAME_LENGTH} characters: does the first line name "
                "the columns?"
            )
        if name.casefold() in seen:
            return f"Two columns have the name “{name}”."
        seen.add(name.casefold())
    return ""


def _too_many(max_rows: int) -> str:
    return f"There are more than {max_rows:,} lines. Bring them in several parts."


Read = tuple[list[str], list[Row], list[Problem]]


def _csv(text: str, max_rows: int) -> Read:
    columns: list[str] = []
    rows, problems = [], []
    records = csv.reader(
        io.StringIO(text, newline=""), delimiter=_delimiter(text), skipinitialspace=True, strict=True
    )
    line = 1
    try:
        for record in records:
            cells, begins, line = _without_empty_end(record, len(columns)), line, records.line_num + 1
            if not any(cells):
                continue
            if not columns:
                # Data frames are written with the numbers of their rows first, under no name.
                columns = [cells[0] or FIRST_COLUMN, *cells[1:]]
            elif len(cells) == len(columns):
                rows.append(Row(begins, dict(zip(columns, cells, strict=True))))
            else:
                named = counted(len(columns), "column")
                problems.append(
                    Problem(f"{counted(len(cells), 'cell')}, where the first line names {named}", begins)
                )
            if len(columns) > MAX_COLUMNS or len(rows) + len(problems) > max_rows:
                break
    except csv.Error:
        problems.append(Problem(BAD_QUOTES, line))
    return columns, rows, problems


def _delimiter(text: str) -> str:
    """Whatever parts the first line into most cells; a comma where nothing does."""
    first = io.StringIO(text.lstrip("\r\n "), newline="").readline()[: MAX_COLUMNS * MAX_NAME_LENGTH]
    return max(",;\t", key=lambda mark: len(next(csv.reader([first], delimiter=mark))))


def _without_empty_end(record: Sequence[str], fewest: int) -> list[str]:
    """Cleaned cells. Spreadsheets fill lines up with empty cells; those beyond the named columns are left out."""
    most = max(fewest, MAX_COLUMNS) + 1
    cells = [clean(cell).strip() for cell in record[:most]]
    cells += map(str.strip, record[most:])
    while len(cells) > fewest and not cells[-1]:
        cells.pop()
    return cells


def _json_lines(text: str, max_rows: int, keeps_nested: bool) -> Read:
    rows: list[Row] = []
    problems: list[Problem] = []
    for number, line in enumerate(io.StringIO(text), start=1):
        if not line.strip():
            continue
        if len(rows) + len(problems) > max_rows:
            break
        try:
            cells = _object(line, keeps_nested)
        except Refused as refusal:
            problems.append(Problem(str(refusal), number))
            continue
        if cells:
            rows.append(Row(number, cells))
    columns = dict.fromkeys(name for row in rows for name in row.cells)
    return list(columns), rows, problems


def _object(line: str, keeps_nested: bool) -> dict[str, str]:
    try:
        # Numbers stay as they are written.
        found = json.loads(line, object_pairs_hook=_pairs, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        raise Refused(NO_OBJECT) from None
    if not isinstance(found, dict):
        raise Refused(NO_OBJECT)
    return {name: _cell(name, value, keeps_nested) for name, value in found.items()}


def _pairs(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for written, value in pairs:
        name = clean(written).strip()
        if name in found:
            raise Refused(f"“{name}” is given twice")
        found[name] = value
    return found


def _cell(name: str, value: Any, keeps_nested: bool) -> str:
    if value is None:
        return ""
    if keeps_nested and isinstance(value, (list, dict)):
        return clean(json.dumps(value, ensure_ascii=False)).strip()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        value = "; ".join(value)
    if not isinstance(value, str):
        raise Refused(f"“{name}” is neither a text, a number nor a list of texts")
    return clean(value).strip()


def suggest(columns: Iterable[str], fields: Iterable[Field]) -> dict[str, str]:
    """Field → the column that goes by its name, whatever the case and punctuation; each column serves one field."""
    by_name = {_plain(column): column for column in reversed([*columns])}
    found = {}
    for field in fields:
        names = map(_plain, (field.name, field.label, *field.also))
        if column := next((by_name.pop(name) for name in names if name in by_name), None):
            found[field.name] = column
    return found


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def take(
    rows: Iterable[Row], fields: Sequence[Field], mapping: Mapping[str, str]
) -> tuple[list[ParsedRow], list[Problem]]:
    """The rows that have what each field asks for, and what is wrong with the others.

    `mapping` is field → column; a field without one stays empty in every line.
    """
    lines, problems = [], []
    for row in rows:
        values, faults = {}, []
        for field in fields:
            cell = row.cells.get(mapping.get(field.name, ""), "")
            try:
                if cell:
                    values[field.name] = field.take(cell)
                elif field.is_required:
                    faults.append(Problem(f"nothing is given for the {field.label.lower()}", row.line))
            except Refused as refusal:
                faults.append(Problem(f"the {field.label.lower()} {refusal}", row.line))
        problems += faults
        if not faults:
            lines.append(ParsedRow(row.line, values))
    return lines, problems
