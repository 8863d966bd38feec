"""When a writer may start an answer, and how long they have for it."""

from datetime import datetime, timedelta

from django.utils import timezone

from annotation.platform.core.errors import Refused
from annotation.study.core.phases import WRITING_PHASE, check_open
from annotation.study.policies.participation import check_ready
from annotation.writing.core import timing
from annotation.writing.models import WritingAssignment


def limit_of(assignment: WritingAssignment) -> timedelta | None:
    """The time for this answer as it would be started now; None without a limit.

    It is the study's limit with what was granted to the person and to this answer; for an answer that was given
    back, it is what was allowed then.
    """
    if assignment.allowed_seconds is not None:
        return timedelta(seconds=assignment.allowed_seconds)
    minutes = assignment.study.writing_minutes
    if minutes is None:
        return None
    return timedelta(minutes=minutes + assignment.participation.extra_minutes, seconds=assignment.extra_seconds)


def few_words(target: int) -> int:
    """The number of words from which an answer is not asked about: a tenth of the `target`, rounded up."""
    return -(-target // 10)


def is_over(assignment: WritingAssignment, *, now: datetime) -> bool:
    """Time is up, whether or not a save may still be on its way."""
    due = assignment.deadline_at
    return due is not None and due <= now and assignment.paused_at is None


def check_may_start(assignment: WritingAssignment, *, now: datetime) -> None:
    """Raise `Refused` where consent or profile is missing, writing is closed, or a break is due."""
    check_ready(assignment.participation)
    study = assignment.study
    check_open(WRITING_PHASE, study.state, " in this study.")
    if assignment.state != "assigned":
        raise Refused("This assignment is not open.")
    others = WritingAssignment.objects.filter(participation=assignment.participation)
    if others.filter(state="writing").exists():
        raise Refused("Finish the answer you are writing first.")
    spans = others.values_list("started_at", "draft__closed_at")
    again = timing.break_ends(
        ((started, ended) for started, ended in spans if started and ended),
        per_session=study.prompts_per_session,
        rest=timedelta(minutes=study.break_minutes),
    )
    if again and now < again:
        local = timezone.localtime(again)
        when = f"{local:%H:%M}" if local.date() == timezone.localtime(now).date() else f"{local:%-d %B, %H:%M}"
        raise Refused(f"Please take a break: you can go on at {when}, your time.")
