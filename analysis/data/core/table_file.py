"""The cells of files of ratings, as spreadsheets and other programs write them."""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import pandas as pd

from analysis.data.core.judgment_frame import FIRST_ROW, JudgmentFileError
from analysis.data.core.rating_frame import Doubt
from analysis.data.core.workbook import check_read, lines_of_workbook
from analysis.data.core.workbook_cells import Unread
from annotation.platform.core.csv_cells import restored
from annotation.platform.core.table_import import ZIP

_SEPARATORS: Final = ",;\t|"
# Files that are brought in place of a table, by how they begin and end, and how to get a table from them. Names of
# columns may begin with PAR1 or a bracket, too.
_OTHER_FORMATS: Final = (
    (b"\xd0\xcf\x11\xe0", b"", "an older workbook, or one with a password", "save it without one, as .xlsx or CSV"),
    (b"%PDF-", b"", "a PDF", "bring the table that it was made from"),
    (b"\x1f\x8b", b"", "a compressed file", "unpack it first"),
    (b"PAR1", b"PAR1", "a Parquet file", "write its table as CSV"),
    (b"{", b"}", "JSON", "write a row for every rating, as CSV"),
    (b"[", b"]", "JSON", "write a row for every rating, as CSV"),
)
_NAMED_SEPARATOR: Final = re.compile(r"\A\ufeff?\"?sep=([,;\t|])\"?\r?\n", re.IGNORECASE)

_HEADER: Final = "header row"
_IMPORT_ID: Final = re.compile(r"""\{\s?["']ImportId["']""")  # as Qualtrics has it


@dataclass(frozen=True)
class Cells:
    """The cells of a table, and what was doubtful in reading them; `unread` has by column, where it has a cell that
    cannot be read, which is the first and why.
    """

    table: pd.DataFrame
    unread: Mapping[str, str]
    doubts: tuple[Doubt, ...]

    def without(self, ignored: frozenset[str]) -> pd.DataFrame:
        """The table without these columns. Raises JudgmentFileError where another one has a cell that cannot be
        read.
        """
        kept = self.table.drop(columns=[*ignored.intersection(self.table.columns)])
        if wrong := [self.unread[name] for name in kept.columns if name in self.unread]:
            raise JudgmentFileError(f"{wrong[0]}; or leave the column out, if nothing is to be read from it")
        return kept


def read_table(
    content: bytes, *, ignored: frozenset[str] = frozenset(), doubts: list[Doubt] | None = None
) -> pd.DataFrame:
    """The table of `read_cells`, without the columns that are to be ignored; what was doubtful goes to `doubts`.

    Raises JudgmentFileError also for a cell of another column that cannot be read.
    """
    cells = read_cells(content)
    if doubts is not None:
        doubts.extend(cells.doubts)
    return cells.without(ignored)


def read_cells(content: bytes) -> Cells:
    """The cells of a CSV file, separated by commas, semicolons, tabs or bars, or of the first sheet of a workbook
    (.xlsx), as they stand. `header_row` tells where the names of columns are.

    CSV is in UTF-8, or in what spreadsheets write beside it: UTF-16 with its mark, or Windows-1252, which is
    doubtful. Their line that names the separator, and rows and columns without anything behind the last, do not
    count. Raises JudgmentFileError for what is no table.
    """
    doubts = list[Doubt]()
    is_workbook = content.startswith(ZIP)
    if is_workbook:
        lines, named, separator = lines_of_workbook(content, doubts), False, ""
    else:
        lines, named, separator = _lines_of_text(content, doubts)
    above = next((place for place, line in enumerate(lines) if any(map(str.strip, line))), len(lines))
    lines = lines[above:]
    while lines and not any(lines[-1]):
        lines.pop()
    # What stands in front of the header is a row of the file.
    header = 1 + named + above
    if len(lines) < FIRST_ROW:
        raise JudgmentFileError(
            f"row {header + 1}: there is none, only the names of the columns" if lines else "the file is empty"
        )
    check_read(lines[:1], header)
    lines = _without_blank_ends(lines, doubts)
    names = [restored(cell).strip() for cell in lines[0]]
    _check_names(names, header)
    # Blank rows do not count, but those behind them keep their numbers.
    rows = {number: line for number, line in enumerate(lines[1:], header + 1) if any(map(str.strip, line))}
    rows = _without_a_tools_own(rows, doubts)
    for number, line in rows.items():
        if len(line) != len(names):
            raise JudgmentFileError(
                f"row {number}: {len(line)} cells under {len(names)} columns; a cell with {separator!r} in it "
                "stands in quotation marks"
            )
    unread = _unread(names, rows) if is_workbook else {}
    found = pd.DataFrame(list(rows.values()), columns=names, dtype="str")
    found.attrs[_HEADER] = header
    return Cells(found.set_axis([number - FIRST_ROW for number in rows]), unread, tuple(doubts))


def _unread(names: list[str], rows: Mapping[int, list[str]]) -> dict[str, str]:
    """By column the first cell that cannot be read, and why; plain texts take their places in the rows."""
    found = dict[str, str]()
    for number, line in rows.items():
        for place, cell in enumerate(line):
            if isinstance(cell, Unread):
                found.setdefault(names[place], f"row {number}, {cell.why}")
                line[place] = str(cell)
    return found


def _lines_of_text(content: bytes, doubts: list[Doubt]) -> tuple[list[list[str]], bool, str]:
    """The lines of a CSV file, whether one that names the separator stood above them, and the separator."""
    for beginning, end, what, instead in _OTHER_FORMATS:
        if content.startswith(beginning) and content.rstrip().endswith(end):
            raise JudgmentFileError(f"the file is {what}, not CSV: {instead}")
    try:
        text = _decoded(content, doubts)
        named = _NAMED_SEPARATOR.match(text)
        first = text.partition("\n")[0]
        separator = named[1] if named else max(_SEPARATORS, key=first.count)
        body = io.StringIO(text[named.end() :] if named else text, newline="")
        return list(csv.reader(body, delimiter=separator, strict=True)), bool(named), separator
    except csv.Error as error:
        if len(text) > csv.field_size_limit() and "field larger" in str(error):
            raise JudgmentFileError(
                f"a cell has more than {csv.field_size_limit():,} characters: look for a quotation mark that is "
                "not closed, or leave out the column of long texts"
            ) from error
        raise JudgmentFileError(f"the file is not CSV in UTF-8: {error}") from error
    except UnicodeDecodeError as error:
        raise JudgmentFileError(f"the file is not CSV in UTF-8: {error}") from error


def _without_blank_ends(lines: list[list[str]], doubts: list[Doubt]) -> list[list[str]]:
    """The lines without columns at either end that have neither a name nor anything else, and without one in front
    that has no name and counts the rows, as programs write it beside a table.
    """
    for end, kept in ((-1, slice(None, -1)), (0, slice(1, None))):
        while lines[0] and not lines[0][end].strip():
            whole = [line for line in lines if len(line) == len(lines[0])]
            below = [line[end] for line in whole[1:]]
            counts = end == 0 and below in ([str(n + first) for n in range(len(below))] for first in (0, 1))
            if any(below) and not counts:
                break
            if any(below):
                doubts.append(Doubt("the first column, which has no name, counts the rows, and is left out"))
            lines = [line[kept] if len(line) == len(lines[0]) else line for line in lines]
    return lines


def _without_a_tools_own(rows: dict[int, list[str]], doubts: list[Doubt]) -> dict[int, list[str]]:
    """The rows without those that a survey tool puts under the names of columns: questions, then its ids."""
    first = list(rows)[:2]
    of_ids = [
        place
        for place, number in enumerate(first)
        if all(_IMPORT_ID.match(cell) for cell in filter(None, map(str.strip, rows[number])))
    ]
    if not of_ids:
        return rows
    own = first[: of_ids[0] + 1]
    which = f"rows {own[0]} and {own[1]} are" if len(own) > 1 else f"row {own[0]} is"
    doubts.append(Doubt(f"{which} the survey tool’s own, with questions and ids, and no ratings"))
    return {number: line for number, line in rows.items() if number not in own}


def _check_names(names: list[str], header: int) -> None:
    for place, name in enumerate(names, 1):
        if not name:
            raise JudgmentFileError(
                f"row {header}, column {place} from the left: it has no name, but column names are filled in and "
                "occur once; where titles stand above it, or names take two rows, write one, such as R1_clarity"
            )
        if (first := names.index(name) + 1) != place:
            raise JudgmentFileError(
                f"row {header}, column {name!r}: so are columns {first} and {place} from the left called, but "
                "column names are filled in and occur once; name one of them otherwise"
            )


def _decoded(content: bytes, doubts: list[Doubt]) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = content.decode("utf-16")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252")
            doubts.append(Doubt("the file is not UTF-8, and read as Windows-1252: look at letters with accents"))
    if "\0" in text:
        raise JudgmentFileError("the file is no text: there are zero bytes in it; save it as CSV in UTF-8")
    return text


def unnamed(ours: str, words: str, table: pd.DataFrame, *, hint: str = "") -> JudgmentFileError:
    """The error that no column is known to name what we call `ours`, which is so in words, with the columns there
    are.
    """
    return JudgmentFileError(
        f"row {header_row(table)}: no column is known to name {words} ({ours}); say which does: {_quoted(table)}"
        f"{hint}"
    )


def absent(names: Iterable[str], table: pd.DataFrame, *, what: str = "column") -> JudgmentFileError:
    """The error that columns somebody named are not there, with those that are."""
    missing = ", ".join(f"“{name}”" for name in dict.fromkeys(names) if name not in table.columns)
    return JudgmentFileError(f"row {header_row(table)}: no {what} is called {missing}; there are {_quoted(table)}")


def _quoted(table: pd.DataFrame) -> str:
    return ", ".join(f"“{name}”" for name in table.columns)


def header_row(table: "pd.DataFrame | pd.Series[str]") -> int:
    """The row that names the columns of a table that was read, or of a part of it; 1 where nothing tells."""
    return int(table.attrs.get(_HEADER, 1))


def where(wrong: "pd.Series[bool]", column: str) -> str:
    """The first of the rows, and the column, in words."""
    return f"row {_row(wrong)}, column {column}"


def place_of(wrong: "pd.Series[bool]", cells: "pd.Series[str]") -> tuple[int, str]:
    """The first of the rows, and the column."""
    return _row(wrong), str(cells.name)


def _row(wrong: "pd.Series[bool]") -> int:
    """The first, as a spreadsheet numbers it; the index has the rows' numbers, from 0 on."""
    return int(wrong.index[int(wrong.to_numpy().argmax())]) + FIRST_ROW
