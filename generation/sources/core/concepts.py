"""Concepts with quotations, each of which must stand in the document it is said to come from, word for word.

Two people who copy the same sentence rarely type the same quotes, dashes and spaces; those make no difference.
Everything else does.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from operator import eq
from typing import Final

from pydantic import ConfigDict, with_config

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import QUOTATIONS
from annotation.platform.core.text import clean
from generation.sources.core.funnel import Scenario

MAX_NAME_LENGTH: Final = 80  # characters of a concept's name or theme
MAX_TITLE_LENGTH: Final = 120  # of a document
MAX_CITATION_LENGTH: Final = 300
MAX_QUOTE_LENGTH: Final = 5_000
MAX_TIES: Final = 100  # passages that share as many words
AROUND: Final = 300  # characters that are shown on each side of a passage
MAX_NEAREST: Final = 3  # quotations of a concept that are not found and of which the nearest passage is sought

_ALIKE: Final = str.maketrans(
    {mark: plain for plain, marks in {'"': "“”„‟«»", "'": "‘’‚‛`´", "-": "‐‑‒–—―−"}.items() for mark in marks}
)
_LEFT_OUT: Final = re.compile(r"\[ ?(?:…|\.\.\.|\. \. \.) ?\]")
_WORD_EDGE: Final = re.compile(r"\b")
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Document:
    """A text that concepts quote."""

    title: str
    citation: str
    text: str


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Quote:
    """Words from the document of that title; `citation` says where in it they are."""

    text: str
    document: str
    citation: str = ""


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Concept:
    """`theme` may be empty; `interpretation` says what the concept means in the documents it comes from."""

    name: str
    interpretation: str
    quotes: tuple[Quote, ...]
    theme: str = ""


@dataclass(frozen=True)
class QuoteCheck:
    """Whether a quotation was found; where not, the passage that has most of its words, as it is written there."""

    is_found: bool
    nearest: str = ""


@dataclass(frozen=True)
class Passage:
    """A quotation as it stands in its document, with what is written around it."""

    before: str
    words: str
    after: str


@dataclass(frozen=True)
class Miss:
    """A quotation that is not in its document, with the passage nearest to it."""

    quote: Quote
    nearest: str

    def __str__(self) -> str:
        said = f"“{self.quote.text}” is not in “{self.quote.document}”"
        return f"{said}; what comes nearest there is “{self.nearest}”." if self.nearest else f"{said}."


class QuotesNotFound(Refused):
    """`misses` are the quotations of the concept named `name` that nobody could find, at least one."""

    def __init__(self, name: str, misses: Sequence[Miss]) -> None:
        super().__init__(f"{name}: {' '.join(map(str, misses))}")
        self.misses = tuple(misses)


def check_quote(quote: str, document_text: str, *, seeks_nearest: bool = True) -> QuoteCheck:
    """Look a quotation up. What it leaves out is marked “[…]”; the parts between stand in this order in the text.

    A part begins and ends where words do. A quotation without a word is never found, nor one of more than
    `MAX_QUOTE_LENGTH` characters. Where one is not found, `seeks_nearest` says whether to look for what comes near.
    """
    if len(quote) > MAX_QUOTE_LENGTH:
        return QuoteCheck(is_found=False)
    found = _found(quote, document_text)
    if isinstance(found, str):
        return QuoteCheck(is_found=False, nearest=_nearest(found, document_text) if found and seeks_nearest else "")
    return QuoteCheck(is_found=True)


def passage_of(quote: str, document_text: str) -> Passage | None:
    """Where a quotation stands in a cleaned text, with what it leaves out; `None` where it is not found."""
    found = _found(quote, document_text) if len(quote) <= MAX_QUOTE_LENGTH else ""
    if isinstance(found, str):
        return None
    text = _searchable(document_text)
    # What is searched differs in the shapes of characters, in spaces and in marks, and in nothing else.
    solid = [place for place, character in enumerate(document_text) if not character.isspace()]
    begin = solid[_solid(text[: found[0]])]
    end = solid[_solid(text[: found[1]]) - 1] + 1
    before, after = document_text[max(begin - AROUND, 0) : begin], document_text[end : end + AROUND]
    return Passage(
        before=f"… {before.partition(' ')[2]}" if begin > AROUND else before,
        words=document_text[begin:end],
        after=f"{after.rpartition(' ')[0]} …" if len(document_text) - end > AROUND else after,
    )


def _found(quote: str, document_text: str) -> tuple[int, int] | str:
    """Where a quotation stands in what is searched; where it does not, its first part that is missing, or ""."""
    parts = [part.strip() for part in _LEFT_OUT.split(_plain(quote))]
    if not all(map(_WORD.search, parts)):
        return ""
    text, begin, position = _searchable(document_text), -1, 0
    for part in parts:
        sought = _with_marked_words(part)
        start = text.find(sought, position)
        if start < 0:
            return part
        begin = start if begin < 0 else begin
        position = start + len(sought)
    return begin, position


def _solid(text: str) -> int:
    """How many characters are neither spaces nor marks."""
    return sum(character not in " \0" for character in text)


def _plain(text: str) -> str:
    return " ".join(clean(text).translate(_ALIKE).split())


def _with_marked_words(text: str) -> str:
    """The text with a mark where words begin and end, so that whole words are found like any other characters."""
    return _WORD_EDGE.sub("\0", text)


@lru_cache(maxsize=8)
def _searchable(document_text: str) -> str:
    return _with_marked_words(_plain(document_text))


def _nearest(part: str, document_text: str) -> str:
    """The passage of as many words that shares most with `part`, and most of them in the same places.

    The first of several, of which no more than `MAX_TIES` are looked at; empty where none shares a word.
    """
    sought, places = _words(part), [*_WORD.finditer(document_text)]
    words, width = [place[0].casefold() for place in places], len(sought)
    missing = Counter(sought)  # less what the passage has, below zero where it has too many
    shared, best, start, ties = 0, (0, 0), 0, 0
    for end, word in enumerate(words, start=1):
        if word in missing:
            shared += missing[word] > 0
            missing[word] -= 1
        if end > width and (left_behind := words[end - width - 1]) in missing:
            missing[left_behind] += 1
            shared -= missing[left_behind] > 0
        if end < min(width, len(words)):
            continue
        begin = end - min(width, len(words))
        ties += shared == best[0]
        if shared > best[0] or (shared and shared == best[0] and ties <= MAX_TIES):
            nearness = (shared, sum(map(eq, words[begin:end], sought)))
            if nearness > best:
                best, start = nearness, begin
    if best == (0, 0):
        return ""
    last = min(start + width, len(places)) - 1
    return " ".join(document_text[places[start].start() : places[last].end()].split())


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def checked_concept(concept: Concept, texts: Mapping[str, str]) -> Concept:
    """The concept as it is stored, cleaned; `texts` are those of documents, by title.

    Raises `Refused` where it lacks something or quotes an unknown document, `QuotesNotFound` where a quotation is
    not in its document.
    """
    concept = Concept(
        name=_line(concept.name),
        interpretation=clean(concept.interpretation).strip(),
        quotes=tuple(Quote(clean(q.text).strip(), _line(q.document), _line(q.citation)) for q in concept.quotes),
        theme=_line(concept.theme),
    )
    _check_is_whole(concept)
    for quote in concept.quotes:
        if quote.document not in texts:
            raise Refused(f"“{concept.name}” quotes “{quote.document}”, and there is no document of that title.")
    misses: list[Miss] = []
    for quote in concept.quotes:
        check = check_quote(quote.text, texts[quote.document], seeks_nearest=len(misses) < MAX_NEAREST)
        if not check.is_found:
            misses.append(Miss(quote, check.nearest))
    if misses:
        raise QuotesNotFound(concept.name, misses)
    return concept


def checked_document(document: Document) -> Document:
    """The document as it is stored, cleaned. Raises `Refused` where it lacks something or is called too much."""
    document = Document(_line(document.title), _line(document.citation), clean(document.text).strip())
    if not document.title:
        raise Refused("A document needs a title.", field="title")
    if not document.citation:
        raise Refused(f"“{document.title}” needs a citation: how others can find it.", field="citation")
    if not document.text:
        raise Refused(f"“{document.title}” holds no text.", field="text")
    _check_length("title", document.title, MAX_TITLE_LENGTH)
    _check_length("citation", document.citation, MAX_CITATION_LENGTH)
    return document


def _check_length(field: str, text: str, most: int) -> None:
    if len(text) > most:
        raise Refused(
            f"The {field} “{text}” has {len(text)} characters, and {most} at most can be kept.", field=field
        )


def _line(text: str) -> str:
    return " ".join(clean(text).split())


def _check_is_whole(concept: Concept) -> None:
    if not _WORD.search(concept.name):
        raise Refused("A concept needs a name.", field="name")
    _check_length("name", concept.name, MAX_NAME_LENGTH)
    _check_length("theme", concept.theme, MAX_NAME_LENGTH)
    if not concept.interpretation:
        raise Refused(
            f"“{concept.name}” needs an interpretation: what it means in the documents it comes from.",
            field="interpretation",
        )
    for quote in concept.quotes:
        if len(quote.text) > MAX_QUOTE_LENGTH:
            raise Refused(
                f"A quotation of “{concept.name}” has {len(quote.text):,} characters, and {MAX_QUOTE_LENGTH:,} at "
                "most can be looked up.",
                field="quotes",
            )
    if not concept.quotes:
        raise Refused(f"“{concept.name}” needs at least one quotation.", field="quotes")
    if len(concept.quotes) > QUOTATIONS:
        raise Refused(
            f"“{concept.name}” has {len(concept.quotes)} quotations, and {QUOTATIONS} at most can be looked up.",
            field="quotes",
        )


def scenario_of(concept: Concept) -> Scenario:
    """A checked concept as prompts are written from it: a stratum of its own, under a key made of its name."""
    return Scenario(
        key="-".join(_words(concept.name))[:MAX_NAME_LENGTH],
        stratum=concept.name,
        payload={
            "theme": concept.theme,
            "concept": concept.name,
            "interpretation": concept.interpretation,
            "quotes": [asdict(quote) for quote in concept.quotes],
        },
    )


def check_keys_differ(scenarios: Iterable[Scenario]) -> None:
    """Raise `Refused` where two concepts have names that differ in nothing but case and punctuation."""
    names: dict[str, str] = {}
    for scenario in scenarios:
        if scenario.key in names:
            raise Refused(f"Two concepts are called alike: “{names[scenario.key]}” and “{scenario.stratum}”.")
        names[scenario.key] = scenario.stratum
