"""The loop: does what the clock asks for, dispatches other due tasks, seals the audit trail, and keeps a record of
when the site was up."""

import logging
import signal
import threading
from collections.abc import Collection
from contextlib import suppress
from types import FrameType
from uuid import UUID

import django_rq
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import Error, connection
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import NoSuchJobError
from rq.job import Job

from annotation.platform.services import audit, pauses, uptime, work
from annotation.platform.services.clock import database_now
from scrub_site import beats, jobs
from scrub_site.database import cleaning
from scrub_site.database.migration_check import require_database
from scrub_site.probe import Probe

log = logging.getLogger("loop")
TICK = 0.5


class Command(BaseCommand):
    help = "Wake workers up for due tasks, seal the audit trail and record when the site is up, until stopped."
    requires_system_checks: list[str] = []

    def handle(self, **_options: object) -> None:
        require_database()
        stop = threading.Event()

        def on_signal(_number: int, _frame: FrameType | None) -> None:
            stop.set()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, on_signal)
        cleaning.from_now_on()
        probe = Probe(settings.PROBE_URL, stop)
        probe.start()
        log.info("dispatching due tasks every %s s", TICK)
        while not stop.wait(TICK):
            tick(site_answered=probe.answered())
            beats.beat()


def tick(*, site_answered: bool = False) -> None:
    """One round. The database or Redis may be away: the next round tries again."""
    try:
        if site_answered:
            uptime.beat(now=database_now())
        for lease in work.lease_due(kinds=jobs.DONE_BY_THE_LOOP):
            jobs.perform(lease.task_id, lease.token.hex)
        dispatch()
        audit.seal()
    except Error as error:
        log.warning("the database is away, trying again: %s", str(error).strip().splitlines()[0])
        connection.close()


def dispatch() -> int:
    """Send a wake-up call for each due task; returns how many. Without Redis the leases are given back.

    While mail and calls are paused theirs wait.
    """
    held = pauses.LEAVING if pauses.current() else frozenset()
    return sum(_wake(queue, kinds) for queue, kinds in jobs.KINDS_BY_QUEUE.items() if queue not in held)


def _wake(queue_name: str, kinds: Collection[str]) -> int:
    leases: list[work.Lease] = []
    try:
        queue = django_rq.get_queue(queue_name)
        _tidy(queue)
        leases = work.lease_due(kinds=kinds)
        for lease in leases:
            queue.enqueue(
                jobs.perform,
                lease.task_id,
                lease.token.hex,
                job_id=f"{lease.task_id}-{lease.token.hex}",
                job_timeout=jobs.TIME_LIMITS[lease.kind],
                result_ttl=0,
                failure_ttl=3600,
            )
    except RedisError as error:
        work.release(leases)
        log.warning("Redis is away, tasks wait: %s", error)
        return 0
    return len(leases)


def _tidy(queue: Queue) -> None:
    """Keep the leases of tasks whose messages wait in the queue, so that none is sent twice, and take out the
    messages of those that were settled meanwhile.
    """
    waiting = {job_id: _named(job_id) for job_id in queue.get_job_ids()}
    named = [name for name in waiting.values() if name]
    standing = work.keep(named) if named else set()
    for job_id, name in waiting.items():
        if name and name not in standing:
            with suppress(NoSuchJobError):
                Job.fetch(job_id, connection=queue.connection).delete()


def _named(job_id: str) -> tuple[int, UUID] | None:
    """The task and the token of a message; `None` for one of an earlier version."""
    task_id, _, token = job_id.partition("-")
    return (int(task_id), UUID(token)) if task_id.isdecimal() and len(token) == 32 else None
