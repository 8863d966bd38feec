"""What a writer sees of their own assignments: never a prompt's code or domain, nor anybody else's text."""

from dataclasses import dataclass
from datetime import datetime

from annotation.core.errors import Refused
from annotation.models.participation import Participation, Profile
from annotation.models.people import User
from annotation.models.studies import Study
from annotation.models.writing import LateText, WritingAssignment
from annotation.policies.participation import has_consented
from annotation.policies.writing import check_may_start


@dataclass(frozen=True)
class AssignmentLine:
    """An assignment in a writer's list. `reason` says why it may not be started; empty where it may or was."""

    id: int
    position: int
    of: int
    state: str
    may_start: bool
    reason: str
    deadline_at: datetime | None
    submitted_at: datetime | None


@dataclass(frozen=True)
class Place:
    """Which assignment this is, for the head of its pages."""

    id: int
    position: int
    of: int
    study_slug: str
    study_title: str
    is_synthetic: bool


@dataclass(frozen=True)
class Terms:
    """What an answer is held to. `minutes` is empty for untimed writing and includes `extra_minutes`."""

    minutes: int | None
    extra_minutes: int
    target: int
    low: int
    high: int


@dataclass(frozen=True)
class StartPage:
    """What a writer is told before the clock runs. `reason` is set where it may not be started now."""

    place: Place
    terms: Terms
    session: int
    break_minutes: int
    reason: str


@dataclass(frozen=True)
class Room:
    """An answer being written: the text as the server holds it, its number in order, and the server's time."""

    place: Place
    terms: Terms
    prompt: str
    text: str
    word_count: int
    pen_epoch: int
    seq: int
    saved_at: datetime
    now: datetime
    deadline_at: datetime | None

    @property
    def is_over(self) -> bool:
        return self.deadline_at is not None and self.deadline_at <= self.now

    @property
    def band(self) -> int:
        """Width of the band around the target, in words."""
        return self.terms.high - self.terms.low

    @property
    def scale(self) -> int:
        """Words at the end of the length bar: some way past the band, so that a longer text still shows."""
        return self.terms.high + self.terms.target // 4


@dataclass(frozen=True)
class Receipt:
    """What became of an answer; `submitted_at` is empty where time ran out before anything was written."""

    place: Place
    prompt: str
    text: str
    word_count: int
    sha256: str
    started_at: datetime | None
    submitted_at: datetime | None
    by_clock: bool
    late_text_at: datetime | None

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
        .exclude(state="cancelled")
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
    return [
        AssignmentLine(
            id=assignment.pk,
            position=assignment.position,
            of=len(assignments),
            state=assignment.state,
            may_start=assignment.state == "assigned" and not reason,
            reason=reason if assignment.state == "assigned" else "",
            deadline_at=assignment.deadline_at,
            submitted_at=assignment.submitted_at,
        )
        for assignment in assignments
    ]


def _reason(assignment: WritingAssignment) -> str:
    try:
        check_may_start(assignment)
    except Refused as refusal:
        return str(refusal)
    return ""


def missing_step(participation: Participation) -> str | None:
    """What comes before writing: "consent", then "profile"; `None` when both are done."""
    if not has_consented(participation):
        return "consent"
    asked = bool(participation.study.profile_questions)
    if asked and not Profile.objects.filter(participation=participation).exists():
        return "profile"
    return None


def start_page(assignment: WritingAssignment) -> StartPage:
    study = assignment.study
    return StartPage(
        place=_place(assignment),
        terms=_terms(study, assignment.participation),
        session=study.prompts_per_session,
        break_minutes=study.break_minutes,
        reason=_reason(assignment),
    )


def room(assignment: WritingAssignment, *, now: datetime) -> Room:
    """The room of an assignment that has been started; `now` is the database's time."""
    draft = assignment.draft
    return Room(
        place=_place(assignment),
        terms=_terms(assignment.study, assignment.participation),
        prompt=assignment.prompt_version.text,
        text=draft.text,
        word_count=draft.word_count,
        pen_epoch=draft.pen_epoch,
        seq=draft.seq,
        saved_at=draft.saved_at,
        now=now,
        deadline_at=assignment.deadline_at,
    )


def receipt(assignment: WritingAssignment) -> Receipt:
    """The receipt of an assignment that was handed in or has lapsed."""
    draft = assignment.draft
    late = LateText.objects.filter(assignment=assignment).order_by("-received_at").first()
    return Receipt(
        place=_place(assignment),
        prompt=assignment.prompt_version.text,
        text=draft.text,
        word_count=draft.word_count,
        sha256=draft.sha256,
        started_at=assignment.started_at,
        submitted_at=assignment.submitted_at,
        by_clock=assignment.submitted_by_clock,
        late_text_at=late.received_at if late else None,
    )


def _place(assignment: WritingAssignment) -> Place:
    others = WritingAssignment.objects.filter(participation=assignment.participation).exclude(state="cancelled")
    return Place(
        id=assignment.pk,
        position=assignment.position,
        of=others.count(),
        study_slug=assignment.study.slug,
        study_title=assignment.study.title,
        is_synthetic=assignment.study.is_synthetic,
    )


def _terms(study: Study, participation: Participation) -> Terms:
    minutes = study.writing_minutes
    return Terms(
        minutes=minutes and minutes + participation.extra_minutes,
        extra_minutes=participation.extra_minutes,
        target=study.target_words,
        low=study.target_words_low,
        high=study.target_words_high,
    )
