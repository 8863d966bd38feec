"""What a writer sees of their own assignments: never a prompt's code or domain, nor anybody else's text."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.text import count_words
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Participation, Profile
from annotation.study.models.studies import Study
from annotation.study.policies.participation import has_consented, has_withdrawn, is_complete
from annotation.writing.models import Draft, LateText, RewordingDecision, WritingAssignment
from annotation.writing.policies.writing import check_may_start, few_words, is_over, limit_of

PRACTICE_PROMPT: Final = "What do you see from the nearest window, and what would a stranger there not notice?"
PRACTICE_TIME: Final = timedelta(minutes=1)


@dataclass(frozen=True)
class Terms:
    """What an answer is held to. `minutes` is empty for untimed writing and includes `extra_minutes`.

    Whether less than `few` words are meant is asked before they are handed in.
    """

    minutes: float | None
    extra_minutes: int
    target: int
    low: int
    high: int

    @property
    def few(self) -> int:
        return few_words(self.target)


@dataclass(frozen=True)
class AssignmentLine:
    """An assignment in a writer's list. `reason` says why it may not be started; empty where it may or was.

    `given_back_for` is set, with the coordinator's reason, only while it waits to be written anew.
    """

    id: int
    position: int
    of: int
    state: str
    terms: Terms
    may_start: bool
    reason: str
    is_paused: bool
    deadline_at: datetime | None
    submitted_at: datetime | None
    given_back_for: str


@dataclass(frozen=True)
class AssignmentHeader:
    """Which assignment this is, for the head of its pages; `id` is 0 for practice, which is not an assignment."""

    id: int
    position: int
    of: int
    study_slug: str
    study_title: str
    is_synthetic: bool

    @property
    def name(self) -> str:
        return f"Prompt {self.position} of {self.of}" if self.id else "Practice"


@dataclass(frozen=True)
class StartPage:
    """What a writer is told before the clock runs. `reason` is set where it may not be started now.

    An answer that was given back has `kept_words` words from before, and the coordinator's reason.
    """

    header: AssignmentHeader
    terms: Terms
    session: int
    break_minutes: int
    paste_policy: str
    is_given_back: bool
    given_back_for: str
    kept_words: int
    reason: str


@dataclass(frozen=True)
class Room:
    """An answer being written: the text as the server holds it, the epoch of the pen, and the server's time.

    `given_back_for` is the coordinator's reason; empty where the answer was never given back.
    """

    header: AssignmentHeader
    terms: Terms
    prompt: str
    given_back_for: str
    text: str
    word_count: int
    pen_epoch: int
    saved_at: datetime
    now: datetime
    started_at: datetime
    deadline_at: datetime | None
    paused_at: datetime | None
    is_over: bool
    paste_policy: str
    writing_aids: bool

    @property
    def most_characters(self) -> int:
        return ANSWER_CHARACTERS

    @property
    def band(self) -> int:
        """Width of the band around the target, in words."""
        return self.terms.high - self.terms.low

    @property
    def scale(self) -> int:
        """Words at the end of the length bar: some way past the band, so that a longer text still shows."""
        return self.terms.high + self.terms.target // 4


@dataclass(frozen=True)
class LateNote:
    """A text that arrived after its time, and what the coordinator decided about it: open, use or leave."""

    received_at: datetime
    words: int
    decision: str
    reason: str


@dataclass(frozen=True)
class RewordingNote:
    """What a coordinator decided about the writer's feedback on a prompt.

    `decision` is "accepted", "edited" or "declined"; `wording` is what the next round asks, empty where declined.
    """

    decision: str
    wording: str
    reason: str


@dataclass(frozen=True)
class Receipt:
    """What became of an answer; `submitted_at` is empty where time ran out before anything was written.

    Of several late texts `late` is the one that is used, or else the last. `rewording` is empty while nothing is
    decided about the feedback.
    """

    header: AssignmentHeader
    prompt: str
    text: str
    word_count: int
    sha256: str
    started_at: datetime | None
    submitted_at: datetime | None
    by_clock: bool
    late: LateNote | None
    feedback: str
    proposed_rewrite: str
    rewording: RewordingNote | None
    process_comment: str
    following: AssignmentLine | None  # of the same writer: the one to go on with

    @property
    def fingerprint(self) -> list[str]:
        """The hash in eight groups of eight digits, to be read out and compared."""
        return [self.sha256[start : start + 8] for start in range(0, 64, 8)]


def assignment_of(user: User, assignment_id: int) -> WritingAssignment | None:
    """The assignment if it is this person's, else `None`: others' assignments do not exist for them."""
    return (
        WritingAssignment.objects.filter(
            pk=assignment_id, participation__user=user, participation__left_at__isnull=True
        )
        .select_related("participation__study", "study", "prompt_version", "draft")
        .first()
    )


def assignments_of(participation: Participation) -> list[AssignmentLine]:
    """A writer's assignments in their order."""
    assignments = list(
        WritingAssignment.objects.filter(participation=participation)
        .exclude(state="cancelled")
        .select_related("participation__study", "study")
    )
    # Whether a further answer may be started depends on the writer alone, so one answer stands for all.
    waiting = next((assignment for assignment in assignments if assignment.state == "assigned"), None)
    reason = _reason(waiting) if waiting else ""
    last = _last_position(participation)
    return [
        AssignmentLine(
            id=assignment.pk,
            position=assignment.position,
            of=last,
            state=assignment.state,
            terms=_terms(assignment),
            may_start=assignment.state == "assigned" and not reason,
            reason=reason if assignment.state == "assigned" else "",
            is_paused=assignment.paused_at is not None,
            deadline_at=assignment.deadline_at,
            submitted_at=assignment.submitted_at,
            given_back_for=assignment.given_back_for if assignment.state == "assigned" else "",
        )
        for assignment in assignments
    ]


def withdrawn_of(participation: Participation) -> list[int]:
    """The positions of a writer's assignments that the coordinator took back.

    None where the writer withdrew their consent, which cancels what they were writing: not the coordinator's doing.
    """
    if has_withdrawn(participation):
        return []
    taken_back = WritingAssignment.objects.filter(participation=participation, state="cancelled")
    return list(taken_back.values_list("position", flat=True))


def _reason(assignment: WritingAssignment) -> str:
    try:
        check_may_start(assignment, now=database_now())
    except Refused as refusal:
        return str(refusal)
    return ""


def missing_step(participation: Participation) -> str | None:
    """What comes before writing: "consent", then "profile"; `None` when both are done.

    Whoever withdrew consent is led to its page as well, which says so.
    """
    if not has_consented(participation):
        return "consent"
    profile = Profile.objects.filter(participation=participation).first()
    return None if is_complete(participation.study, profile) else "profile"


def start_page(assignment: WritingAssignment) -> StartPage:
    study = assignment.study
    draft: Draft | None = getattr(assignment, "draft", None)
    return StartPage(
        header=_header(assignment),
        terms=_terms(assignment),
        session=study.prompts_per_session,
        break_minutes=study.break_minutes,
        paste_policy=study.paste_policy,
        is_given_back=draft is not None,
        given_back_for=assignment.given_back_for,
        kept_words=count_words(draft.text) if draft else 0,
        reason=_reason(assignment),
    )


def room(assignment: WritingAssignment, *, now: datetime) -> Room:
    """The room of an assignment that has been started; `now` is the database's time."""
    draft = assignment.draft
    return Room(
        header=_header(assignment),
        terms=_terms(assignment),
        prompt=assignment.prompt_version.text,
        given_back_for=assignment.given_back_for,
        text=draft.text,
        word_count=count_words(draft.text),
        pen_epoch=draft.pen_epoch,
        saved_at=draft.saved_at,
        now=now,
        started_at=assignment.started_at or now,
        deadline_at=assignment.deadline_at,
        paused_at=assignment.paused_at,
        is_over=is_over(assignment, now=now),
        paste_policy=assignment.study.paste_policy,
        writing_aids=assignment.study.writing_aids,
    )


def receipt(assignment: WritingAssignment) -> Receipt:
    """The receipt of an assignment that was handed in or has lapsed."""
    draft = assignment.draft
    return Receipt(
        header=_header(assignment),
        prompt=assignment.prompt_version.text,
        text=draft.text,
        word_count=count_words(draft.text),
        sha256=draft.sha256,
        started_at=assignment.started_at,
        submitted_at=assignment.submitted_at,
        by_clock=assignment.submitted_by_clock,
        late=_late_note(assignment),
        feedback=assignment.feedback,
        proposed_rewrite=assignment.proposed_rewrite,
        rewording=_rewording_note(assignment),
        process_comment=assignment.process_comment,
        following=_following(assignment),
    )


def _following(assignment: WritingAssignment) -> AssignmentLine | None:
    """The first of the writer's other answers that is being written, or else that waits."""
    open_ones = [line for line in assignments_of(assignment.participation) if line.state in ("writing", "assigned")]
    return min(open_ones, key=lambda line: (line.state != "writing", line.position), default=None)


def _rewording_note(assignment: WritingAssignment) -> RewordingNote | None:
    decided = RewordingDecision.objects.filter(assignment=assignment).first()
    return RewordingNote(decided.decision, decided.wording, decided.reason) if decided else None


def _late_note(assignment: WritingAssignment) -> LateNote | None:
    texts = list(LateText.objects.filter(assignment=assignment).order_by("-received_at", "-id"))
    used = (text for text in texts if text.decision == LateText.Decision.USE)
    late = next(used, None) or next(iter(texts), None)
    return LateNote(late.received_at, count_words(late.text), late.decision, late.reason) if late else None


def _header(assignment: WritingAssignment) -> AssignmentHeader:
    return AssignmentHeader(
        id=assignment.pk,
        position=assignment.position,
        of=_last_position(assignment.participation),
        study_slug=assignment.study.slug,
        study_title=assignment.study.title,
        is_synthetic=assignment.study.is_synthetic,
    )


def _last_position(participation: Participation) -> int:
    """Answers that were taken back keep their number, so that no other one's changes."""
    last = WritingAssignment.objects.filter(participation=participation).aggregate(last=Max("position"))["last"]
    return int(last or 0)


def _terms(assignment: WritingAssignment) -> Terms:
    study, limit = assignment.study, limit_of(assignment)
    is_given_back = assignment.allowed_seconds is not None
    return Terms(
        minutes=round(limit.total_seconds() / 60, 1) if limit else None,
        extra_minutes=0 if is_given_back else assignment.participation.extra_minutes,
        target=study.target_words,
        low=study.target_words_low,
        high=study.target_words_high,
    )


def practice_room(study: Study, *, now: datetime) -> Room:
    """A room like any of the study's, but for a question of no consequence and the one minute there is for it."""
    return Room(
        header=AssignmentHeader(
            id=0, position=0, of=0, study_slug=study.slug, study_title=study.title, is_synthetic=study.is_synthetic
        ),
        terms=Terms(
            minutes=1,
            extra_minutes=0,
            target=study.target_words,
            low=study.target_words_low,
            high=study.target_words_high,
        ),
        prompt=PRACTICE_PROMPT,
        given_back_for="",
        text="",
        word_count=0,
        pen_epoch=0,
        saved_at=now,
        now=now,
        started_at=now,
        deadline_at=now + PRACTICE_TIME,
        paused_at=None,
        is_over=False,
        paste_policy=study.paste_policy,
        writing_aids=study.writing_aids,
    )
