"""What differs between two reports, in words, in the order in which a researcher asks for it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.data.core.number_format import estimate_text, number, numeral
from analysis.data.core.results import Estimate
from analysis.report.core.report_comparison import Difference, comparable, compare
from analysis.report.core.report_leaves import Leaf, parts_of
from analysis.report.sections import registered
from analysis.sections.core.report import Report
from analysis.sections.core.section import BY_DOMAIN, BY_PROMPT, Entries
from analysis.sections.exhibits.exhibit import Cell, Column, Table
from analysis.sections.exhibits.rendering import table_csv
from analysis.sections.exhibits.wording import source_name

MAX_ROWS: Final = 40  # of a section that a page shows; the file has all
MIN_DIGITS, MAX_DIGITS = 2, 17

# What sections call parts of their entries goes before these.
_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("sources", "card", "items"), ""),
    "all": "all prompts",
    "p": "p",
    "sd": "SD",
    "se": "SE",
}
_DATA: Final = Entries("Data", r"data\.")
_OF_SCOPES: Final = (BY_DOMAIN, BY_PROMPT)  # whatever section they are of
_OTHER: Final = Entries("Other", "")


@dataclass(frozen=True, slots=True)
class _Kind:
    """Entries under one title: how they begin, and what their parts are called."""

    title: str
    beginning: re.Pattern[str]
    words: Mapping[str, str]


def _kinds() -> list[_Kind]:
    """Kinds of entries of all sections, in the order in which their titles are shown; the first whose beginning
    matches counts.
    """
    of_sections = [
        (entries, section.words) for section in registered("differences") for entries in section.compared
    ]
    own = [each for each in of_sections if each[0].title not in _OF_SCOPES]
    of_scopes = [each for title in _OF_SCOPES for each in of_sections if each[0].title == title]
    return [
        _Kind(entries.title, re.compile(entries.beginning), {**_WORDS, **words})
        for entries, words in (*own, (_DATA, {}), *of_scopes, (_OTHER, {}))
    ]


def _said_elsewhere() -> re.Pattern[str]:
    """Entries not compared: what was asked for is shown beside the figures, and some findings appear twice."""
    said = [section.said_elsewhere for section in registered("differences") if section.said_elsewhere]
    return re.compile("|".join([r"parameters\.", *said]))


@dataclass(frozen=True, slots=True)
class Row:
    """An entry in `words`, and what both reports have there, with as many digits as tell the two apart.

    `gap` is the absolute difference of two numbers; blank where there are none.
    """

    words: str
    one: str
    other: str
    gap: str


@dataclass(frozen=True, slots=True)
class Group:
    """Differences under one title."""

    title: str
    differences: tuple[Difference, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The first `MAX_ROWS` of its differences."""
        kinds = _kinds()
        return tuple(_row(each, kinds) for each in self.differences[:MAX_ROWS])


@dataclass(frozen=True, slots=True)
class Differences:
    """Differences among the entries that were `compared`: all but the parameters and what a report says twice.

    `is_rounding`: they differ in the last digits of numbers alone. `not_compared` are titles that the code behind
    one of the two reports did not know.
    """

    compared: int
    groups: tuple[Group, ...]
    is_rounding: bool
    not_compared: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        return sum(len(group.differences) for group in self.groups)


def differences(one: Report, other: Report) -> Differences:
    """Everything found that differs, by title; under one, in the order of the first report.

    A section that one of them would have, had the code of its time known it, is not compared.
    """
    one, other, lacking = comparable(one, other)
    comparison = compare(one, other, leaving_out=_said_elsewhere())
    kinds = _kinds()
    found: dict[str, list[Difference]] = {kind.title: [] for kind in kinds}
    for each in comparison.differences:
        found[_kind(each.name, kinds).title].append(each)
    groups = (Group(title, tuple(entries)) for title, entries in found.items() if entries)
    return Differences(comparison.compared, tuple(groups), comparison.is_rounding, tuple(lacking))


def differences_csv(found: Differences, one: str, other: str) -> bytes:
    """All of them with every digit, in the columns of an exhibit's table; entries are named as in figures.csv."""
    columns = ("section", "entry", one, other, "difference")
    rows = (
        (group.title, each.name, _cell(each.one), _cell(each.other), gap)
        for group in found.groups
        for each in group.differences
        for gap in (_gap(each),)
    )
    return table_csv(Table(tuple(map(Column, columns)), tuple(rows)))


def _cell(leaf: Leaf) -> Cell:
    return str(leaf) if isinstance(leaf, bool) else leaf


def _kind(name: str, kinds: Sequence[_Kind]) -> _Kind:
    return next(kind for kind in kinds if kind.beginning.match(name))


def _row(difference: Difference, kinds: Sequence[_Kind]) -> Row:
    one, other = told_apart(difference.one, difference.other)
    gap = _gap(difference)
    in_digits = "" if gap is None else f"{gap:,}" if isinstance(gap, int) else f"{gap:.2g}"
    return Row(_in_words(difference.name, _kind(difference.name, kinds)), one, other, in_digits)


def _in_words(name: str, kind: _Kind) -> str:
    parts = parts_of(kind.beginning.sub("", name, count=1))
    return " · ".join(filter(None, (_word(part, kind.words) for part in parts)))


def _word(part: str, words: Mapping[str, str]) -> str:
    """Names of prompts and people, which have capitals or digits, stay as they are."""
    word = words.get(part, source_name(part))
    return word.replace("_", " ") if re.fullmatch("[a-z_]+", word) else word


def _gap(difference: Difference) -> float | None:
    one, other = _number(difference.one), _number(difference.other)
    return None if one is None or other is None else abs(one - other)


def _number(leaf: Leaf) -> float | None:
    if isinstance(leaf, Estimate):
        return leaf.value
    return leaf if isinstance(leaf, int | float) and not isinstance(leaf, bool) else None


def told_apart(one: Leaf, other: Leaf) -> tuple[str, str]:
    """Two different pieces of reports, with the fewest digits that tell their values apart, or else their
    intervals; in full where no digit does.
    """
    have_other_values = _number(one) != _number(other)
    for digits in range(MIN_DIGITS, MAX_DIGITS + 1):
        if have_other_values and _value(one, digits) == _value(other, digits):
            continue
        shown = _text(one, digits), _text(other, digits)
        if shown[0] != shown[1]:
            return shown
    return _in_full(one), _in_full(other)


def _value(leaf: Leaf, digits: int) -> str:
    value = _number(leaf)
    return "" if value is None else numeral(value, digits)


def _text(leaf: Leaf, digits: int) -> str:
    if isinstance(leaf, Estimate):
        return f"undefined: {leaf.reason}" if leaf.value is None else estimate_text(leaf, digits)
    if isinstance(leaf, bool):
        return "yes" if leaf else "no"
    if isinstance(leaf, int | float):
        return number(leaf, digits)
    return "none" if leaf is None else leaf


def _in_full(leaf: Leaf) -> str:
    """A figure with every digit and all that an estimate rests on."""
    if not isinstance(leaf, Estimate):
        return str(leaf)
    parts = [f"undefined: {leaf.reason}" if leaf.value is None else repr(leaf.value)]
    if found := leaf.interval:
        ends = found.reason or f"[{found.low!r}, {found.high!r}]"
        parts += [ends, f"at {found.level:g}, {found.method}, {found.left_out} resamples left out"]
    return "; ".join([*parts, f"n = {leaf.n}, {leaf.left_out} left out"])
