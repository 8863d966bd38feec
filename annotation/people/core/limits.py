"""A writer's or judge's limits and preferences, and what is wrong with them."""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Final

MAX_CAPACITY: Final = 1000  # prompts


@dataclass(frozen=True)
class Limits:
    """`None` and empty values limit nothing.

    `capacity` is in prompts, from 0 to `MAX_CAPACITY`. Both days of availability are included.
    """

    capacity: int | None = None
    available_from: date | None = None
    available_until: date | None = None
    institution: str = ""
    prefers: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Everything that is preferred or excluded."""
        return (*self.prefers, *self.excludes)


NO_LIMITS: Final = Limits()


def columns_of(limits: Limits) -> dict[str, Any]:
    """The limits as a row keeps them."""
    return asdict(limits) | {"prefers": list(limits.prefers), "excludes": list(limits.excludes)}


def fault_of(limits: Limits, *, topics: Collection[str] | None) -> str:
    """What is wrong with `limits`, to be continued by a full stop; empty where nothing is.

    `topics` are those that fit a prompt, in small letters; `None` where the prompts may still be to come.
    """
    if limits.capacity is not None and not 0 <= limits.capacity <= MAX_CAPACITY:
        return f"a capacity is between 0 and {MAX_CAPACITY:,} prompts"
    if limits.available_from and limits.available_until and limits.available_until < limits.available_from:
        return "the last day on which the person has time is before the first"
    unknown = [topic for topic in limits.topics if topics is not None and topic.casefold() not in topics]
    if unknown:
        return (
            f"no prompt of this study has the code, domain or discipline {_quoted(unknown)}; check the spelling on "
            f"the page of the prompts"
        )
    excluded = {topic.casefold() for topic in limits.excludes}
    if both := [topic for topic in limits.prefers if topic.casefold() in excluded]:
        return f"both preferred and excluded: {_quoted(both)}; decide on one"
    return ""


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in dict.fromkeys(words))
