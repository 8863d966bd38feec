"""After a restore nothing leaves the site before somebody says so, and what may have left already is listed."""

import io
from datetime import timedelta

import django_rq
import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.uptime import SitePause
from annotation.platform.models.work import Task
from annotation.platform.services import audit, pauses, work
from annotation.platform.services.clock import database_now
from scrub_site import jobs
from scrub_site.database.after_restore import may_have_left
from scrub_site.management.commands import run_loop
from scrub_site.management.commands.after_restore import shortened
from tests.every_table import a_study_in_writing

MAIL, CALL, OTHER = "mail_account", "work_run", "draw_map"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def empty_queues() -> None:
    for queue in ("default", "mail", "calls"):
        django_rq.get_queue(queue).empty()


def ask_for_each() -> None:
    for kind in (MAIL, CALL, OTHER):
        work.ask(kind=kind, subject="1")


def waiting() -> dict[str, int]:
    return {queue: django_rq.get_queue(queue).count for queue in ("default", "mail", "calls")}


def test_while_the_site_is_paused_mails_and_calls_wait_and_other_work_is_done() -> None:
    pauses.pause(reason="Restored.", by=None)
    ask_for_each()
    run_loop.dispatch()
    assert waiting() == {"default": 1, "mail": 0, "calls": 0}
    pauses.resume(reason="Looked.", by=None)
    run_loop.dispatch()
    assert waiting() == {"default": 1, "mail": 1, "calls": 1}


@pytest.mark.parametrize("kind", [MAIL, CALL])
def test_a_message_from_before_a_pause_begins_nothing(kind: str) -> None:
    work.ask(kind=kind, subject="1")
    [lease] = work.lease_due()
    pauses.pause(reason="Restored.", by=None)
    jobs.perform(lease.task_id, lease.token.hex)
    assert Task.objects.get().attempts == 0


def test_a_pause_and_its_end_are_on_record_once_each() -> None:
    for _ in range(2):
        pauses.pause(reason="Restored.", by=None)
    call_command("resume", "--reason=Nothing was sent.", stdout=io.StringIO())
    verbs = list(AuditEvent.objects.order_by("id").values_list("verb", flat=True))
    assert verbs == ["site.paused", "site.resumed"]
    with pytest.raises(CommandError, match="Nothing is paused"):
        call_command("resume", "--reason=Again.")


def test_mails_of_before_the_pause_are_dropped_where_that_is_wanted_and_later_ones_stay() -> None:
    work.ask(kind=MAIL, subject="before", due=database_now() - timedelta(minutes=1))
    work.ask(kind=CALL, subject="before", due=database_now() - timedelta(minutes=1))
    pauses.pause(reason="Restored.", by=None)
    work.ask(kind=MAIL, subject="after")
    call_command("resume", "--reason=Sent.", "--drop-mail", stdout=io.StringIO())
    still_open = Task.objects.filter(done_at=None).values_list("kind", "subject")
    assert set(still_open) == {(MAIL, "after"), (CALL, "before")}


def test_what_is_done_after_a_restore_lists_what_may_have_left_and_verifies_what_is_there() -> None:
    work.ask(kind=MAIL, subject="7")
    audit.seal()
    out = io.StringIO()
    taken_at = (database_now() - timedelta(hours=1)).isoformat()
    call_command("after_restore", f"--taken-at={taken_at}", "--reason=The disk failed.", stdout=out)
    told = out.getvalue()
    assert "- mail account 7: is due" in told
    assert "The chain is intact" in told
    assert pauses.current() is not None
    assert [restore.reason for restore in audit.restores()] == ["The disk failed."]


def test_mail_and_calls_wait_until_a_restore_is_on_record_with_the_time_of_its_backup() -> None:
    taken = (database_now() - timedelta(hours=1)).replace(microsecond=0)
    SitePause.objects.create(id=1, reason=f"Restored from the backup of {taken:%Y-%m-%dT%H:%M:%SZ}.")
    with pytest.raises(CommandError, match=r"Still paused\. The restore is not on record yet"):
        call_command("resume", "--reason=In a hurry.")
    other = (taken - timedelta(hours=1)).isoformat()
    with pytest.raises(CommandError, match=f"say --taken-at {taken:%Y-%m-%dT%H:%M:%SZ}"):
        call_command("after_restore", f"--taken-at={other}", "--reason=The disk failed.", stdout=io.StringIO())
    assert pauses.current() is not None
    assert audit.restores() == []
    call_command(
        "after_restore", f"--taken-at={taken.isoformat()}", "--reason=The disk failed.", stdout=io.StringIO()
    )
    call_command("resume", "--reason=Compared.", stdout=io.StringIO())
    assert pauses.current() is None


def test_a_restore_that_was_noted_before_the_backup_was_taken_does_not_count_for_the_one_after_it() -> None:
    pause = SitePause.objects.create(id=1, reason="Restored from the backup of 2026-03-01T04:00:00Z.")
    audit.note_restore(taken_at=database_now() - timedelta(hours=1), reason="The disk failed.")
    pause.refresh_from_db()
    assert pause.has_noted_restore
    SitePause.objects.update(began_at=database_now())  # the backup of the paused site, restored
    with pytest.raises(CommandError, match="not on record yet"):
        call_command("resume", "--reason=In a hurry.")


def test_open_calls_are_listed_after_a_restore_with_what_they_may_have_cost() -> None:
    with transaction.atomic():
        a_study_in_writing()
    told = "\n".join(may_have_left(taken_at=database_now()))
    assert "requests on their way: 1, " in told
    assert "US dollars at worst" in told
    assert "batch-1" in told


def test_of_a_long_list_of_what_is_wrong_after_a_restore_the_first_is_told_and_where_the_rest_is() -> None:
    assert shortened("verify_audit", "One.\nTwo.") == "verify_audit:\n- One.\n- Two."
    said = "\n".join(f"Answer {number}." for number in range(36))
    told = shortened("verify_blinding trial", said).splitlines()
    assert told[:2] == ["verify_blinding trial:", "- Answer 0."]
    assert told[-1] == "- and 31 more: `manage.py verify_blinding trial` names all"
