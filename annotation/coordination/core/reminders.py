"""Reminders: when one may be sent, and what prevents it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from annotation.platform.core.phrases import in_words

REST = timedelta(hours=48)  # between two reminders of one person in one study

# What a text may name in braces, and what then stands there.
PLACEHOLDERS: Final = {
    "name": "the person’s name",
    "study": "the study’s title",
    "left": "what is left for them, such as “3 answers to write”",
    "due": "the day by which it should be done",
    "link": "the address of the study’s page",
}


def with_unsubscribe_link(text: str, *, study: str, link: str) -> str:
    """A reminder as it is mailed: its text, whom to ask, and how to get no more of them."""
    return (
        f"{text}\n\nQuestions? Answer this mail.\n\n"
        f"You get this mail because you take part in the study “{study}”. If you want no more reminders of it, "
        f"open this link:\n{link}"
    )


# -- times ---------------------------------------------------------------------------------------------------


def moment(day: date, hour: int, zone: tzinfo) -> datetime:
    """The full hour of a day by the clocks of `zone`, in UTC.

    Where clocks are put forward over that hour, the time they show instead; where it comes twice, the first.
    """
    return datetime.combine(day, time(hour), zone).astimezone(UTC)


@dataclass(frozen=True)
class Standing:
    """What speaks for and against reminding a member of a study.

    `left` says in words what is left for them to do; where it is empty, `nothing` says why. Days of availability
    are those of the person's own `zone`. `sent_at` is when the last reminder went to them, `waiting_for` when the
    one goes that has been asked for.
    """

    left: str
    nothing: str = ""
    zone: str = "UTC"
    has_left: bool = False
    wants_none: bool = False
    available_from: date | None = None
    available_until: date | None = None
    sent_at: datetime | None = None
    waiting_for: datetime | None = None


@dataclass(frozen=True)
class Obstacle:
    """Why a person is not reminded, as a predicate: "has left the study". `until` where its end is known."""

    predicate: str
    until: datetime | None = None


def obstacle(standing: Standing, *, at: datetime) -> Obstacle | None:
    """What stands in the way of a reminder that goes at `at`; `None` where nothing does."""
    return next(_obstacles(standing, at), None)


def _obstacles(standing: Standing, at: datetime) -> Iterator[Obstacle]:
    """All there are, those that last the longest first."""
    if standing.has_left:
        yield Obstacle("has left the study")
    if standing.wants_none:
        yield Obstacle("wants no reminders")
    if not standing.left:
        yield Obstacle(standing.nothing)
    day = at.astimezone(ZoneInfo(standing.zone)).date()
    first, last = standing.available_from, standing.available_until
    if first and day < first:
        yield Obstacle(f"has no time before {in_words(first)}")
    if last and day > last:
        yield Obstacle(f"had time until {in_words(last)}")
    if standing.sent_at and at < standing.sent_at + REST:
        yield Obstacle("was reminded less than 48 hours before", until=standing.sent_at + REST)
