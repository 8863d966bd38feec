"""What a writer's browser sends."""

import json
import re
from dataclasses import dataclass
from typing import Any

from annotation.writing.core import activity
from annotation.writing.core.deltas import Delta
from annotation.writing.services.drafts import MAX_CHARACTERS, Save

MAX_BYTES = 240_000  # of one save: `MAX_CHARACTERS` of the widest script, escaped
MAX_NUMBER = 2**30 - 1  # two of them together are within the database's limit
SHA256 = re.compile(r"([0-9a-f]{64})?")
WINDOW = re.compile(r"[0-9A-Za-z-]{8,64}")


class Malformed(ValueError):
    """The request is not what a page of ours sends."""


class TooLong(ValueError):
    """The text is longer than can be kept."""


@dataclass(frozen=True)
class PenRequest:
    """A browser that wants to write; `take_over`: although another one does."""

    holder: str
    take_over: bool


def save_from_json(body: bytes) -> Save:
    """Read one save; raises `Malformed` for anything else and `TooLong` for a text that cannot be kept.

    A whole text is `{"epoch": 1, "seq": 7, "text": "…"}`. A change carries what it was made from instead of the
    text: `{…, "base_seq": 6, "base_sha": "…", "at": 120, "delete": 0, "insert": "…"}`, in code points. Either may
    have `"activity"`, a list of `annotation.writing.core.activity`'s events.
    """
    sent = _object(body)
    try:
        text = _string(sent["text"]) if "text" in sent else None
        change = _change(sent) if text is None else None
        save = Save(
            epoch=_number(sent["epoch"]),
            seq=_number(sent["seq"]),
            text=text,
            change=change,
            base_seq=_number(sent.get("base_seq", 0)),
            base_sha=_hash(sent.get("base_sha", "")),
            activity=tuple(activity.read(sent.get("activity"))),
        )
    except (TypeError, KeyError) as error:
        raise Malformed("Expected an epoch, a number and a text or a change.") from error
    if text is not None and len(text) > MAX_CHARACTERS:
        raise TooLong("This text is longer than can be kept.")
    return save


def pen_from_json(body: bytes) -> PenRequest:
    """Read `{"window": "…", "take_over": false}`; raises `Malformed` for anything else."""
    sent = _object(body)
    window = sent.get("window")
    if not (isinstance(window, str) and WINDOW.fullmatch(window)):
        raise Malformed("Expected the window that wants to write.")
    return PenRequest(window, sent.get("take_over") is True)


def _change(sent: dict[str, Any]) -> Delta:
    return Delta(at=_number(sent["at"]), delete=_number(sent["delete"]), insert=_string(sent["insert"]))


def _object(body: bytes) -> dict[str, Any]:
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed("Expected JSON.") from error
    if not isinstance(sent, dict):
        raise Malformed("Expected an object.")
    return sent


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MAX_NUMBER:
        raise TypeError
    return value


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _hash(value: object) -> str:
    text = _string(value)
    if not SHA256.fullmatch(text):
        raise TypeError
    return text
