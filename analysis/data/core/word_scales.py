"""Words that ratings are given in, such as “Strongly agree”, and the numbers that they usually stand for."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from analysis.data.core.cell_numbers import plain_word

Tier = tuple[str, ...]  # words of one place, the usual one first
Form = tuple[Tier, ...]  # from the least to the most

_NEUTRAL: Final[Tier] = (
    *("neutral", "neither", "undecided", "unsure", "not sure", "mixed", "neither agree nor disagree"),
    *("neither good nor bad", "neither likely nor unlikely", "neither satisfied nor dissatisfied"),
)
_STRONGLY: Final = ("strongly", "completely", "totally", "fully")
_SOMEWHAT: Final = ("somewhat", "slightly", "rather", "a little")
_OPPOSITES: Final = (
    ("dissatisfied", "satisfied"),
    ("unlikely", "likely"),
    ("bad", "good"),
    ("negative", "positive"),
    ("unhelpful", "helpful"),
    ("useless", "useful"),
    ("irrelevant", "relevant"),
    ("unclear", "clear"),
    ("unimportant", "important"),
    ("harmful", "harmless"),
    ("unconvincing", "convincing"),
)
_OFTEN: Final[Form] = (
    ("never",),
    ("rarely", "seldom", "hardly ever", "almost never"),
    ("sometimes", "occasionally"),
    ("often", "frequently", "usually", "very often", "most of the time"),
    ("always", "every time"),
)
_LEVELS: Final[Form] = (("very low",), ("low",), ("medium", "moderate", "middle"), ("high",), ("very high",))
_MIDDLING: Final[Tier] = ("fair", "average", "acceptable", "okay", "ok", "satisfactory")
_GRADES: Final[tuple[Form, ...]] = (
    (("poor",), _MIDDLING, ("good",), ("excellent",)),
    (("poor",), _MIDDLING, ("good",), ("very good",), ("excellent",)),
    (("very poor", "bad", "terrible", "unacceptable"), ("poor",), _MIDDLING, ("good",), ("excellent",)),
    (("very poor",), ("poor",), _MIDDLING, ("good",), ("very good",)),
    (("very poor", "bad"), ("poor",), _MIDDLING, ("good",), ("very good",), ("excellent",)),
)
_MARKS: Final[tuple[Form, ...]] = tuple(
    ((low,), (high,))
    for low, high in (
        *(("no", "yes"), ("n", "y"), ("false", "true"), ("fail", "pass"), ("failed", "passed")),
        *(("incorrect", "correct"), ("wrong", "right")),
    )
)
MAX_WORDS: Final = 12  # of a column of categories
PREFERRED: Final = (5, 7, 6, 4, 3, 2)  # numbers of places, where words do not use all places of any form
_NUMBERED: Final = re.compile(r"(-?\d{1,3})\s?[-–:.)]\s?[^\d\s].{0,80}|[^\d]{1,80}[\s(\[](-?\d{1,3})[)\]]?")


def _about(low: str, high: str, strongly: Iterable[str], plain: Iterable[str] = ("",)) -> Iterator[Form]:
    """Forms from an opposite to the other, with the neutral place and without."""

    def tier(word: str, by: Iterable[str]) -> Tier:
        return tuple(chain.from_iterable((f"{each} {word}".strip(), f"{word} {each}".strip()) for each in by))

    least, less, little = (tier(low, by) for by in (strongly, plain, _SOMEWHAT))
    most, more, much = (tier(high, by) for by in (strongly, plain, _SOMEWHAT))
    yield from ((less, more), (less, _NEUTRAL, more))
    yield from ((least, less, more, most), (least, less, _NEUTRAL, more, most))
    yield from ((least, little, much, most), (least, little, _NEUTRAL, much, most))
    yield from ((least, less, little, much, more, most), (least, less, little, _NEUTRAL, much, more, most))


def _amounts(of: str) -> Form:
    words = (("not at all", "not"), ("slightly", "a little"), ("moderately", "somewhat"), ("very", "quite"))
    return tuple(tuple(f"{each} {of}".strip() for each in tier) for tier in (*words, ("extremely", "completely")))


_FORMS: Final[tuple[Form, ...]] = (
    *_about("disagree", "agree", _STRONGLY),
    *chain.from_iterable(_about(low, high, ("very", "extremely")) for low, high in _OPPOSITES),
    _OFTEN,
    *_GRADES,
    _LEVELS[1:4],
    _LEVELS,
    *(_amounts(of) for of in ("", *(high for _, high in _OPPOSITES))),
)


def codes_of_words(words: Iterable[str]) -> dict[str, int]:
    """What the words of one column usually stand for, with the usual words of places that are not among them; none
    where nothing tells. Marks, such as pass and fail, are 0 and 1, other words count from 1.
    """
    found = {_plain(word): word for word in words}
    if len(found) > MAX_WORDS:
        return {}
    if numbered := _numbers_of(found.values()):
        return numbered
    fitting = [
        (form, least)
        for forms, least in ((_MARKS, 0), (_FORMS, 1))
        for form in forms
        if len(found) > 1 and found.keys() <= set(chain.from_iterable(form))
    ]
    if not fitting:
        return {}
    form, least = min(
        fitting,
        key=lambda each: (not all(map(found.keys().__and__, map(set, each[0]))), PREFERRED.index(len(each[0]))),
    )
    codes: dict[str, int] = {}
    for number, tier in enumerate(form, least):
        there = [found[word] for word in dict.fromkeys(tier) if word in found]
        codes |= dict.fromkeys(there or [tier[0].capitalize()], number)
    return codes


def proposed_codes(columns: Iterable[Iterable[str]]) -> dict[str, int]:
    """Codes for the words of several columns; none where one has none, where two are on scales of different ends or
    have a word that stands for different places, and where a word has a sign in it that parts codes.
    """
    codes: dict[str, int] = {}
    for words in columns:
        own = codes_of_words(words)
        if not own or (codes and _ends(own) != _ends(codes)):
            return {}
        if any(codes.get(word, number) != number for word, number in own.items()):
            return {}
        codes |= own
    return {} if any(sign in word for word in codes for sign in ",=") else codes


def option(codes: Mapping[str, int]) -> str:
    """The option of the command, as it is typed."""
    return f"--codes {shlex.quote(as_given(codes))}"


def advice_on_words(cells: Iterable[str]) -> str:
    """What words among the cells of one column can be read with; "" where nothing tells."""
    codes = proposed_codes([dict.fromkeys(cell.strip() for cell in cells)])
    return f". Its words can be read with {option(codes)}" if codes else ""


def as_given(codes: Mapping[str, int]) -> str:
    """“Disagree=1,Agree=2”."""
    return ",".join(f"{word}={number}" for word, number in codes.items())


def _ends(codes: dict[str, int]) -> tuple[int, int]:
    return min(codes.values()), max(codes.values())


def _numbers_of(words: Iterable[str]) -> dict[str, int]:
    """Numbers that stand beside the words themselves, as in “5 - Strongly agree”."""
    matched = {word: _NUMBERED.fullmatch(word.strip()) for word in words}
    codes = {word: int(match[1] or match[2]) for word, match in matched.items() if match}
    return codes if len(codes) == len(matched) > 1 == len(set(codes.values())) / len(codes) else {}


def _plain(word: str) -> str:
    return re.sub(r"[\s_-]+", " ", plain_word(word))
