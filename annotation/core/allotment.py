"""Who can take which prompts, who got them, and why a design may not exist."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.core.errors import Refused


@dataclass(frozen=True)
class Person:
    """A writer or judge by pseudonym.

    `capacity` is the most prompts the person takes, `None` for no limit. `excluded` prompts are never given to them,
    `unwished` ones only where nothing else fits.
    """

    name: str
    capacity: int | None = None
    excluded: frozenset[str] = frozenset()
    unwished: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Allotment:
    """Person → prompts in the order in which they meet them, and the (person, prompt) pairs against a wish."""

    prompts: Mapping[str, tuple[str, ...]]
    unwished: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Shortage:
    """A minimum cut: of the pieces of work that `prompts` ask for, the people can take `possible` of `wanted`.

    `people` are those who limit it: all who may take one of `prompts`. The nearest designs that exist: `most_each`
    pieces a prompt instead (0 where there is none), or `people_more` people without limits besides these.
    """

    prompts: tuple[str, ...]
    people: tuple[str, ...]
    wanted: int
    possible: int
    most_each: int
    people_more: int


class Infeasible(Refused):
    """No design fits the numbers asked for. The message names them, and the nearest change that would."""

    def __init__(self, message: str, shortage: Shortage | None = None) -> None:
        super().__init__(message)
        self.shortage = shortage
