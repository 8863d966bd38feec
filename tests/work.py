"""Doing background work as a worker does, without waiting for its time."""

from uuid import uuid4

from django.db.models.functions import Now

from annotation.platform.models.work import Task
from annotation.platform.services import work
from scrub_site import jobs


def leased(task: Task) -> work.Lease:
    """A new lease on the task, due or not; whoever had one has lost it."""
    lease = work.Lease(task.pk, task.kind, uuid4())
    Task.objects.filter(pk=task.pk, done_at=None, gave_up_at=None).update(
        lease_token=lease.token, leased_until=Now() + work.LEASE
    )
    return lease


def begun(task: Task) -> work.Begun:
    """The task after a worker has begun it."""
    attempt = work.begin(task.pk, leased(task).token, kinds=jobs.KINDS)
    assert attempt
    return attempt


def perform(task: Task) -> None:
    """Do the task, due or not, unless it is done or given up."""
    lease = leased(task)
    jobs.perform(lease.task_id, lease.token.hex)


def send_mails() -> None:
    """What the loop and the worker of mails do until none is due."""
    for lease in work.lease_due(kinds=jobs.KINDS_BY_QUEUE["mail"]):
        jobs.perform(lease.task_id, lease.token.hex)
