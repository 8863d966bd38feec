"""Acting as a study's coordinator at the writing desk, and what brings work to it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from annotation.platform.models.uptime import UpPeriod
from annotation.study.models.responses import Response
from annotation.texts.models.provenance import Stimulus
from annotation.writing.models import Draft, LateText, WritingAssignment
from annotation.writing.services import writing_desk
from annotation.writing.services.drafts import Status
from tests.answers import MINUTE, begin, finalise, run_out, save
from tests.factories import an_essay, coordinator_of

WHY = "The fire alarm went off."


def act(verb: Callable[..., None], assignment: WritingAssignment, **given: Any) -> WritingAssignment:
    """The assignment after its study's coordinator did `verb` to it."""
    verb(assignment=assignment, by=coordinator_of(assignment.study), reason=WHY, **given)
    assignment.refresh_from_db()
    return assignment


def pause(assignment: WritingAssignment) -> WritingAssignment:
    return act(writing_desk.pause, assignment)


def resume(assignment: WritingAssignment) -> WritingAssignment:
    return act(writing_desk.resume, assignment)


def reopen(assignment: WritingAssignment, minutes: int | None = 5) -> WritingAssignment:
    return act(writing_desk.reopen, assignment, minutes=minutes)


def cancel(assignment: WritingAssignment) -> WritingAssignment:
    return act(writing_desk.cancel, assignment)


def decide(late: LateText, *, use: bool) -> WritingAssignment:
    """The assignment after its coordinator decided about a late text of it."""
    by = coordinator_of(late.assignment.study)
    writing_desk.decide_late(late=late, use=use, reason=WHY, by=by)
    return WritingAssignment.objects.select_related("participation__user", "study").get(pk=late.assignment_id)


def a_late_text(assignment: WritingAssignment, text: str = "", *, in_time: str = "") -> LateText:
    """A text that arrived after the clock had ended the answer with what was saved `in_time`."""
    begin(assignment)
    if in_time:
        save(assignment, 1, in_time)
    run_out(assignment)
    finalise(assignment)
    status, _ = save(assignment, 2, text or an_essay(2))
    assert status == Status.LATE
    return LateText.objects.get(assignment=assignment)


def an_outage(*, minutes_ago: float) -> UpPeriod:
    """The server has been up for a day, but for two minutes; returns the period after them."""
    began = timezone.now() - minutes_ago * MINUTE
    UpPeriod.objects.create(began_at=began - timedelta(days=1), seen_at=began)
    return UpPeriod.objects.create(began_at=began + 2 * MINUTE, seen_at=timezone.now())


def deadline_of(assignment: WritingAssignment) -> datetime:
    deadline = WritingAssignment.objects.get(pk=assignment.pk).deadline_at
    assert deadline
    return deadline


def time_for(assignment: WritingAssignment) -> timedelta:
    """From start to deadline."""
    assert assignment.started_at
    return deadline_of(assignment) - assignment.started_at


def response_of(assignment: WritingAssignment) -> Response:
    assert assignment.response
    return assignment.response


def draft_of(assignment: WritingAssignment) -> Draft:
    return Draft.objects.get(assignment=assignment)


def state_of_text(response: Response) -> str:
    return Stimulus.objects.get(pk=response.pk).state
