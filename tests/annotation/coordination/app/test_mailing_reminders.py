"""A reminder when its time has come: it is mailed once, or skipped for a reason that can be read afterwards."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused, SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from annotation.coordination.models.reminders import Reminder
from annotation.coordination.selectors.reminder_history import Past, past, past_line, waiting
from annotation.coordination.services import reminders
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.platform.services import work
from annotation.study.models.participation import Consent, Participation
from annotation.study.models.studies import Study
from annotation.writing.services import writing_desk
from tests.annotation.coordination.reminders import a_reminder, a_writer_to_remind, mailed, task_of
from tests.factories import assignments_of, coordinator_of, written
from tests.mail_server import nobody_listens, sending_meets
from tests.work import perform

pytestmark = pytest.mark.django_db
LONG_AGO = datetime(2001, 5, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def writer() -> Participation:
    return a_writer_to_remind()


# -- what happened meanwhile ---------------------------------------------------------------------------------


def hands_everything_in(writer: Participation) -> None:
    for assignment in assignments_of(writer.study):
        written(assignment)


def loses_their_answers(writer: Participation) -> None:
    for assignment in assignments_of(writer.study):
        writing_desk.cancel(assignment=assignment, reason="Ill.", by=coordinator_of(writer.study))


def change(**fields: object) -> Callable[[Participation], None]:
    def happens(writer: Participation) -> None:
        Participation.objects.filter(pk=writer.pk).update(**fields)

    return happens


def withdraws_consent(writer: Participation) -> None:
    Consent.objects.filter(participation=writer).update(withdrawn_at=timezone.now())


def sees_the_study_move_on(writer: Participation) -> None:
    Study.objects.filter(pk=writer.study_id).update(state="assembling")


def sees_the_study_archived(writer: Participation) -> None:
    by = coordinator_of(writer.study)
    Study.objects.filter(pk=writer.study_id).update(archived_at=timezone.now(), archived_by=by)


@pytest.mark.parametrize(
    ("what_happens", "because"),
    [
        (hands_everything_in, "has nothing left to write"),
        (loses_their_answers, "has nothing to write yet"),
        (change(left_at=LONG_AGO), "has left the study"),
        (change(reminders_off_at=LONG_AGO), "wants no reminders"),
        (change(available_until=date(2001, 5, 1)), "had time until 1 May 2001"),
        (withdraws_consent, "has withdrawn consent"),
        (sees_the_study_move_on, "has nothing left to do"),
        (sees_the_study_archived, "takes part in a study that is archived"),
    ],
)
def test_who_is_not_to_be_reminded_by_then_is_skipped(
    writer: Participation, what_happens: Callable[[Participation], None], because: str
) -> None:
    reminder = a_reminder(writer)
    what_happens(writer)
    perform(task_of(reminder))
    reminder.refresh_from_db()
    assert (reminder.sent_at, reminder.skipped_because) == (None, because)
    assert [message for message in mail.outbox if message.subject == reminder.subject] == []
    assert task_of(reminder).done_at
    assert AuditEvent.objects.get(verb="reminder.skipped").detail["because"] == because


def test_answers_go_to_the_coordinator_who_asked(writer: Participation) -> None:
    mailed(a_reminder(writer))
    [message] = mail.outbox
    assert message.reply_to == [coordinator_of(writer.study).email]
    assert "Questions? Answer this mail." in message.body


def test_the_job_done_twice_mails_once(writer: Participation) -> None:
    reminder = mailed(a_reminder(writer))
    work.ask(kind="mail_reminder", subject=reminder.pk)
    perform(Task.objects.get(kind="mail_reminder", done_at=None))
    mailed(reminder)
    assert len(mail.outbox) == 1


def test_a_reminder_that_was_withdrawn_is_not_mailed(writer: Participation) -> None:
    reminder = a_reminder(writer)
    reminders.withdraw(reminder=reminder, by=coordinator_of(writer.study))
    assert task_of(reminder).done_at, "nobody has to look at it any more"
    assert mailed(reminder).withdrawn_by == coordinator_of(writer.study)
    assert mail.outbox == []


def test_withdrawing_twice_changes_nothing_and_what_was_sent_cannot_be_withdrawn(writer: Participation) -> None:
    by = coordinator_of(writer.study)
    reminder = a_reminder(writer)
    reminders.withdraw(reminder=reminder, by=by)
    reminders.withdraw(reminder=reminder, by=by)
    assert AuditEvent.objects.filter(verb="reminder.withdrawn").count() == 1
    with pytest.raises(Refused, match="has been sent already"):
        reminders.withdraw(reminder=mailed(a_reminder(writer)), by=by)


# -- where mail fails ----------------------------------------------------------------------------------------


def test_while_the_mail_server_is_away_the_reminder_waits_and_the_page_says_so(
    writer: Participation,
) -> None:
    reminder = a_reminder(writer)
    with nobody_listens():
        perform(task_of(reminder))
    task = task_of(reminder)
    assert (task.attempts, task.done_at) == (1, None)
    [line] = waiting(writer.study)
    assert line.trouble == "The mail server could not be reached. It is tried again by itself."

    perform(task)
    assert len(mail.outbox) == 1
    assert waiting(writer.study) == []


def line_after(error: Exception, reminder: Reminder) -> Past:
    """What is told of the reminder after the server was reached, and then: `error`."""
    with sending_meets(error):
        perform(task_of(reminder))
    assert task_of(reminder).done_at
    [line] = map(past_line, past(reminder.participation.study))
    return line


def test_once_a_reminder_is_given_up_it_can_be_withdrawn_and_asked_for_again(writer: Participation) -> None:
    reminder = a_reminder(writer)
    Task.objects.filter(pk=task_of(reminder).pk).update(gave_up_at=timezone.now(), last_error="nobody listens")
    assert waiting(writer.study)[0].trouble.endswith("Withdraw it and ask again.")
    reminders.withdraw(reminder=reminder, by=coordinator_of(writer.study))
    assert mailed(a_reminder(writer)).sent_at


@pytest.mark.parametrize(
    "error",
    [
        SMTPRecipientsRefused({"x@example.org": (550, b"no such user")}),
        SMTPSenderRefused(550, b"who are you", "studio@example.org"),
        SMTPDataError(554, b"no spam"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_the_server_refuses_is_seen_and_not_sent_again(writer: Participation, error: Exception) -> None:
    reminder = a_reminder(writer)
    line = line_after(error, reminder)
    assert line.state == "skipped"
    assert line.because.startswith("the mail server did not take it: ")
    mailed(reminder)
    assert mail.outbox == []
    # Nothing came, so another one may be asked for at once.
    assert mailed(a_reminder(writer)).sent_at


@pytest.mark.parametrize(
    "error",
    [SMTPServerDisconnected("connection unexpectedly closed"), TimeoutError("timed out")],
    ids=lambda error: type(error).__name__,
)
def test_what_the_server_may_have_taken_counts_as_sent_so_that_no_second_one_comes_within_two_days(
    writer: Participation, error: Exception
) -> None:
    line = line_after(error, a_reminder(writer))
    assert line.state == "sent"
    with pytest.raises(Refused, match="the next may go from"):
        a_reminder(writer)


def test_a_reminder_is_marked_as_sent_before_it_goes_out(
    writer: Participation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should the program end here, it is lost; it cannot come twice."""
    reminder = a_reminder(writer)

    def ends(*_: object) -> None:
        assert Reminder.objects.get(pk=reminder.pk).sent_at
        raise SystemExit

    with monkeypatch.context() as killed:
        killed.setattr(EmailBackend, "send_messages", ends)
        with pytest.raises(SystemExit):
            reminders.mail(reminder_id=reminder.pk)
    mailed(reminder)
    assert mail.outbox == []
