"""How fast a study's work goes, and when the rest of it will be done."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone

from annotation.coordination.core.forecast import Forecast, Pace, Undefined, forecast
from annotation.coordination.core.outlook import Outlook, outlook
from annotation.coordination.selectors.progress import Member, Phase, Work, start_of
from annotation.study.models.studies import Study

RECENT_DAYS = 14
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Day:
    day: date
    number: int


@dataclass(frozen=True)
class Expected:
    """When the last piece will be in: as likely before as after `at`, with 80 % between the other two."""

    at: datetime
    earliest: datetime
    latest: datetime

    @property
    def is_one_day(self) -> bool:
        return timezone.localdate(self.earliest) == timezone.localdate(self.latest)


@dataclass(frozen=True)
class Course:
    """How far one phase is. `blocked` pieces are among those missing: nobody can do them as things stand.

    `per_day` is the mean of the last two weeks, or of the time since the work was given out; `days` are those two
    weeks, today last. `expected` is empty where nothing is left or no forecast can be made; then `undefined` says
    why.
    """

    phase: Phase
    done: int
    begun: int
    blocked: int
    total: int
    per_day: float
    days: tuple[Day, ...]
    last_at: datetime | None
    due_on: date | None
    expected: Expected | None
    undefined: str
    outlook: Outlook


def course(work: Work, study: Study, *, now: datetime) -> Course:
    """How far `work` is at `now`; days are those of the zone in which times are shown."""
    went = list(paces(work, now))
    left, found = any(pace.left for pace in went), forecast(went)
    due_on = study.writing_due_on if work.phase == Phase.WRITING else study.judging_due_on
    return Course(
        phase=work.phase,
        done=len(work.done),
        begun=work.begun,
        blocked=len(work.blocked),
        total=len(work.wanted),
        per_day=_per_day(work, now),
        days=_by_day(work, now),
        last_at=max(work.done, default=None),
        due_on=due_on,
        expected=_expected(found, now) if left and isinstance(found, Forecast) else None,
        undefined=found.reason if left and isinstance(found, Undefined) else "",
        outlook=outlook(
            found,
            left=len(work.left),
            blocked=len(work.blocked),
            days_to_due=(start_of(due_on + DAY) - now) / DAY if due_on else None,
        ),
    )


def paces(work: Work, now: datetime) -> Iterator[Pace]:
    """How fast everybody went who had work, and what they have left and can do."""
    left, submitted = work.left_by, work.submitted_by
    for person, member in work.members.items():
        own, done = left.get(person, ()), submitted.get(person, ())
        if own or done:
            yield Pace(person, len(done), len(own), days=_days_had(member, now if own else max(done)))


def _days_had(member: Member, until: datetime) -> float:
    """How long they could work up to a moment: not before they could begin, nor after their last day."""
    if member.obstacle and not member.is_lost:
        return 0.0
    last = member.participation.available_until
    until = min(until, start_of(last + DAY)) if last else until
    return max(0.0, (until - member.since) / DAY)


def _expected(found: Forecast, now: datetime) -> Expected:
    return Expected(*(now + DAY * days for days in (found.median_days, found.low_days, found.high_days)))


def _per_day(work: Work, now: datetime) -> float:
    given_out_at = work.given_out_at or now
    days = min(RECENT_DAYS, max(1.0, (now - given_out_at) / DAY))
    return sum(at > now - days * DAY for at in work.done) / days


def _by_day(work: Work, now: datetime) -> tuple[Day, ...]:
    first = timezone.localdate(now) - (RECENT_DAYS - 1) * DAY
    since = start_of(first)
    numbers = Counter(timezone.localdate(at) for at in work.done if at >= since)
    return tuple(Day(day, numbers[day]) for day in (first + ahead * DAY for ahead in range(RECENT_DAYS)))
