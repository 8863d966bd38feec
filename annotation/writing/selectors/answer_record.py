"""One answer as a coordinator looks into it: what happened when, what came beside it, how its text came about."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.platform.core.text import count_words, sha256_hex
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.audit_verbs import AuditVerb, label_of
from annotation.texts.core.comparison import Comparison, compare
from annotation.writing.core import deltas
from annotation.writing.core.activity import entered
from annotation.writing.models import Draft, DraftRevision, LateText, SideText, WritingAssignment
from annotation.writing.selectors.rejected_answers import standing_of


@dataclass(frozen=True)
class Event:
    """An entry of the audit trail. `who` is empty where the clock did it, `seconds` where none are counted."""

    at: datetime
    what: str
    who: str
    reason: str
    seconds: int | None


@dataclass(frozen=True)
class Typed:
    """When the words of a late text were typed, as the writer's browser told.

    `in_time`: all of them before the end; None where there was none.
    """

    first: datetime
    last: datetime
    in_time: bool | None


@dataclass(frozen=True)
class OtherText:
    """A text beside the answer, compared with the one that is held. Only late texts are decided about.

    `typed` is None where the browser noted nothing about it; `seconds_late` counts from the end as it stands now.
    """

    received_at: datetime
    words: int
    comparison: Comparison
    late: int | None = None
    typed: Typed | None = None
    seconds_late: float = 0
    decision: str = ""
    decided_by: str = ""
    reason: str = ""


@dataclass(frozen=True)
class HeldText:
    """What the server holds of the answer."""

    words: int
    sha256: str
    saved_at: datetime
    saves: int


@dataclass(frozen=True)
class AnswerPage:
    """What is known of an answer; `held` where it was started, the texts beside it while writing is open."""

    id: int
    pseudonym: str
    name: str
    prompt_code: str
    prompt: str
    state: str
    standing: str
    started_at: datetime | None
    deadline_at: datetime | None
    paused_at: datetime | None
    extra_seconds: int
    submitted_at: datetime | None
    by_clock: bool
    confirmed_at: datetime | None
    process_comment: str
    held: HeldText | None
    events: tuple[Event, ...]
    late: tuple[OtherText, ...]
    aside: tuple[OtherText, ...]


@dataclass(frozen=True)
class SavedVersion:
    """The text right after one save, `number` of `of`: `before`, what the save put in, and `after` it.

    `removed` is what the save took away in that place. `is_whole` says that all saves put together give the text
    that is held, to the last character.
    """

    number: int
    of: int
    saved_at: datetime
    before: str
    inserted: str
    after: str
    removed: str
    words: int
    is_whole: bool

    @property
    def text(self) -> str:
        return self.before + self.inserted + self.after


def answer_page(assignment: WritingAssignment) -> AnswerPage:
    draft = Draft.objects.filter(assignment=assignment).first()
    shows_texts = draft is not None and assignment.study.state == "writing"
    return AnswerPage(
        id=assignment.pk,
        pseudonym=assignment.participation.pseudonym,
        name=assignment.participation.user.name,
        prompt_code=assignment.prompt.code,
        prompt=assignment.prompt_version.text,
        state=assignment.state,
        standing=standing_of(assignment),
        started_at=assignment.started_at,
        deadline_at=assignment.deadline_at,
        paused_at=assignment.paused_at,
        extra_seconds=assignment.extra_seconds,
        submitted_at=assignment.submitted_at,
        by_clock=assignment.submitted_by_clock,
        confirmed_at=assignment.confirmed_at,
        process_comment=assignment.process_comment,
        held=_held_text(draft) if draft else None,
        events=tuple(_events(assignment)),
        late=tuple(_late_texts(assignment, draft)) if draft and shows_texts else (),
        aside=tuple(_side_texts(draft)) if draft and shows_texts else (),
    )


def _held_text(draft: Draft) -> HeldText:
    return HeldText(
        words=count_words(draft.text),
        sha256=draft.sha256,
        saved_at=draft.saved_at,
        saves=DraftRevision.objects.filter(assignment=draft.assignment_id).count(),
    )


def _events(assignment: WritingAssignment) -> list[Event]:
    found = AuditEvent.objects.filter(
        study=assignment.study, subject=str(assignment.pk), verb__startswith="writing."
    ).select_related("actor")
    if assignment.study.state != "writing" and standing_of(assignment) != "waived":
        found = found.exclude(verb=AuditVerb.WRITING_WAIVED)  # says that the text was rejected
    return [
        Event(
            at=event.at,
            what=label_of(event.verb),
            who=event.actor.name if event.actor else "",
            reason=event.detail.get("reason", ""),
            seconds=event.detail.get("seconds") or None,
        )
        for event in found
    ]


def _typed(assignment: WritingAssignment, late: LateText) -> Typed | None:
    span = entered(late.activity or ())
    if span is None or assignment.started_at is None:
        return None
    first, last, due = assignment.started_at + span.first, assignment.started_at + span.last, assignment.deadline_at
    return Typed(first, last, None if due is None else last <= due)


def _seconds_late(assignment: WritingAssignment, late: LateText) -> float:
    end = assignment.deadline_at
    return 0 if end is None else max(0, (late.received_at - end).total_seconds())


def _late_texts(assignment: WritingAssignment, draft: Draft) -> list[OtherText]:
    found = LateText.objects.filter(assignment=draft.assignment_id).select_related("decided_by")
    return [
        _beside(
            draft,
            late,
            late=late.pk,
            typed=_typed(assignment, late),
            seconds_late=_seconds_late(assignment, late),
            decision=late.decision,
            decided_by=late.decided_by.name if late.decided_by else "",
            reason=late.reason,
        )
        for late in found
    ]


def _side_texts(draft: Draft) -> list[OtherText]:
    return [_beside(draft, side) for side in SideText.objects.filter(assignment=draft.assignment_id)]


def _beside(draft: Draft, other: LateText | SideText, **decision: Any) -> OtherText:
    return OtherText(
        received_at=other.received_at,
        words=count_words(other.text),
        comparison=compare(draft.text, other.text),
        **decision,
    )


def text_as_of(assignment: WritingAssignment, save: int | None = None) -> SavedVersion | None:
    """The text after save number `save`, counted from 1; after the last one where none is named.

    `None` where there is no such save.
    """
    revisions = list(DraftRevision.objects.filter(assignment=assignment))
    save = len(revisions) if save is None else save
    if not 1 <= save <= len(revisions):
        return None
    before = after = text = ""
    for number, revision in enumerate(revisions, start=1):
        previous = text
        text = deltas.apply(text, deltas.Delta(revision.at, revision.removed, revision.inserted))
        if number == save:
            before, after = previous, text
    chosen = revisions[save - 1]
    return SavedVersion(
        number=save,
        of=len(revisions),
        saved_at=chosen.saved_at,
        before=after[: chosen.at],
        inserted=chosen.inserted,
        after=after[chosen.at + len(chosen.inserted) :],
        removed=before[chosen.at : chosen.at + chosen.removed],
        words=count_words(after),
        is_whole=sha256_hex(text) == Draft.objects.get(assignment=assignment).sha256,
    )
