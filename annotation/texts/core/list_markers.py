"""Which lines open an item of a list, and what is left of them without bullet, number or letter."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.texts.core.characters import BULLET

_BULLET: Final = re.compile(
    r"(?:(?:(?:[-*+•·–—]"
    r"|[-=]>|>>|~(?= *[^\W\d_]))[ \t]{1,99}(?=\S)|o\t{1,9}(?=\S)|•(?=\w))(?:\[[ xX]?\][ \t]{1,9})?)++"
)
_BOLD_NUMBER: Final = re.compile(
    r"([*_]{1,3})(\(?(?:[0-9]{1,2}|[A-Za-z]|[ivxIVX]{1,5})(?:\.\)|[.):]))"
    r"(?:\1[ \t]{0,9}|[ \t]{1,9}(?=[^*_\n]{1,300}\1))"
)
_MARKER: Final = re.compile(
    r"(?P<open>[(\[#]?)(?P<value>[0-9]{1,2}|[ivxIVX]{1,5}|[A-Za-z])\\?"
    r"(?P<close>\.\)|[.)\]:]|(?<=#[0-9])(?=[ \t])|(?<=#[0-9]{2})(?=[ \t])|[ \t]?[-–—](?=[ \t]))"
    r"[.:]?(?:[ \t]{1,99}|(?<=\))(?=[^\W\d_]))(?=\S)"
)
_ROMAN: Final = {"i": 1, "v": 5, "x": 10}
_SMALL: Final = re.compile(r"[^\w(]{0,4}[^\W\d_]")
_OPEN_END: Final = re.compile(r"""[^.!?:;,"')\]*_]\Z""")

_Style = tuple[str, str, str]


@dataclass(frozen=True)
class _Candidate:
    """A line that may open with the `value`-th marker of a `style`; its text goes on at `end`."""

    line: int
    style: _Style
    value: int
    end: int


def without_markers(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Each stripped line, without its marker where it has one, and the style of that marker.

    A number or letter is a marker only as one of a series, (1, 2 …, a, b …, i, ii …) or as a lone 1: `1984. A year`
    and `10. That many` open sentences, and so may an initial. A lone hyphen in mid-sentence is a dash that came to
    stand at the beginning of a line.
    """
    bare = [
        _BOLD_NUMBER.sub(_number_outside, line, count=1) if line.startswith(("*", "_")) else line for line in lines
    ]
    bullets = [_BULLET.match(line) for line in bare]
    rest = [line[mark.end() :] if mark else line for line, mark in zip(bare, bullets, strict=True)]
    ends = _ends_of_markers(rest)
    found: list[tuple[str, str]] = []
    for number, line in enumerate(rest):
        if number in ends:
            inner = line[ends[number][0] :]
            mark = _BULLET.match(inner)
            found.append((inner[mark.end() :] if mark else inner, ends[number][1]))
        elif bullets[number] and not _is_dash(bare, bullets, number):
            found.append((line, BULLET))
        else:
            found.append((bare[number], ""))
    return found


def _number_outside(found: re.Match[str]) -> str:
    """`**1.** Power` and `**1. Power**` with the number in front of the emphasis."""
    is_whole = found[0].rstrip().endswith(found[1])
    return f"{found[2]} " if is_whole else f"{found[2]} {found[1]}"


def _is_dash(lines: Sequence[str], bullets: Sequence[re.Match[str] | None], number: int) -> bool:
    before = lines[number - 1] if number else ""
    mark = bullets[number]
    if mark is None or mark[0].strip() not in ("-", "–", "—") or not before or bullets[number - 1]:
        return False
    if number + 1 < len(bullets) and bullets[number + 1]:
        return False
    opening = _SMALL.match(lines[number], mark.end())
    if before[-1].isdigit() and lines[number][mark.end()].isdigit():
        return True
    goes_on = opening is not None and opening[0][-1].islower() and bool(_OPEN_END.search(before))
    return goes_on or mark[0].strip() != "-"


def _ends_of_markers(lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Where the text of each line begins behind a marker that belongs to a series."""
    candidates = [candidate for number, line in enumerate(lines) for candidate in _candidates(number, line)]
    by_style: dict[_Style, list[_Candidate]] = {}
    for candidate in candidates:
        by_style.setdefault(candidate.style, []).append(candidate)
    found: dict[int, tuple[int, str]] = {}
    for _, series in sorted(
        by_style.items(), key=lambda pair: "1ia".index(pair[0][0])
    ):  # Roman numbers before letters
        found |= {
            one.line: (one.end, "".join(one.style))
            for one in _in_series([one for one in series if one.line not in found])
        }
    return found


def _candidates(number: int, line: str) -> Iterator[_Candidate]:
    """One, or two where a letter may be a Roman number."""
    mark = _MARKER.match(line)
    if not mark or (mark["open"] == "[") != (mark["close"] == "]"):
        return
    shape = mark["open"] + mark["close"].strip()
    value = mark["value"]
    if value.isdigit():
        yield _Candidate(number, ("1", shape, ""), int(value), mark.end())
        return
    case = "A" if value.isupper() else "a"
    if value.lower().strip("ivx") == "" and (value.islower() or value.isupper()):
        yield _Candidate(number, ("i", shape, case), _roman(value.lower()), mark.end())
    if len(value) == 1:
        yield _Candidate(number, ("a", shape, case), ord(value.lower()) - ord("a") + 1, mark.end())


def _roman(value: str) -> int:
    digits = [_ROMAN[letter] for letter in value]
    return sum(-one if one < after else one for one, after in zip(digits, [*digits[1:], 0], strict=True))


def _in_series(candidates: Sequence[_Candidate]) -> Iterator[_Candidate]:
    """Markers that count up, from one or beside one another."""
    places: dict[int, list[int]] = {}
    for place, candidate in enumerate(candidates):
        places.setdefault(candidate.value, []).append(place)

    def comes_later(value: int, place: int) -> bool:
        there = places.get(value, [])
        return bisect_right(there, place) < len(there)

    if not candidates:
        return
    kind, shape, _ = candidates[0].style
    is_plain_number = kind == "1" and not shape.startswith("[") and shape.strip("([)].") == ""
    expected = 0
    for place, candidate in enumerate(candidates):
        value = candidate.value
        after = candidates[place + 1].value if place + 1 < len(candidates) else 0
        if value == 1 and (is_plain_number or comes_later(2, place)):
            expected = 2
        elif value == expected or (kind == "1" and value == after - 1):
            expected = value + 1
        else:
            continue
        yield candidate
