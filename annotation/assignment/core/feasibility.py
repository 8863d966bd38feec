"""Who can take which prompts, who got them, and why a design may not exist."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted

_NAMED: Final = 3  # of any number, in a message


@dataclass(frozen=True)
class Person:
    """A writer or judge by pseudonym.

    `capacity` is the most prompts the person takes, `None` for no limit. `excluded` prompts are never given to
    them, `unwished` ones only where nothing else fits.
    """

    name: str
    capacity: int | None = None
    excluded: frozenset[str] = frozenset()
    unwished: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Allocation:
    """Person → prompts in the order in which they meet them, and (person, prompt) pairs against a preference."""

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

    @property
    def them(self) -> str:
        """What stands for the prompts in a sentence."""
        return "it" if len(self.prompts) == 1 else "them"


class Infeasible(Refused):
    """No design fits the numbers asked for. The message names them, and the nearest change that would."""

    def __init__(self, message: str, shortage: Shortage | None = None) -> None:
        super().__init__(message)
        self.shortage = shortage

    @classmethod
    def by(
        cls, shortage: Shortage, *, prompts: int, asked: str, can: str, people: str, piece: str = ""
    ) -> "Infeasible":
        """Say who is too few for what, and what would do. Prompts are named where not all of them are short.

        `prompts` is the number of all, `asked` what the short ones ask for, `can` who can take how much of it;
        `people` and `piece` are what the nearest designs have: so many more people, or so much for each prompt.
        Without `piece` only people are advised: once work has begun, the design stays as it is.
        """
        short = len(shortage.prompts)
        which = f" ({named(shortage.prompts)})" if short < prompts else ""
        change = f"{people} who can take every prompt"
        if piece and shortage.most_each:
            change = f"{piece} for each prompt, or {change}"
        ask = "asks" if short == 1 else "ask"
        asking = f"{counted(short, 'prompt')}{which} {ask} for {asked}"
        return cls(f"{asking}; {can}. Enough would be {change}.", shortage)


def named(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
