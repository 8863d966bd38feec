"""Likert instruments: what a file must say, and which way a mean points."""

import zoneinfo

import pytest

from annotation.people.core.time_zones import grouped_time_zones
from annotation.study.core.instrument import InstrumentError, parse

FILE = """
low = "progressive"
high = "conservative"
labels = ["Disagree", "Rather disagree", "Neither", "Rather agree", "Agree"]
[[items]]
key = "taxes"
text = "Public services should be paid for by higher taxes."
reversed = true
[[items]]
key = "customs"
text = "Old customs deserve the benefit of the doubt."
reversed = false
"""


@pytest.mark.parametrize(
    ("answers", "position"),
    [
        ({"taxes": 5, "customs": 1}, 1.0),  # (6 - 5 + 1) / 2: the low pole
        ({"taxes": 1, "customs": 5}, 5.0),  # (6 - 1 + 5) / 2: the high pole
        ({"taxes": 2, "customs": 3}, 3.5),  # (6 - 2 + 3) / 2
        ({"taxes": 4}, 2.0),  # 6 - 4; an item left out does not count
        ({}, None),
    ],
)
def test_reversed_items_are_turned_round_before_the_mean(answers: dict[str, int], position: float | None) -> None:
    assert parse(FILE).position(answers) == position


@pytest.mark.parametrize(
    ("wrong", "right", "complaint"),
    [
        ('low = "progressive"', "", "low must say"),
        ('high = "conservative"', 'high = " "', "high must say"),
        ("reversed = true", "", "taxes whether it is reversed"),
        ("reversed = true", 'reversed = "yes"', "taxes whether it is reversed"),
        ('key = "customs"', 'key = "taxes"', "same key"),
        ('key = "customs"', 'key = "Old customs"', "lower-case"),
        ('text = "Old customs deserve the benefit of the doubt."', "", "needs a text"),
        ('["Disagree", "Rather disagree", "Neither", "Rather agree", "Agree"]', '["Agree"]', "at least two"),
        ("[[items]]", "[[questions]]", "at least one"),
        ("low =", "low", "not TOML"),
    ],
)
def test_a_file_that_leaves_something_to_guess_is_refused(wrong: str, right: str, complaint: str) -> None:
    assert wrong in FILE
    with pytest.raises(InstrumentError, match=complaint):
        parse(FILE.replace(wrong, right))


def test_time_zones_are_offered_by_region_under_readable_names() -> None:
    choices = dict(grouped_time_zones())

    assert choices["UTC"] == "UTC"
    assert ("Europe/Vienna", "Vienna") in choices["Europe"]
    assert ("America/Argentina/Buenos_Aires", "Argentina, Buenos Aires") in choices["America"]


def test_time_zones_are_offered_under_one_name_each_and_every_name_is_known() -> None:
    regions = [zones for _, zones in grouped_time_zones() if isinstance(zones, list)]
    names = [name for zones in regions for name, _ in zones]

    assert set(names) <= zoneinfo.available_timezones()
    assert "Asia/Kolkata" in names
    assert not {"Asia/Calcutta", "America/Buenos_Aires", "Europe/Belfast"} & set(names)
