"""Receipts by mail: asked for with every submission, mailed once, and never with the text or the prompt in them."""

from smtplib import SMTPServerDisconnected

import pytest
from django.conf import settings
from django.core import mail
from django.urls import reverse

from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.platform.services import audit, work
from annotation.writing.core.work_kinds import MAIL_RECEIPT
from annotation.writing.models import WritingAssignment
from annotation.writing.services import drafts, receipts, writing, writing_desk
from scrub_site.demo import texts
from tests.answers import MINUTE, begin, finalise, pass_time, save
from tests.factories import a_writing_study, an_essay, assignments_of, coordinator_of, written
from tests.work import perform

pytestmark = pytest.mark.django_db


@pytest.fixture
def answer() -> WritingAssignment:
    assignment = assignments_of(a_writing_study())[0]
    person = assignment.participation.user
    person.name, person.time_zone = "Wilma Writer", "Asia/Tokyo"
    person.save()
    return assignment


def open_tasks() -> list[Task]:
    return list(Task.objects.filter(kind=MAIL_RECEIPT, done_at=None, gave_up_at=None))


def do_what_is_asked() -> None:
    for task in open_tasks():
        perform(task)


def test_a_submission_is_answered_by_mail(answer: WritingAssignment) -> None:
    text = an_essay(3)
    written(answer, text)
    WritingAssignment.objects.filter(pk=answer.pk).update(submitted_at="2031-03-01T15:30:12Z")
    do_what_is_asked()

    [receipt] = mail.outbox
    body = " ".join(receipt.body.split())
    assert receipt.to == [answer.participation.user.email]
    assert receipt.subject == "Receipt for prompt 1 of “The trial study”"
    assert "Dear Wilma Writer," in body
    # 15:30 UTC is half past midnight of the next day in Tokyo.
    assert "Handed in: 2 March 2031, 00:30:12 (Asia/Tokyo), by you" in body
    assert f"Length: {len(text.split())} words" in body
    assert sha256_hex(text) in body
    assert settings.SITE_URL + reverse("writing_receipt", args=[answer.pk]) in body


def test_neither_the_text_nor_the_prompt_is_in_the_mail(answer: WritingAssignment) -> None:
    written(answer, "Canaries sing in the text.")
    do_what_is_asked()
    [receipt] = mail.outbox
    told = f"{receipt.subject} {receipt.body}"
    for secret in ("anaries", answer.prompt_version.text, answer.prompt.code):
        assert secret not in told
    [event] = AuditEvent.objects.filter(verb="writing.receipt_mailed")
    assert event.actor is None
    assert set(event.detail) == {"submitted_at", "sha256"}


def test_what_the_clock_hands_in_gets_a_receipt_that_says_so(answer: WritingAssignment) -> None:
    begin(answer)
    save(answer, 1, "Saved in time.")
    pass_time(answer, 31 * MINUTE)
    finalise(answer)
    do_what_is_asked()
    assert "by the clock, as time ran out" in mail.outbox[0].body


def test_nothing_is_mailed_where_time_ran_out_before_a_word_was_written(answer: WritingAssignment) -> None:
    begin(answer)
    pass_time(answer, 31 * MINUTE)
    finalise(answer)
    assert open_tasks() == []


def test_a_receipt_is_mailed_once_however_often_it_is_asked_for(answer: WritingAssignment) -> None:
    written(answer)
    do_what_is_asked()
    receipts.ask_for(answer)
    do_what_is_asked()
    receipts.mail(assignment_id=answer.pk)
    assert len(mail.outbox) == 1


def test_an_answer_that_is_given_back_and_handed_in_again_gets_a_second_receipt(answer: WritingAssignment) -> None:
    coordinator = coordinator_of(answer.study)
    written(answer, "The first text.")
    do_what_is_asked()
    writing_desk.reopen(assignment=answer, minutes=10, reason="The connection failed.", by=coordinator)
    receipts.mail(assignment_id=answer.pk)
    assert len(mail.outbox) == 1, "there is nothing to confirm while it is being written"
    written(answer, "The second text.")
    do_what_is_asked()
    assert [sha256_hex("The second text.") in receipt.body for receipt in mail.outbox] == [False, True]


def test_while_the_mail_server_is_away_the_receipt_waits(
    answer: WritingAssignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(**_: object) -> int:
        raise SMTPServerDisconnected("Connection unexpectedly closed")

    written(answer)
    [task] = open_tasks()
    with monkeypatch.context() as outage:
        outage.setattr(receipts, "send_mail", away)
        perform(task)
    task.refresh_from_db()
    assert (task.attempts, task.done_at, task.gave_up_at) == (1, None, None)
    assert "Connection unexpectedly closed" in task.last_error
    assert mail.outbox == []

    perform(task)
    task.refresh_from_db()
    assert task.done_at
    assert len(mail.outbox) == 1


def test_the_receipt_is_asked_for_in_the_transaction_of_the_submission(
    answer: WritingAssignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(**_: object) -> None:
        raise RuntimeError("after everything else")

    begin(answer)
    drafts.keep(assignment=answer, text="One two.", by=answer.participation.user)
    monkeypatch.setattr(audit, "record", fails)
    with pytest.raises(RuntimeError):
        writing.submit(assignment=answer, confirmed=True, by=answer.participation.user)
    assert open_tasks() == []


def test_answers_that_a_demonstration_is_loaded_with_are_not_mailed_about(answer: WritingAssignment) -> None:
    texts.write(answer, an_essay())
    assert open_tasks() == []
    assert work.lease_due(kinds=[MAIL_RECEIPT]) == []
