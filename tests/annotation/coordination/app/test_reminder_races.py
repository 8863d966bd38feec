"""Reminders that several ask for, send or stop at the same moment."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core import mail
from django.db import transaction

from annotation.coordination.models.reminders import Reminder
from annotation.coordination.services import reminders
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Participation
from tests.annotation.coordination.reminders import a_reminder, a_writer_to_remind, ask
from tests.annotation.judging.app.test_races import Crowd, crowd, elsewhere, still_waits  # noqa: F401 - a fixture
from tests.factories import coordinator_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def writer() -> Participation:
    return a_writer_to_remind()


def test_eight_workers_with_the_same_reminder_mail_it_once(
    writer: Participation,
    crowd: Crowd,  # noqa: F811
) -> None:
    reminder = a_reminder(writer)
    crowd([lambda: reminders.mail(reminder_id=reminder.pk)] * 8)
    assert len(mail.outbox) == 1


def test_eight_coordinators_who_ask_at_once_ask_for_one(
    writer: Participation,
    crowd: Crowd,  # noqa: F811
) -> None:
    def asks() -> bool:
        try:
            ask(writer.study, [writer])
        except Refused:
            return False
        return True

    assert crowd([asks] * 8).count(True) == 1
    assert Reminder.objects.count() == 1


def test_a_job_waits_for_a_withdrawal_and_then_mails_nothing(writer: Participation) -> None:
    reminder = a_reminder(writer)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            reminders.withdraw(reminder=reminder, by=coordinator_of(writer.study))
            job = elsewhere(pool, lambda: reminders.mail(reminder_id=reminder.pk))
            assert still_waits(job)
        job.result(timeout=10)
    assert mail.outbox == []


def test_asking_waits_for_whoever_asks_already_and_then_tells_of_the_one_that_waits(writer: Participation) -> None:
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            ask(writer.study, [writer])
            second = elsewhere(pool, lambda: ask(writer.study, [writer]))
            assert still_waits(second)
        with pytest.raises(Refused, match="has a reminder waiting already"):
            second.result(timeout=10)
