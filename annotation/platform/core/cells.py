"""What a cell of somebody's table, or a line of a form, may say: each rule gives the value or says what it must be.

A refusal completes a sentence that begins with the field's name: "the capacity" "must be a whole number …".
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date

from annotation.platform.core.errors import Refused

MAX_TOPIC_LENGTH = 80  # characters


def text(most: int) -> Callable[[str], str]:
    """Any text of at most `most` characters."""

    def take(cell: str) -> str:
        if len(cell) > most:
            raise Refused(f"must have {most:,} characters at most, and has {len(cell):,}")
        return cell

    return take


def one_line(most: int) -> Callable[[str], str]:
    """Text of at most `most` characters; line ends and runs of spaces become one space."""
    take = text(most)
    return lambda cell: take(" ".join(cell.split()))


def matching(pattern: str, description: str) -> Callable[[str], str]:
    """Text that fits `pattern` as a whole; `description` says in words what does."""

    def take(cell: str) -> str:
        if not re.fullmatch(pattern, cell):
            raise Refused(f"must be {description}")
        return cell

    return take


def number(most: int) -> Callable[[str], int]:
    """A whole number from 0 to `most`."""

    def take(cell: str) -> int:
        if not (cell.isdecimal() and len(cell) <= len(str(most)) and int(cell) <= most):
            raise Refused(f"must be a whole number from 0 to {most:,}")
        return int(cell)

    return take


def day(cell: str) -> date:
    """A day in the one notation that reads the same everywhere: year, month, day."""
    with suppress(ValueError):  # such as 30 February
        if re.fullmatch(r"\d{4}-\d\d-\d\d", cell):
            return date.fromisoformat(cell)
    raise Refused("must be a day written like 2026-03-31")


def topics(cell: str) -> tuple[str, ...]:
    """Short names separated by semicolons, each kept once, in their order."""
    names = dict.fromkeys(name for part in cell.split(";") if (name := " ".join(part.split())))
    if any(len(name) > MAX_TOPIC_LENGTH for name in names):
        raise Refused(f"must be separated by semicolons, each of {MAX_TOPIC_LENGTH} characters at most")
    return tuple(names)
