"""What a study takes from its design to its release, step by step: what is done, what is next, who must act."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotation.platform.core.phrases import counted


class Standing(StrEnum):
    DONE = "done"
    NEXT = "next"
    LATER = "later"


@dataclass(frozen=True)
class Amount:
    """How much of a step is there: `done` of `total` of what `noun`, in the singular, says."""

    done: int
    total: int
    noun: str

    def __str__(self) -> str:
        return f"{self.done:,} of {counted(self.total, self.noun)}"

    @property
    def all_of_them(self) -> str:
        """The noun in the plural."""
        return f"{self.noun}s"

    @property
    def missing(self) -> str:
        """What is not there yet, in words; empty where nothing is missing."""
        if not self.total:
            return f"no {self.noun} was asked for"
        left = self.total - self.done
        return f"{counted(left, self.noun)} missing" if left else ""


@dataclass(frozen=True)
class Duty:
    """A step: who must act, since when it can be begun and where it is done.

    `begins` and `ends` are states of the study: the step waits before the one and is over by the other, or never by
    itself. Within them it is done where `is_settled`, and comes later where other steps have to be taken first
    (`is_blocked`). `amount` or `note` says how far it is. `page` names an address of the study, and
    is empty where the step is taken on the page of the checklist; `place` is the id of its part of a long page.
    """

    title: str
    who: str
    begins: str
    ends: str = ""
    page: str = ""
    place: str = ""
    is_settled: bool = False
    is_blocked: bool = False
    note: str = ""
    amount: Amount | None = None

    @property
    def stands(self) -> str:
        """The step, and whether it is done or not begun; the step alone while it is under way."""
        if self.is_settled:
            return f"{self.title}: done"
        return self.title if self.amount and self.amount.total else f"{self.title}: not begun"

    @property
    def told(self) -> str:
        """How far the step is, in words; empty where nothing can be said."""
        return self.note or (str(self.amount) if self.amount and self.amount.total else "")


@dataclass(frozen=True)
class Point:
    """A step as the checklist shows it."""

    duty: Duty
    standing: Standing


def checklist(duties: Sequence[Duty], state: str, states: Sequence[str]) -> list[Point]:
    """The steps in their order. Several can be next at once: people write while models answer.

    `states` are those of a study in their order, `state` is the present one.
    """
    now = states.index(state)
    return [Point(duty, _standing(duty, now, states)) for duty in duties]


def merged(duties: Sequence[Duty], further: Sequence[Duty]) -> list[Duty]:
    """`duties` with each of `further` before the step by which the state that it begins in is left.

    That step is the last one of `duties` that begins in the same state, and there has to be one.
    """
    found = list(duties)
    for duty in further:
        found.insert(max(place for place, each in enumerate(found) if each.begins == duty.begins), duty)
    return found


def _standing(duty: Duty, now: int, states: Sequence[str]) -> Standing:
    if duty.ends and now >= states.index(duty.ends):
        return Standing.DONE
    if now < states.index(duty.begins):
        return Standing.LATER
    if duty.is_settled:
        return Standing.DONE
    return Standing.LATER if duty.is_blocked else Standing.NEXT
