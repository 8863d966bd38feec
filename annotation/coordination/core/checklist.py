"""What a study takes from its design to its release, step by step: what is done, what is next, who must act."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    DONE = "done"
    NEXT = "next"
    LATER = "later"


@dataclass(frozen=True)
class Duty:
    """A step: who must act, since when it can be begun and where it is done.

    `begins` and `ends` are states of the study: the step waits before the one and is over by the other. Within them
    it is done where `is_settled`. `note` says how far it is. `page` names an address of the study, and is empty
    where the step is taken on the page of the checklist.
    """

    title: str
    who: str
    begins: str
    ends: str
    page: str = ""
    is_settled: bool = False
    note: str = ""


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


def _standing(duty: Duty, now: int, states: Sequence[str]) -> Standing:
    if now >= states.index(duty.ends):
        return Standing.DONE
    if now < states.index(duty.begins):
        return Standing.LATER
    return Standing.DONE if duty.is_settled else Standing.NEXT
