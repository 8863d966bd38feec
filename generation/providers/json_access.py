"""Safe access to JSON of any shape: nothing here raises, whatever a server sent."""

import json
from collections.abc import Sequence
from typing import Any

# The largest whole number the database keeps.
MAX_COUNT = 2**31 - 1


def parsed(text: str) -> Any:
    """The JSON in the text; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


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
    """The whole number from 0 at the path, 0 where there is none."""
    found = at(body, *path)
    return min(found, MAX_COUNT) if isinstance(found, int) and found > 0 else 0


def items_at(body: Any, *path: str | int) -> Sequence[dict[str, Any]]:
    """The objects in the list at the path; whatever else is in it is passed over."""
    found = at(body, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
