"""The task table: asking for work in the transaction that makes it necessary, leasing it, finishing it.

A lease is a random token on the task. The message that wakes a worker up carries it; who begins the work shows it
and gets a new one, so that of several who were woken up only one begins. From then on only that worker, by this
token, renews, finishes or fails the task, until it is leased to somebody else. The clock is the database's.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from django.db import Error, connection, transaction
from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Now

from annotation.platform.core.work_kinds import WorkKind
from annotation.platform.models.work import Task

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=120)
# How often, in seconds, a worker looks whether its lease is near its end, and how near that is.
BEAT = 20.0
NEAR_ITS_END = timedelta(seconds=30)
BROKE_OFF = "The worker was gone before it was done: out of memory, or ended. Its log may say more."
NO_LEASE: Final[Mapping[str, None]] = {"leased_until": None, "lease_token": None}


class LeaseLost(Exception):
    """The work is somebody else's by now, or there is nothing left to do: whoever is at it stops."""


class Hopeless(Exception):
    """The work cannot be done, however often it is tried: it is given up at once."""


class Lease(NamedTuple):
    """A task that is leased to whom it is given, for `LEASE`."""

    task_id: int
    kind: str
    token: UUID


@dataclass(frozen=True)
class Begun:
    """A task as it was when begun. `asked_at` tells a later request for the same work from this one."""

    id: int
    kind: str
    subject: str
    asked_at: datetime
    attempts: int
    max_attempts: int
    token: UUID


_BEING_DONE: ContextVar[tuple[Begun, Callable[[], None]] | None] = ContextVar(
    "the work that this thread is doing, and what to call when it gives way", default=None
)


def ask(*, kind: str, subject: object, due: datetime | None = None) -> None:
    """Want `kind` done for `subject`, now or at `due`. Asking again for open work brings it forward.

    Work that is being done, and so is due no more, gets the time that is asked for.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO annotation_task (kind, subject, due_at, attempts, last_error, asked_at)
            SELECT %(kind)s, %(subject)s, COALESCE(%(due)s::timestamptz, now), 0, '', now
            FROM clock_timestamp() AS now
            ON CONFLICT (kind, subject) WHERE done_at IS NULL AND gave_up_at IS NULL
            DO UPDATE SET asked_at = EXCLUDED.asked_at, due_at = CASE
                WHEN annotation_task.due_at = annotation_task.leased_until THEN EXCLUDED.due_at
                ELSE LEAST(annotation_task.due_at, EXCLUDED.due_at)
            END
            """,
            {"kind": kind, "subject": str(subject), "due": due},
        )


def cancel_open_tasks(*, kind: str, subject: object) -> None:
    """Mark the open tasks for `subject` as done: what was wanted has come about in another way."""
    _open().filter(kind=kind, subject=str(subject)).update(done_at=Now(), **NO_LEASE)


def cancel_waiting_tasks(*, kind: str, subjects_from: str) -> None:
    """Mark as done the open tasks, for subjects that begin so, which nobody has begun."""
    waiting = _open().filter(kind=kind, subject__startswith=subjects_from)
    waiting.exclude(leased_until=F("due_at")).update(done_at=Now(), **NO_LEASE)


def drop(*, kinds: Collection[str], due_until: datetime) -> int:
    """Mark as done the open tasks of these `kinds` that were due until then: nobody wants them done any more.

    Returns how many. What is being done is left alone.
    """
    dropped = _open().filter(kind__in=kinds, due_at__lte=due_until).exclude(leased_until=F("due_at"))
    return dropped.update(done_at=Now(), **NO_LEASE)


@transaction.atomic
def lease_due(*, kinds: Collection[str] | None = None, limit: int = 50) -> list[Lease]:
    """Lease what is due and not leased by anybody alive, of these `kinds` or of any; earliest due first."""
    due = (
        _open()
        .filter(Q(leased_until__isnull=True) | Q(leased_until__lt=Now()), due_at__lte=Now())
        .order_by("due_at", "id")
        .select_for_update(skip_locked=True)
    )
    if kinds is not None:
        due = due.filter(kind__in=kinds)
    token = uuid4()
    leases = [Lease(task_id, kind, token) for task_id, kind in due.values_list("id", "kind")[:limit]]
    Task.objects.filter(id__in=[lease.task_id for lease in leases]).update(
        leased_until=Now() + LEASE, lease_token=token
    )
    return leases


def release(leases: Sequence[Lease]) -> None:
    """Give leases back: nobody could be woken up."""
    Task.objects.filter(
        id__in=[lease.task_id for lease in leases], lease_token__in={lease.token for lease in leases}
    ).update(**NO_LEASE)


def keep(leases: Collection[tuple[int, UUID]]) -> set[tuple[int, UUID]]:
    """Keep the leases, by task and token, of messages that nobody has taken yet; those that stand."""
    held = _open().filter(id__in=[task_id for task_id, _ in leases])
    tokens = dict(held.values_list("id", "lease_token"))
    standing = {(task_id, token) for task_id, token in leases if tokens.get(task_id) == token}
    near_the_end = held.filter(leased_until__lt=Now() + NEAR_ITS_END)
    near_the_end.filter(lease_token__in=[token for _, token in standing]).update(leased_until=Now() + LEASE)
    return standing


def begin(task_id: int, token: UUID | str, *, kinds: Mapping[str, WorkKind]) -> Begun | None:
    """Count an attempt and take the lease over; `None` where the token does not stand, or the work is given up.

    An attempt that took its worker with it could not say that it failed: the next one finds that it was the last.
    """
    with transaction.atomic():
        task = _open().select_for_update().filter(id=task_id, lease_token=token).first()
        if task is None:
            return None
        row, most, taken_over = Task.objects.filter(id=task_id), kinds[task.kind].max_attempts, uuid4()
        if task.attempts >= most:
            row.update(gave_up_at=Now(), last_error=BROKE_OFF, **NO_LEASE)
            return None
        # Both times the same: nobody has asked for it again yet, see `ask`.
        until = Now() + LEASE
        row.update(attempts=F("attempts") + 1, leased_until=until, due_at=until, lease_token=taken_over)
    return Begun(task.pk, task.kind, task.subject, task.asked_at, task.attempts + 1, most, taken_over)


@contextmanager
def doing(begun: Begun, *, on_giving_way: Callable[[], None] = lambda: None) -> Iterator[None]:
    """What is done herein is this work. Its lease is kept, in a thread, for as long as this process lives.

    `on_giving_way` is called when all that is left of it is to wait.
    """
    outer, ended = _BEING_DONE.set((begun, on_giving_way)), Event()
    heart = Thread(target=_beat, args=(begun, ended), daemon=True)
    heart.start()
    try:
        yield
    finally:
        ended.set()
        heart.join()
        _BEING_DONE.reset(outer)


def renew(lease: timedelta = LEASE) -> None:
    """Make sure of the lease of the work that is being done, and begin it anew.

    Raises `LeaseLost`. What a command does, without a task, has no lease to keep.
    """
    if (at_work := _BEING_DONE.get()) and not _renewed(_leased(at_work[0]), lease):
        raise LeaseLost(f"{at_work[0].kind} {at_work[0].subject}")


def is_being_done() -> bool:
    """Whether this is the work of a task, which has not given way."""
    return _BEING_DONE.get() is not None


def give_way() -> None:
    """Nothing is left of the work that is being done but to wait for what comes: it counts as done, and whoever
    does it may begin something else. What was asked for again meanwhile is open, and may be begun by anybody.
    """
    if at_work := _BEING_DONE.get():
        begun, on_giving_way = at_work
        finish(begun)
        _BEING_DONE.set(None)
        on_giving_way()


def _beat(begun: Begun, ended: Event) -> None:
    """Keep a lease that nobody renews: a step of a long computation says nothing of itself."""
    try:
        while not ended.wait(BEAT):
            try:
                _renewed(_leased(begun).filter(leased_until__lt=Now() + NEAR_ITS_END), LEASE)
            except Error as error:
                log.warning("the lease of %s %s could not be kept: %s", begun.kind, begun.subject, error)
                connection.close()
    finally:
        connection.close()


def _renewed(held: QuerySet[Task], lease: timedelta) -> int:
    """Begin the leases anew; how many. Work that was asked for again stays due when that was wanted."""
    until = Now() + lease
    due_at = Case(When(due_at=F("leased_until"), then=until), default=F("due_at"))
    return held.update(due_at=due_at, leased_until=until)


def finish(begun: Begun) -> bool:
    """Mark the work done, unless it was asked for again meanwhile: then it stays open and due.

    Returns whether the lease still stood; otherwise nothing is changed.
    """
    held = _leased(begun)
    if held.filter(asked_at=begun.asked_at).update(done_at=Now(), last_error="", **NO_LEASE):
        return True
    return bool(held.update(attempts=0, **NO_LEASE))


def fail(begun: Begun, *, error: str, for_good: bool = False) -> bool:
    """Note the error and try again later, doubling the wait up to five minutes.

    It is given up after the last attempt, or where it has failed `for_good`.

    Returns whether the lease still stood; otherwise nothing is changed.
    """
    wait = timedelta(seconds=min(2 ** min(begun.attempts, 9), 300))
    is_last = for_good or begun.attempts >= begun.max_attempts
    noted = {"last_error": error[-2000:], "gave_up_at": Now() if is_last else None, "due_at": Now() + wait}
    return bool(_leased(begun).update(**noted, **NO_LEASE))


def _open() -> QuerySet[Task]:
    return Task.objects.filter(done_at__isnull=True, gave_up_at__isnull=True)


def _leased(begun: Begun) -> QuerySet[Task]:
    return Task.objects.filter(id=begun.id, lease_token=begun.token)
