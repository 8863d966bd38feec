"""A task is held by one worker: whoever lost its lease cannot change it any more, and of many only one gets it."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.utils import timezone

from annotation.platform.models.work import Task
from annotation.platform.services import work
from scrub_site import jobs
from tests.work import begun

pytestmark = pytest.mark.django_db
in_two_connections = pytest.mark.django_db(transaction=True)

WORKERS = 8


@pytest.fixture
def task() -> Task:
    """Work that is due. That there is no such row is its handler's trouble, and no handler is asked here."""
    work.ask(kind="draw_map", subject=1)
    return Task.objects.get()


def row() -> dict[str, object]:
    return {**Task.objects.values().get()}


def lease() -> work.Lease:
    [leased] = work.lease_due()
    return leased


def run_out() -> None:
    """The worker was not heard of for longer than its lease."""
    Task.objects.update(leased_until=timezone.now() - timedelta(seconds=1), due_at=timezone.now())


CHANGES: dict[str, Callable[[work.Begun], object]] = {
    "renew": lambda _: work.renew(),
    "finish": work.finish,
    "fail": lambda attempt: work.fail(attempt, error="no water"),
}


@pytest.mark.parametrize("change", ["renew", "finish", "fail"])
@pytest.mark.parametrize("meanwhile", ["leased", "begun", "finished", "failed", "given up"])
def test_a_worker_whose_lease_was_given_to_another_changes_its_task_no_more(
    change: str, meanwhile: str, task: Task
) -> None:
    slow = begun(task)
    run_out()
    if meanwhile == "leased":
        lease()
    else:
        other = begun(task)
        if meanwhile == "finished":
            work.finish(other)
        elif meanwhile == "failed":
            work.fail(other, error="no can")
        elif meanwhile == "given up":
            Task.objects.update(attempts=12)
            begin_once_more = lease_after_run_out()
            assert work.begin(begin_once_more.task_id, begin_once_more.token, kinds=jobs.KINDS) is None
    before = row()
    with work.doing(slow):
        if change == "renew":
            with pytest.raises(work.LeaseLost):
                work.renew()
        else:
            assert CHANGES[change](slow) is False
    assert row() == before


def lease_after_run_out() -> work.Lease:
    run_out()
    return lease()


@pytest.mark.parametrize("change", ["finish", "fail"])
def test_a_worker_whose_lease_ran_out_may_go_on_while_nobody_else_has_it(change: str, task: Task) -> None:
    slow = begun(task)
    run_out()
    with work.doing(slow):
        work.renew()
    assert lease_is_in_force()
    assert CHANGES[change](slow) is True
    assert row()["lease_token"] is None


def lease_is_in_force() -> bool:
    return work.lease_due() == []


def test_a_message_is_good_for_one_beginning(task: Task) -> None:
    message = lease()
    assert work.begin(message.task_id, message.token, kinds=jobs.KINDS)
    before = row()
    assert work.begin(message.task_id, message.token, kinds=jobs.KINDS) is None
    assert row() == before


def test_a_message_that_waited_for_longer_than_its_lease_is_replaced_by_the_next(task: Task) -> None:
    first = lease()
    run_out()
    second = lease()
    assert work.begin(first.task_id, first.token, kinds=jobs.KINDS) is None
    assert work.begin(second.task_id, second.token, kinds=jobs.KINDS)


def test_who_gives_a_lease_back_does_not_give_back_anothers(task: Task) -> None:
    late = lease()
    run_out()
    lease()
    before = row()
    work.release([late])
    assert row() == before


def test_work_cancelled_meanwhile_is_not_undone_by_who_was_at_it(task: Task) -> None:
    attempt = begun(task)
    work.cancel_open_tasks(kind="draw_map", subject=1)
    before = row()
    assert (work.finish(attempt), work.fail(attempt, error="no water")) == (False, False)
    assert row() == before


def test_work_without_a_task_has_no_lease_to_keep() -> None:
    work.renew()


def test_a_message_of_an_earlier_version_is_refused_and_its_task_sent_again(
    task: Task, caplog: pytest.LogCaptureFixture
) -> None:
    lease()
    with caplog.at_level(logging.WARNING):
        jobs.perform(task.pk)  # as it lies in a queue that was filled before
    assert f"task {task.pk} was sent by an earlier version, without a token: refused" in caplog.text
    assert row()["attempts"] == 0
    run_out()
    assert lease().task_id == task.pk


def raced(tokens: list[UUID], task_id: int) -> list[work.Begun]:
    """Who of as many workers as there are tokens could begin, each with one, all at the same moment."""
    start = threading.Barrier(len(tokens))

    def worker(token: UUID) -> work.Begun | None:
        try:
            connection.ensure_connection()
            start.wait(timeout=20)
            return work.begin(task_id, token, kinds=jobs.KINDS)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(tokens)) as pool:
        return [attempt for attempt in pool.map(worker, tokens) if attempt]


@in_two_connections
def test_of_many_workers_who_are_woken_up_by_the_same_message_one_begins() -> None:
    for number in range(10):
        work.ask(kind="draw_map", subject=number)
        message = lease()
        assert len(raced([message.token] * WORKERS, message.task_id)) == 1
        assert Task.objects.get(pk=message.task_id).attempts == 1


@in_two_connections
def test_of_workers_who_are_woken_up_by_messages_old_and_new_the_newest_one_begins() -> None:
    for number in range(10):
        work.ask(kind="draw_map", subject=number)
        messages = [lease()]
        for _ in range(WORKERS - 1):
            Task.objects.filter(pk=messages[0].task_id).update(leased_until=timezone.now() - timedelta(seconds=1))
            messages.append(lease())
        [attempt] = raced([message.token for message in messages], messages[0].task_id)
        assert attempt.attempts == 1
        assert work.finish(attempt)


@in_two_connections
def test_a_worker_that_says_nothing_for_longer_than_a_lease_keeps_it_as_long_as_it_lives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work.ask(kind="draw_map", subject=1)
    monkeypatch.setattr(work, "BEAT", 0.1)
    monkeypatch.setattr(work, "LEASE", timedelta(seconds=1))
    attempt = begun(Task.objects.get())
    found = []
    with work.doing(attempt):
        for _ in range(5):
            time.sleep(0.4)
            found += work.lease_due()
    assert found == []
    time.sleep(1.1)  # nobody is at it any more
    assert len(work.lease_due()) == 1
