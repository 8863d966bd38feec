"""Items of lists as prose: short ones are one sentence or paragraph, long ones a paragraph each."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from annotation.texts.core.blocks import ends_statement

MAX_ITEM_WORDS: Final = 30  # on the average of a list that becomes one paragraph
MAX_LONGEST_ITEM_WORDS: Final = 60
MAX_PHRASE_WORDS: Final = 6  # on the average of a list whose items are phrases; longer ones are sentences
MAX_LABEL_WORDS: Final = 6

_LABEL: Final = re.compile(r"([^.!?:;,–—()]{1,80}?)(?: ?[–—] ?| ?-{2,3} ?| - )(?=\S)")
_SEPARATING: Final = re.compile(r"[–—]|-{2}| - ")
_ABBREVIATION: Final = re.compile(r"\b(?:[A-Za-z]|etc|al|ed|eds|Jr|Sr)\.\Z")
_CONJUNCTION: Final = re.compile(r"(?:[,;] ?)?\b(and|or)\Z")

_NUMBER_IN_LINE: Final = re.compile(r"(?<!\S)(\(?)(?:([0-9]{1,2})|([a-h])|([ivx]{1,4}))\) (?=[^\W_])")
_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_PARTED: Final = re.compile(r"(?:[,;:.]|\b(?:and|or)) \Z")


def without_numbers_in_line(paragraph: str) -> str:
    """`(1) one, (2) two` without the numbers, where they count up from one and something parts what they count."""
    marks = list(_NUMBER_IN_LINE.finditer(paragraph))
    for style in sorted({_style(mark) for mark in marks}):
        series = [mark for mark in marks if _style(mark) == style]
        counts_up = [_value(mark) for mark in series] == list(range(1, len(series) + 1))
        before = (paragraph[max(0, mark.start() - 5) : mark.start()] for mark in series[1:])
        if len(series) > 1 and counts_up and all(map(_PARTED.search, before)):
            starts = {mark.start(): mark.end() for mark in series}
            return without_numbers_in_line(_without(paragraph, starts))
    return paragraph


def _style(mark: re.Match[str]) -> tuple[str, int]:
    return mark[1], mark.lastindex or 0


def _value(mark: re.Match[str]) -> int:
    if mark[2]:
        return int(mark[2])
    return ord(mark[3]) - ord("a") + 1 if mark[3] else _ROMAN.index(mark[4]) + 1 if mark[4] in _ROMAN else 0


def _without(text: str, stretches: Mapping[int, int]) -> str:
    parts, done = [], 0
    for start, end in stretches.items():
        parts.append(text[done:start])
        done = end
    return "".join([*parts, text[done:]])


def as_paragraphs(items: Sequence[str]) -> list[str]:
    """One paragraph of several items, or one of each where they are long.

    Phrases are divided by semicolons and sentences by full stops, whichever of the two stood there.
    """
    labelled = [_with_label(item) for item in items]
    words = [len(item.split()) for item in labelled]
    if len(items) == 1 or sum(words) > MAX_ITEM_WORDS * len(words) or max(words) > MAX_LONGEST_ITEM_WORDS:
        return labelled
    are_phrases = sum(words) <= MAX_PHRASE_WORDS * len(words)
    continued = [
        _continued(item, "; " if are_phrases or following[:1].islower() else ". ")
        for item, following in pairwise(labelled)
    ]
    return ["".join([*continued, _ended(labelled[-1])])]


def _with_label(item: str) -> str:
    """`Power – who has it` as `Power: who has it`, where there is no other dash."""
    label = _LABEL.match(item)
    if not label or len(label[1].split()) > MAX_LABEL_WORDS or _SEPARATING.search(item, label.end()):
        return item
    return f"{label[1]}: {item[label.end() :]}"


def _continued(item: str, sign: str) -> str:
    item = item.rstrip(" ,;")
    if conjunction := _CONJUNCTION.search(item):
        return f"{item[: conjunction.start()].rstrip()}; {conjunction[1]} "
    if item.endswith(".") and not item.endswith("..") and not _ABBREVIATION.search(item):
        item = item[:-1]
    return f"{item} " if ends_statement(item) or item.endswith(":") else item + sign


def _ended(item: str) -> str:
    return item if ends_statement(item) else f"{item.rstrip(' ,;:')}."
