"""What providers' errors mean, as far as they agree."""

import re
from typing import Any, Final

from generation.providers.base import Outcome, Reply
from generation.providers.json_access import at, items_at, parsed, text_at

RETRYABLE_STATUSES = frozenset({408, 409, 425, 429})
ACCOUNT_STATUSES = frozenset({401, 402, 403})
# Anthropic puts the field before its words, and vLLM prints what its own check found.
_BEFORE_THE_WORDS: Final = re.compile(r"([a-z_]{1,60}(?:[.\[]\w{1,60}\]?){0,9}): ")
_PRINTED: Final = re.compile(r"'loc': \('body', ([^()]{1,200})\)")


def is_fault(status: int | None) -> bool:
    """Whether the status alone says that this is no answer."""
    return status is not None and not 200 <= status < 300


def by_status(status: int | None) -> Outcome:
    """What an error means whose body says nothing more. One without a status may pass."""
    if status is None or status in RETRYABLE_STATUSES or status >= 500:
        return Outcome.RETRYABLE
    return Outcome.FINAL_ACCOUNT if status in ACCOUNT_STATUSES else Outcome.FINAL_REQUEST


def fault(outcome: Outcome, status: int | None, code: str, body: Any) -> Reply:
    """A reply that quotes the server: its status, its code, the field it names, in quotes, and its words."""
    inner = _handed_on(body)
    field = field_of(body) or field_of(inner)
    words = ": ".join(filter(None, (text.removeprefix(f"{field}: ") for text in (said(body), said(inner)))))
    codes = [f"HTTP {status}" if is_fault(status) else "", "" if code == str(status) else code]
    codes.append(f"“{field}”" if field else "")
    source = ", ".join(filter(None, codes)) or "The provider"
    return Reply(outcome, detail=f"{source}: {words or 'no words'}")


def said(body: Any) -> str:
    """The server's own words about an error, in whichever of the usual places they are."""
    places = (
        ("error", "message"),
        ("error", "error", "message"),
        (0, "error", "message"),
        ("error",),
        ("message",),
        ("detail",),
        ("detail", 0, "msg"),
        ("message", "detail", 0, "msg"),
        ("message", 0, "msg"),
    )
    return next(filter(None, (text_at(body, *place) for place in places)), "")


def field_of(body: Any) -> str:
    """The field of the request that an error is about, "" where it names none."""
    for listed in (("detail",), ("message", "detail"), ("message",)):
        where = at(body, *listed, 0, "loc")
        if isinstance(where, list):
            return ".".join(str(part) for part in where if part != "body")
    named = text_at(body, "error", "param") or text_at(body, "param")
    if named:
        return named
    details = items_at(body, "error", "details") or items_at(body, 0, "error", "details")
    violations = (at(each, "fieldViolations", 0, "field") for each in details)
    return next((field for field in violations if isinstance(field, str)), "") or _field_in_words(body)


def _handed_on(body: Any) -> Any:
    """What the server of a model said whom a gateway asked, as the gateway hands it on; None where there is none.

    It only explains: whose account or limit it speaks of is not known, so no outcome follows from it.
    """
    raw = at(body, "error", "metadata", "raw")
    if not isinstance(raw, str):
        return raw
    inner = parsed(raw)
    return inner if isinstance(inner, dict | list) else {"message": raw}


def _field_in_words(body: Any) -> str:
    if printed := _PRINTED.search(said(body)):
        return ".".join(part.strip(" '") for part in printed[1].split(",") if part.strip())
    named = _BEFORE_THE_WORDS.match(said(body)) if text_at(body, "type") == "error" else None
    return named[1] if named else ""


def code_at(body: Any, *path: str | int) -> str:
    """A code that some servers send as text and others as a number."""
    found = at(body, *path)
    return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""
