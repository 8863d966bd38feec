"""The task table: what is asked for is done once, however often anybody is woken up, and Redis may vanish."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import django_rq
import pytest
from django.core import mail
from django.db import OperationalError, connection, transaction
from django.utils import timezone
from pytest_django import Settings
from rq import SimpleWorker

from annotation.platform.core.work_kinds import WorkKind
from annotation.platform.models.work import Task
from annotation.platform.services import work
from annotation.texts.models.provenance import Stimulus
from annotation.unblinders.core.work_kinds import WATCH_UNBLINDERS
from annotation.writing.models import WritingAssignment
from annotation.writing.services import writing
from scrub_site import jobs
from scrub_site.management.commands import run_loop
from tests.answers import MINUTE, SECOND, begin, pass_time, save
from tests.factories import a_writing_study, assignments_of
from tests.work import begun, leased, perform

pytestmark = pytest.mark.django_db
in_two_connections = pytest.mark.django_db(transaction=True)

KIND = "water_the_plants"
Result = TypeVar("Result")


@pytest.fixture
def watered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The subjects of all work of the kind `KIND` that was done."""
    subjects: list[str] = []
    is_done_by(monkeypatch, subjects.append)
    return subjects


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is work of the kind `KIND`."""
    is_done_by(monkeypatch, lambda _: None)


def is_done_by(monkeypatch: pytest.MonkeyPatch, handler: Callable[[str], None], **declared: Any) -> None:
    """Work of the kind `KIND`, beside all the others."""
    rows = jobs.KINDS["lapse_judging_item"].rows
    kind = WorkKind(KIND, handler, label="was not watered", rows=rows, **declared)
    monkeypatch.setattr(jobs, "KINDS", {**jobs.KINDS, KIND: kind})


def asked(subject: str = "fern", *, minutes: float = 0) -> Task:
    """The open task after asking for it, due in so many minutes from now."""
    work.ask(kind=KIND, subject=subject, due=timezone.now() + timedelta(minutes=minutes))
    return Task.objects.get(kind=KIND, subject=subject, done_at=None, gave_up_at=None)


def leased_now() -> list[int]:
    """The tasks that a look for due work leases, in order."""
    return [lease.task_id for lease in work.lease_due()]


def elsewhere(verb: Callable[[], Result]) -> Result:
    """What `verb` returns in another thread, on a connection of its own."""

    def run() -> Result:
        try:
            return verb()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result(timeout=20)


# -- asking --------------------------------------------------------------------------------------------------


def test_asking_twice_is_one_task() -> None:
    assert asked().pk == asked().pk
    assert Task.objects.count() == 1


def test_asking_again_brings_work_forward_and_never_puts_it_off() -> None:
    later, sooner = asked(minutes=60), asked(minutes=5)
    assert sooner.due_at < later.due_at
    assert asked(minutes=60).due_at == sooner.due_at


def test_what_was_asked_for_in_a_change_that_was_undone_is_not_wanted() -> None:
    with transaction.atomic():
        asked()
        transaction.set_rollback(True)
    assert not Task.objects.exists()


def test_work_that_was_asked_for_while_it_was_being_done_stays_open() -> None:
    task = asked()
    attempt = begun(task)
    asked()
    work.finish(attempt)
    task.refresh_from_db()
    assert task.done_at is None
    assert leased_now() == [task.pk]


@pytest.mark.parametrize("wait", [timedelta(seconds=30), timedelta(days=3)], ids=["soon", "past the lease"])
def test_work_asked_for_again_while_it_is_being_done_is_due_when_it_was_asked_for(wait: timedelta) -> None:
    task = asked()
    attempt = begun(task)
    later = timezone.now() + wait
    work.ask(kind=KIND, subject="fern", due=later)
    work.finish(attempt)
    task.refresh_from_db()
    assert (task.due_at, task.attempts) == (later, 0)
    assert work.lease_due() == []


def test_of_several_times_asked_for_while_work_is_being_done_the_first_counts() -> None:
    task = asked()
    attempt = begun(task)
    soon, late = (timezone.now() + timedelta(hours=hours) for hours in (1, 3))
    for due in (late, soon, late):
        work.ask(kind=KIND, subject="fern", due=due)
    work.finish(attempt)
    task.refresh_from_db()
    assert task.due_at == soon


def test_settled_work_is_not_due_any_more_and_can_be_asked_for_again() -> None:
    first = asked()
    work.cancel_open_tasks(kind=KIND, subject="fern")
    assert work.lease_due() == []
    assert asked().pk != first.pk


def test_work_that_was_done_can_be_asked_for_again() -> None:
    first = asked()
    work.finish(begun(first))
    assert asked().pk != first.pk


# -- leasing -------------------------------------------------------------------------------------------------


def test_only_work_that_is_due_is_leased_and_the_earliest_first() -> None:
    second, first, _later = asked("fern", minutes=-1), asked("moss", minutes=-5), asked("ivy", minutes=1)
    assert leased_now() == [first.pk, second.pk]
    assert work.lease_due() == []


def test_a_lease_ends_by_itself_when_its_holder_is_no_more() -> None:
    task = asked()
    assert leased_now() == [task.pk]
    Task.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert leased_now() == [task.pk]


def test_a_lease_is_renewed_when_the_work_begins() -> None:
    task = asked()
    begun(task)
    task.refresh_from_db()
    assert task.leased_until
    assert task.leased_until > timezone.now() + work.LEASE - timedelta(seconds=30)


@in_two_connections
def test_two_dispatchers_at_once_share_the_work_and_do_not_wait_for_each_other() -> None:
    tasks = {asked(plant).pk for plant in ("fern", "moss", "ivy", "sage")}
    with transaction.atomic():
        mine = [lease.task_id for lease in work.lease_due(limit=2)]
        theirs = elsewhere(leased_now)  # while this transaction still holds its locks
    assert len(mine) == len(theirs) == 2
    assert {*mine, *theirs} == tasks


@in_two_connections
def test_many_dispatchers_at_once_lease_every_task_exactly_once() -> None:
    tasks = sorted(asked(str(number)).pk for number in range(40))
    start = threading.Barrier(4)

    def lease() -> list[int]:
        start.wait(timeout=20)
        return [lease.task_id for lease in work.lease_due(limit=10) + work.lease_due(limit=40)]

    with ThreadPoolExecutor(4) as pool:
        leased = [future.result() for future in [pool.submit(elsewhere, lease) for _ in range(4)]]
    assert sorted(task for batch in leased for task in batch) == tasks


# -- failing -------------------------------------------------------------------------------------------------


def test_failing_waits_twice_as_long_each_time_and_gives_up_after_the_twelfth() -> None:
    task = asked()
    waits = []
    for attempt in range(1, 13):
        assert task.gave_up_at is None, f"gave up after {attempt - 1}"
        before = timezone.now()
        work.fail(begun(task), error="no water")
        task.refresh_from_db()
        waits.append(int((task.due_at - before).total_seconds()))
    # 2, 4, 8, … seconds, and never more than five minutes.
    assert waits == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]
    assert task.gave_up_at
    assert task.last_error == "no water"
    assert leased_now() == []


def test_work_that_takes_its_worker_with_it_is_given_up_after_the_twelfth_time_too() -> None:
    task = asked()
    for _ in range(12):
        begun(task)  # and is killed, so that nobody says how it went
    assert work.begin(task.pk, leased(task).token, kinds=jobs.KINDS) is None
    task.refresh_from_db()
    assert (task.attempts, task.leased_until, task.last_error) == (12, None, work.BROKE_OFF)
    assert task.gave_up_at
    assert asked().pk != task.pk


def test_work_that_was_given_up_is_not_leased_until_it_is_asked_for_anew() -> None:
    given_up = asked()
    Task.objects.update(gave_up_at=timezone.now())
    assert work.lease_due() == []
    anew = asked()
    assert anew.pk != given_up.pk
    assert leased_now() == [anew.pk]


def test_an_error_is_noted_and_the_lease_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def dry(_subject: str) -> None:
        raise RuntimeError("the can is empty")

    is_done_by(monkeypatch, dry)
    task = asked()
    perform(task)
    task.refresh_from_db()
    assert (task.done_at, task.leased_until, task.attempts) == (None, None, 1)
    assert "the can is empty" in task.last_error


def test_success_after_an_error_leaves_no_error(watered: list[str]) -> None:
    task = asked()
    work.fail(begun(task), error="no water")
    perform(task)
    task.refresh_from_db()
    assert watered == ["fern"]
    assert task.done_at
    assert task.last_error == ""


# -- doing ---------------------------------------------------------------------------------------------------


def test_being_woken_up_twice_does_the_work_once(watered: list[str]) -> None:
    asked()
    [lease] = work.lease_due()
    jobs.perform(lease.task_id, lease.token.hex)
    jobs.perform(lease.task_id, lease.token.hex)
    assert watered == ["fern"]


def test_a_call_for_a_task_that_is_not_there_does_nothing(watered: list[str]) -> None:
    jobs.perform(0, uuid4().hex)
    assert watered == []


def test_every_kind_that_services_ask_for_has_somebody_who_does_it() -> None:
    kinds = {
        "finalise_writing",
        "read_text",
        "scan_flag",
        "lapse_judging_item",
        "mail_writing_receipt",
        "mail_account",
        "mail_invitation",
        "mail_notification",
        "mail_office_notice",
        "mail_recovery",
        "mail_reminder",
        "plan_run",
        "work_run",
        "send_batch",
        "look_at_batch",
        "draw_map",
        "compute_masked",
        "compute_full",
        "compute_pressure",
        "analyse_file",
        "prepare_release",
        "after_withdrawal",
        "watch_unblinders",
        "clean_up",
    }
    assert jobs.KINDS.keys() - {KIND} == kinds


# -- waking up -----------------------------------------------------------------------------------------------


@pytest.fixture
def no_redis(settings: Settings, tmp_path: Path) -> None:
    settings.RQ_QUEUES = {name: {"URL": f"unix://{tmp_path}/nobody.sock"} for name in settings.RQ_QUEUES}


@pytest.mark.usefixtures("no_redis")
def test_without_redis_work_is_asked_for_as_always_and_its_leases_are_given_back() -> None:
    task = asked()
    assert run_loop.dispatch() == 0
    task.refresh_from_db()
    assert (task.leased_until, task.attempts, task.done_at) == (None, 0, None)
    assert leased_now() == [task.pk]


def test_the_loop_outlives_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []

    def away(**_: object) -> list[int]:
        raise OperationalError("the server closed the connection\n\tprobably it ended")

    monkeypatch.setattr(work, "lease_due", away)
    monkeypatch.setattr(connection, "close", lambda: closed.append(True))
    run_loop.tick()
    assert closed == [True]


@pytest.fixture
def left_alone() -> WritingAssignment:
    """An answer whose writer saved a text one second before the deadline and never came back."""
    assignment = begin(assignments_of(a_writing_study(writing_minutes=30, transport_grace_seconds=10))[0])
    Task.objects.filter(kind__startswith="mail_").update(done_at=timezone.now())  # of the design’s lock
    pass_time(assignment, 30 * MINUTE - SECOND)
    save(assignment, 1, "A rule is shared. So is its price.")
    assert run_loop.dispatch() == 0, "nothing is due before the deadline and its grace"
    return assignment


def test_what_the_clock_asks_for_is_never_sent_to_a_worker(left_alone: WritingAssignment) -> None:
    pass_time(left_alone, MINUTE)
    assert run_loop.dispatch() == 0


def test_a_text_whose_time_is_up_is_read_and_its_receipt_mailed_by_loop_redis_and_worker(
    left_alone: WritingAssignment,
) -> None:
    pass_time(left_alone, MINUTE)
    queues = [django_rq.get_queue(name) for name in ("default", "mail")]
    for queue in queues:
        queue.empty()
    run_loop.tick()
    left_alone.refresh_from_db()
    assert (left_alone.state, left_alone.submitted_by_clock) == ("submitted", True)
    assert [queue.count for queue in queues] == [1, 1]
    SimpleWorker(queues, connection=queues[0].connection).work(burst=True)
    assert [receipt.to for receipt in mail.outbox] == [[left_alone.participation.user.email]]
    assert Stimulus.objects.get(pk=left_alone.response_id).state == "admitted"
    assert not Task.objects.filter(done_at__isnull=True).exclude(kind=WATCH_UNBLINDERS).exists()
    assert [queue.count for queue in queues] == [0, 0]


@pytest.mark.usefixtures("no_redis")
def test_the_first_tick_after_the_grace_hands_in_and_waits_neither_for_redis_nor_for_a_worker(
    left_alone: WritingAssignment,
) -> None:
    assert timedelta(seconds=run_loop.TICK) < MINUTE
    pass_time(left_alone, 9 * SECOND)
    run_loop.tick()
    left_alone.refresh_from_db()
    assert left_alone.state == "writing", "two seconds of the grace are left"
    pass_time(left_alone, 2 * SECOND)
    run_loop.tick()
    left_alone.refresh_from_db()
    assert (left_alone.state, left_alone.submitted_by_clock) == ("submitted", True)
    assert left_alone.response
    assert left_alone.response.text == "A rule is shared. So is its price."


@pytest.mark.usefixtures("no_redis")
def test_a_deadline_that_was_put_off_is_met_by_the_loop_at_its_new_time(left_alone: WritingAssignment) -> None:
    left_alone.refresh_from_db()
    assert left_alone.deadline_at
    writing.set_deadline(left_alone, left_alone.deadline_at + 5 * MINUTE)
    pass_time(left_alone, MINUTE)
    for _ in range(2):  # the first one finds that it is not time yet, and asks for a later one
        run_loop.tick()
    left_alone.refresh_from_db()
    assert left_alone.state == "writing"
    pass_time(left_alone, 5 * MINUTE)
    run_loop.tick()
    left_alone.refresh_from_db()
    assert left_alone.state == "submitted"
