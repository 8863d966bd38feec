"""An answer while it is written: who holds the pen, and what the server holds of the text.

The common save is one statement on the draft's own row: either it fits what is held and is committed, with its
revision, or nothing happens and the case is looked at under a lock.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from psycopg.types.json import Jsonb

from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.text import clean, count_words, sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.platform.services.rows import first_named
from annotation.writing.core import deltas
from annotation.writing.core.activity import Event
from annotation.writing.models import Draft, DraftRevision, LateText, SideText, WritingAssignment

MAX_CHARACTERS = ANSWER_CHARACTERS
LATE_TEXTS_UNTIL = timedelta(minutes=15)  # after the deadline
MAX_LATE_TEXTS = 20  # of one answer, and as many side texts


class Status(StrEnum):
    """What became of a save."""

    SAVED = "saved"  # held, or something newer of the same window is
    FULL = "full"  # the change does not fit what is held: send the whole text
    ELSEWHERE = "elsewhere"  # another window has the pen; a whole text is kept beside the answer
    LATE = "late"  # time was up before it arrived; kept for the coordinator
    CLOSED = "closed"  # the answer is not being written; nothing of it was changed


@dataclass(frozen=True)
class Save:
    """What a window sends: the whole `text`, or a `change` to the text it knows as (`base_seq`, `base_sha`)."""

    epoch: int
    seq: int
    text: str | None = None
    change: deltas.Delta | None = None
    base_seq: int = 0
    base_sha: str = ""
    activity: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Held:
    """What the server holds: "Saved" is true on a page only while this is what it shows.

    `length` counts code points. The times let the page set its clock with every exchange.
    """

    pen_epoch: int
    seq: int
    sha256: str
    length: int
    saved_at: datetime
    now: datetime
    deadline_at: datetime | None
    paused_at: datetime | None


def locked(assignment_id: int, by: User | None) -> WritingAssignment:
    """The assignment and its writer's participation under lock, so that two answers never start at once.

    Raises `PermissionDenied` where it is not `by`'s own, or not any more. `None` stands for the clock or a
    coordinator.
    """
    assignment = (
        WritingAssignment.objects.select_for_update(of=("self", "participation"), no_key=True)
        .select_related("participation__study")
        .get(pk=assignment_id)
    )
    assignment.study = assignment.participation.study  # the same one; the database sees to that
    writer = assignment.participation
    if by is not None and (writer.user_id != by.pk or writer.left_at):
        raise PermissionDenied("This is another person's assignment.")
    return assignment


def locked_draft(assignment: WritingAssignment) -> Draft:
    """The draft as it is now; no save comes in between until the transaction ends."""
    return Draft.objects.select_for_update().get(assignment=assignment)


# -- the pen -------------------------------------------------------------------------------------------------


@transaction.atomic
def take_pen(*, assignment: WritingAssignment, holder: str, take_over: bool, by: User) -> tuple[Held, str, bool]:
    """Let the browser `holder` write, unless another one does and `take_over` is not asked for.

    Returns what is held, its text, and whether the pen is `holder`'s now. Saves of whoever had it before are kept
    beside the answer from then on.
    """
    assignment = locked(assignment.pk, by)
    draft = locked_draft(assignment)
    is_free = draft.pen_holder in ("", holder)
    granted = draft.closed_at is None and (is_free or take_over)
    if granted and not is_free:
        audit.record(verb=AuditVerb.WRITING_PEN_TAKEN_OVER, by=by, study=assignment.study, subject=assignment.pk)
    if granted:
        draft.pen_epoch, draft.pen_holder, draft.seq = draft.pen_epoch + 1, holder, 0
        draft.save(update_fields=["pen_epoch", "pen_holder", "seq"])
    return held(draft, assignment, database_now()), draft.text, granted


def held(draft: Draft, assignment: WritingAssignment, now: datetime) -> Held:
    """What the server holds of an answer that has been started."""
    return Held(
        pen_epoch=draft.pen_epoch,
        seq=draft.seq,
        sha256=draft.sha256,
        length=len(draft.text),
        saved_at=draft.saved_at,
        now=now,
        deadline_at=assignment.deadline_at,
        paused_at=assignment.paused_at,
    )


# -- saving --------------------------------------------------------------------------------------------------

SAVE_CHANGE = """
WITH saved AS (
    UPDATE annotation_draft draft
    SET seq = %(seq)s,
        text = overlay(draft.text PLACING %(insert)s FROM %(at)s + 1 FOR %(delete)s),
        sha256 = encode(sha256(convert_to(
            overlay(draft.text PLACING %(insert)s FROM %(at)s + 1 FOR %(delete)s), 'UTF8')), 'hex'),
        saved_at = clock_timestamp()
    FROM annotation_writingassignment answer
    JOIN annotation_participation writer ON writer.id = answer.participation_id
    WHERE draft.assignment_id = %(assignment)s AND answer.id = draft.assignment_id
        AND writer.user_id = %(person)s AND writer.left_at IS NULL
        AND draft.closed_at IS NULL
        AND (draft.closes_at IS NULL OR clock_timestamp() <= draft.closes_at)
        AND draft.pen_epoch = %(epoch)s AND draft.seq = %(base_seq)s AND draft.sha256 = %(base_sha)s
        -- a number arrives in the smallest type that holds it, and two of them may add up to more than that
        AND %(at)s::bigint + %(delete)s <= length(draft.text)
        AND length(draft.text) - %(delete)s + length(%(insert)s) <= %(most)s
        AND overlay(draft.text PLACING %(insert)s FROM %(at)s + 1 FOR %(delete)s) IS NFC NORMALIZED
    RETURNING draft.pen_epoch, draft.seq, draft.sha256, length(draft.text) AS length, draft.saved_at,
        clock_timestamp() AS now, answer.deadline_at, answer.paused_at
), revised AS (
    INSERT INTO annotation_draftrevision
        (assignment_id, pen_epoch, seq, at, removed, inserted, activity, saved_at)
    SELECT %(assignment)s, pen_epoch, seq, %(at)s, %(delete)s, %(insert)s, %(activity)s, saved_at FROM saved
)
SELECT * FROM saved
"""


def save(*, assignment_id: int, sent: Save, by: User) -> tuple[Status, Held | None]:
    """Keep what was sent if it is the newest of the window that has the pen.

    Returns what is held afterwards; `None` for an answer that has not been started. Raises
    `WritingAssignment.DoesNotExist` or `PermissionDenied` where there is no such assignment of `by`'s.
    """
    if sent.change is not None and (kept := _save_change(assignment_id, sent, sent.change, by)):
        return Status.SAVED, kept
    return _save_under_lock(assignment_id, sent, by)


def _save_change(assignment_id: int, sent: Save, change: deltas.Delta, by: User) -> Held | None:
    """Apply a change to the text it was made from. `None`: it does not fit, and nothing happened."""
    if sent.seq <= sent.base_seq or clean(change.insert) != change.insert:
        return None
    if change.at + change.delete > MAX_CHARACTERS:  # beyond every text, and perhaps beyond what SQL can add up
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            SAVE_CHANGE,
            {
                "assignment": assignment_id,
                "person": by.pk,
                "epoch": sent.epoch,
                "seq": sent.seq,
                "base_seq": sent.base_seq,
                "base_sha": sent.base_sha,
                "at": change.at,
                "delete": change.delete,
                "insert": change.insert,
                "activity": _as_json(sent.activity),
                "most": MAX_CHARACTERS,
            },
        )
        row = first_named(cursor)
    return Held(**row) if row else None


def _as_json(activity: tuple[Event, ...]) -> Any:
    return Jsonb(list(activity)) if activity else None


@transaction.atomic
def _save_under_lock(assignment_id: int, sent: Save, by: User) -> tuple[Status, Held | None]:
    assignment = locked(assignment_id, by)
    draft, now = Draft.objects.select_for_update().filter(assignment=assignment).first(), database_now()
    if draft is None:
        return Status.CLOSED, None
    status = _store_where_it_belongs(assignment, draft, sent, now)
    return status, held(draft, assignment, now)


def _store_where_it_belongs(assignment: WritingAssignment, draft: Draft, sent: Save, now: datetime) -> Status:
    """Put a text where it belongs: into the draft, beside the answer, or among what came too late."""
    is_open = takes_saves(draft, now)
    if is_open and sent.epoch == draft.pen_epoch:
        return _keep_newest(draft, sent, now)
    is_given_back = assignment.state == "assigned"  # what was under way meanwhile is kept for when it goes on
    if not is_open and not is_given_back and not _overtaken_by_the_clock(assignment, now):
        return Status.CLOSED
    text = _text_of(sent, draft)
    if text is None:
        return Status.FULL
    if is_open or is_given_back:
        _keep_aside(assignment, draft, sent, text, now)
        return Status.ELSEWHERE if is_open else Status.CLOSED
    return _keep_late(assignment, draft, text, sent.activity, now)


def _keep_newest(draft: Draft, sent: Save, now: datetime) -> Status:
    """Store a whole text of the window that has the pen; a change that fits has been stored already."""
    if sent.seq <= draft.seq:
        return Status.SAVED
    if sent.text is None:
        return Status.FULL
    store(draft, clean(sent.text), seq=sent.seq, now=now, activity=sent.activity)
    return Status.SAVED


def _text_of(sent: Save, draft: Draft) -> str | None:
    """The whole text that was sent; `None` where it can only be told from a text that is not held."""
    if sent.text is not None:
        return clean(sent.text)
    if sent.change is None or sent.base_sha != draft.sha256:
        return None
    try:
        text = clean(deltas.apply(draft.text, sent.change))
    except deltas.Mismatch:
        return None
    return text if len(text) <= MAX_CHARACTERS else None


def takes_saves(draft: Draft, now: datetime) -> bool:
    """Whether a save that reached the server at `now` counts."""
    return draft.closed_at is None and (draft.closes_at is None or now <= draft.closes_at)


def store(draft: Draft, text: str, *, seq: int, now: datetime, activity: tuple[Event, ...] = ()) -> None:
    """Make `text` the newest of the pen's present epoch, as number `seq`. The draft is locked."""
    change = deltas.between(draft.text, text)
    draft.seq, draft.text, draft.sha256, draft.saved_at = seq, text, sha256_hex(text), now
    draft.save()
    DraftRevision.objects.create(
        assignment_id=draft.assignment_id,
        pen_epoch=draft.pen_epoch,
        seq=seq,
        at=change.at,
        removed=change.delete,
        inserted=change.insert,
        activity=list(activity) or None,
        saved_at=now,
    )


@transaction.atomic
def keep(*, assignment: WritingAssignment, text: str, by: User, pen_epoch: int | None = None) -> Status:
    """Keep `text`, posted by the form of a page of `pen_epoch`; `None` takes the pen from whoever has it.

    Posting ends the page, and with it the epoch: what its script sent before is not the newest any more.
    """
    assignment = locked(assignment.pk, by)
    draft, now = Draft.objects.select_for_update().filter(assignment=assignment).first(), database_now()
    if draft is None:
        return Status.CLOSED
    epoch = draft.pen_epoch if pen_epoch is None else pen_epoch
    if epoch == draft.pen_epoch and takes_saves(draft, now):
        epoch += 1
        draft.pen_epoch, draft.pen_holder, draft.seq = epoch, "", 0
    return _store_where_it_belongs(assignment, draft, Save(epoch=epoch, seq=draft.seq + 1, text=text), now)


# -- what is not part of the answer --------------------------------------------------------------------------


def _overtaken_by_the_clock(assignment: WritingAssignment, now: datetime) -> bool:
    """Time ran out a short while ago, and nobody had ended the answer before: a text may still be on its way."""
    handed_in = assignment.submitted_at is not None and not assignment.submitted_by_clock
    due = assignment.deadline_at
    if handed_in or assignment.state == "cancelled" or due is None:
        return False
    return due < now <= due + LATE_TEXTS_UNTIL


def _keep_late(
    assignment: WritingAssignment, draft: Draft, text: str, activity: tuple[Event, ...], now: datetime
) -> Status:
    """Keep a text that differs from the last saved one, once."""
    others = LateText.objects.filter(assignment=assignment)
    if not text.strip() or text == draft.text:
        return Status.CLOSED
    if others.filter(text=text).exists():
        return Status.LATE
    if others.count() >= MAX_LATE_TEXTS:
        return Status.CLOSED
    LateText.objects.create(assignment=assignment, text=text, activity=list(activity) or None, received_at=now)
    audit.record(
        verb=AuditVerb.WRITING_LATE_TEXT_KEPT,
        by=None,
        study=assignment.study,
        subject=assignment.pk,
        words=count_words(text),
    )
    return Status.LATE


def _keep_aside(assignment: WritingAssignment, draft: Draft, sent: Save, text: str, now: datetime) -> None:
    """Keep a text that differs from the last saved one, once, as nobody's answer."""
    others = SideText.objects.filter(assignment=assignment)
    known = not text.strip() or text == draft.text or others.filter(text=text).exists()
    if not known and others.count() < MAX_LATE_TEXTS:
        SideText.objects.create(
            assignment=assignment, pen_epoch=sent.epoch, seq=sent.seq, text=text, received_at=now
        )
