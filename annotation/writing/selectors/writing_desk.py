"""What a coordinator watches while people write. Texts themselves are on the page of each answer."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotation.platform.core.text import count_words
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.writing.models import LateText, WritingAssignment
from annotation.writing.selectors.rejected_answers import STANDING, STATES

IDLE = timedelta(minutes=3)  # without a save: far longer than anybody pauses between two sentences


@dataclass(frozen=True)
class Running:
    """An answer that is being written. `seconds_left` is empty without a limit, and below 0 when time is up."""

    id: int
    pseudonym: str
    name: str
    prompt_code: str
    seconds_left: float | None
    is_paused: bool
    seconds_since_save: float
    is_idle: bool
    words: int


@dataclass(frozen=True)
class Late:
    """A late text that nobody has decided about."""

    assignment: int
    pseudonym: str
    name: str
    prompt_code: str
    received_at: datetime
    words: int


@dataclass(frozen=True)
class AnswerLine:
    """Any answer; `standing` is a key of `STATES`. `words` is known once it is handed in."""

    id: int
    pseudonym: str
    name: str
    prompt_code: str
    standing: str
    started_at: datetime | None
    submitted_at: datetime | None
    by_clock: bool
    words: int | None


@dataclass(frozen=True)
class ExtraTime:
    """What a writer was granted for each answer they have not started."""

    pseudonym: str
    name: str
    minutes: int


def running(study: Study, *, now: datetime) -> list[Running]:
    """Who is writing at `now`, the database's time: whose time is up first comes first, untimed answers last."""
    answers = (
        WritingAssignment.objects.filter(study=study, state="writing")
        .select_related("participation__user", "prompt", "draft")
        .order_by("deadline_at", "participation__pseudonym")
    )
    return [_running(answer, now) for answer in answers]


def _running(answer: WritingAssignment, now: datetime) -> Running:
    draft, due = answer.draft, answer.deadline_at
    since_save = now - draft.saved_at
    return Running(
        id=answer.pk,
        pseudonym=answer.participation.pseudonym,
        name=answer.participation.user.name,
        prompt_code=answer.prompt.code,
        seconds_left=(due - (answer.paused_at or now)).total_seconds() if due else None,
        is_paused=answer.paused_at is not None,
        seconds_since_save=since_save.total_seconds(),
        is_idle=since_save >= IDLE,
        words=count_words(draft.text),
    )


def undecided_late_texts(study: Study) -> QuerySet[LateText]:
    return LateText.objects.filter(assignment__study=study, decision=LateText.Decision.OPEN)


def late_texts(study: Study) -> list[Late]:
    """Texts to be decided about, longest waiting first."""
    waiting = undecided_late_texts(study).select_related("assignment__participation__user", "assignment__prompt")
    return [
        Late(
            assignment=late.assignment_id,
            pseudonym=late.assignment.participation.pseudonym,
            name=late.assignment.participation.user.name,
            prompt_code=late.assignment.prompt.code,
            received_at=late.received_at,
            words=count_words(late.text),
        )
        for late in waiting.order_by("received_at", "id")
    ]


def answers(study: Study, *, standing: str = "") -> QuerySet[WritingAssignment, Any]:
    """Every answer of the study, or those that stand so, by writer; for `answer_line`, a page at a time."""
    found = WritingAssignment.objects.filter(study=study).annotate(standing=STANDING)
    found = found.select_related("participation__user", "prompt", "response")
    if standing:
        found = found.filter(standing=standing)
    return found.order_by("participation__pseudonym", "position")


def answer_line(answer: Any) -> AnswerLine:
    """One of `answers`."""
    return AnswerLine(
        id=answer.pk,
        pseudonym=answer.participation.pseudonym,
        name=answer.participation.user.name,
        prompt_code=answer.prompt.code,
        standing=answer.standing,
        started_at=answer.started_at,
        submitted_at=answer.submitted_at,
        by_clock=answer.submitted_by_clock,
        words=answer.response.word_count if answer.response else None,
    )


def states(study: Study) -> list[tuple[str, str, int]]:
    """The states that any answer has, in the order of `STATES`: key, words, how many answers."""
    found = WritingAssignment.objects.filter(study=study).order_by().values_list(STANDING)
    numbers = dict(found.annotate(Count("id")))
    return [(key, words, numbers[key]) for key, words in STATES.items() if key in numbers]


def writers(study: Study) -> QuerySet[Participation]:
    return Participation.objects.filter(study=study, role=Role.WRITER, left_at__isnull=True).select_related("user")


def extra_times(study: Study) -> list[ExtraTime]:
    """Writers who have extra time."""
    return [
        ExtraTime(writer.pseudonym, writer.user.name, writer.extra_minutes)
        for writer in writers(study).filter(Q(extra_minutes__gt=0)).order_by("pseudonym")
    ]
