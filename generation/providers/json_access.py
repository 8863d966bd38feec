"""Safe access to JSON of any shape: nothing here raises, whatever a server sent."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

# The largest whole number the database keeps.
MAX_COUNT = 2**31 - 1
# What precedes the usage in the bodies of all wire formats; text within a string has its quotation marks escaped.
_USAGE = re.compile(r'(?<!\\)"(usage|usageMetadata)"\s{0,9}:\s{0,9}(?=\{)')


def parsed(text: str) -> Any:
    """The JSON in the text; None where it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def stated_usage(text: str) -> Any:
    """What a text that is no JSON, because it broke off or something stands around it, says of usage, as an object;
    empty where it says nothing whole.
    """
    found: dict[str, Any] = {}
    for name in _USAGE.finditer(text):
        with suppress(ValueError, RecursionError):
            found[name[1]] = json.JSONDecoder().raw_decode(text, name.end())[0]
    return found


def at(body: Any, *path: str | int) -> Any:
    """What lies at the path of keys and positions, None where it leads nowhere."""
    for step in path:
        if isinstance(body, dict) and isinstance(step, str):
            body = body.get(step)
        elif isinstance(body, list) and isinstance(step, int) and step < len(body):
            body = body[step]
        else:
            return None
    return body


def text_at(body: Any, *path: str | int) -> str:
    """The text at the path, "" where there is none."""
    found = at(body, *path)
    return found if isinstance(found, str) else ""


def count_at(body: Any, *path: str | int) -> int:
    """The whole number from 0 at the path, 0 where there is none. Some servers write it as 12.0."""
    found = at(body, *path)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found < float("inf"):
        return 0
    return int(min(found, MAX_COUNT))


def together(*counts: int) -> int:
    """The sum of the counts, as far as the database keeps it."""
    return min(sum(counts), MAX_COUNT)


def items_at(body: Any, *path: str | int) -> Sequence[dict[str, Any]]:
    """The objects in the list at the path; whatever else is in it is passed over."""
    found = at(body, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
