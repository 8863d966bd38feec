"""TOML that somebody brings along. What would take long to parse, or could not be kept, is refused before."""

import re
import tomllib
from typing import Any, Final

from annotation.platform.core import limits
from annotation.platform.core.errors import Refused

_LONG_QUOTES: Final = ('"""', "'''")
# Whatever structure is made of, and words too long to be a number. What stands between it is of no account.
_MARK: Final = re.compile(
    rf"""
      (?P<quote> \"\"\" | ''' | ["'] )
    | (?P<comment> \# [^\n]* )
    | (?P<opens> [\[{{] ) | (?P<closes> [\]}}] )
    | (?P<dot> \. )
    | (?P<ends> [=,\n] )
    | (?P<digits> (?<! [\w+-] ) [+-]? [0-9_]{{{limits.DIGITS + 1},}} (?! [\w-] ) )
    | (?P<word> (?<! [\w-] ) 0[xob] \w{{{limits.DIGITS},}} )
    """,
    re.VERBOSE,
)
_BEHIND_ESCAPES: Final = re.compile(r"(?:[^\\\"\n]|\\.)*+")
_BEHIND_LONG_ESCAPES: Final = re.compile(r"(?:[^\\\"]|\\.|\"(?!\"\"))*+", re.DOTALL)


class NotToml(Refused):
    """The text is no TOML, or more of it than is read; the message says what is wrong and in which line."""


def read_toml(text: str) -> dict[str, Any]:
    """What a TOML text holds. Raises `NotToml`."""
    size = len(text.encode(errors="replace"))
    if size > limits.TOML_BYTES:
        raise NotToml(f"This has {size:,} bytes, and at most {limits.TOML_BYTES:,} are read.")
    _check_structure(text)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotToml(f"This is not TOML: {error}.") from error


def _check_structure(text: str) -> None:
    """Raise `NotToml` for more depth, names, marks or digits than are read, at the first that is too many."""
    position = depth = dots = marks = 0
    while mark := _MARK.search(text, position):
        position = mark.end()
        match mark.lastgroup:
            case "quote":
                position = _behind_string(text, mark[0], position)
            case "opens":
                depth, dots = depth + 1, 0
            case "closes":
                depth, dots = max(depth - 1, 0), 0
            case "dot":
                dots += 1
            case "ends":
                dots = 0
            case "digits" | "word":
                raise _too_much(text, mark, f"a number has more than {limits.DIGITS} digits")
        marks += mark[0] != "\n" and mark.lastgroup != "comment"
        if depth > limits.TOML_DEPTH:
            raise _too_much(text, mark, f"brackets stand in brackets more than {limits.TOML_DEPTH} deep")
        if dots >= limits.TOML_NAMES:
            raise _too_much(text, mark, f"a key has more than {limits.TOML_NAMES} names with dots between them")
        if marks > limits.TOML_MARKS:
            raise _too_much(
                text, mark, f"up to here there are more than {limits.TOML_MARKS:,} keys, brackets, commas and texts"
            )


def _behind_string(text: str, quote: str, start: int) -> int:
    """Where the text goes on behind a string whose inside begins at `start`; its end where nothing closes it."""
    if quote.startswith("'"):
        end = text.find(quote, start)
        return len(text) if end < 0 else end + len(quote)
    inside = (_BEHIND_LONG_ESCAPES if quote in _LONG_QUOTES else _BEHIND_ESCAPES).match(text, start)
    return (start if inside is None else inside.end()) + len(quote)


def _too_much(text: str, mark: re.Match[str], what: str) -> NotToml:
    return NotToml(f"Line {text.count(chr(10), 0, mark.start()) + 1}: {what}.")
