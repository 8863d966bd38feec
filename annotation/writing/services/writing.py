"""Writing: starting and handing in an answer against the database's clock."""

from datetime import datetime, timedelta

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import WRITING
from annotation.platform.core.phrases import counted
from annotation.platform.core.text import clean, count_words, sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.study.models.responses import Response
from annotation.study.services import studies
from annotation.texts.models.provenance import Arm
from annotation.texts.services import intake
from annotation.writing.core.work_kinds import FINALISE_WRITING
from annotation.writing.models import Draft, WritingAssignment, WritingPause
from annotation.writing.policies.writing import check_may_start, few_words, is_over, limit_of
from annotation.writing.services import drafts, receipts


@transaction.atomic
def start(*, assignment: WritingAssignment, attested: bool, by: User) -> WritingAssignment:
    """Start the clock, once: starting again returns the same start and deadline."""
    studies.lock_shared(assignment.study)
    assignment = drafts.locked(assignment.pk, by)
    if assignment.started_at:
        return assignment
    now = database_now()
    check_may_start(assignment, now=now)
    if not attested:
        raise Refused("Please confirm that you will write without AI tools.")
    assignment.state = WRITING.after("start", assignment.state)
    assignment.started_at = assignment.attested_at = now
    assignment.save()
    # An answer that was given back still has its draft.
    Draft.objects.get_or_create(assignment=assignment, defaults={"sha256": sha256_hex(""), "saved_at": now})
    Draft.objects.filter(assignment=assignment).update(closed_at=None)
    limit = limit_of(assignment)
    set_deadline(assignment, now + limit if limit else None)
    audit.record(verb=AuditVerb.WRITING_STARTED, by=by, study=assignment.study, subject=assignment.pk)
    return assignment


def set_deadline(assignment: WritingAssignment, due: datetime | None) -> None:
    """Move the end of an answer that is being written, and with it the last moment a save counts.

    Belongs in a transaction that holds the assignment.
    """
    assignment.deadline_at = due
    assignment.save(update_fields=["deadline_at"])
    closes_at = due and due + timedelta(seconds=assignment.study.transport_grace_seconds)
    Draft.objects.filter(assignment=assignment).update(closes_at=None if assignment.paused_at else closes_at)
    if closes_at and not assignment.paused_at:
        work.ask(kind=FINALISE_WRITING, subject=assignment.pk, due=closes_at)


@transaction.atomic
def submit(
    *,
    assignment: WritingAssignment,
    confirmed: bool,
    by: User,
    short_is_meant: bool = True,
    text: str | None = None,
    pen_epoch: int | None = None,
) -> WritingAssignment:
    """Hand in `text`, or the last saved one where none is given in time. Handing in again changes nothing.

    `pen_epoch` is that of the window `text` comes from: `Refused` is raised where another window has taken the pen,
    and for less than a tenth of the target unless `short_is_meant`.
    Once time is up nothing needs to be confirmed: then this is the clock's doing, whoever asks for it.
    """
    assignment = drafts.locked(assignment.pk, by)
    if assignment.state in ("submitted", "lapsed"):
        return assignment
    if assignment.state != "writing":
        raise Refused("This answer is not being written.")
    draft, now = drafts.locked_draft(assignment), database_now()
    if not is_over(assignment, now=now):
        words = count_words(draft.text if text is None else clean(text))
        _check_confirmed(assignment, words, confirmed=confirmed, short_is_meant=short_is_meant)
    in_time = drafts.takes_saves(draft, now)
    if text is not None and in_time:
        _take_in(draft, clean(text), pen_epoch, confirmed=confirmed, now=now)
    if confirmed:
        assignment.confirmed_at = now
    if confirmed and in_time:
        _hand_in(assignment, draft, now=now, by=by)
    else:
        _run_out(assignment, draft, now)
    return assignment


def _check_confirmed(assignment: WritingAssignment, words: int, *, confirmed: bool, short_is_meant: bool) -> None:
    if not confirmed:
        raise Refused("Please confirm that you wrote this answer without AI tools.")
    target = assignment.study.target_words
    if words < few_words(target) and not short_is_meant:
        raise Refused(
            f"Your answer has {counted(words, 'word')}; the aim is about {target}. "
            "If it is meant to be this short, please say so and submit again."
        )


def _take_in(draft: Draft, text: str, pen_epoch: int | None, *, confirmed: bool, now: datetime) -> None:
    """Store the text that is handed in with the form, unless another window has taken the pen.

    Nobody confirms a text that is not theirs on the page; where only time is up, the other window's counts.
    """
    if text == draft.text:
        return
    if pen_epoch in (None, draft.pen_epoch):
        drafts.store(draft, text, seq=draft.seq + 1, now=now)
    elif confirmed:
        raise Refused("This answer is being written in another window. Hand it in there, or go on writing here.")


@transaction.atomic
def finalise(*, assignment_id: int) -> None:
    """Hand in the last saved text when time has run out; the clock's own verb. Idempotent.

    Where the deadline was moved meanwhile, it asks to be called again.
    """
    assignment = drafts.locked(assignment_id, None)
    if assignment.state != "writing":
        return
    draft, now = drafts.locked_draft(assignment), database_now()
    if not drafts.takes_saves(draft, now):
        _run_out(assignment, draft, now)
    elif draft.closes_at:
        work.ask(kind=FINALISE_WRITING, subject=assignment.pk, due=draft.closes_at)


def _run_out(assignment: WritingAssignment, draft: Draft, now: datetime) -> None:
    """Time is up: the last saved text counts; where there is none, the assignment lapses."""
    if count_words(draft.text):
        _hand_in(assignment, draft, now=now, by=None)
        return
    assignment.state = WRITING.after("lapse", assignment.state)
    assignment.save()
    close(draft, now)
    audit.record(verb=AuditVerb.WRITING_LAPSED, by=None, study=assignment.study, subject=assignment.pk)


def end_pause(assignment: WritingAssignment, now: datetime) -> None:
    """The clock of the answer stands still no longer. The caller saves the answer."""
    if assignment.paused_at:
        assignment.paused_at = None
        WritingPause.objects.filter(assignment=assignment, ended_at__isnull=True).update(ended_at=now)


def _hand_in(assignment: WritingAssignment, draft: Draft, *, now: datetime, by: User | None) -> None:
    assignment.response = receive(assignment, draft.text, by=by)
    assignment.state = WRITING.after("submit", assignment.state)
    assignment.submitted_at = now
    assignment.submitted_by_clock = by is None
    end_pause(assignment, now)
    assignment.save()
    close(draft, now)
    receipts.ask_for(assignment)
    audit.record(
        verb=AuditVerb.WRITING_SUBMITTED,
        by=by,
        study=assignment.study,
        subject=assignment.pk,
        sha256=draft.sha256,
        words=assignment.response.word_count,
        by_clock=by is None,
    )


def receive(assignment: WritingAssignment, text: str, *, by: User | None) -> Response:
    """Keep a text of this assignment's writer as it was sent; a worker reads it."""
    writer = assignment.participation
    return intake.receive(
        study=assignment.study,
        prompt=assignment.prompt,
        text=text,
        arm=Arm.HUMAN,
        source_code=writer.pseudonym,
        names=[writer.user.name],
        by=by,
    )


def close(draft: Draft, now: datetime) -> None:
    """Close the draft: from now on no save is taken."""
    draft.closed_at = now
    draft.save(update_fields=["closed_at"])
    work.cancel_open_tasks(kind=FINALISE_WRITING, subject=draft.assignment_id)
