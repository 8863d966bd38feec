"""The state of the site, for administrators."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.db.models.functions import Now

from annotation.platform.models.audit import AuditSeal, UnsealedEvent
from annotation.platform.models.users import User
from annotation.platform.models.work import Task

LATE = timedelta(minutes=2)
SHOWN = 20


@dataclass(frozen=True)
class FailingTask:
    """A piece of work that failed at its last attempt. `error` is the last line of what went wrong."""

    kind: str
    subject: str
    attempts: int
    error: str
    next_attempt_at: datetime | None


@dataclass(frozen=True)
class SiteHealth:
    """Counts of people, work and audit events.

    `late_tasks` have been due for more than two minutes: where there are any, the loop or the worker is down.
    """

    people: int
    open_tasks: int
    late_tasks: int
    failing_tasks: tuple[FailingTask, ...]
    audit_events: int
    unsealed: int


def site_health() -> SiteHealth:
    unfinished = Task.objects.filter(done_at__isnull=True)
    still_open = Q(gave_up_at__isnull=True)
    tasks = unfinished.aggregate(
        open=Count("id", filter=still_open),
        late=Count("id", filter=still_open & Q(due_at__lt=Now() - LATE)),
    )
    last = AuditSeal.objects.order_by("-number").first()
    unsealed = UnsealedEvent.objects.count()
    failing = unfinished.exclude(last_error="").order_by("-due_at", "-id")[:SHOWN]
    return SiteHealth(
        people=User.objects.filter(is_active=True).count(),
        open_tasks=tasks["open"],
        late_tasks=tasks["late"],
        failing_tasks=tuple(_failing(task) for task in failing),
        audit_events=unsealed + (last.number if last else 0),
        unsealed=unsealed,
    )


def _failing(task: Task) -> FailingTask:
    return FailingTask(
        kind=task.kind.replace("_", " "),
        subject=task.subject,
        attempts=task.attempts,
        error=task.last_error.strip().splitlines()[-1],
        next_attempt_at=None if task.gave_up_at else task.due_at,
    )
