"""Concepts that models propose from a document: the request, and the strict reading of its reply.

A passage that does not stand in the document word for word is kept as it came, for somebody to see and to mend: no
concept is stored before every quotation was found.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotation.platform.core.limits import QUOTATIONS
from annotation.platform.core.text import clean
from generation.calls.core.json_replies import Unreadable, check_keys, read_json
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.providers.core.json_schemas import object_of
from generation.sources.core.concepts import MAX_CITATION_LENGTH, MAX_NAME_LENGTH, MAX_QUOTE_LENGTH
from generation.sources.core.table_sources import MAX_TEXT_LENGTH

TEMPLATE: Final = "concept_proposals"
USUAL: Final = 12  # concepts asked for, of each document
MAX_CONCEPTS: Final = 30
EXPECTED_TOKENS: Final = 200  # of a concept with its passages

_TEXT: Final[dict[str, Any]] = {"type": "string"}
_QUOTE: Final = object_of({"text": _TEXT, "citation": _TEXT})
_CONCEPT: Final = object_of(
    {"theme": _TEXT, "name": _TEXT, "interpretation": _TEXT, "quotes": {"type": "array", "items": _QUOTE}}
)

_FORMAT: Final = """\
Reply with this JSON object and nothing else, each … replaced, with as many concepts and quotes as there are:

{"concepts": [{"theme": "…", "name": "…", "interpretation": "…", "quotes": [{"text": "…", "citation": "…"}]}]}

Where the document has no such concept, reply {"concepts": []}."""


@dataclass(frozen=True, slots=True)
class ProposedQuote:
    """Words that are said to stand in the document; `citation`, where in it, may be empty."""

    text: str
    citation: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A concept as a model proposes it. `theme` may be empty; there is at least one quotation."""

    theme: str
    name: str
    interpretation: str
    quotes: tuple[ProposedQuote, ...]


def proposals_schema(number: int) -> dict[str, Any]:
    """The schema of a reply that proposes `number` concepts at most."""
    return object_of({"concepts": {"type": "array", "items": _CONCEPT, "maxItems": number}})


def proposals_request(template: PromptTemplate, document: str, *, number: int) -> str:
    """The request's text. The document's title is not told: a model is to read it, not to remember it."""
    materials = fenced_materials({"document": document}, asking_for="another task")
    return template.fill(number=number, materials=materials, reply_format=_FORMAT)


def read_proposals(reply: str, *, number: int) -> tuple[Proposal, ...]:
    """What a reply proposes, at most `number` concepts; none where it finds none.

    Raises `Unreadable` unless all of it can be kept.
    """
    said = read_json(reply)
    check_keys(said, ("concepts",))
    found = said["concepts"]
    concepts = tuple(map(_proposal, _list(found, "concepts", most=number))) if found != [] else ()
    names = {concept.name.casefold() for concept in concepts}
    if len(names) < len(concepts):
        raise Unreadable("The reply calls two concepts by the same name.")
    return concepts


def _proposal(said: Any) -> Proposal:
    check_keys(said, ("theme", "name", "interpretation", "quotes"))
    return Proposal(
        theme=_line(said, "theme", MAX_NAME_LENGTH),
        name=_there(_line(said, "name", MAX_NAME_LENGTH), "name"),
        interpretation=_there(_words(said, "interpretation", MAX_TEXT_LENGTH), "interpretation"),
        quotes=tuple(map(_quote, _list(said["quotes"], "quotations", most=QUOTATIONS))),
    )


def _quote(said: Any) -> ProposedQuote:
    check_keys(said, ("text", "citation"))
    text = _there(_words(said, "text", MAX_QUOTE_LENGTH), "quotation")
    return ProposedQuote(text, _line(said, "citation", MAX_CITATION_LENGTH))


def _list(said: Any, what: str, *, most: int) -> list[Any]:
    if not isinstance(said, list) or not said:
        raise Unreadable(f"The reply gives no {what}.")
    if len(said) > most:
        raise Unreadable(f"The reply gives {len(said):,} {what}, and {most:,} at most can be kept.")
    return said


def _words(said: Mapping[str, Any], name: str, most: int) -> str:
    value = said[name]
    if not isinstance(value, str):
        raise Unreadable(f"The {name} of a concept is no text.")
    text = clean(value).strip()
    if len(text) > most:
        raise Unreadable(f"The {name} of a concept has {len(text):,} characters, and {most:,} at most can be kept.")
    return text


def _line(said: Mapping[str, Any], name: str, most: int) -> str:
    return " ".join(_words(said, name, most).split())


def _there(text: str, what: str) -> str:
    if not text:
        raise Unreadable(f"The reply gives no {what} of a concept.")
    return text
