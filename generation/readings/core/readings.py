"""What a reader is asked about one text, and the strict reading of its reply."""

from dataclasses import dataclass
from typing import Any, Final

from annotation.platform.core.text import clean
from generation.calls.core.json_replies import Unreadable, check_keys, read_json
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.providers.core.json_schemas import object_of

VERDICTS: Final = {"no": 0, "perhaps": 1, "probably": 2, "surely": 3}
"""How surely a text gives its source away, as the scan grades what it finds."""

# The quotation and the reason come first: what is written first is thought of first.
READING_SCHEMA: Final[dict[str, Any]] = object_of(
    {
        "quote": {"type": "string"},
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": list(VERDICTS)},
    }
)

_FORMAT: Final = """\
Reply with this JSON object and nothing else, each … replaced:

{"quote": "…", "reason": "…", "verdict": "…"}

The quote is the passage that gives most away, letter by letter as it stands in the text, at most a sentence; it \
is empty if none does. The reason says in one or two sentences what decides. The verdict is “surely”, “probably”, \
“perhaps” or “no”; it is “no” exactly if the quote is empty."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How surely (0 to 3, see `VERDICTS`) a text gives its source away, where, and why."""

    verdict: int
    quote: str
    reason: str


def reading_request(template: PromptTemplate, text: str) -> str:
    """The request's text. Nothing in it says where the text is from."""
    materials = fenced_materials({"text": text}, asking_for="a verdict")
    return template.fill(materials=materials, reply_format=_FORMAT)


def read_reading(reply: str, text: str) -> Reading:
    """What a reply says of `text`. Raises `Unreadable`, also where it quotes what does not stand there."""
    said = read_json(reply)
    check_keys(said, ("quote", "reason", "verdict"))
    quote, reason = _words(said, "quote"), _words(said, "reason")
    if not isinstance(said["verdict"], str) or said["verdict"] not in VERDICTS:
        raise Unreadable("The reply gives no verdict.")
    verdict = VERDICTS[said["verdict"]]
    if not reason:
        raise Unreadable("The reply gives no reason.")
    if bool(quote) != bool(verdict):
        raise Unreadable(
            "The reply contradicts itself: it quotes where nothing leaks, or does not where something does."
        )
    if quote not in text:
        raise Unreadable("The reply quotes what does not stand in the text.")
    return Reading(verdict, quote, reason)


def _words(said: dict[str, Any], name: str) -> str:
    value = said[name]
    if not isinstance(value, str):
        raise Unreadable(f"The {name} is no text.")
    return clean(value).strip()
