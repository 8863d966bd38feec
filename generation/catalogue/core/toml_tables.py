"""Reading the tables of versioned files strictly: known names alone, and every fault said in words."""

import re
from collections.abc import Mapping
from typing import Any, Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean

MAX_KEY_LENGTH: Final = 40  # characters
TEXT_LENGTH: Final = 2_000  # characters
_IDENTIFIER: Final = re.compile(r"[a-z][a-z0-9_]*")


def check_names(table: Any, names: tuple[str, ...], where: str, *, optional: tuple[str, ...] = ()) -> None:
    """Raise `Refused` unless it is a table that has all `names`, and nothing beside them but what is optional."""
    if not isinstance(table, Mapping):
        raise Refused(f"What should be {where} is no table.")
    if missing := [name for name in names if name not in table]:
        raise Refused(f"“{missing[0]}” is missing in {where}.")
    if unknown := sorted(set(table) - set(names) - set(optional)):
        raise Refused(f"Nothing is called “{unknown[0]}” in {where}.")


def identifier(value: Any) -> str:
    """Raises `Refused` for what is no key."""
    if not isinstance(value, str) or len(value) > MAX_KEY_LENGTH or not _IDENTIFIER.fullmatch(value):
        raise Refused(f"A key is up to {MAX_KEY_LENGTH} small letters, digits and underscores, a letter first.")
    return value


def text_of(table: Mapping[str, Any], name: str, *, may_be_empty: bool = False) -> str:
    """The text under a name, cleaned. Raises `Refused`."""
    value = table[name]
    text = clean(value).strip() if isinstance(value, str) else None
    if text is None or len(text) > TEXT_LENGTH or not (text or may_be_empty):
        raise Refused(f"“{name}” is a text of up to {TEXT_LENGTH:,} characters.")
    return text


def whole_number(table: Mapping[str, Any], name: str, most: int) -> int:
    """The number from 1 to `most` under a name. Raises `Refused`."""
    value = table[name]
    if type(value) is not int or not 1 <= value <= most:
        raise Refused(f"“{name}” is a whole number from 1 to {most:,}.")
    return value
