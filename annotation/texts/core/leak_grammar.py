"""Who speaks about what: patterns of words and classes of words, and where a text follows them.

A pattern is written as words with a space between them:

    word a|b        this word, one of these
    {class}         a word of this class of `leak_words`; `{name}`, `{year}`, `{digits}`, `{ed}` and `{ing}` are told by their form
    x?              x or nothing
    ~3              up to three words, whatever they are; =3 up to three that are no little words, such as "of";
                    ..3 goes past commas and other marks as well
    !x              what follows is not x
    ^ $             where a sentence begins and ends
    , : ! ? . "     these marks; a quotation is the mark "
    ( x y|z )       one of several phrases; with bars that have spaces around them, those separate the phrases.
                    )? and ){0,3} say how often, (= x ) only looks ahead, !( x ) excludes
    <model>         a name for a machine that answers, and nothing that it merely qualifies
    & x y           one of these stands somewhere in the sentence
    % x y           none of these does; written last
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from annotation.texts.core.folding import Sentence, Word, place_of
from annotation.texts.core.leak_signs import Kind, Severity
from annotation.texts.core.leak_words import CLASSES

_FORMS: Final = ("name", "year", "digits", "ed", "ing")  # classes told by the form of a word
_CODES: Final = {name: chr(0xE000 + at) for at, name in enumerate((*CLASSES, *_FORMS))}
_OF_WORD: Final[Mapping[str, str]] = {
    word: "".join(_CODES[name] for name, words in CLASSES.items() if word in words)
    for word in frozenset().union(*CLASSES.values())
}
_ANY: Final = r" [^/ ]{0,40}/[^ ]{1,80}(?= )"
_ANYTHING: Final = r" [^ ]{1,120}(?= )"
_MARK: Final = r" [^/ ]{1,2}(?= )"
_MARKS: Final = frozenset(',:!?."')
_MACROS: Final = {
    "<model>": "( {machinery}? {machinery}? {machinery}? ( {machine} | {machinery_sure} {machinery}? {machine_head} ) @end )",
    "<me>": "i|we",
    "<own>": "my|our",
    "<a>": "( a|an|the|just|merely|only|another|some|simply|also|such|one ){0,3}",
}
_COMMON: Final = frozenset(
    "i we my our me a an the this that of to in and is was am as not you no have can will by with from on are were has had "
    "do it for at or be if but so {be} {have} {do} {not} {det} {adverb} {me} {we} {can} {function}".split()
)


@dataclass(frozen=True)
class Rule:
    """A pattern, compiled; `wants` are sets of which a sentence must have a member each, the rarest first."""

    pattern: re.Pattern[str]
    wants: tuple[frozenset[str], ...]
    never: frozenset[str]


def compiled(written: str) -> Rule:
    """Read a pattern. Raises `KeyError` for a class that there is not, `ValueError` where it is not well formed."""
    rest, _, nowhere = written.partition(" % ")
    body, _, somewhere = rest.partition(" & ")
    pattern, wants = _read(body)
    if somewhere:
        wants.append(frozenset(somewhere.split()))
    if not wants:
        raise ValueError("a pattern needs a word without which it cannot match")
    wants.sort(key=_commonness)
    return Rule(re.compile(pattern), tuple(wants), frozenset(nowhere.split()))


def expression(written: str) -> str:
    """The regular expression of a pattern without its `&`."""
    return _read(written)[0]


Wants = list[frozenset[str]]


def _read(written: str) -> tuple[str, Wants]:
    for name, meaning in _MACROS.items():
        written = written.replace(name, meaning)
    tokens = _TOKEN.findall(written)
    pattern, wants = _sequence(tokens, is_group=False)
    if tokens:
        raise ValueError(f"a parenthesis is closed that was not opened: {written}")
    return pattern, wants


_TOKEN: Final = re.compile(r"!?\(=?|\)(?:\?|\{\d,\d\})?|[^\s()]{1,400}")


def _sequence(tokens: list[str], *, is_group: bool) -> tuple[str, Wants]:
    """Read `tokens` up to the end of the group, which is left to be read. In a group every bar separates phrases,
    unless there are bars with spaces around them: then those do."""
    splits = is_group and not _has_bar(tokens)
    choices: list[tuple[str, Wants]] = [("", [])]
    while tokens and tokens[0][0] != ")":
        token = tokens.pop(0)
        if token == "|":
            choices.append(("", []))
            continue
        if token.endswith(("(", "(=")) and token.strip("!(=") == "":
            pattern, wants = _group(token, tokens)
            choices[-1] = (choices[-1][0] + pattern, choices[-1][1] + wants)
            continue
        parts = _split(token) if splits else [token]
        for number, part in enumerate(parts):
            if number:
                choices.append(("", []))
            choices[-1] = (choices[-1][0] + _leaf(part), choices[-1][1] + _wanted(part))
    if len(choices) == 1:
        return choices[0]
    rarest = [min(wants, key=_commonness, default=None) for _, wants in choices]
    common: Wants = [] if None in rarest else [frozenset().union(*(want for want in rarest if want))]
    return "|".join(pattern for pattern, _ in choices), common


def _split(token: str) -> list[str]:
    """A token of a group at its bars; what may be missing, or must, is one part."""
    return (
        [token] if token[0] == "!" and len(token) > 1 or token[-1] == "?" and len(token) > 1 else token.split("|")
    )


def _has_bar(tokens: Sequence[str]) -> bool:
    depth = 0
    for token in tokens:
        if token == "|" and depth == 0:
            return True
        if token[0] == ")":
            depth -= 1
            if depth < 0:
                return False
        elif token.endswith(("(", "(=")):
            depth += 1
    return False


def _group(opening: str, tokens: list[str]) -> tuple[str, Wants]:
    pattern, wants = _sequence(tokens, is_group=True)
    if not tokens:
        raise ValueError("a parenthesis is not closed")
    repeated = tokens.pop(0)[1:]
    kind = {"(": "?:", "(=": "?=", "!(": "?!"}[opening]
    is_needed = opening == "(" and not repeated.startswith(("?", "{0"))
    return f"({kind}{pattern}){repeated}", wants if is_needed else []


def _commonness(want: frozenset[str]) -> tuple[bool, int]:
    return bool(want & _COMMON), sum(_SIZES.get(one, 1) for one in want)


_SIZES: Final = {f"{{{name}}}": len(words) for name, words in CLASSES.items()} | {
    f"{{{name}}}": 5_000 for name in _FORMS
}


def _leaf(token: str) -> str:  # noqa: PLR0911  (a table)
    match token:
        case "^":
            return r"\A"
        case "$":
            return r"(?: [.!?…])?(?: [.!?…])?(?= \Z)"
        case "@end":
            return rf"(?={_MARK}| \Z|{_leaf('{function}')})"
    if all(part in _MARKS for part in token.split("|")):
        return rf" [{''.join(map(re.escape, token.split('|')))}](?= )"
    if token[0] == "~":
        return rf"(?:{_ANY}){{0,{int(token[1:])}}}?"
    if token[0] == "=":
        return rf"(?:(?!{_leaf('{function}')}){_ANY}){{0,{int(token[1:])}}}?"
    if token[:2] == "..":
        return rf"(?:{_ANYTHING}){{0,{int(token[2:])}}}?"
    if token[0] == "!":
        return f"(?!{_leaf(token[1:])})"
    if token[-1] == "?":
        return f"(?:{_leaf(token[:-1])})?"
    words = [part for part in token.split("|") if part[0] != "{"]
    codes = "".join(_CODES[part.strip("{}")] for part in token.split("|") if part[0] == "{")
    choices = []
    if codes:
        choices.append(rf"[^/ ]{{0,40}}[{codes}][^ ]{{0,120}}(?= )")
    if words:
        choices.append(rf"[^/ ]{{0,40}}/(?:{'|'.join(map(re.escape, words))})(?= )")
    return " " + (choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})")


def _wanted(token: str) -> Wants:
    is_other = token in ("^", "$", "@end") or token.startswith(("~", "..", "!", "=")) or token.endswith("?")
    if is_other or all(part in _MARKS for part in token.split("|")):
        return []
    return [frozenset(token.split("|"))]


@dataclass(frozen=True)
class Group:
    """Rules that mean the same. `is_real` ones are about somebody's life, so that a supposition breaks them."""

    kind: Kind
    severity: Severity
    meaning: str
    patterns: tuple[str, ...]
    is_real: bool = False

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(map(compiled, self.patterns))


@dataclass(frozen=True)
class Match:
    """Where in the text a group's pattern is followed."""

    start: int
    end: int
    group: Group


class Grammar:
    """Groups, looked up by the rarest word or class that each of their rules wants."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._by_want: dict[str, list[tuple[int, Rule, Group]]] = defaultdict(list)
        self.words: set[str] = set(_OF_WORD)
        number = 0
        for group in groups:
            for written, rule in zip(group.patterns, group.rules, strict=True):
                self.words.update(
                    re.findall(r"[a-z]{1,30}", re.sub(r"\{[a-z_]{1,30}\}|<[a-z]{1,9}>|@end", " ", written))
                )
                for want in rule.wants[0]:
                    self._by_want[want].append((number, rule, group))
                number += 1
        self._telling = frozenset(
            word for word in self.words if not self._by_want.keys().isdisjoint((word, *_classes(word)))
        )

    def matches(self, sentences: Sequence[Sentence]) -> Iterator[Match]:
        supposed = -1  # the paragraph that began with a supposition
        for sentence in sentences:
            if not any(word.folded in self._telling or word.is_capitalised for word in sentence.words):
                continue
            words = _spoken(sentence.words)
            written, offsets, present = _written(words)
            if sentence.paragraph != supposed and _SUPPOSES & present and _SUPPOSITION.search(written):
                supposed = sentence.paragraph
            yield from self._in_sentence(
                words, written, offsets, present, is_supposed=sentence.paragraph == supposed
            )

    def _in_sentence(
        self, words: Sequence[Word], written: str, offsets: Sequence[int], present: set[str], *, is_supposed: bool
    ) -> Iterator[Match]:
        wants = present & self._by_want.keys()
        if not wants:
            return
        tried: set[int] = set()
        supposes = is_supposed or bool(_IF.search(written))
        says = _SAYS.search(written) is not None
        for want in wants:
            for number, rule, group in self._by_want[want]:
                if number in tried or rule.never & present or any(map(present.isdisjoint, rule.wants)):
                    continue
                tried.add(number)
                if (supposes and group.is_real) or (says and group.kind != "address"):
                    continue
                for found in rule.pattern.finditer(written):
                    first = place_of(offsets, found.start() + 1)
                    last = place_of(offsets, max(found.start() + 1, found.end() - 1))
                    if last >= first:
                        yield Match(words[first].start, max(word.end for word in words[first : last + 1]), group)


_SUPPOSES: Final = frozenset("suppose imagine consider picture assume pretend say supposing".split())
_SUPPOSITION: Final = re.compile(
    rf"{expression('^ ~3 suppose|imagine|supposing|pretend|picture|assume that|i|a|my|we|you|yourself|for')}"
)
_IF: Final = re.compile(
    "|".join(
        map(
            expression,
            (
                "if|whether|unless|were|had|should i|my|we|our|one|someone|you !would|like|want|wish|prefer|need",
                "as if|though i|my|we",
                "say|suppose|imagine|assume|pretend|supposing that? i|we|my|you",
            ),
        )
    )
)
_SAYS: Final = re.compile(
    "|".join(
        map(
            expression,
            (
                ", ( ~2 might|would|could|may )? says|said|wrote|writes|replied|replies|answered|declares|declared|insists|complains "
                "he|she|they|the|one|its|his|her|a|{name}",
                ", ~3 might|would|will|could|may say|reply|answer|object|protest|add $",
                ", ~4 says|said|wrote|writes|replied|replies|complains|complained $",
                "used to say $",
            ),
        )
    )
)

_ROMAN: Final = frozenset(
    """
    war part chapter book type class phase stage table figure study experiment section volume act scene title article
    charles james elizabeth francis napoleon nicholas george william henry edward leopold frederick wilhelm pope paul
    group appendix level grade category premise option hypothesis theorem lemma division
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
            if word.folded in ("l", "1") and following not in ("am", "was", "have", "4m"):
                found.append(word)
            elif (
                word.folded == "1"
                and before is not None
                and before.folded in ("at", "by", "until", "to", "from", "before", "after")
            ):
                found.append(word)
            elif before is not None and before.is_capitalised and before.folded in _ROMAN:
                found.append(_with(word, "·i"))
            else:
                found.append(_with(word, "i"))
        elif word.folded in ("my", "our", "we", "me") and word.is_capitalised and before is not None and not shouts:
            is_title = not before.is_mark and at + 1 < len(words) and words[at + 1].is_capitalised
            found.append(_with(word, "·" + word.folded) if is_title else word)
        elif word.folded in _AUTHORS or (
            word.folded == "truly" and before is not None and before.folded == "yours"
        ):
            _put_author(found, word, words[at + 1 : at + 3])
        elif word.folded == "'s" and before is not None:
            if before.folded == "i":
                found[-1] = Word("my", before.start, word.end)
        elif not word.is_mark or word.folded not in "'’":
            found.append(_with(word, ",") if word.is_mark and word.folded not in _MARKS else word)
    return found


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
    return sum(word.is_shouted for word in words) * 2 > len(words)


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
            codes = _OF_WORD.get(folded, "")
            if folded.isdecimal():
                codes += _CODES["digits"]
                is_year = len(folded) == 4 and folded[:2] in ("19", "20")
                codes += _CODES["year"] if is_year else _CODES["number"]
            if folded.endswith("ed") and len(folded) > 4:
                codes += _CODES["ed"]
            elif folded.endswith("ing") and len(folded) > 5:
                codes += _CODES["ing"]
            if word.is_capitalised and (at or len(words) < 4) and not shouts and folded not in ("i", "·i"):
                codes += _CODES["name"]
            piece = f" {codes}/{folded}"
            present.update(map(_NAMES.__getitem__, codes))
            present.add(folded)
        offsets.append(length + 1)
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces) + " ", offsets, present


def _classes(word: str) -> Iterator[str]:
    return (_NAMES[code] for code in _OF_WORD.get(word, ""))


_NAMES: Final = {code: f"{{{name}}}" for name, code in _CODES.items()}
