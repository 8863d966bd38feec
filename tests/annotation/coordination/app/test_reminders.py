"""Asking for reminders: who can be reminded of what, and never more than one to a person in 48 hours."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import settings
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotation.coordination.core.work_kinds import MAIL_REMINDER
from annotation.coordination.models.reminders import Reminder
from annotation.coordination.services import reminders
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.platform.services import audit, work
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from tests.annotation.coordination.reminders import a_reminder, a_writer_to_remind, ask, mailed, task_of
from tests.factories import (
    a_judging_study,
    a_member,
    a_person,
    a_study,
    a_writing_study,
    agree,
    assignments_of,
    coordinator_of,
    judging_items_of,
    members_of,
    written,
)
from tests.judging import submitted
from tests.work import perform

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
NOON = datetime(2031, 3, 10, 12, 0, tzinfo=UTC)


@pytest.fixture
def writer() -> Participation:
    return a_writer_to_remind()


@dataclass
class Clock:
    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The database's clock as reminders read it, under the test's control."""
    clock = Clock()
    monkeypatch.setattr(reminders, "database_now", clock)
    return clock


# -- asking and mailing --------------------------------------------------------------------------------------


def test_a_reminder_is_mailed_as_it_was_filled_in(writer: Participation) -> None:
    writer.user.name = "Wilma Writer"
    writer.user.save()
    reminder = a_reminder(writer)
    perform(task_of(reminder))

    [sent] = mail.outbox
    assert sent.to == [writer.user.email]
    assert sent.subject == "“The trial study”: 2 answers to write"
    link = settings.SITE_URL + reverse("study", args=["trial"])
    assert sent.body.startswith(f"Dear Wilma Writer, please: 2 answers to write.\n\n{link}\n\n")
    reminder.refresh_from_db()
    assert reminder.sent_at
    assert sent.body.startswith(reminder.body)
    assert task_of(reminder).done_at


def test_a_reminder_that_is_asked_for_later_is_due_then(writer: Participation) -> None:
    due = timezone.now() + 5 * HOUR
    reminder = a_reminder(writer, due=due)
    assert (reminder.due_at, task_of(reminder).due_at) == (due, due)
    assert work.lease_due(kinds=[MAIL_REMINDER]) == []


def test_asking_and_sending_leave_a_trace_without_name_or_address(writer: Participation) -> None:
    reminder = mailed(a_reminder(writer))
    events = list(AuditEvent.objects.filter(verb__startswith="reminder").values_list("verb", "actor", "subject"))
    coordinator = coordinator_of(writer.study)
    assert events == [
        ("reminders.asked", coordinator.pk, "trial"),
        ("reminder.sent", None, writer.pseudonym),
    ]
    assert AuditEvent.objects.get(verb="reminders.asked").detail["people"] == [writer.pseudonym]
    trail = str(list(AuditEvent.objects.filter(verb__startswith="reminder").values()))
    assert writer.user.email not in trail
    assert reminder.body not in trail


def test_only_coordinators_of_the_study_remind_its_people(writer: Participation) -> None:
    for somebody in (writer.user, a_person("Some Stranger"), a_member(writer.study, Role.RESEARCHER).user):
        with pytest.raises(PermissionDenied):
            reminders.ask(
                study=writer.study,
                people=[writer.pseudonym],
                subject="A",
                text="B",
                template="",
                due=None,
                by=somebody,
            )
        with pytest.raises(PermissionDenied):
            reminders.withdraw(reminder=a_reminder_of(writer), by=somebody)


def a_reminder_of(writer: Participation) -> Reminder:
    return Reminder.objects.filter(participation=writer).first() or a_reminder(writer)


def test_nothing_is_asked_for_where_the_trail_cannot_be_written(
    writer: Participation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(**_: object) -> None:
        raise RuntimeError("after everything else")

    monkeypatch.setattr(audit, "record", fails)
    with pytest.raises(RuntimeError), transaction.atomic():
        ask(writer.study, [writer])
    assert not Reminder.objects.exists()
    assert not Task.objects.filter(kind="mail_reminder").exists()


def test_a_time_that_has_passed_is_refused(writer: Participation, clock: Clock) -> None:
    with pytest.raises(Refused, match="has passed"):
        ask(writer.study, [writer], due=clock.now - timedelta(seconds=1))


def test_a_subject_that_grows_too_long_is_refused_with_whose_it_is(writer: Participation) -> None:
    with pytest.raises(Refused, match=f"the subject for {writer.pseudonym} has 209 characters"):
        ask(writer.study, [writer], subject="x" * 191 + "{left}")  # 191 + 18 of "2 answers to write"


def test_line_breaks_in_a_name_do_not_reach_the_headers(writer: Participation) -> None:
    writer.user.name = "Wilma\nBcc: all@example.org"
    writer.user.save()
    ask(writer.study, [writer], subject="Dear {name}")
    assert Reminder.objects.get().subject == "Dear Wilma Bcc: all@example.org"


# -- at most one in 48 hours ---------------------------------------------------------------------------------


@pytest.mark.parametrize("second", [NOON, NOON + 48 * HOUR])
def test_while_a_reminder_waits_no_other_can_be_asked_for(
    writer: Participation, clock: Clock, second: datetime
) -> None:
    ask(writer.study, [writer], due=NOON + 5 * HOUR)
    with pytest.raises(Refused, match="has a reminder waiting already, for 10 March, 17:00"):
        ask(writer.study, [writer], due=second)
    assert Reminder.objects.count() == 1


def test_within_48_hours_of_the_last_reminder_none_can_be_asked_for(writer: Participation, clock: Clock) -> None:
    mailed(a_reminder(writer))
    clock.now = NOON + 48 * HOUR - timedelta(seconds=1)
    with pytest.raises(Refused, match="less than 48 hours before; the next may go from 12 March, 12:00"):
        ask(writer.study, [writer])
    clock.now = NOON + 48 * HOUR
    assert mailed(a_reminder(writer)).sent_at == clock.now


def test_the_next_reminder_can_be_asked_for_earlier_where_it_goes_late_enough(
    writer: Participation, clock: Clock
) -> None:
    mailed(a_reminder(writer))
    clock.now = NOON + HOUR
    with pytest.raises(Refused, match="48 hours"):
        ask(writer.study, [writer], due=NOON + 47 * HOUR)
    ask(writer.study, [writer], due=NOON + 48 * HOUR)


def test_a_reminder_that_comes_too_soon_after_another_is_skipped_at_its_time(
    writer: Participation, clock: Clock
) -> None:
    """The first one went out late, as the loop had been down."""
    first = a_reminder(writer)
    clock.now = NOON + 20 * HOUR
    mailed(first)
    Reminder.objects.create(
        participation=writer, subject="A", body="B", due_at=NOON + 48 * HOUR, asked_by=coordinator_of(writer.study)
    )
    clock.now = NOON + 48 * HOUR
    second = mailed(Reminder.objects.exclude(pk=first.pk).get())
    assert (second.sent_at, second.skipped_because) == (None, "was reminded less than 48 hours before")
    assert len(mail.outbox) == 1


def test_a_reminder_that_was_withdrawn_or_skipped_does_not_count(writer: Participation, clock: Clock) -> None:
    reminders.withdraw(reminder=a_reminder(writer), by=coordinator_of(writer.study))
    reminder = a_reminder(writer)
    Participation.objects.filter(pk=writer.pk).update(reminders_off_at=NOON)
    assert mailed(reminder).skipped_at
    Participation.objects.filter(pk=writer.pk).update(reminders_off_at=None)
    assert mailed(a_reminder(writer)).sent_at


def test_a_clock_that_lags_behind_the_loops_does_not_skip_a_reminder_at_the_very_edge(
    writer: Participation, clock: Clock
) -> None:
    mailed(a_reminder(writer))
    second = a_reminder(writer, due=NOON + 48 * HOUR)
    clock.now = NOON + 48 * HOUR - timedelta(milliseconds=3)
    assert mailed(second).sent_at


def test_of_several_people_those_who_cannot_be_reminded_are_left_out_with_the_reason() -> None:
    study = a_writing_study(writers=3)
    idle, done, stopped = members_of(study, Role.WRITER)
    for assignment in assignments_of(study, writer=1):
        written(assignment)
    Participation.objects.filter(pk=stopped.pk).update(reminders_off_at=timezone.now())
    asked = ask(study, [idle, done, stopped])
    assert asked.people == (idle.pseudonym,)
    assert asked.left_out == (
        (done.pseudonym, "has nothing left to write"),
        (stopped.pseudonym, "wants no reminders"),
    )
    assert reminders.in_words(asked.left_out) == "W-0002 has nothing left to write. W-0003 wants no reminders."


def test_asking_twice_reminds_once(writer: Participation) -> None:
    ask(writer.study, [writer])
    with pytest.raises(Refused, match=r"^Nobody is reminded\. W-0001 has a reminder waiting"):
        ask(writer.study, [writer])
    assert Reminder.objects.count() == 1


# -- who is offered ------------------------------------------------------------------------------------------


def test_judges_are_reminded_of_items_and_then_of_their_guesses() -> None:
    study = a_judging_study(1, 1, judges=1, prompts=2, guess_items=1)
    judge = members_of(study, Role.JUDGE)[0]
    for left in ("2 items to judge", "1 item to judge", "the last step, to guess who wrote the answers"):
        ask(study, [judge], subject="{left}")
        reminder = Reminder.objects.get(withdrawn_at=None)
        assert reminder.subject == left
        reminders.withdraw(reminder=reminder, by=coordinator_of(study))
        for item in judging_items_of(study):
            if item.state == "assigned":
                submitted(item)
                break


def test_people_are_reminded_of_consent_and_profile_while_their_work_lies_ahead() -> None:
    study = a_study()
    judge = a_member(study, Role.JUDGE, ready=False)
    writer = a_member(study, Role.WRITER, ready=False)
    agree(writer)
    ask(study, [judge, writer], subject="{left}")
    assert dict(Reminder.objects.values_list("participation__role", "subject")) == {
        "judge": "the consent form and your profile",
        "writer": "your profile",
    }


def test_somebody_who_is_ready_before_there_is_work_is_not_reminded() -> None:
    study = a_study()
    writer = a_member(study, Role.WRITER)
    with pytest.raises(Refused, match="has nothing to do yet"):
        ask(study, [writer])


def test_where_the_study_names_no_day_a_text_cannot_name_it_either(writer: Participation) -> None:
    with pytest.raises(Refused, match=r"\{due\} stands for nothing here"):
        ask(writer.study, [writer], text="By {due}.")
    Study.objects.filter(pk=writer.study_id).update(writing_due_on=date(2031, 3, 21))
    ask(writer.study, [writer], text="By {due}.")
    assert Reminder.objects.get().body == "By 21 March 2031."
