"""Sentences of a text without what is quoted in them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from annotation.texts.core.folding import Word

_SENTENCE_END: Final = frozenset(".!?…")
_TITLES: Final = frozenset("dr prof ph mr mrs ms st vs cf eg ie no pp vol ed eds al fig approx univ dept".split())
_QUOTES: Final = dict(zip('"“„«', '"””»', strict=True))
_MAX_SCARE: Final = 3  # words in quotation marks that are no quotation


def _runs(tokens: Sequence[Word], goes_on: Callable[[Word, Word], bool]) -> Iterator[list[Word]]:
    run: list[Word] = []
    for token in tokens:
        if run and not goes_on(run[-1], token):
            yield run
            run = []
        run.append(token)
    if run:
        yield run


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and marks up to a full stop; `paragraph` counts from 0."""

    words: tuple[Word, ...]
    paragraph: int


MAX_WORDS: Final = 300  # of a sentence; what is longer is taken in parts


def sentences(words: Sequence[Word]) -> Iterator[Sentence]:
    """The sentences of a text, without what is quoted in them: a quotation is the mark `"`."""
    paragraphs = _runs(words, lambda one, other: one.folded != "\n" or other.folded == "\n")
    for number, paragraph in enumerate(paragraphs):
        own = _without_quotations([word for word in paragraph if word.folded != "\n"])
        for run in _sentence_runs(own):
            yield Sentence(tuple(run), number)


def _sentence_runs(words: Sequence[Word]) -> Iterator[list[Word]]:
    run: list[Word] = []
    for word, following in zip_longest(words, words[1:]):
        run.append(word)
        is_abbreviated = len(run) > 1 and _is_abbreviation(run[-2])
        ends = word.is_mark and word.folded in _SENTENCE_END and not (word.folded == "." and is_abbreviated)
        goes_on = following is not None and following.is_mark and following.folded in _SENTENCE_END
        if (ends and not goes_on) or len(run) >= MAX_WORDS:
            yield run
            run = []
    if run:
        yield run


def _is_abbreviation(word: Word) -> bool:
    """Whether a full stop behind a word need not end the sentence: a title, an initial, what has points inside."""
    has_points = word.folded.isalpha() and word.end - word.start > len(word.folded)
    return word.folded in _TITLES or len(word.folded) == 1 or has_points


def _without_quotations(words: Sequence[Word]) -> list[Word]:
    closing = _closing_marks(words)
    found: list[Word] = []
    at = 0
    while at < len(words):
        end = closing.get(at)
        if end is None:
            found.append(words[at])
            at += 1
            continue
        inner = [word for word in words[at + 1 : end] if not word.is_mark]
        is_all = at == 0 and end >= len(words) - 2
        if is_all:
            found.extend(_without_quotations(words[at + 1 : end]))
        elif len(inner) <= _MAX_SCARE and not {word.folded for word in inner} & _FIRST_PERSON:
            found.extend(inner)
        else:
            found.append(Word('"', words[at].start, words[end].end, is_mark=True))
            last = words[end - 1]
            if last.is_mark and last.folded in _SENTENCE_END:
                found.append(last)
        at = end + 1
    return found


_FIRST_PERSON: Final = frozenset("i me my mine myself we us our".split())


def _closing_marks(words: Sequence[Word]) -> dict[int, int]:
    """For each mark that opens a quotation, the one that closes it."""
    found: dict[int, int] = {}
    opened: tuple[int, str] | None = None
    for at, word in enumerate(words):
        if not word.is_mark:
            continue
        if opened is not None and word.folded == opened[1]:
            if word.folded != "'" or _touches_left(words, at):
                found[opened[0]] = at
                opened = None
        elif opened is None and word.folded in _QUOTES:
            opened = (at, _QUOTES[word.folded])
        elif opened is None and word.folded == "'" and _touches_right(words, at):
            opened = (at, "'")
    return found


def _touches_left(words: Sequence[Word], at: int) -> bool:
    return at > 0 and words[at - 1].end == words[at].start


def _touches_right(words: Sequence[Word], at: int) -> bool:
    is_free = at == 0 or words[at - 1].end < words[at].start
    return is_free and at + 1 < len(words) and words[at + 1].start == words[at].end
