"""Where sentences of a text follow the rules of self-reference: who speaks, and about what.

Patterns are written as `patterns` says. A supposition ("if I were a judge") breaks the rules about somebody's
life, and so does somebody else who is speaking ("I lie, says the Cretan").
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from annotation.texts.core.folding import Word
from annotation.texts.core.leaks.patterns import (
    CODES,
    CODES_OF_WORD,
    MARKS,
    NAMES,
    Rule,
    classes_of,
    expression,
    read_rule,
    words_in,
)
from annotation.texts.core.leaks.signs import Kind, Severity
from annotation.texts.core.sentences import Sentence


@dataclass(frozen=True)
class Group:
    """Rules that mean the same. `is_real` ones are about somebody's life, so that a supposition breaks them;
    `is_weighed` ones are refuted where the words of a sentence weigh too little."""

    kind: Kind
    severity: Severity
    meaning: str
    patterns: tuple[str, ...]
    is_real: bool = False
    is_weighed: bool = True

    @property
    def is_own_when_said(self) -> bool:
        """Whether it is about the text even where the sentence says that somebody says something."""
        return self.kind == "address" or (self.kind == "own_name" and not self.is_real)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(map(read_rule, self.patterns))


@dataclass(frozen=True)
class Match:
    """Where in the text a group's pattern is followed."""

    start: int
    end: int
    group: Group


@dataclass(frozen=True)
class Told:
    """A sentence as rules read it, worked out when one asks: most sentences have no word that any rule wants."""

    read: Sequence[Word]
    is_supposed: bool = False

    @cached_property
    def words(self) -> Sequence[Word]:
        """The words, with who speaks made plain."""
        return _spoken(self.read)

    @cached_property
    def _forms(self) -> tuple[str, list[int], set[str]]:
        return _written(self.words)

    @property
    def written(self) -> str:
        """The words with the classes that they are of."""
        return self._forms[0]

    @property
    def present(self) -> set[str]:
        """The words and classes in it."""
        return self._forms[2]

    @cached_property
    def supposes(self) -> bool:
        return self.is_supposed or bool(_IF.search(self.written))

    @cached_property
    def is_said(self) -> bool:
        """Whether somebody else says it."""
        return _SAYS.search(self.written) is not None

    def word_at(self, at: int) -> int:
        """The number of the word that stands at a place in `written`."""
        return bisect_right(self._forms[1], at) - 1

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where in the text the words from `first` to `last` stand."""
        return self.words[first].start, max(word.end for word in self.words[first : last + 1])


def told(sentences: Sequence[Sentence]) -> Iterator[Told]:
    """The sentences that are no lines of an invented dialogue."""
    supposed = -1  # the paragraph that began with a supposition
    staged = _staged(sentences)
    for sentence in sentences:
        if sentence.paragraph in staged:
            continue
        one = Told(sentence.words, sentence.paragraph == supposed)
        if [word for word in sentence.words if word.folded in _SUPPOSES] and _SUPPOSITION.search(one.written):
            supposed = sentence.paragraph
            one = Told(sentence.words, is_supposed=True)
        yield one


class Grammar:
    """Groups, looked up by the rarest word or class that each of their rules wants."""

    def __init__(self, groups: Sequence[Group]) -> None:
        # With the wants that are left where the first one is there.
        self._by_want: dict[str, list[tuple[int, tuple[frozenset[str], ...], Rule, Group]]] = defaultdict(list)
        self.words: set[str] = set(CODES_OF_WORD)
        number = 0
        for group in groups:
            for written, rule in zip(group.patterns, group.rules, strict=True):
                self.words.update(words_in(written))
                for want in rule.wants[0]:
                    self._by_want[want].append((number, rule.wants[1:], rule, group))
                number += 1

        self._telling = frozenset(
            word for word in self.words if not self._by_want.keys().isdisjoint((word, *classes_of(word)))
        )

    def matches(self, sentence: Told) -> Iterator[Match]:
        if not [word for word in sentence.read if word.is_capitalised or word.folded in self._telling]:
            return
        present = sentence.present
        lacks = present.isdisjoint
        tried: set[int] = set()
        for want in present & self._by_want.keys():
            for number, others, rule, group in self._by_want[want]:
                if any(map(lacks, others)) or number in tried or not lacks(rule.never):
                    continue
                tried.add(number)
                if (group.is_real and sentence.supposes) or (sentence.is_said and not group.is_own_when_said):
                    continue
                for found in rule.pattern.finditer(sentence.written):
                    first = sentence.word_at(found.start() + 1)
                    last = sentence.word_at(max(found.start() + 1, found.end() - 1))
                    if last >= first:
                        yield Match(*sentence.span(first, last), group)


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(map(expression, patterns)))


def _staged(sentences: Sequence[Sentence]) -> set[int]:
    """The paragraphs of an invented dialogue: those of two or more speakers who have two lines each."""
    lines: dict[str, set[int]] = defaultdict(set)
    opening = {sentence.paragraph: sentence.words for sentence in reversed(sentences)}
    for paragraph, words in opening.items():
        if len(words) > 1 and _is_speaker(words[0], words[1]):
            lines[words[0].folded].add(paragraph)
    speakers = [paragraphs for paragraphs in lines.values() if len(paragraphs) > 1]
    return set().union(*speakers) if len(speakers) > 1 and lines.keys().isdisjoint(_NO_CHARACTERS) else set()


def _is_speaker(name: Word, mark: Word) -> bool:
    ends = ":." if len(name.folded) == 1 else ":"
    return name.is_capitalised and name.folded.isalpha() and mark.is_mark and mark.folded in ends


_NO_CHARACTERS: Final = frozenset(
    "user assistant human ai system bot model chatbot prompt question answer q response note".split()
)

_SUPPOSES: Final = frozenset("suppose imagine consider picture assume pretend say supposing".split())
_SUPPOSITION: Final = _any_of(
    "^ ~3 suppose|imagine|supposing|pretend|picture|assume that|i|a|my|we|you|yourself|for"
)
_IF: Final = _any_of(
    "if|whether|unless !( i {seem} ) "
    "!( my ( {own_text} | account | argument | tone | prose | reading | summary | treatment ) ) "
    "i|my|we|our|one|someone|you !would|like|want|wish|prefer|need",
    "were|had|should i|we|you !would|like|want|wish|prefer|need",
    "( ^ | , | ( and|but|or|so ) ) were|had|should my|our|one|someone",
    "as if|though i|my|we",
    "if|when|unless|whenever a|an|some|another ~4 me|my",
    "only if",
    "i|we may|might !not ~1 that i|we|my|our",
    "however i|we|my",
    "say|suppose|imagine|assume|pretend|supposing that? i|we|my|you",
)
_SAYS: Final = _any_of(
    ", ( ~2 might|would|could|may )? "
    "says|said|wrote|writes|replied|replies|answered|declares|declared|insists|complains "
    "he|she|they|the|one|its|his|her|a|{name}",
    ", he|she|they|{name} says|said|writes|wrote|replies|replied|insists|insisted|tells|admits|confesses "
    "( us )? ,|!|?|.",
    ", ~3 might|would|will|could|may say|reply|answer|object|protest|add $",
    ", ~4 says|said|wrote|writes|replied|replies|complains|complained $",
    "used to say $",
)

_ROMAN: Final = frozenset(
    """
    war part chapter book type class phase stage table figure study experiment section volume act scene
    title article charles james elizabeth francis napoleon nicholas george william henry edward leopold
    frederick wilhelm pope paul group appendix level grade category premise option hypothesis theorem lemma
    division
    """.split()
)
_AUTHORS: Final = frozenset("author authors writer undersigned".split())


def _spoken(words: Sequence[Word]) -> list[Word]:
    """The words with who speaks made plain: the present author is I; World War I and "My Life" are nobody."""
    found: list[Word] = []
    shouts = _shouts(words)
    for at, word in enumerate(words):
        before = found[-1] if found else None
        if word.folded in ("i", "l", "1", "|") and not word.is_mark:
            following = words[at + 1].folded if at + 1 < len(words) else ""
            if _is_initial(words, at):
                found.append(_with(word, "·i"))
            elif (word.folded in ("l", "1") and following not in ("am", "was", "have", "4m")) or (
                word.folded == "1"
                and before is not None
                and before.folded in ("at", "by", "until", "to", "from", "before", "after")
            ):
                found.append(word)
            elif before is not None and before.is_capitalised and before.folded in _ROMAN:
                found.append(_with(word, "·i"))
            else:
                found.append(_with(word, "i"))
        elif word.folded == "mine" and before is not None and _is_dug(words[at + 1 : at + 2]):
            found.append(_with(word, "·mine"))
        elif word.folded in ("my", "our", "we", "me") and word.is_capitalised and before is not None and not shouts:
            is_title = (
                not (before.is_mark or before.is_shouted) and at + 1 < len(words) and words[at + 1].is_capitalised
            )
            found.append(_with(word, "·" + word.folded) if is_title else word)
        elif word.folded in _AUTHORS or (
            word.folded == "truly" and before is not None and before.folded == "yours"
        ):
            _put_author(found, word, words[at + 1 : at + 3])
        elif word.folded == "'s" and before is not None:
            if before.folded == "i":
                found[-1] = Word("my", before.start, word.end)
        elif not word.is_mark or word.folded not in "'’":
            found.append(_with(word, ",") if word.is_mark and word.folded not in MARKS else word)
    return found


def _is_initial(words: Sequence[Word], at: int) -> bool:
    """Whether it stands for a first name, as in I. A. Richards."""
    stop, name = words[at + 1 : at + 2], words[at + 2 : at + 3]
    return bool(
        name
        and stop[0].is_mark
        and stop[0].folded == "."
        and stop[0].start == words[at].end
        and words[at].is_capitalised
        and name[0].is_capitalised
    )


def _is_dug(following: Sequence[Word]) -> bool:
    """Whether something is mined, as in "they mine the book"; "a friend of mine" has no object behind it."""
    return bool(following) and following[0].folded in ("the", "their", "its", "his", "her", "these", "those")


def _put_author(found: list[Word], word: Word, following: Sequence[Word]) -> None:
    before = [one.folded for one in found[-2:]]
    after = [one.folded for one in following]
    is_present = before[-1:] == ["present"] or before[-1:] == ["this"] or word.folded in ("undersigned", "truly")
    is_own = after[:1] == ["of"] and after[1:] and after[1] in ("this", "these")
    if not (is_present or is_own) or not found:
        found.append(word)
        return
    start = word.start
    while found and found[-1].folded in ("the", "this", "present", "yours"):
        start = found.pop().start
    found.append(Word("i", start, word.end))


def _shouts(words: Sequence[Word]) -> bool:
    return len([word for word in words if word.is_shouted]) * 2 > len(words)


def _with(word: Word, folded: str) -> Word:
    return Word(
        folded,
        word.start,
        word.end,
        is_mark=word.is_mark,
        is_capitalised=word.is_capitalised,
        is_shouted=word.is_shouted,
    )


def _written(words: Sequence[Word]) -> tuple[str, list[int], set[str]]:
    """The sentence as patterns read it, where in that each word begins, and the words and classes in it."""
    shouts = _shouts(words)
    pieces: list[str] = []
    offsets: list[int] = []
    present: set[str] = set()
    length = 0
    for at, word in enumerate(words):
        folded = word.folded
        if word.is_mark:
            piece = " " + folded
        else:
            codes = CODES_OF_WORD.get(folded, "")
            if folded.isdecimal():
                codes += CODES["digits"]
                is_year = len(folded) == 4 and folded[:2] in ("19", "20")
                codes += CODES["year"] if is_year else CODES["number"]
            if folded.endswith("ed") and len(folded) > 4:
                codes += CODES["ed"]
            elif folded.endswith("ing") and len(folded) > 5:
                codes += CODES["ing"]
            if word.is_capitalised and (at or len(words) < 4) and not shouts and folded not in ("i", "·i"):
                codes += CODES["name"]
            piece = f" {codes}/{folded}"
            present.update(map(NAMES.__getitem__, codes))
            present.add(folded)
        offsets.append(length + 1)
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces) + " ", offsets, present
