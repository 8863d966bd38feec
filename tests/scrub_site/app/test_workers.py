"""Workers and the queues they take messages from: nothing waits there twice, and who only waits holds nobody up."""

import time
from datetime import timedelta
from pathlib import Path

import django_rq
import pytest
from django.db.models.functions import Now
from rq import Queue

from annotation.platform.models.work import Task
from annotation.platform.services import work
from scrub_site import jobs, workers
from scrub_site.management.commands import run_loop

KIND, QUEUE = "work_run", "calls"


@pytest.fixture
def queue() -> Queue:
    queue = django_rq.get_queue(QUEUE)
    queue.empty()
    return queue


def run_out() -> None:
    """The leases of everything that was sent have run out."""
    Task.objects.filter(lease_token__isnull=False).update(leased_until=Now() - timedelta(seconds=1))


@pytest.mark.django_db(transaction=True)
def test_what_waits_in_the_queue_for_longer_than_its_lease_is_not_sent_twice(queue: Queue) -> None:
    for lane in range(3):
        work.ask(kind=KIND, subject=f"1/{lane}")
    assert run_loop.dispatch() == 3
    for _ in range(3):
        run_out()
        assert run_loop.dispatch() == 0
    assert queue.count == 3
    assert Task.objects.filter(leased_until__gt=Now()).count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_message_that_redis_has_lost_is_sent_again(queue: Queue) -> None:
    work.ask(kind=KIND, subject="1/0")
    run_loop.dispatch()
    queue.empty()
    run_out()
    assert run_loop.dispatch() == 1


@pytest.mark.django_db(transaction=True)
def test_messages_of_work_that_was_settled_leave_the_queue(queue: Queue) -> None:
    for lane in range(2):
        work.ask(kind=KIND, subject=f"1/{lane}")
    work.ask(kind=KIND, subject="11/0")
    run_loop.dispatch()
    work.cancel_waiting_tasks(kind=KIND, subjects_from="1/")
    run_loop.dispatch()
    assert queue.count == 1


@pytest.mark.django_db(transaction=True)
def test_work_that_was_begun_is_not_settled_as_if_it_waited() -> None:
    work.ask(kind=KIND, subject="1/0")
    [lease] = work.lease_due(kinds=[KIND])
    assert work.begin(lease.task_id, lease.token, kinds=jobs.KINDS)
    work.cancel_waiting_tasks(kind=KIND, subjects_from="1/")
    assert Task.objects.get().done_at is None


def gives_way(until: str) -> None:
    """A job that goes on until a file is there, and then makes another one."""
    workers.tell_parent()
    for _ in range(1000):
        if Path(until).exists():
            Path(until).with_name("waited").touch()
            return
        time.sleep(0.01)


def makes(file: str) -> None:
    Path(file).touch()


def test_the_next_job_begins_while_one_that_gave_way_still_waits(queue: Queue, tmp_path: Path) -> None:
    made = tmp_path / "made"
    queue.enqueue(gives_way, str(made), result_ttl=0)
    queue.enqueue(makes, str(made), result_ttl=0)
    worker = workers.ForkingWorker([queue], connection=queue.connection)
    assert worker.work(burst=True)
    assert (tmp_path / "waited").exists(), "a worker that ends waits for it"
