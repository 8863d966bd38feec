"""Task 1: starting, saving and handing in an answer against the database's clock."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.core import deltas, timing
from annotation.core.errors import Refused
from annotation.core.lifecycle import WRITING
from annotation.core.text import clean, count_words, sha256_hex
from annotation.models.allocation import Arm
from annotation.models.people import User
from annotation.models.writing import Draft, DraftRevision, LateText, WritingAssignment
from annotation.policies.writing import check_may_start
from annotation.services import audit, intake, studies, work
from annotation.services.clock import database_now

FINALISE = "finalise_writing"
LATE_TEXTS_UNTIL = timedelta(minutes=15)  # after the deadline


class TooLate(Refused):
    """The deadline and its grace have passed; the text is kept aside for the coordinator."""


@dataclass(frozen=True)
class Saved:
    """What the server holds after a save: "Saved" is true on the page only while this is what it shows.

    `now` and `deadline_at` let the page set its clock with every save.
    """

    pen_epoch: int
    seq: int
    sha256: str
    word_count: int
    saved_at: datetime
    now: datetime
    deadline_at: datetime | None


def _locked(assignment_id: int, by: User | None) -> WritingAssignment:
    """The assignment and its writer's participation under lock, so that two answers never start at once."""
    assignment = (
        WritingAssignment.objects.select_for_update(of=("self", "participation"), no_key=True)
        .select_related("participation__study")
        .get(pk=assignment_id)
    )
    assignment.study = assignment.participation.study  # the same one; the database sees to that
    if by is not None and assignment.participation.user_id != by.pk:
        raise PermissionDenied("This is another person's assignment.")
    return assignment


@transaction.atomic
def start(*, assignment: WritingAssignment, attested: bool, by: User) -> WritingAssignment:
    """Start the clock, once: starting again returns the same start and deadline."""
    studies.steady(assignment.study)
    assignment = _locked(assignment.pk, by)
    if assignment.started_at:
        return assignment
    check_may_start(assignment)
    if not attested:
        raise Refused("Please confirm that you will write without AI tools.")
    now = database_now()
    minutes = assignment.study.writing_minutes
    assignment.extra_seconds += 60 * assignment.participation.extra_minutes
    assignment.state = WRITING.after("start", assignment.state)
    assignment.started_at = assignment.attested_at = now
    assignment.deadline_at = timing.deadline(now, minutes=minutes, extra_seconds=assignment.extra_seconds)
    assignment.save()
    Draft.objects.create(assignment=assignment, sha256=sha256_hex(""), saved_at=now)
    if assignment.deadline_at:
        grace = timedelta(seconds=assignment.study.transport_grace_seconds)
        work.ask(kind=FINALISE, subject=assignment.pk, due=assignment.deadline_at + grace)
    audit.record(verb="writing.started", by=by, study=assignment.study, subject=assignment.pk)
    return assignment


def save(*, assignment: WritingAssignment, pen_epoch: int, seq: int, text: str, by: User) -> Saved:
    """Keep `text` if (`pen_epoch`, `seq`) is newer than what is held; otherwise return what is held.

    Raises `TooLate` after the deadline and its grace, having kept the text as late; `Refused` where the
    assignment is not being written.
    """
    text = clean(text)
    with transaction.atomic():
        locked = _locked(assignment.pk, by)
        now = database_now()
        if _accepts(locked, now):
            return _store(locked, pen_epoch, seq, text, now)
        kept = _overtaken_by_the_clock(locked, now) and _keep_late(locked, text, now)
    if kept:
        raise TooLate("Time was up before this text arrived. It has been kept for the coordinator.")
    raise Refused("This answer is not being written any more; nothing was changed.")


def _accepts(assignment: WritingAssignment, now: datetime) -> bool:
    return assignment.state == "writing" and timing.accepts_save(
        now, assignment.deadline_at, grace_seconds=assignment.study.transport_grace_seconds
    )


def _overtaken_by_the_clock(assignment: WritingAssignment, now: datetime) -> bool:
    """Time ran out a short while ago, before the writer handed in: a text may still be on its way."""
    handed_in = assignment.submitted_at is not None and not assignment.submitted_by_clock
    due = assignment.deadline_at
    return not handed_in and due is not None and due < now <= due + LATE_TEXTS_UNTIL


def _keep_late(assignment: WritingAssignment, text: str, now: datetime) -> bool:
    """Keep a text that differs from the last saved one, once; `False` when there is nothing to keep."""
    draft = Draft.objects.get(assignment=assignment)
    if not text.strip() or text == draft.text:
        return False
    if not LateText.objects.filter(assignment=assignment, text=text).exists():
        LateText.objects.create(assignment=assignment, text=text, received_at=now)
        audit.record(
            verb="writing.late_text_kept",
            by=None,
            study=assignment.study,
            subject=assignment.pk,
            words=count_words(text),
        )
    return True


def _store(assignment: WritingAssignment, pen_epoch: int, seq: int, text: str, now: datetime) -> Saved:
    draft = Draft.objects.get(assignment=assignment)
    if (pen_epoch, seq) > (draft.pen_epoch, draft.seq):
        change = deltas.between(draft.text, text)
        draft.pen_epoch, draft.seq, draft.text, draft.saved_at = pen_epoch, seq, text, now
        draft.sha256, draft.word_count = sha256_hex(text), count_words(text)
        draft.save()
        DraftRevision.objects.create(
            assignment=assignment,
            pen_epoch=pen_epoch,
            seq=seq,
            at=change.at,
            removed=change.delete,
            inserted=change.insert,
            saved_at=now,
        )
    return Saved(
        pen_epoch=draft.pen_epoch,
        seq=draft.seq,
        sha256=draft.sha256,
        word_count=draft.word_count,
        saved_at=draft.saved_at,
        now=now,
        deadline_at=assignment.deadline_at,
    )


def _store_as_newest(assignment: WritingAssignment, text: str, now: datetime) -> None:
    draft = Draft.objects.get(assignment=assignment)
    if text != draft.text:
        _store(assignment, draft.pen_epoch, draft.seq + 1, text, now)


@transaction.atomic
def submit(
    *, assignment: WritingAssignment, confirmed: bool, by: User, text: str | None = None
) -> WritingAssignment:
    """Hand in `text`, or the last saved one where none is given in time. Handing in again changes nothing.

    Once time is up nothing needs to be confirmed: then this is the clock's doing, whoever asks for it.
    """
    assignment = _locked(assignment.pk, by)
    if assignment.state in ("submitted", "lapsed"):
        return assignment
    if assignment.state != "writing":
        raise Refused("This answer is not being written.")
    now = database_now()
    if confirmed:
        assignment.confirmed_at = now
    if text is not None and _accepts(assignment, now):
        _store_as_newest(assignment, clean(text), now)
    if confirmed and _accepts(assignment, now):
        _hand_in(assignment, now=now, by=by)
    elif assignment.deadline_at and assignment.deadline_at <= now:
        _run_out(assignment, now)
    else:
        raise Refused("Please confirm that you wrote this answer without AI tools.")
    return assignment


@transaction.atomic
def finalise(*, assignment_id: int) -> None:
    """Hand in the last saved text when time has run out; the clock's own verb. Idempotent."""
    assignment = _locked(assignment_id, None)
    now = database_now()
    if assignment.state == "writing" and not _accepts(assignment, now):
        _run_out(assignment, now)


def _run_out(assignment: WritingAssignment, now: datetime) -> None:
    """Time is up: the last saved text counts; where there is none, the assignment lapses."""
    if count_words(Draft.objects.get(assignment=assignment).text):
        _hand_in(assignment, now=now, by=None)
        return
    assignment.state = WRITING.after("lapse", assignment.state)
    assignment.save()
    audit.record(verb="writing.lapsed", by=None, study=assignment.study, subject=assignment.pk)


def _hand_in(assignment: WritingAssignment, *, now: datetime, by: User | None) -> None:
    draft = Draft.objects.get(assignment=assignment)
    writer = assignment.participation
    assignment.response = intake.admit(
        study=assignment.study,
        prompt=assignment.prompt,
        text=draft.text,
        arm=Arm.HUMAN,
        source_code=writer.pseudonym,
        names=[writer.user.name],
        by=by,
    )
    assignment.state = WRITING.after("submit", assignment.state)
    assignment.submitted_at = now
    assignment.submitted_by_clock = by is None
    assignment.save()
    work.settle(kind=FINALISE, subject=assignment.pk)
    audit.record(
        verb="writing.submitted",
        by=by,
        study=assignment.study,
        subject=assignment.pk,
        sha256=draft.sha256,
        words=draft.word_count,
        by_clock=by is None,
    )
