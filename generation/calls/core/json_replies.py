"""Strict reading of replies that are to be one JSON object: what was asked for, or nothing. Nothing is guessed."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from annotation.platform.core.limits import REPLY_CHARACTERS
from annotation.platform.core.text import clean


class Unreadable(ValueError):
    """The reply is not of the shape asked for. The message says what is wrong and quotes nothing."""


def read_json(text: str) -> Any:
    """What the reply holds, with white space around it at most. Raises `Unreadable`."""
    if len(text) > REPLY_CHARACTERS:
        raise Unreadable(f"The reply has more than {REPLY_CHARACTERS:,} characters.")
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        raise Unreadable("The reply is not JSON.") from None


def check_keys(reply: Any, keys: Collection[str]) -> None:
    """Raise `Unreadable` unless the reply is an object with exactly these properties."""
    if not isinstance(reply, Mapping):
        raise Unreadable("The reply is JSON of another shape than asked for.")
    if missing := [key for key in keys if key not in reply]:
        raise Unreadable(f"The reply lacks {', '.join(missing)}.")
    if len(reply) > len(keys):
        raise Unreadable("The reply holds more than was asked for.")


def read_flag(reply: Mapping[str, Any], name: str) -> bool:
    """Raises `Unreadable` unless the property is true or false."""
    value = reply[name]
    if not isinstance(value, bool):
        raise Unreadable(f"The reply says neither true nor false of {name}.")
    return value


def read_reason(reply: Mapping[str, Any]) -> str:
    """The reply's property “reason”. Raises `Unreadable` unless that is a text."""
    value = reply["reason"]
    reason = clean(value).strip() if isinstance(value, str) else ""
    if not reason:
        raise Unreadable("The reply gives no reason.")
    return reason


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unreadable("The reply says a thing twice.")
    return found


def _no_number(_constant: str) -> None:
    raise Unreadable("The reply holds a number that is not one.")
