"""What goes by itself after a declared time, once a day: never what a result or a proof rests on.

Texts and calls of a study go only once it is released: until then somebody may have to decide something by them.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.exceptions import ImproperlyConfigured
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from annotation.coordination.services import erasing
from annotation.platform.core.work_kinds import WorkKind
from annotation.platform.models.work import Task
from annotation.platform.services import work
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import StudyStep
from annotation.writing.models import SideText
from generation.calls.models import Attempt

log = logging.getLogger(__name__)

CLEAN: Final = "clean_up"
EVERY: Final = timedelta(days=1)
SUBJECT: Final = "site"
# Rows in one transaction: whoever else writes to them waits no longer than for these.
BATCH: Final = 1000
# What a good reply says is in a text or a score, and a reply that was too long counts against the next.
KEPT_OUTCOMES: Final = ("ok", "over_limit")


def from_now_on() -> None:
    """Clean up now, and every day from then on."""
    work.ask(kind=CLEAN, subject=SUBJECT)


def clean_up() -> dict[str, int]:
    """Remove what is older than `KEEP_DAYS` says, and names that their studies keep no longer.

    Returns how many rows, by the names there, and `names_of_people`.
    """
    work.ask(kind=CLEAN, subject=SUBJECT, due=database_now() + EVERY)
    removed = {name: clean(KEPT[name]) for name, clean in CLEANED.items()}
    removed["names_of_people"] = erasing.erase_whose_time_is_over()
    log.info("cleaned up: %s", ", ".join(f"{rows} {name.replace('_', ' ')}" for name, rows in removed.items()))
    return removed


def _sessions(keep: timedelta) -> int:
    return Session.objects.filter(expire_date__lt=Now() - keep).delete()[0]


def _tasks(keep: timedelta) -> int:
    """Tasks that are done, and those that were given up and asked for again since: what was given up and stands
    last is shown to administrators until somebody sees to it.
    """
    later = Task.objects.filter(kind=OuterRef("kind"), subject=OuterRef("subject"), id__gt=OuterRef("id"))
    old = Now() - keep
    return Task.objects.filter(Q(done_at__lt=old) | (Q(gave_up_at__lt=old) & Exists(later))).delete()[0]


def _side_texts(keep: timedelta) -> int:
    released = _released_before(keep, OuterRef("assignment__study"))
    return SideText.objects.filter(Exists(released), assignment__study__state="released").delete()[0]


def _failed_attempts(keep: timedelta) -> int:
    """What was sent and came back, of attempts that brought nothing; when, how and why it failed stay."""
    released = _released_before(keep, OuterRef("call__run__study"))
    old = (
        Attempt.objects.filter(call__run__state="finished", ended_at__lt=Now() - keep)
        .filter(Q(call__run__study=None) | Q(Exists(released), call__run__study__state="released"))
        .exclude(outcome__in=KEPT_OUTCOMES)
        .exclude(request="", reply="")
    )
    emptied = 0
    while batch := list(old.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        emptied += Attempt.objects.filter(pk__in=batch).update(request="", reply="")
    return emptied


def _released_before(keep: timedelta, study: OuterRef) -> QuerySet[StudyStep]:
    return StudyStep.objects.filter(study=study, verb="release", taken_at__lt=Now() - keep)


CLEANED: Final[Mapping[str, Callable[[timedelta], int]]] = {
    "sessions": _sessions,
    "tasks": _tasks,
    "side_texts": _side_texts,
    "failed_attempts": _failed_attempts,
}


def kept() -> Mapping[str, timedelta]:
    """How long each is kept after it is of no use any more: the operator's days, or else those of the settings.

    Raises `ImproperlyConfigured` where the settings name something else, or fewer days than none.
    """
    if unknown := settings.KEEP_DAYS.keys() - CLEANED.keys():
        raise ImproperlyConfigured(
            f"KEEP_DAYS names what is never cleaned up: {', '.join(sorted(unknown))}. "
            f"There are: {', '.join(CLEANED)}."
        )
    if negative := sorted(name for name, days in settings.KEEP_DAYS.items() if days < 0):
        raise ImproperlyConfigured(f"KEEP_DAYS has fewer than no days for {', '.join(negative)}.")
    return {name: timedelta(days=days) for name, days in settings.KEEP_DAYS.items()}


KEPT = kept()


def _handle(_subject: str) -> None:
    clean_up()


CLEANING_WORK: Final = (WorkKind(CLEAN, _handle, label="was not cleaned up", rows=None),)
