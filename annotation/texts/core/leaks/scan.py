"""Finds what gives a text's source away, for a coordinator to look at before any judge does.

Words are read as they are meant (`folding`), and `grammar` asks of every sentence who speaks and
about what. What is quoted, supposed, or said of somebody else is nobody's own.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Final

from annotation.texts.core.author_names import author_names
from annotation.texts.core.folding import Word, fold
from annotation.texts.core.leaks.evidence import REFUTES, SECONDS, SUSPECTS, heaviest, weight
from annotation.texts.core.leaks.grammar import Grammar, Told, told
from annotation.texts.core.leaks.languages import FOREIGN_SIGNS
from annotation.texts.core.leaks.musings import MEANING, musings
from annotation.texts.core.leaks.products import products
from annotation.texts.core.leaks.rules import GROUPS
from annotation.texts.core.leaks.signs import CONTACT, MARKUP, PERHAPS, PROBABLY, SIGNATURE, SURELY, Kind, Severity
from annotation.texts.core.leaks.words import KEYS, NEVER_MISSPELT
from annotation.texts.core.sentences import Sentence, sentences
from annotation.texts.core.vocabulary import Vocabulary

_MARKUP: Final = [re.compile(pattern) for pattern in MARKUP]
_CONTACT: Final = [re.compile(pattern) for pattern in CONTACT]
_SIGNATURE: Final = [re.compile(pattern) for pattern in SIGNATURE]
_ENDS_COMPLETE: Final = re.compile(r"""[.!?。！？।؟…]["'”’»)\]]{0,9}(?:\[\d{1,4}\])?$""")
_WEIGHED: Final = "taken together, its words are those of somebody who speaks of themselves, above all"
_HEAVIEST: Final = 3  # words that are named
_CONTEXT: Final = 30  # characters shown on either side of a finding

MAX_FINDINGS: Final = 100
"""How many findings of one sign, and of all together, are reported; a text with more is held back by these
already.
"""


@dataclass(frozen=True)
class Finding:
    """`text[start:end]` may identify the source, `severity` says how surely (3 surely, 2 probably, 1 perhaps) and
    `meaning` why; `excerpt` shows it with a little of what stands around it."""

    kind: Kind
    start: int
    end: int
    excerpt: str
    severity: Severity
    meaning: str


def gravest(findings: Iterable[Finding]) -> int:
    """The severity of the gravest finding, 0 where there is none."""
    return max((finding.severity for finding in findings), default=0)


_Span = tuple[int, int, Kind, Severity, str]


# Made for the first text that is read: most processes read none.
@cache
def _grammar() -> Grammar:
    return Grammar(GROUPS)


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary.of(_grammar().words, KEYS, never=NEVER_MISSPELT)


def prepare() -> None:
    """Make now what the first scan would make: tenths of a second."""
    _vocabulary()


def scan(text: str, *, names: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Return what may identify the source of a normalised `text`, in the order of the text.

    `names` are the people who must not be recognised, such as the author: each is found as whole words, with
    any white space between its parts, and only where it begins with a capital or has a digit, so that a Will or
    a Rose does not turn every verb and flower into a finding. A text that ends without a full stop, question
    mark or the like counts as truncated, and so does an empty one. No more than the first `MAX_FINDINGS` are given,
    the surest first where there are more.
    """
    words = fold(text, _vocabulary())
    read = list(sentences(words))
    spans = {
        *_spoken(text, told(read)),
        *_products(read),
        *_musings(read),
        *_disguised(words),
        *_signs(text, {word.folded for word in words}),
        *_author_names(text, names),
        *_truncation(text),
    }
    kept = sorted(_without_repeats(spans), key=lambda span: (-span[3], span))[:MAX_FINDINGS]
    return tuple(
        Finding(kind, start, end, _excerpt(text, start, end), severity, meaning)
        for start, end, kind, severity, meaning in sorted(kept)
    )


def read_sentences(text: str) -> list[Sentence]:
    """The sentences of a text, its words read as they are meant."""
    return list(sentences(fold(text, _vocabulary())))


def _without_repeats(spans: Iterable[_Span]) -> Iterator[_Span]:
    """The surest and longest of findings of one kind that overlap."""
    reached: dict[Kind, int] = {}
    best: dict[Kind, _Span] = {}
    for span in sorted(spans):
        kept = best.get(span[2])
        if kept is not None and span[0] < reached[span[2]]:
            reached[span[2]] = max(reached[span[2]], span[1])
            best[span[2]] = max(kept, span, key=lambda each: (each[3], each[1] - each[0], -each[0], each[4]))
            continue
        if kept is not None:
            yield kept
        best[span[2]], reached[span[2]] = span, span[1]
    yield from best.values()


def _spoken(text: str, read: Iterable[Told]) -> Iterator[_Span]:
    for sentence in read:
        matches = list(_grammar().matches(sentence))
        surest = max((match.group.severity for match in matches), default=PERHAPS)
        weighs = weight(sentence) if surest < SURELY else SUSPECTS
        if surest < SURELY and weighs < (SECONDS if surest == PERHAPS else REFUTES):
            matches = [match for match in matches if not match.group.is_weighed]
        for match in matches:
            yield match.start, match.end, match.group.kind, match.group.severity, match.group.meaning
        if not matches and weighs > SUSPECTS:
            words = ", ".join(text[word.start : word.end] for word in heaviest(sentence, _HEAVIEST))
            yield *sentence.span(0, len(sentence.words) - 1), "own_words", PERHAPS, f"{_WEIGHED}: {words}"


def _products(read: Sequence[Sentence]) -> Iterator[_Span]:
    for start, end, severity, meaning in products(read):
        yield start, end, "model_name", severity, meaning


def _musings(read: Sequence[Sentence]) -> Iterator[_Span]:
    for start, end in musings(read):
        yield start, end, "musing", SURELY, MEANING


def _disguised(words: Sequence[Word]) -> Iterator[_Span]:
    for word in islice((word for word in words if word.is_disguised), MAX_FINDINGS):
        yield word.start, word.end, "disguise", PROBABLY, "a word written so that a search does not find it"


def _signs(text: str, present: Collection[str]) -> Iterator[_Span]:
    for pattern in _MARKUP:
        for found in islice(pattern.finditer(text), MAX_FINDINGS):
            yield found.start(), found.end(), "markup", PROBABLY, "left-over markup"
    for pattern in _CONTACT:
        for found in islice(pattern.finditer(text), MAX_FINDINGS):
            yield found.start(), found.end(), "contact", SURELY, "where its writer can be found"
    for pattern in _SIGNATURE:
        for found in islice(pattern.finditer(text), MAX_FINDINGS):
            yield found.start(), found.end(), "own_name", PROBABLY, "gives its name or signs"
    for sign in FOREIGN_SIGNS:
        if len(sign.first_words.intersection(present)) > 1 or not (sign.first_words or text.isascii()):
            for found in islice(sign.pattern.finditer(text), MAX_FINDINGS):
                yield found.start(), found.end(), sign.kind, PROBABLY, sign.meaning


def _author_names(text: str, names: Sequence[str]) -> Iterator[_Span]:
    for found in author_names(text, names):
        severity = PROBABLY if found.how in ("surname", "initials") else SURELY
        yield found.start, found.end, "author_name", severity, "the writer’s name"


def _truncation(text: str) -> Iterator[_Span]:
    if not _ENDS_COMPLETE.search(text):
        yield text.rfind(" ") + 1, len(text), "truncated", PROBABLY, "stops before its end"


def _excerpt(text: str, start: int, end: int) -> str:
    return " ".join(text[max(0, start - _CONTEXT) : end + _CONTEXT].split())
