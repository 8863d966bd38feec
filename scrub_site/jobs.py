"""Every kind of background work, and who does it. A message is a wake-up call: a task's id and a lease's token."""

import logging
import traceback
from collections.abc import Mapping

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from analysis.masked.jobs import MASKED_WORK
from analysis.rating_files.jobs import RATING_FILES_WORK
from analysis.release.jobs import RELEASE_WORK
from analysis.unblinded.jobs import UNBLINDED_WORK
from annotation.coordination.jobs import COORDINATION_WORK
from annotation.judging.jobs import JUDGING_WORK
from annotation.notifications.jobs import NOTIFICATIONS_WORK
from annotation.people.jobs import PEOPLE_WORK
from annotation.platform.core.work_kinds import WorkKind
from annotation.platform.models.work import Task
from annotation.platform.services import pauses, work
from annotation.texts.jobs import TEXTS_WORK
from annotation.unblinders.jobs import UNBLINDERS_WORK
from annotation.writing.jobs import WRITING_WORK
from generation.calls.jobs import CALLS_WORK
from generation.prompts.jobs import PROMPTS_WORK
from scrub_site import workers
from scrub_site.database.cleaning import CLEANING_WORK

log = logging.getLogger(__name__)

KINDS: Mapping[str, WorkKind] = {
    kind.name: kind
    for kind in (
        *TEXTS_WORK,
        *WRITING_WORK,
        *JUDGING_WORK,
        *PEOPLE_WORK,
        *NOTIFICATIONS_WORK,
        *UNBLINDERS_WORK,
        *COORDINATION_WORK,
        *CALLS_WORK,
        *PROMPTS_WORK,
        *MASKED_WORK,
        *UNBLINDED_WORK,
        *RATING_FILES_WORK,
        *RELEASE_WORK,
        *CLEANING_WORK,
    )
}
# Work of a few milliseconds that must not wait behind a batch of slow model calls, nor for Redis.
DONE_BY_THE_LOOP = frozenset(name for name, kind in KINDS.items() if kind.queue is None)
KINDS_BY_QUEUE: Mapping[str, frozenset[str]] = {
    queue: frozenset(name for name, kind in KINDS.items() if kind.queue == queue) for queue in settings.RQ_QUEUES
}


def time_limits() -> Mapping[str, int]:
    """Seconds that an attempt may take, by kind: the operator's, or else the kind's own, or else every kind's.

    Raises `ImproperlyConfigured` where the settings name a kind that there is not.
    """
    own = {name: kind.time_limit for name, kind in KINDS.items()}
    if unknown := settings.WORK_TIME_LIMITS.keys() - own.keys():
        raise ImproperlyConfigured(
            f"WORK_TIME_LIMITS names no kind of work: {', '.join(sorted(unknown))}. There are: {', '.join(own)}."
        )
    declared = {name: round(limit.total_seconds()) for name, limit in own.items() if limit}
    return {**dict.fromkeys(own, settings.WORK_TIME_LIMIT), **declared, **settings.WORK_TIME_LIMITS}


TIME_LIMITS = time_limits()


def _is_held(task_id: int) -> bool:
    """Whether a pause holds this task back; its message was sent before the pause."""
    if pauses.current() is None:
        return False
    held = [name for queue in pauses.LEAVING for name in KINDS_BY_QUEUE[queue]]
    return Task.objects.filter(id=task_id, kind__in=held).exists()


def perform(task_id: int, token: str = "") -> None:
    """Perform a task for the holder of `token`. Doing it twice is harmless: handlers are idempotent."""
    if not token:
        log.warning("task %s was sent by an earlier version, without a token: refused; it is sent again", task_id)
        return
    if _is_held(task_id):
        log.info("task %s waits: mail and calls are paused", task_id)
        return
    begun = work.begin(task_id, token, kinds=KINDS)
    if begun is None:
        log.info("task %s is done, given up, or somebody else's by now", task_id)
        return
    try:
        with work.doing(begun, on_giving_way=workers.tell_parent):
            KINDS[begun.kind].handler(begun.subject)
    except work.LeaseLost:
        log.warning("%s %s was stopped: it is somebody else's by now, or done", begun.kind, begun.subject)
    except Exception as error:
        for_good = isinstance(error, work.Hopeless)
        # Hopeless errors are worded for people; the rest is for debugging.
        told = str(error) if for_good else traceback.format_exc()
        is_noted = work.fail(begun, error=told, for_good=for_good)
        noted = "" if is_noted else ", and is somebody else's by now"
        where = f"{begun.kind} {begun.subject}"
        log.exception("%s failed (attempt %s)%s: %s", where, begun.attempts, noted, error)
    else:
        work.finish(begun)  # what somebody else finished meanwhile is done, too
        log.info("%s %s done", begun.kind, begun.subject)
