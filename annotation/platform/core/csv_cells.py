"""The one way of writing CSV: every text is quoted, and a spreadsheet shows it and never runs it."""

import re
import unicodedata
from collections.abc import Iterable

# Spreadsheets run a cell that begins with one of these, in any width; some look past what cannot be seen.
_ACTIVE = frozenset("=+-@")
_BREAKING = frozenset("\t\r\n\v\f\x85\u2028\u2029")
# Letters and symbols that show nothing; other invisible characters are known by their category.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"})

# As files were written before every text was quoted.
_EARLIER_ACTIVE = re.compile(r"\A'*[=+\-@\t\r\n]")
_EARLIER_QUOTED = re.compile(r'[,"\r\n]')


class Number(str):
    """A number as it is written, or nothing. It stands without quotation marks, and may be below 0."""

    __slots__ = ()


def inert(text: str) -> str:
    """A text as it may stand in a cell. Not for numbers: one below 0 would become a text.

    Apostrophes in front are looked past: exactly one is added to every such text, and `restored` takes one away.
    """
    return f"'{text}" if _is_active(text) else text


def restored(cell: str) -> str:
    """The text that `inert` made this cell of."""
    return cell[1:] if cell.startswith("'") and _is_active(cell) else cell


def csv_line(cells: Iterable[str]) -> str:
    r"""One line of a file, with its end, `\n`. Texts are made inert, and quoted; a `Number` is neither."""
    return ",".join([cell if isinstance(cell, Number) else _quoted(inert(cell)) for cell in cells]) + "\n"


def earlier_csv_line(cells: Iterable[str]) -> str:
    """The line as earlier versions wrote it, whose sums are published or kept. Nothing is written so now."""
    return ",".join(map(_earlier, cells)) + "\n"


def _is_active(text: str) -> bool:
    if text[:1].isascii() and text[:1].isalnum():  # nearly all of them
        return False
    for character in text.lstrip("'"):
        if character in _BREAKING:
            return True
        if unicodedata.category(character) not in _INVISIBLE and character not in _BLANK:
            return unicodedata.normalize("NFKC", character)[0] in _ACTIVE
    return False


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _earlier(cell: str) -> str:
    if isinstance(cell, Number):
        return cell
    text = f"'{cell}" if _EARLIER_ACTIVE.match(cell) else cell
    return _quoted(text) if _EARLIER_QUOTED.search(text) else text
