"""Reminding somebody in a test."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from annotation.coordination.core.work_kinds import MAIL_REMINDER
from annotation.coordination.models.reminders import Reminder
from annotation.coordination.services import reminders
from annotation.coordination.services.reminders import Asked
from annotation.platform.models.work import Task
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from tests.factories import a_writing_study, coordinator_of, members_of

SUBJECT, TEXT = "“{study}”: {left}", "Dear {name}, please: {left}.\n\n{link}"


def a_writer_to_remind(**parameters: Any) -> Participation:
    """The writer of a study, with two answers left to write."""
    return members_of(a_writing_study(**parameters), Role.WRITER)[0]


def ask(
    study: Study,
    people: Sequence[Participation],
    *,
    due: datetime | None = None,
    subject: str = SUBJECT,
    text: str = TEXT,
) -> Asked:
    """The study's coordinator asks for a reminder to each of `people`."""
    return reminders.ask(
        study=study,
        people=[person.pseudonym for person in people],
        subject=subject,
        text=text,
        template="what_is_left-1",
        due=due,
        by=coordinator_of(study),
    )


def a_reminder(person: Participation, *, due: datetime | None = None) -> Reminder:
    """One that waits, to this person."""
    ask(person.study, [person], due=due)
    return Reminder.objects.get(participation=person, sent_at=None, skipped_at=None, withdrawn_at=None)


def mailed(reminder: Reminder) -> Reminder:
    """The reminder after the job looked at it."""
    reminders.mail(reminder_id=reminder.pk)
    reminder.refresh_from_db()
    return reminder


def task_of(reminder: Reminder) -> Task:
    return Task.objects.get(kind=MAIL_REMINDER, subject=str(reminder.pk))
