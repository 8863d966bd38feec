"""The texts of reminders, and the rules by which one may go."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from annotation.coordination.core.reminders import (
    PLACEHOLDERS,
    Standing,
    moment,
    obstacle,
    with_unsubscribe_link,
)
from annotation.platform.core.mail_templates import fill, parse_template
from tests.folders import PROJECT

TEMPLATES = sorted((PROJECT / "annotation/coordination/reminders").glob("*.txt"))
VALUES = {
    "name": "Ada {link}",
    "study": "Two towns",
    "left": "3 answers to write",
    "due": "1 March 2031",
    "link": "https://studio.example/studies/towns/",
}
NOON = datetime(2031, 3, 10, 12, 0, tzinfo=UTC)
FREE = Standing(left="3 answers to write")


# -- texts ---------------------------------------------------------------------------------------------------


def test_there_are_templates_of_reminders() -> None:
    assert len(TEMPLATES) >= 4


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
class TestEveryTemplate:
    def test_every_template_can_be_filled_in(self, path: Path) -> None:
        template = parse_template(path.stem, path.read_text(encoding="utf-8"))
        filled_in = fill(template.subject + template.text, VALUES, placeholders=PLACEHOLDERS)
        assert VALUES["link"] in filled_in
        assert "Ada {link}" in filled_in

    def test_every_template_is_versioned_and_no_link_is_followed_by_a_full_stop(self, path: Path) -> None:
        """A mail program takes the full stop for a part of the address."""
        assert path.stem.rpartition("-")[2].isdecimal()
        assert "{link}." not in path.read_text(encoding="utf-8")


def test_every_reminder_ends_with_the_way_out() -> None:
    mail = with_unsubscribe_link("Dear Ada", study="Two towns", link="https://studio.example/stop")
    assert mail.startswith("Dear Ada\n\n")
    assert "“Two towns”" in mail
    assert mail.endswith("\nhttps://studio.example/stop")


def test_every_placeholder_is_explained() -> None:
    assert set(PLACEHOLDERS) == set(VALUES)


# -- what stands in the way ----------------------------------------------------------------------------------


def test_somebody_with_work_left_can_be_reminded() -> None:
    assert obstacle(FREE, at=NOON) is None


@pytest.mark.parametrize(
    ("change", "predicate"),
    [
        ({"has_left": True}, "has left the study"),
        ({"wants_none": True}, "wants no reminders"),
        ({"left": "", "nothing": "has nothing left to write"}, "has nothing left to write"),
        ({"available_from": date(2031, 3, 11)}, "has no time before 11 March 2031"),
        ({"available_until": date(2031, 3, 9)}, "had time until 9 March 2031"),
        ({"sent_at": NOON - timedelta(hours=47, minutes=59)}, "was reminded less than 48 hours before"),
        # What lasts longer is said first.
        ({"has_left": True, "wants_none": True, "left": ""}, "has left the study"),
    ],
)
def test_an_obstacle_is_named(change: dict[str, object], predicate: str) -> None:
    found = obstacle(replace(FREE, **change), at=NOON)  # type: ignore[arg-type]
    assert found
    assert found.predicate == predicate


@pytest.mark.parametrize("change", [{"available_from": date(2031, 3, 10)}, {"available_until": date(2031, 3, 10)}])
def test_the_first_and_the_last_day_count(change: dict[str, date]) -> None:
    assert obstacle(replace(FREE, **change), at=NOON) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(("zone", "may"), [("Pacific/Auckland", True), ("America/Los_Angeles", False)])
def test_days_are_those_of_the_persons_own_calendar(zone: str, may: bool) -> None:
    """At noon UTC of 10 March it is 11 March, 1:00, in Auckland, and still 10 March on the other side."""
    standing = replace(FREE, zone=zone, available_from=date(2031, 3, 11))
    assert (obstacle(standing, at=NOON) is None) is may


@pytest.mark.parametrize(
    ("since", "may"),
    [
        (timedelta(hours=48) - timedelta(microseconds=1), False),
        (timedelta(hours=48), True),
        (timedelta(hours=48) + timedelta(microseconds=1), True),
    ],
)
def test_the_next_reminder_may_go_after_48_hours_to_the_microsecond(since: timedelta, may: bool) -> None:
    found = obstacle(replace(FREE, sent_at=NOON - since), at=NOON)
    assert (found is None) is may
    if found:
        assert found.until == NOON - since + timedelta(hours=48)


# -- hours ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "hour", "zone", "expected"),
    [
        # Vienna is an hour ahead of UTC in winter and two in summer.
        (date(2031, 1, 15), 9, "Europe/Vienna", "2031-01-15T08:00+00:00"),
        (date(2031, 7, 15), 9, "Europe/Vienna", "2031-07-15T07:00+00:00"),
        # On 30 March 2031 clocks go from 2:00 to 3:00, at 1:00 UTC: there is no 2 o'clock; 3 o'clock comes then.
        (date(2031, 3, 30), 1, "Europe/Vienna", "2031-03-30T00:00+00:00"),
        (date(2031, 3, 30), 2, "Europe/Vienna", "2031-03-30T01:00+00:00"),
        (date(2031, 3, 30), 3, "Europe/Vienna", "2031-03-30T01:00+00:00"),
        # On 26 October they go from 3:00 back to 2:00, at 1:00 UTC: 2 o'clock comes at 0:00 UTC and at 1:00 UTC.
        (date(2031, 10, 26), 2, "Europe/Vienna", "2031-10-26T00:00+00:00"),
        (date(2031, 10, 26), 3, "Europe/Vienna", "2031-10-26T02:00+00:00"),
        # On Lord Howe Island they go forward by half an hour, from 2:00 to 2:30; before, 10.5 hours ahead of UTC.
        (date(2031, 10, 5), 2, "Australia/Lord_Howe", "2031-10-04T15:30+00:00"),
    ],
)
def test_an_hour_is_one_by_the_clocks_of_the_zone(day: date, hour: int, zone: str, expected: str) -> None:
    assert moment(day, hour, ZoneInfo(zone)) == datetime.fromisoformat(expected)
