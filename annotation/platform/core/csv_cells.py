"""Cells of the CSV files that people open in a spreadsheet: a text stays a text there and is never run."""

import re
from collections.abc import Iterable

# Spreadsheets run a cell that begins with one of these. Apostrophes in front are matched too: `inert` adds exactly
# one to every such text, and `restored` takes exactly one away.
_ACTIVE = re.compile(r"'*[=+\-@\t\r\n]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r\n]")
_NEEDS_QUOTES = re.compile(r'[,"\r\n]')


def inert(text: str) -> str:
    """A text as it may stand in a cell. Not for numbers: one below 0 would become a text."""
    return f"'{text}" if _ACTIVE.match(text) else text


def restored(cell: str) -> str:
    """The text that `inert` made this cell of."""
    return cell[1:] if _ESCAPED.match(cell) else cell


def csv_line(cells: Iterable[str]) -> str:
    r"""One line of a file, with its end, `\n`."""
    return ",".join(map(_quoted, cells)) + "\n"


def _quoted(cell: str) -> str:
    # Written out because the standard writer quotes a lone carriage return on some Python versions only.
    return '"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell
