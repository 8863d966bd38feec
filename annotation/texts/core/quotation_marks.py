"""Straight quotation marks of one kind: double ones, single ones within them, and double ones within those."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

_DOUBLED: Final = re.compile(r"``|''|´´|(?<!\S),,(?=\w)")
_BACKTICK: Final = re.compile("[`´]")
_MARK: Final = re.compile("[\"']")
_ELISION: Final = re.compile(
    r"(?:[0-9]0s|[0-9]{2}(?!\w)|(?:tis|twas|twere|twill|em|n|cause|til|till|bout|round|neath|cos)(?!\w))", re.I
)
_OPENS: Final = frozenset(" ([{-/=")
_PLURAL: Final = re.compile(r"'(?= [a-z])")
_SENTENCE_END: Final = re.compile(r"[.!?]['\")]{0,2}(?: |\Z)")
MAX_SENTENCE: Final = 400  # characters in which a single mark may close after a plural
MAX_QUOTATION: Final = 3_000  # characters between two single marks that belong together


@dataclass(frozen=True)
class _Pair:
    start: int
    end: int


def with_double_marks(text: str) -> str:
    """Return `text` with one double mark for two signs that stand for it."""
    return _BACKTICK.sub("'", _DOUBLED.sub('"', text))


def with_one_kind_of_quotation_marks(text: str) -> str:
    """Return `text` with pairs of quotation marks told from apostrophes, and commas and full stops within them.

    A mark without its counterpart stays as it is.
    """
    if '"' not in text and "'" not in text:
        return text
    characters = list(text)
    ends: set[int] = set()
    depth_of = _depths(_pairs(text))
    for pair, depth in depth_of:
        _set(characters, pair, "\"'"[depth % 2])
        ends.add(pair.end)
    for end in sorted(ends):
        _draw_in(characters, end)
    return "".join(characters)


def _set(characters: list[str], pair: _Pair, mark: str) -> None:
    """Put `mark` on both sides of a quotation, close to it, and apart from the words around it."""
    before, first = characters[pair.start - 1] if pair.start else "", characters[pair.start + 1]
    last, after = characters[pair.end - 1], characters[pair.end + 1] if pair.end + 1 < len(characters) else ""
    characters[pair.start] = f" {mark}" if before and before in ",;:" else mark
    characters[pair.end] = f"{mark} " if after.isalnum() else mark
    if first == " ":
        characters[pair.start + 1] = ""
    if last == " ":
        characters[pair.end - 1] = ""


def _draw_in(characters: list[str], end: int) -> None:
    """`one",` as `one,"`; where a sentence has ended within the marks its full stop is enough."""
    after = characters[end + 1] if end + 1 < len(characters) else ""
    is_ellipsis = after == "." and characters[end + 2 : end + 3] == ["."]
    if after not in (",", ".") or is_ellipsis or not characters[end]:
        return
    before = characters[end - 1] or characters[end - 2]
    if before in ".!?," and after == ".":
        characters[end + 1] = ""
    elif before not in ".!?,;:":
        characters[end], characters[end + 1] = after, characters[end]


def _depths(pairs: Sequence[_Pair]) -> Iterator[tuple[_Pair, int]]:
    open_ends: list[int] = []
    for pair in sorted(pairs, key=lambda pair: pair.start):
        while open_ends and open_ends[-1] < pair.start:
            open_ends.pop()
        yield pair, len(open_ends)
        open_ends.append(pair.end)


def _pairs(text: str) -> list[_Pair]:
    """Marks that open with those that close them, nested and never crossing."""
    found: list[_Pair] = []
    waiting: list[tuple[str, int]] = []
    marks = [mark.start() for mark in _MARK.finditer(text)]
    for number, place in enumerate(marks):
        mark = text[place]
        opens, closes = _may_open(text, place), _may_close(text, place)
        is_awaited = any(kind == mark for kind, _ in waiting[-3:])
        if mark == "'" and is_awaited and closes and _PLURAL.match(text, place) and text[place - 1] == "s":
            closes = not _closes_later(text, marks, number, times=[kind for kind, _ in waiting].count("'"))
        if closes and is_awaited:
            while waiting:
                kind, start = waiting.pop()
                if kind == mark:
                    if place - start > 1 and (mark == '"' or place - start <= MAX_QUOTATION):
                        found.append(_Pair(start, place))
                    break
        elif opens and len(waiting) < 3:
            waiting.append((mark, place))
    return found


def _closes_later(text: str, marks: Sequence[int], number: int, *, times: int) -> bool:
    """Whether so many single marks close in what is left of the sentence before another one opens."""
    sentence_end = _SENTENCE_END.search(text, marks[number], marks[number] + MAX_SENTENCE)
    end = sentence_end.end() if sentence_end else marks[number] + MAX_SENTENCE
    closing = 0
    for place in islice(marks, number + 1, number + 9):
        if place > end or (text[place] == "'" and _may_open(text, place)):
            break
        closing += text[place] == "'" and _may_close(text, place)
    return closing >= times


def _may_open(text: str, place: int) -> bool:
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    at_start = place == 0 or before in _OPENS or (before in "\"'" and _at_start(text, place - 1))
    if before and before in ",;:" and text[place - 2 : place - 1].isalpha() and after.isalpha():
        return True
    if not at_start or not after or (after == " " and not _stands_apart(text, place)):
        return False
    return text[place] == '"' or not _ELISION.match(text, place + 1)


def _stands_apart(text: str, place: int) -> bool:
    """Whether a double mark has a space, or the end of the text, on both sides, so that it may open or close."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    return text[place] == '"' and before in ("", " ") and after in ("", " ", ",", ".", ";", ":", "!", "?", ")")


def _at_start(text: str, place: int) -> bool:
    return place == 0 or text[place - 1] in _OPENS


def _may_close(text: str, place: int) -> bool:
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if _stands_apart(text, place) or (text[place] == '"' and before in (",", ".", ";", "!", "?")):
        return True
    if not before or before in " ([{":
        return False
    return not (after and after.isalnum())
