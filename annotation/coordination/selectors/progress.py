"""How far a study's writing and judging are, by person and prompt: no score, no source, no kind of item."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.utils import timezone

from annotation.assignment.models import WorkGivenOut
from annotation.assignment.selectors.assigning import ROLES
from annotation.judging.core.requested_ratings import RequestedRating
from annotation.judging.models.judging import JudgingItem
from annotation.judging.selectors.requested_ratings import shared_ratings
from annotation.platform.core.lifecycle import STUDY
from annotation.study.models.participation import Participation
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.study.policies.participation import STUDIED, has_consented, is_complete, why_not_ready
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.writing.models import WritingAssignment
from annotation.writing.selectors.rejected_answers import IS_TOLD_OUT, vacant_answers


class Phase(StrEnum):
    """What people do in a study, called like the state in which they do it."""

    WRITING = "writing"
    JUDGING = "judging"


class Stage(StrEnum):
    """How far one person is with one prompt, whichever the phase is."""

    ASSIGNED = "assigned"
    BEGUN = "begun"
    LAPSED = "lapsed"
    SUBMITTED = "submitted"
    OUT = "out"
    WITHDRAWN = "withdrawn"


STAGES = {
    "assigned": Stage.ASSIGNED,
    "writing": Stage.BEGUN,
    "open": Stage.BEGUN,
    "lapsed": Stage.LAPSED,
    "submitted": Stage.SUBMITTED,
    "cancelled": Stage.WITHDRAWN,
}


class Piece(NamedTuple):
    """One person's answer to, or item of, one prompt.

    `is_out`: its text was rejected, as far as that may be told, or withdrawn.
    `is_passed_on`: somebody else has its place by now.
    """

    id: int
    prompt: str
    person: str
    state: str
    submitted_at: datetime | None
    is_out: bool = False
    is_passed_on: bool = False

    @property
    def stands(self) -> bool:
        return self.state != "cancelled" and not self.is_out

    @property
    def done_at(self) -> datetime | None:
        """When it filled its place, if it does."""
        return None if self.is_out else self.submitted_at

    @property
    def stage(self) -> Stage:
        if self.is_out:
            return Stage.OUT
        return Stage.WITHDRAWN if self.is_passed_on and not self.submitted_at else STAGES[self.state]


# An answer or a rating that a prompt asks for: the piece of whoever had it first, then of each successor.
RequestedPiece = tuple[Piece, ...]


@dataclass(frozen=True)
class Member:
    """A writer or judge. `since` is when they could begin, as far as they can: `obstacle` says why not."""

    participation: Participation
    since: datetime
    obstacle: str

    @property
    def pseudonym(self) -> str:
        return self.participation.pseudonym

    @property
    def name(self) -> str:
        return self.participation.user.name

    @property
    def has_left(self) -> bool:
        return self.participation.left_at is not None

    @property
    def has_withdrawn(self) -> bool:
        consent = getattr(self.participation, "consent", None)
        return consent is not None and consent.withdrawn_at is not None

    @property
    def is_lost(self) -> bool:
        """What they have not done, they will not do."""
        return self.has_left or self.has_withdrawn


@dataclass(frozen=True)
class Work:
    """All of one phase. A place counts once, however many people have had it; one that was withdrawn not at all.

    `vacant` are the ids of answers that fill their place no more, while nobody else has been given it yet.
    """

    phase: Phase
    prompts: tuple[str, ...]
    members: Mapping[str, Member]
    requested: tuple[RequestedPiece, ...]
    given_out_at: datetime | None
    vacant: frozenset[int] = frozenset()

    @cached_property
    def wanted(self) -> list[RequestedPiece]:
        return [
            holders
            for holders in self.requested
            if any(piece.stands or piece.id in self.vacant for piece in holders)
        ]

    @cached_property
    def done(self) -> list[datetime]:
        """When each of them was first done, in no order."""
        filled = ([piece.done_at for piece in holders if piece.done_at] for holders in self.wanted)
        return [min(times) for times in filled if times]

    @cached_property
    def left(self) -> list[Piece]:
        """The pieces of those who are asked for what is not done yet."""
        return [holders[-1] for holders in self.wanted if not any(piece.done_at for piece in holders)]

    @cached_property
    def blocked(self) -> list[Piece]:
        """The pieces left that nobody can do as things stand: lapsed or vacant answers, work of people who are
        gone.
        """
        is_over = self.phase == Phase.WRITING
        return [
            piece
            for piece in self.left
            if not piece.stands or (is_over and piece.state == "lapsed") or self.members[piece.person].is_lost
        ]

    @cached_property
    def begun(self) -> int:
        return sum(piece.stage == Stage.BEGUN for piece in self.left)

    @cached_property
    def left_by(self) -> dict[str, list[Piece]]:
        """What each person still has to do, and can."""
        stuck = {piece.id for piece in self.blocked}
        return _by_person(piece for piece in self.left if piece.id not in stuck)

    @cached_property
    def blocked_by(self) -> dict[str, list[Piece]]:
        """What is stuck with each person."""
        return _by_person(self.blocked)

    @cached_property
    def submitted_by(self) -> dict[str, list[datetime]]:
        """When each person submitted what, whether or not it was needed in the end."""
        found: dict[str, list[datetime]] = {}
        for piece in self.pieces():
            if piece.submitted_at:
                found.setdefault(piece.person, []).append(piece.submitted_at)
        return found

    def pieces(self) -> Iterable[Piece]:
        return chain.from_iterable(self.requested)


def _by_person(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.person, []).append(piece)
    return found


@dataclass(frozen=True)
class Texts:
    """`usable` counts human texts that are admitted or may yet be, by prompt; `quarantined` texts of any source."""

    usable: Mapping[str, int]
    quarantined: int


def texts_of(study: Study) -> Texts:
    usable, quarantined = Counter[str](), 0
    texts = Stimulus.objects.filter(study=study, state__in=("received", "admitted", "quarantined")).order_by()
    for prompt, arm, state, number in texts.values_list("prompt__code", "arm", "state").annotate(Count("pk")):
        quarantined += number if state == "quarantined" else 0
        usable[prompt] += number if arm == Arm.HUMAN else 0
    return Texts(usable, quarantined)


def work_of(study: Study) -> dict[Phase, Work]:
    """The work of both phases of the study, whether or not they have begun."""
    prompts = tuple(Prompt.objects.filter(study=study).values_list("code", flat=True))
    given_out = dict(WorkGivenOut.objects.filter(study=study).values_list("task", "at"))
    people = _people(study)
    are_judged = STUDY.states.index(study.state) >= STUDY.states.index("judging")
    requested = {Phase.WRITING: _answers(study), Phase.JUDGING: _ratings(study) if are_judged else ()}
    members = {
        phase: {
            person.pseudonym: _member(person, given_out.get(phase))
            for person in people
            if person.role == ROLES[phase]
        }
        for phase in Phase
    }
    return {
        phase: Work(
            phase=phase,
            prompts=prompts,
            members=members[phase],
            requested=requested[phase],
            given_out_at=given_out.get(phase),
            vacant=vacant_answers(study) if phase == Phase.WRITING else frozenset(),
        )
        for phase in Phase
    }


def _people(study: Study) -> Sequence[Participation]:
    """Writers and judges, those who have left too, by pseudonym."""
    people = list(
        Participation.objects.filter(study=study, role__in=STUDIED)
        .select_related("user", "consent", "profile")
        .order_by("pseudonym")
    )
    for person in people:
        person.study = study  # the same one for all, so its wide row is not read for each
    return people


def _member(person: Participation, given_out_at: datetime | None) -> Member:
    """The member with when they had work, consent, profile and time for the first time all together."""
    moments = [person.joined_at, given_out_at]
    if hasattr(person, "consent"):
        moments.append(person.consent.given_at)
    if hasattr(person, "profile"):
        moments.append(person.profile.completed_at)
    if person.available_from:
        moments.append(start_of(person.available_from))
    return Member(person, max(moment for moment in moments if moment), _obstacle(person))


def _obstacle(person: Participation) -> str:
    """Why the person may not begin, in words about them; empty where they may."""
    if not has_consented(person):
        return "has not agreed to the consent form"
    if not is_complete(person.study, getattr(person, "profile", None)):
        return "has not filled in the profile"
    return "does not meet the study’s rule" if why_not_ready(person) else ""


def start_of(day: date) -> datetime:
    """The first moment of a day in the zone in which times are shown."""
    return timezone.make_aware(datetime.combine(day, time.min))


def _answers(study: Study) -> tuple[RequestedPiece, ...]:
    return _alone(
        WritingAssignment.objects.filter(study=study), is_out=ExpressionWrapper(Q(IS_TOLD_OUT), BooleanField())
    )


def _ratings(study: Study) -> tuple[RequestedPiece, ...]:
    """Nearly every rating has had one judge only. Where several had it, they come in turn."""
    shared = shared_ratings(study)
    known = [item.id for rating in shared for item in rating.items]
    alone = JudgingItem.objects.filter(study=study).exclude(pk__in=known)
    return _alone(alone, is_out=Value(value=False)) + tuple(map(_in_turn, shared))


def _alone(
    rows: QuerySet[WritingAssignment] | QuerySet[JudgingItem], *, is_out: Combinable
) -> tuple[RequestedPiece, ...]:
    values = rows.order_by("id").values_list(
        "id", "prompt__code", "participation__pseudonym", "state", "submitted_at", is_out
    )
    return tuple((Piece(*row),) for row in values)


def _in_turn(rating: RequestedRating) -> RequestedPiece:
    return tuple(
        Piece(
            item.id, item.prompt, item.judge, item.state, item.submitted_at, is_passed_on=item is not rating.holder
        )
        for item in rating.items
    )
