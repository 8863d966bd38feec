"""What everybody has left to do and can still take, for deciding who leaves, is late or joins."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q

from annotation.assignment.selectors.assigning import ROLES
from annotation.assignment.selectors.repairing import begun_to_guess
from annotation.study.models.participation import Consent, Participation
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study

WORK = {"writing": "writing_assignments", "judging": "judging_items"}
BEGUN = ("writing", "open", "lapsed")


@dataclass(frozen=True)
class RemainingWork:
    """A person's pieces of work by how they stand; `limits` say in words why they cannot take any number more."""

    pseudonym: str
    name: str
    done: int
    begun: int
    waiting: int
    limits: str
    has_left: bool

    @property
    def number(self) -> int:
        return self.done + self.begun + self.waiting

    @property
    def can_give(self) -> bool:
        return self.begun + self.waiting > 0

    @property
    def can_join(self) -> bool:
        """Who has no work yet. Others are given more without being named."""
        return not self.has_left and not self.number


def remaining_work(study: Study, task: str, *, today: date) -> list[RemainingWork]:
    """Everybody whose role has the `task` ("writing" or "judging"), by pseudonym."""
    state = f"{WORK[task]}__state"
    members = Participation.objects.filter(study=study, role=ROLES[task]).annotate(
        done=Count(WORK[task], filter=Q(**{state: "submitted"})),
        begun=Count(WORK[task], filter=Q(**{f"{state}__in": BEGUN})),
        waiting=Count(WORK[task], filter=Q(**{state: "assigned"})),
    )
    guessers, prompts = begun_to_guess(study), Prompt.objects.filter(study=study).count()
    found = []
    for member in members.select_related("user", "consent").order_by("pseudonym"):
        number = member.done + member.begun + member.waiting
        nothing = _why_nothing(member, today, is_guessing=member.pseudonym in guessers, has_all=number == prompts)
        share = RemainingWork(
            pseudonym=member.pseudonym,
            name=member.user.name,
            done=member.done,
            begun=member.begun,
            waiting=member.waiting,
            limits=f"nothing: {nothing}" if nothing else "; ".join(_limits(member, number, today)),
            has_left=member.left_at is not None,
        )
        found.append(share)
    return found


def _why_nothing(member: Participation, today: date, *, is_guessing: bool, has_all: bool) -> str:
    """Why the member can be given no work at all; empty where they can."""
    consent: Consent | None = getattr(member, "consent", None)
    if member.left_at:
        return "has left"
    if consent and consent.withdrawn_at:
        return "has withdrawn"
    if member.available_until and member.available_until < today:
        return f"had time until {member.available_until:%-d %B %Y}"
    if is_guessing:
        return "has begun to guess"
    return "has every prompt" if has_all else ""


def _limits(member: Participation, number: int, today: date) -> Iterator[str]:
    if member.capacity is not None:
        room = max(0, member.capacity - number)
        yield f"{room or 'nothing'} more: takes at most {member.capacity}"
    if member.available_from and member.available_from > today:
        yield f"away until {member.available_from:%-d %B %Y}"
    if member.excludes:
        yield f"not {', '.join(member.excludes)}"
