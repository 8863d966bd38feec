"""What a writer's browser sends."""

import json
from dataclasses import dataclass

MOST_BYTES = 200_000  # of one save: far more than anybody writes by hand
LARGEST_NUMBER = 2**30  # far below the database's limit, so that there is always a next one


class Malformed(ValueError):
    """The request is not what a page of ours sends."""


@dataclass(frozen=True)
class Save:
    """A text with its place in the order of saves: the pen's epoch, then the number within it."""

    epoch: int
    seq: int
    text: str


def save_from_json(body: bytes) -> Save:
    """Read `{"epoch": 1, "seq": 7, "text": "…"}`; raises `Malformed` for anything else."""
    try:
        sent = json.loads(body)
        return Save(epoch=_number(sent["epoch"]), seq=_number(sent["seq"]), text=_string(sent["text"]))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Malformed("Expected an epoch, a number and a text.") from error


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise TypeError
    return value


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
