"""Differences between reports as a researcher reads them: outcomes first, in words, with digits enough."""

import csv
import io
from dataclasses import replace
from math import nextafter
from typing import Any

import pytest

from analysis.agreement.sections import AGREEMENT, RUBRIC
from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate, Interval
from analysis.outcomes.sections import OUTCOMES
from analysis.report.core.report_comparison import ABSENT
from analysis.report.core.report_differences import MAX_ROWS, differences, differences_csv, told_apart
from analysis.report.core.report_leaves import Leaf, leaves
from analysis.sections.core.report import Report
from tests.analysis.report.core.made_reports import changed, made_report, masked


def moved(part: Any) -> Any:
    """The whole report with every estimate a little higher."""
    if isinstance(part, Estimate):
        return replace(part, value=(part.value or 0) + 0.001)
    if isinstance(part, dict):
        return {name: moved(value) for name, value in part.items()}
    if isinstance(part, tuple):
        return tuple(map(moved, part))
    if hasattr(part, "__dataclass_fields__"):
        return replace(part, **{name: moved(getattr(part, name)) for name in part.__dataclass_fields__})
    return part


def with_lead(report: Report, lead: Estimate) -> Report:
    outcomes = {**report[OUTCOMES].outcomes, WHOLE: replace(report[OUTCOMES].outcomes[WHOLE], lead=lead)}
    return changed(report, OUTCOMES, outcomes=outcomes)


def test_differences_come_in_the_order_in_which_a_researcher_asks_and_prompts_last() -> None:
    found = differences(made_report(), moved(made_report()))
    order = [
        *("Outcomes", "Agreement", "Rubric", "Judges", "Calibration", "Blinding", "Panel", "Participants"),
        *("By domain", "By prompt"),
    ]
    assert [group.title for group in found.groups if group.title in order] == order


def test_every_entry_of_a_report_has_its_section() -> None:
    report = made_report()
    found = differences(report, masked(report).having(AGREEMENT, {}))
    assert "Other" not in {section.title for section in found.groups}
    assert "data.rows" in {name for name, _ in leaves(report)}


def test_of_parameters_and_of_what_is_said_twice_nothing_is_counted() -> None:
    report = made_report()
    other = moved(replace(report, parameters=replace(report.parameters, seed=7)))
    names = [each.name for section in differences(report, other).groups for each in section.differences]
    assert not [name for name in names if name.startswith(("parameters.", "agreement.BBQ.prompts."))]
    assert [name for name in names if name.startswith("agreement.all.prompts.BBQ_01.")]
    assert differences(report, replace(report, parameters=other.parameters)).count == 0


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Outcomes", "claude · rank, ties sharing the mean place · mean"),
        ("Outcomes", "People · first places"),
        ("Agreement", "α of ranks, ordinal"),
        ("Judges", "J-003 · W without this judge"),
        ("By domain", "Theory of Mind · model − human difference"),
        ("By prompt", "BBQ_02 · model − human difference"),
    ],
)
def test_entries_go_by_words(title: str, words: str) -> None:
    found = differences(made_report(), moved(made_report()))
    [section] = [section for section in found.groups if section.title == title]
    assert words in words_of(section)


def words_of(section: Any) -> list[str]:
    """The words of all its rows, also of those that a page leaves to the file."""
    parts = [
        replace(section, differences=section.differences[start : start + MAX_ROWS])
        for start in range(0, len(section.differences), MAX_ROWS)
    ]
    return [row.words for part in parts for row in part.rows]


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        (Estimate("w", 0.41, 3), Estimate("w", 0.39, 3), ("0.41", "0.39")),
        (Estimate("w", 0.41231, 3), Estimate("w", 0.41232, 3), ("0.41231", "0.41232")),
        # The values are told apart, also where their intervals are at once.
        (
            Estimate("w", 0.4123, 3, interval=Interval(0.1, 0.5, 0.95, "exact")),
            Estimate("w", 0.4124, 3, interval=Interval(0.2, 0.5, 0.95, "exact")),
            ("0.4123 [0.1000, 0.5000]", "0.4124 [0.2000, 0.5000]"),
        ),
        (
            Estimate("w", 0.4, 3, interval=Interval(0.1, 0.5, 0.95, "exact")),
            Estimate("w", 0.4, 3, interval=Interval(0.1, 0.501, 0.95, "exact")),
            ("0.400 [0.100, 0.500]", "0.400 [0.100, 0.501]"),
        ),
        (Estimate("w", None, 0, reason="no judge"), Estimate("w", -0.5, 3), ("undefined: no judge", "−0.50")),
        (Estimate("w", 0.4, 3), Estimate("w", 0.4, 4), ("0.4; n = 3, 0 left out", "0.4; n = 4, 0 left out")),
        (
            Estimate("w", 0.4, 3, interval=Interval(0.1, 0.5, 0.95, "exact")),
            Estimate("w", 0.4, 3, interval=Interval(0.1, 0.5, 0.9, "exact")),
            (
                "0.4; [0.1, 0.5]; at 0.95, exact, 0 resamples left out; n = 3, 0 left out",
                "0.4; [0.1, 0.5]; at 0.9, exact, 0 resamples left out; n = 3, 0 left out",
            ),
        ),
        (0.1, nextafter(0.1, 1), ("0.10000000000000001", "0.10000000000000002")),
        (1e-30, 2e-30, ("1e-30", "2e-30")),
        (1200, 1201, ("1,200", "1,201")),
        (True, False, ("yes", "no")),
        (None, ABSENT, ("none", ABSENT)),
    ],
)
def test_two_values_have_the_digits_that_tell_them_apart(one: Leaf, other: Leaf, shown: tuple[str, str]) -> None:
    assert told_apart(one, other) == shown


def test_a_dot_in_a_name_does_not_take_it_apart() -> None:
    report = made_report()
    agreement = {**report[AGREEMENT], "U.S. history": report[AGREEMENT]["BBQ"]}
    report = report.having(AGREEMENT, agreement)
    found = differences(report, moved(report))
    [section] = [section for section in found.groups if section.title == "By domain"]
    assert "U.S. history · α of ranks, ordinal" in words_of(section)
    assert not [words for words in words_of(section) if words.startswith("U.S. history · prompts")]


def test_numbers_have_their_difference_and_nothing_else_has() -> None:
    report = made_report()
    lead = Estimate("lead", 0.5, 10)
    for one, other, gap in (
        (lead, replace(lead, value=0.4375), "0.062"),
        (lead, replace(lead, n=11), "0"),
        (lead, Estimate("lead", None, 0, reason="no people"), ""),
    ):
        [section] = differences(with_lead(report, one), with_lead(report, other)).groups
        assert [row.gap for row in section.rows] == [gap]
    data = replace(report.data, rows=report.data.rows + 1500)
    [section] = differences(report, replace(report, data=data)).groups
    assert [row.gap for row in section.rows] == ["1,500"]


def test_the_file_has_all_differences_with_every_digit() -> None:
    report = made_report()
    found = differences(report, moved(report))
    lines = list(csv.DictReader(io.StringIO(differences_csv(found, "run 1", "run 2").decode())))
    assert len(lines) == found.count > len([row for section in found.groups for row in section.rows])
    [lead] = [line for line in lines if line["entry"] == "sources.outcomes.all.lead"]
    figure = dict(leaves(report))["sources.outcomes.all.lead"]
    assert isinstance(figure, Estimate)
    assert figure.value
    assert (lead["section"], lead["run 1"], lead["run 2"]) == (
        "Outcomes",
        repr(figure.value),
        repr(figure.value + 0.001),
    )
    assert float(lead["difference"]) == pytest.approx(0.001)


def test_numbers_below_0_stay_numbers_in_the_file() -> None:
    report = made_report()
    assert report[RUBRIC].components
    first = replace(report[RUBRIC].components[0], loadings=(-0.25,))
    other = changed(report, RUBRIC, components=(first,))
    lines = csv.DictReader(io.StringIO(differences_csv(differences(report, other), "run 1", "run 2").decode()))
    assert "-0.25" in {line["run 2"] for line in lines}
