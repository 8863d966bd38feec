"""What a restored site may have sent or paid for already, since the backup that it was restored from."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db.models import Count, Q, Sum

from annotation.platform.core.phrases import counted
from annotation.platform.core.work_kinds import MAIL
from annotation.platform.models.work import Task
from generation.calls.models import Attempt, GenerationRun, ProviderBatch
from scrub_site.jobs import KINDS_BY_QUEUE

SHOWN: Final = 50
BY_RESTORE: Final = (
    "Restored from the backup of "  # the words by which `scrub-backup restore` pauses mail and calls
)


def may_have_left(*, taken_at: datetime) -> Iterator[str]:
    """A sentence for each thing: what was open when the backup was taken at `taken_at` may have been done since."""
    yield from _mails(taken_at)
    yield from _calls()


def _mails(taken_at: datetime) -> Iterator[str]:
    waiting = Task.objects.filter(kind__in=KINDS_BY_QUEUE[MAIL], done_at=None, gave_up_at=None)
    for task in waiting.order_by("due_at", "id"):
        when = "was due" if task.due_at <= taken_at else "is due"
        yield f"{task.kind.replace('_', ' ')} {task.subject}: {when} {task.due_at:%Y-%m-%d %H:%M} UTC"


def _in_words(run: GenerationRun) -> str:
    return f"run {run.known_as} of {run.study or 'a file'}"


def _calls() -> Iterator[str]:
    open_calls = Q(calls__state__in=["pending", "waiting"])
    runs = GenerationRun.objects.filter(approved_at__isnull=False, finished_at=None)
    for run in runs.annotate(open=Count("calls", filter=open_calls)).order_by("pk"):
        if run.open:
            yield (
                f"run {run.known_as} ({run.get_purpose_display().lower()}, {run.study or 'of a file'}): "
                f"{counted(run.open, 'call')} open, up to {(run.spend_cap or 0) - run.spent:.2f} US dollars left"
            )
    on_their_way = Attempt.objects.filter(ended_at=None)
    worst = on_their_way.aggregate(total=Sum("reserved"))["total"]
    if worst is not None:
        attempts = on_their_way.select_related("call__run__study").order_by("sent_at")[:SHOWN]
        which = ", ".join(f"{attempt.call} of {_in_words(attempt.call.run)}" for attempt in attempts)
        yield (
            f"requests on their way: {on_their_way.count()}, {worst:.2f} US dollars at worst; the first: {which}"
        )
    for batch in ProviderBatch.objects.exclude(state__in=["ended", "lost"]).select_related("target", "run__study"):
        yield f"batch {batch.pk} of {_in_words(batch.run)} at {batch.target}: {batch.remote_id or 'not numbered'}"
