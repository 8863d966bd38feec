"""The task table: asking for work in the transaction that makes it necessary, leasing it, finishing it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

from annotation.platform.models.work import Task

LEASE = timedelta(seconds=120)
MOST_ATTEMPTS = 12
BROKE_OFF = "The worker was gone before it was done: out of memory, or ended. Its log may say more."


@dataclass(frozen=True)
class Leased:
    """A task as it was when leased. `asked_at` tells a later request for the same work from this one."""

    id: int
    kind: str
    subject: str
    asked_at: datetime
    attempts: int


def ask(*, kind: str, subject: object, due: datetime | None = None) -> None:
    """Want `kind` done for `subject`, now or at `due`. Asking again for open work brings it forward.

    Work that is being done, and so is due no more, gets the time that is asked for.
    """
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO annotation_task (kind, subject, due_at, attempts, last_error, asked_at)
            VALUES (%(kind)s, %(subject)s, %(due)s, 0, '', %(now)s)
            ON CONFLICT (kind, subject) WHERE done_at IS NULL AND gave_up_at IS NULL
            DO UPDATE SET asked_at = EXCLUDED.asked_at, due_at = CASE
                WHEN annotation_task.due_at = annotation_task.leased_until THEN EXCLUDED.due_at
                ELSE LEAST(annotation_task.due_at, EXCLUDED.due_at)
            END
            """,
            {"kind": kind, "subject": str(subject), "due": due or now, "now": now},
        )


def settle(*, kind: str, subject: object) -> None:
    """There is nothing left to do for `subject`: what was wanted has come about in another way."""
    Task.objects.filter(kind=kind, subject=str(subject), done_at__isnull=True, gave_up_at__isnull=True).update(
        done_at=timezone.now(), leased_until=None
    )


@transaction.atomic
def lease_due(*, kinds: Collection[str] | None = None, limit: int = 50) -> list[int]:
    """Lease what is due and not leased by anybody alive, of these `kinds` or of any; ids, earliest due first."""
    now = timezone.now()
    due = (
        Task.objects.filter(done_at__isnull=True, gave_up_at__isnull=True, due_at__lte=now)
        .filter(Q(leased_until__isnull=True) | Q(leased_until__lt=now))
        .order_by("due_at", "id")
        .select_for_update(skip_locked=True)
    )
    if kinds is not None:
        due = due.filter(kind__in=kinds)
    ids = list(due.values_list("id", flat=True)[:limit])
    Task.objects.filter(id__in=ids).update(leased_until=now + LEASE)
    return ids


def release(task_ids: list[int]) -> None:
    """Give leases back: nobody could be woken up."""
    Task.objects.filter(id__in=task_ids, done_at__isnull=True).update(leased_until=None)


def begin(task_id: int) -> Leased | None:
    """Count an attempt and renew the lease; `None` when there is nothing left to do, or it is given up.

    An attempt that took its worker with it could not say that it failed: the next one finds that it was the last.
    """
    open_task = Task.objects.filter(id=task_id, done_at__isnull=True, gave_up_at__isnull=True)
    with transaction.atomic():
        task = open_task.select_for_update().first()
        if task is None:
            return None
        if task.attempts >= MOST_ATTEMPTS:
            task.leased_until, task.gave_up_at, task.last_error = None, timezone.now(), BROKE_OFF
            task.save(update_fields=["leased_until", "gave_up_at", "last_error"])
            return None
        task.attempts += 1
        # Both the same: nobody has asked for it again yet, see `ask`.
        task.leased_until = task.due_at = timezone.now() + LEASE
        task.save(update_fields=["attempts", "leased_until", "due_at"])
    return Leased(task.pk, task.kind, task.subject, task.asked_at, task.attempts)


def renew(*, kind: str, subject: object, lease: timedelta = LEASE) -> None:
    """Keep the lease of work that takes long. Work that has been asked for again stays due when that was wanted."""
    until = timezone.now() + lease
    open_task = Task.objects.filter(kind=kind, subject=str(subject), done_at__isnull=True, gave_up_at__isnull=True)
    open_task.filter(leased_until__isnull=False).update(
        due_at=Case(When(due_at=F("leased_until"), then=Value(until)), default=F("due_at")), leased_until=until
    )


def finish(leased: Leased) -> None:
    """Mark the work done, unless it was asked for again meanwhile: then it stays open and due."""
    task = Task.objects.filter(id=leased.id)
    done = {"done_at": timezone.now(), "gave_up_at": None, "leased_until": None, "last_error": ""}
    if not task.filter(asked_at=leased.asked_at).update(**done):
        task.update(leased_until=None, attempts=0)


def fail(leased: Leased, *, error: str) -> None:
    """Note the error and try again later, doubling the wait up to five minutes; give up after twelve in a row."""
    now = timezone.now()
    wait = timedelta(seconds=min(2**leased.attempts, 300))
    Task.objects.filter(id=leased.id).update(
        last_error=error[-2000:],
        leased_until=None,
        due_at=now + wait,
        gave_up_at=now if leased.attempts >= MOST_ATTEMPTS else None,
    )
