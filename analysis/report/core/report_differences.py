"""What differs between two reports, in words, in the order in which a researcher asks for it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from analysis.data.core.numerals import estimate_text, number, numeral
from analysis.data.core.results import Estimate
from analysis.report.core.report import Report
from analysis.report.core.report_comparison import Difference, compare
from analysis.report.core.report_leaves import Leaf, parts_of
from analysis.report.exhibits.agreement import ICC_NAMES
from analysis.report.exhibits.exhibit import Cell, Column, Table
from analysis.report.exhibits.rendering import table_csv
from analysis.report.exhibits.wording import source_name

MOST_ROWS: Final = 40  # of a section that a page shows; the file has all
FEWEST_DIGITS, MOST_DIGITS = 2, 17

# What was asked for stands beside the figures; a prompt's own figures are the same in every scope; that a masked
# report has nothing of sources is seen from each of their figures.
_SAID_ELSEWHERE: Final = re.compile(r"""parameters\.|agreement\.(?!all\.)("[^"]*"|[^.]*)\.prompts\.|sources$""")

# Sections in their order, each with how its entries begin: what is matched goes without saying.
_SECTIONS: Final[Mapping[str, re.Pattern[str]]] = {
    title: re.compile(beginning)
    for title, beginning in {
        "Outcomes": r"sources\.outcomes\.all\.|sources\.(?=precision\.)",
        "Agreement": r"agreement\.all\.(?!prompts\.)",
        "Rubric": r"diagnostics\.(?!judges\.)",
        "Judges": r"diagnostics\.judges\.",
        "Calibration": r"sources\.(?=floor\.|attribution\.)",
        "Blinding": r"sources\.(?=blinding\.|guesses\.|leaks\.)",
        "Panel": r"sources\.panel\.",
        "Participants": r"participants\.",
        "Data": r"data\.",
        "By domain": r"(sources\.outcomes|agreement)\.(?!all\.)",
        "By prompt": r"(sources|agreement\.all)\.prompts\.",
        "Other": "",
    }.items()
}

_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("sources", "card", "summary", "severity", "icc", "items"), ""),
    **ICC_NAMES,
    "all": "all prompts",
    "alpha_interval": "α of scores, interval",
    "alpha_ordinal": "α of ranks, ordinal",
    "alpha_without": "α of ranks without this judge",
    "any_first": "a model first",
    "auc": "AUC",
    "chi_squared": "χ²",
    "competition_rank": "rank, ties sharing the best place",
    "first": "first places",
    "floor": "quality floor",
    "fractional": "a model first, shared ones divided",
    "full": "same ranking",
    "heads": "one against another",
    "lead": "models less people",
    "led_by_models": "prompts led by models",
    "log_strength": "log-strength",
    "mid_rank": "rank, ties sharing the mean place",
    "p": "p",
    "pairs": "models against people",
    "permutation_p": "p by permutation",
    "plackett_luce": "Plackett–Luce",
    "r_without": "mean r without this judge",
    "sd": "SD",
    "se": "SE",
    "skillings_mack": "Skillings–Mack",
    "skillings_mack_p": "p of Skillings–Mack",
    "strengths": "Davidson",
    "tau_b": "τ-b, within prompts",
    "tau_b_pooled": "τ-b, all pairs pooled",
    "tau_b_without": "τ-b without this judge",
    "top_1": "same answer first",
    "w": "W, plain",
    "w_common": "W, answers all judges ranked",
    "w_tie_corrected": "W, tie-corrected",
    "w_without": "W without this judge",
}


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
class Section:
    title: str
    differences: tuple[Difference, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The first `MOST_ROWS` of its differences."""
        return tuple(_row(each, self.title) for each in self.differences[:MOST_ROWS])


@dataclass(frozen=True, slots=True)
class Differences:
    """Among the entries that were `compared`: all but the parameters and what a report says twice.

    `is_rounding`: they differ in the last digits of numbers alone.
    """

    compared: int
    sections: tuple[Section, ...]
    is_rounding: bool

    @property
    def count(self) -> int:
        return sum(len(section.differences) for section in self.sections)


def differences(one: Report, other: Report) -> Differences:
    """Everything found that differs, by section; within one, in the order of the first report."""
    comparison = compare(one, other, leaving_out=_SAID_ELSEWHERE)
    found: dict[str, list[Difference]] = {title: [] for title in _SECTIONS}
    for each in comparison.differences:
        found[_title(each.name)].append(each)
    sections = (Section(title, tuple(entries)) for title, entries in found.items() if entries)
    return Differences(comparison.compared, tuple(sections), comparison.is_rounding)


def differences_csv(found: Differences, one: str, other: str) -> bytes:
    """All of them with every digit, in the columns of an exhibit's table; entries are named as in figures.csv."""
    columns = ("section", "entry", one, other, "difference")
    rows = (
        (section.title, each.name, _cell(each.one), _cell(each.other), gap)
        for section in found.sections
        for each in section.differences
        for gap in (_gap(each),)
    )
    return table_csv(Table(tuple(map(Column, columns)), tuple(rows)))


def _cell(leaf: Leaf) -> Cell:
    return str(leaf) if isinstance(leaf, bool) else leaf


def _title(name: str) -> str:
    return next(title for title, beginning in _SECTIONS.items() if beginning.match(name))


def _row(difference: Difference, title: str) -> Row:
    one, other = told_apart(difference.one, difference.other)
    gap = _gap(difference)
    in_digits = "" if gap is None else f"{gap:,}" if isinstance(gap, int) else f"{gap:.2g}"
    return Row(_in_words(difference.name, title), one, other, in_digits)


def _in_words(name: str, title: str) -> str:
    parts = parts_of(_SECTIONS[title].sub("", name, count=1))
    return " · ".join(filter(None, map(_word, parts)))


def _word(part: str) -> str:
    """Names of prompts and people, which have capitals or digits, stay as they are."""
    word = _WORDS.get(part, source_name(part))
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
    for digits in range(FEWEST_DIGITS, MOST_DIGITS + 1):
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
    """With every digit and all that an estimate rests on."""
    if not isinstance(leaf, Estimate):
        return str(leaf)
    parts = [f"undefined: {leaf.reason}" if leaf.value is None else repr(leaf.value)]
    if found := leaf.interval:
        ends = found.reason or f"[{found.low!r}, {found.high!r}]"
        parts += [ends, f"at {found.level:g}, {found.method}, {found.left_out} resamples left out"]
    return "; ".join([*parts, f"n = {leaf.n}, {leaf.left_out} left out"])
