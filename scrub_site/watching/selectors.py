"""The state of the site, for administrators."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.core.work_kinds import MAIL
from annotation.platform.models.work import Task
from annotation.platform.services.rows import named
from scrub_site.jobs import KINDS_BY_QUEUE

LATE = timedelta(minutes=2)
MAIL_LATE = timedelta(seconds=60)
SHOWN = 20
# One query, since it is asked most where a site is busy. Seals are numbered without a gap, one for each event.
COUNTS = """
SELECT (SELECT count(*) FROM annotation_user WHERE is_active) AS people,
       count(*) AS open_tasks,
       count(*) FILTER (WHERE due_at < now() - make_interval(secs => %s)) AS late_tasks,
       (SELECT coalesce(max(number), 0) FROM annotation_auditseal)
           + (SELECT count(*) FROM annotation_unsealedevent) AS audit_events,
       (SELECT count(*) FROM annotation_unsealedevent) AS unsealed
FROM annotation_task
WHERE done_at IS NULL AND gave_up_at IS NULL
"""


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


def is_mail_delayed() -> bool:
    """Whether a mail waits for more than a minute: the server does not take it, or no worker sends it.

    One that is for later waits for nothing; one that the server refused for good is given up, and waits no more.
    """
    waiting = Task.objects.filter(kind__in=KINDS_BY_QUEUE[MAIL], done_at__isnull=True, gave_up_at__isnull=True)
    late = Now() - MAIL_LATE
    return waiting.filter(Q(due_at__lt=late) | Q(attempts__gt=0), asked_at__lt=late).exists()


def site_health() -> SiteHealth:
    failing = Task.objects.filter(done_at__isnull=True).exclude(last_error="").order_by("-due_at", "-id")[:SHOWN]
    with connection.cursor() as cursor:
        cursor.execute(COUNTS, [LATE.total_seconds()])
        [counts] = named(cursor)
    return SiteHealth(failing_tasks=tuple(_failing(task) for task in failing), **counts)


def _failing(task: Task) -> FailingTask:
    return FailingTask(
        kind=task.kind.replace("_", " "),
        subject=task.subject,
        attempts=task.attempts,
        error=task.last_error.strip().splitlines()[-1],
        next_attempt_at=None if task.gave_up_at else task.due_at,
    )
