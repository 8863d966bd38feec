"""Acting as the writer of an answer, and letting time pass for it."""

from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.writing.core.deltas import Delta
from annotation.writing.core.work_kinds import FINALISE_WRITING
from annotation.writing.models import Draft, WritingAssignment
from annotation.writing.services import drafts, writing
from annotation.writing.services.drafts import Held, Save, Status
from tests.factories import written

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
WINDOW, OTHER_WINDOW = "window-one", "window-two"


def start(assignment: WritingAssignment) -> WritingAssignment:
    return writing.start(assignment=assignment, attested=True, by=assignment.participation.user)


def take_pen(assignment: WritingAssignment, window: str = WINDOW) -> Held:
    """What is held after `window` took the pen, from another window if need be."""
    by = assignment.participation.user
    held, _, granted = drafts.take_pen(assignment=assignment, holder=window, take_over=True, by=by)
    assert granted
    return held


def begin(assignment: WritingAssignment) -> WritingAssignment:
    """The answer after it was started and the first window took the pen, in epoch 1."""
    assignment = start(assignment)
    take_pen(assignment)
    return assignment


def send(assignment: WritingAssignment, sent: Save) -> tuple[Status, Held]:
    """What became of a save of an answer that was started, and what is held after it."""
    status, held = drafts.save(assignment_id=assignment.pk, sent=sent, by=assignment.participation.user)
    assert held
    return status, held


def save(assignment: WritingAssignment, seq: int, text: str, *, epoch: int = 1) -> tuple[Status, Held]:
    """Send a whole text."""
    return send(assignment, Save(epoch=epoch, seq=seq, text=text))


def change_of(assignment: WritingAssignment, at: int, delete: int, insert: str) -> Save:
    """The next save of whoever has the pen: a change of the text as it is held."""
    held = Draft.objects.get(assignment=assignment)
    return Save(
        epoch=held.pen_epoch,
        seq=held.seq + 1,
        change=Delta(at, delete, insert),
        base_seq=held.seq,
        base_sha=held.sha256,
    )


def submit(assignment: WritingAssignment, *, confirmed: bool = True) -> WritingAssignment:
    return writing.submit(assignment=assignment, confirmed=confirmed, by=assignment.participation.user)


def span_of(assignment: WritingAssignment) -> tuple[datetime, datetime]:
    """When an answer was started, and its deadline."""
    assert assignment.started_at
    assert assignment.deadline_at
    return assignment.started_at, assignment.deadline_at


def finalise(assignment: WritingAssignment) -> WritingAssignment:
    """The answer after the clock looked at it."""
    writing.finalise(assignment_id=assignment.pk)
    assignment.refresh_from_db()
    return assignment


def text_of(assignment: WritingAssignment) -> str:
    """The text that the server holds."""
    return Draft.objects.get(assignment=assignment).text


def verbs_of(assignment: WritingAssignment) -> list[str]:
    """What the audit trail tells of the answer, in order."""
    events = AuditEvent.objects.filter(subject=str(assignment.pk), verb__startswith="writing.").order_by("id")
    return list(events.values_list("verb", flat=True))


def pass_time(assignment: WritingAssignment, span: timedelta) -> None:
    """Let `span` pass for an answer: the database's clock cannot be moved, so all that was noted moves back."""
    WritingAssignment.objects.filter(pk=assignment.pk).update(
        **{name: F(name) - span for name in ("started_at", "deadline_at", "paused_at", "submitted_at")}
    )
    Draft.objects.filter(assignment=assignment).update(
        **{name: F(name) - span for name in ("saved_at", "closes_at", "closed_at")}
    )
    Task.objects.filter(kind=FINALISE_WRITING, subject=str(assignment.pk)).update(due_at=F("due_at") - span)


def put(assignment: WritingAssignment, state: str) -> WritingAssignment:
    """Bring an assignment into `state`."""
    if state == "submitted":
        return written(assignment)
    if state in ("writing", "lapsed"):
        start(assignment)
    if state == "lapsed":
        run_out(assignment)
        finalise(assignment)
    return assignment


def run_out(assignment: WritingAssignment) -> None:
    """Let the time of an answer end, a minute ago."""
    assignment.refresh_from_db()
    assert assignment.deadline_at
    pass_time(assignment, assignment.deadline_at + MINUTE - timezone.now())
