"""Reminders that were asked for, and what became of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Q, QuerySet

from annotation.coordination.core.work_kinds import MAIL_REMINDER
from annotation.coordination.models.reminders import Reminder
from annotation.platform.models.work import Task
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study

WAITING = Q(sent_at__isnull=True, skipped_at__isnull=True, withdrawn_at__isnull=True)


@dataclass(frozen=True)
class Waiting:
    """A reminder that has not gone yet. `trouble` says why not, where its time has come."""

    id: int
    pseudonym: str
    name: str
    subject: str
    text: str
    due_at: datetime
    asked_by: str
    trouble: str


@dataclass(frozen=True)
class Outcome:
    """What became of a reminder, and when: sent, skipped or withdrawn, or waiting for `at`."""

    state: str
    at: datetime
    because: str = ""


@dataclass(frozen=True)
class Past:
    """A reminder that was sent, skipped or withdrawn, as `state` says; the person by pseudonym and name."""

    pseudonym: str
    name: str
    subject: str
    text: str
    state: str
    at: datetime
    because: str
    asked_by: str


def asked_of(people: Sequence[Participation]) -> dict[int, tuple[datetime | None, datetime | None]]:
    """When the last reminder went to each person, and when the one goes that waits; by participation."""
    asked = Reminder.objects.filter(participation__in=people).order_by().values_list("participation")
    times = asked.annotate(last_sent=Max("sent_at"), goes=Max("due_at", filter=WAITING))
    return {person: (sent_at, waiting_for) for person, sent_at, waiting_for in times}


def waiting(study: Study) -> list[Waiting]:
    """Reminders that have not gone yet, the next first."""
    reminders = list(
        Reminder.objects.filter(WAITING, participation__study=study)
        .select_related("participation__user", "asked_by")
        .order_by("due_at", "id")
    )
    tasks = Task.objects.filter(kind=MAIL_REMINDER, subject__in=[str(reminder.pk) for reminder in reminders])
    failed = {task.subject: task for task in tasks if task.last_error}
    return [_waiting(reminder, failed.get(str(reminder.pk))) for reminder in reminders]


def _waiting(reminder: Reminder, failed: Task | None) -> Waiting:
    trouble = ""
    if failed:
        again = "Withdraw it and ask again." if failed.gave_up_at else "It is tried again by itself."
        trouble = f"The mail server could not be reached. {again}"
    return Waiting(
        id=reminder.pk,
        pseudonym=reminder.participation.pseudonym,
        name=reminder.participation.user.name,
        subject=reminder.subject,
        text=reminder.body,
        due_at=reminder.due_at,
        asked_by=reminder.asked_by.name,
        trouble=trouble,
    )


def past(study: Study) -> QuerySet[Reminder]:
    """Reminders that wait no more, the latest first; for `past_line`, a page at a time."""
    return Reminder.objects.filter(~WAITING, participation__study=study).select_related(
        "participation__user", "asked_by", "withdrawn_by"
    )


def past_line(reminder: Reminder) -> Past:
    became = outcome(reminder)
    return Past(
        pseudonym=reminder.participation.pseudonym,
        name=reminder.participation.user.name,
        subject=reminder.subject,
        text=reminder.body,
        state=became.state,
        at=became.at,
        because=became.because,
        asked_by=reminder.asked_by.name,
    )


def outcome(reminder: Reminder) -> Outcome:
    if reminder.sent_at:
        return Outcome("sent", reminder.sent_at)
    if reminder.skipped_at:
        return Outcome("skipped", reminder.skipped_at, reminder.skipped_because)
    if reminder.withdrawn_at and reminder.withdrawn_by:
        return Outcome("withdrawn", reminder.withdrawn_at, f"by {reminder.withdrawn_by.name}")
    return Outcome("waiting", reminder.due_at)
