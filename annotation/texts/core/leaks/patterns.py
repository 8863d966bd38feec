"""Who speaks about what: patterns of words and classes of words, and where a text follows them.

A pattern is written as words with a space between them:

    word a|b        this word, one of these
    {class}         a word of this class of `words`; `{name}`, `{year}`, `{digits}`, `{ed}` and `{ing}` are
                    told by their form
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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from annotation.texts.core.leaks.words import CLASSES

FORMS: Final = ("name", "year", "digits", "ed", "ing")  # classes told by the form of a word
CODES: Final = {name: chr(0xE000 + at) for at, name in enumerate((*CLASSES, *FORMS))}
CODES_OF_WORD: Final[Mapping[str, str]] = {
    word: "".join(CODES[name] for name, words in CLASSES.items() if word in words)
    for word in frozenset().union(*CLASSES.values())
}
_ANY: Final = r" [^/ ]{0,40}/[^ ]{1,80}(?= )"
_ANYTHING: Final = r" [^ ]{1,120}(?= )"
_MARK: Final = r" [^/ ]{1,2}(?= )"
MARKS: Final = frozenset(',:!?."')
_MACROS: Final = {
    "<model>": "( {machinery}? {machinery}? {machinery}? "
    "( {machine} | {machinery_sure} {machinery}? {machine_head} ) @end )",
    "<me>": "i|we",
    "<own>": "my|our",
    "<a>": "( a|an|the|just|merely|only|another|some|simply|also|such|one ){0,3}",
}
_COMMON: Final = frozenset(
    """
    i we my our me a an the this that of to in and is was am as not you no have can will by with from on are
    were has had do it for at or be if but so {be} {have} {do} {not} {det} {adverb} {me} {we} {can}
    {function}
    """.split()
)


@dataclass(frozen=True)
class Rule:
    """A pattern as a regular expression; `wants` are sets of which a sentence must have a member each, the rarest
    first, and `never` are words of which it must have none."""

    expression: str
    wants: tuple[frozenset[str], ...]
    never: frozenset[str]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when a text first has all that is wanted: most texts never need most rules."""
        return re.compile(self.expression)


def read_rule(written: str) -> Rule:
    """Read a pattern. Raises `KeyError` for a class that there is not, `ValueError` where it is not well formed."""
    rest, _, nowhere = written.partition(" % ")
    body, _, somewhere = rest.partition(" & ")
    pattern, wants = _read(body)
    if somewhere:
        wants.append(frozenset(somewhere.split()))
    if not wants:
        raise ValueError("a pattern needs a word without which it cannot match")
    wants.sort(key=_commonness)
    return Rule(pattern, tuple(wants), frozenset(nowhere.split()))


def expression(written: str) -> str:
    """The regular expression of a pattern without its `&`."""
    return _read(written)[0]


def words_in(written: str) -> list[str]:
    """The words that a pattern names itself."""
    return _WORD.findall(_NO_WORD.sub(" ", written))


_NO_WORD: Final = re.compile(r"\{[a-z_]{1,30}\}|<[a-z]{1,9}>|@end")
_WORD: Final = re.compile(r"[a-z]{1,30}")

Wants = list[frozenset[str]]


def _read(written: str) -> tuple[str, Wants]:
    for name, meaning in _MACROS.items():
        written = written.replace(name, meaning)
    items = _ITEM.findall(written)
    pattern, wants = _sequence(items, is_group=False)
    if items:
        raise ValueError(f"a parenthesis is closed that was not opened: {written}")
    return pattern, wants


_ITEM: Final = re.compile(r"!?\(=?|\)(?:\?|\{\d,\d\})?|[^\s()]{1,400}")


def _sequence(items: list[str], *, is_group: bool) -> tuple[str, Wants]:
    """Read `items` up to the end of the group, which is left to be read.

    In a group every bar separates phrases, unless there are bars with spaces around them: then those do.
    """
    splits = is_group and not _has_bar(items)
    choices: list[tuple[str, Wants]] = [("", [])]
    while items and items[0][0] != ")":
        item = items.pop(0)
        if item == "|":
            choices.append(("", []))
            continue
        if item.endswith(("(", "(=")) and item.strip("!(=") == "":
            pattern, wants = _group(item, items)
            choices[-1] = (choices[-1][0] + pattern, choices[-1][1] + wants)
            continue
        parts = _split(item) if splits else [item]
        for number, part in enumerate(parts):
            if number:
                choices.append(("", []))
            choices[-1] = (choices[-1][0] + _leaf(part), choices[-1][1] + _wanted(part))
    if len(choices) == 1:
        return choices[0]
    rarest = [min(wants, key=_commonness, default=None) for _, wants in choices]
    common: Wants = [] if None in rarest else [frozenset().union(*(want for want in rarest if want))]
    return "|".join(pattern for pattern, _ in choices), common


def _split(item: str) -> list[str]:
    """An item of a group at its bars; what may be missing, or must, is one part."""
    is_one = len(item) > 1 and (item[0] == "!" or item[-1] == "?")
    return [item] if is_one else item.split("|")


def _has_bar(items: Sequence[str]) -> bool:
    depth = 0
    for item in items:
        if item == "|" and depth == 0:
            return True
        if item[0] == ")":
            depth -= 1
            if depth < 0:
                return False
        elif item.endswith(("(", "(=")):
            depth += 1
    return False


def _group(opening: str, items: list[str]) -> tuple[str, Wants]:
    pattern, wants = _sequence(items, is_group=True)
    if not items:
        raise ValueError("a parenthesis is not closed")
    repeated = items.pop(0)[1:]
    kind = {"(": "?:", "(=": "?=", "!(": "?!"}[opening]
    is_needed = opening == "(" and not repeated.startswith(("?", "{0"))
    return f"({kind}{pattern}){repeated}", wants if is_needed else []


def _commonness(want: frozenset[str]) -> tuple[bool, int]:
    return bool(want & _COMMON), sum(_SIZES.get(one, 1) for one in want)


_SIZES: Final = {
    **{f"{{{name}}}": len(words) for name, words in CLASSES.items()},
    **{f"{{{name}}}": 5_000 for name in FORMS},
}


def _leaf(item: str) -> str:  # noqa: PLR0911  (a table)
    match item:
        case "^":
            return r"\A"
        case "$":
            return r"(?: [.!?…])?(?: [.!?…])?(?= \Z)"
        case "@end":
            return rf"(?={_MARK}| \Z|{_leaf('{function}')})"
    if all(part in MARKS for part in item.split("|")):
        return rf" [{''.join(map(re.escape, item.split('|')))}](?= )"
    if item[0] == "~":
        return rf"(?:{_ANY}){{0,{int(item[1:])}}}?"
    if item[0] == "=":
        return rf"(?:(?!{_leaf('{function}')}){_ANY}){{0,{int(item[1:])}}}?"
    if item[:2] == "..":
        return rf"(?:{_ANYTHING}){{0,{int(item[2:])}}}?"
    if item[0] == "!":
        return f"(?!{_leaf(item[1:])})"
    if item[-1] == "?":
        return f"(?:{_leaf(item[:-1])})?"
    words = [part for part in item.split("|") if part[0] != "{"]
    codes = "".join(CODES[part.strip("{}")] for part in item.split("|") if part[0] == "{")
    choices = []
    if codes:
        choices.append(rf"[^/ ]{{0,40}}[{codes}][^ ]{{0,120}}(?= )")
    if words:
        choices.append(rf"[^/ ]{{0,40}}/(?:{'|'.join(map(re.escape, words))})(?= )")
    return " " + (choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})")


def _wanted(item: str) -> Wants:
    is_other = item in ("^", "$", "@end") or item.startswith(("~", "..", "!", "=")) or item.endswith("?")
    if is_other or all(part in MARKS for part in item.split("|")):
        return []
    return [frozenset(item.split("|"))]


def classes_of(word: str) -> Iterator[str]:
    return (NAMES[code] for code in CODES_OF_WORD.get(word, ""))


NAMES: Final = {code: f"{{{name}}}" for name, code in CODES.items()}
