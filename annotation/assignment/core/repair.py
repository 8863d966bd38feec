"""The least that has to change when somebody leaves, is late or joins: who takes which prompts over.

A repair depends on the seed and on the identifiers, never on the order in which these were given.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from annotation.assignment.core.feasibility import Infeasible, Person, Shortage
from annotation.assignment.core.min_cost_flow import Taker, solve
from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.phrases import counted

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Held:
    """A prompt that a person has. It is fixed once begun: then it stays where it is, whatever happens."""

    person: str
    prompt: str
    is_fixed: bool


@dataclass(frozen=True)
class Repaired:
    """What changes, as sorted (person, prompt) pairs. `unwished` are those given against a preference."""

    given: Pairs
    taken: Pairs
    unwished: Pairs

    @property
    def moves(self) -> int:
        return len(self.given)


def repair(
    people: Sequence[Person],
    held: Sequence[Held],
    wanted: Mapping[str, int],
    *,
    seed: bytes,
    least: Mapping[str, int] = {},
) -> Repaired:
    """Return the smallest change after which every prompt has as many different people as `wanted` says.

    `people` can have work from now on. What others hold is taken, and so is what is excluded by now or beyond a
    capacity, unless it is fixed: fixed pairs stay and count, and a prompt with more of these than it wants keeps
    them. `least` is how many prompts somebody should end up with, a newcomer's fair share; they get fewer only
    where fixed pairs, capacity or exclusions leave no more.

    Of all changes that respect capacities and exclusions this has, in this order: the fewest prompts below `least`,
    the fewest pairs given, the smallest sum of the squared numbers of prompts per person, the fewest unfixed pairs
    against a preference; among equals the seed decides.

    Raises `Infeasible` where there is none, and `ValueError` where a name is unknown or something is given twice.
    """
    case = _Case(people, held, wanted, seed, least)
    work = _Work(case)
    if short := work.solve():
        raise _infeasible(case, work, short)
    before, now = {(one.person, one.prompt) for one in held if not one.is_fixed}, work.pairs
    given = tuple(sorted(now - before))
    unwished = {(person.name, prompt) for person in people for prompt in person.unwished}
    return Repaired(
        given=given,
        taken=tuple(sorted(before - now)),
        unwished=tuple(pair for pair in given if pair in unwished),
    )


@dataclass(frozen=True)
class _Case:
    people: Sequence[Person]
    held: Sequence[Held]
    wanted: Mapping[str, int]
    seed: bytes
    least: Mapping[str, int]

    def __post_init__(self) -> None:
        if unknown := sorted({one.prompt for one in self.held} - set(self.wanted)):
            raise ValueError(f"{unknown[0]} is held, but not among the prompts.")
        if unknown := sorted(set(self.least) - {person.name for person in self.people}):
            raise ValueError(f"A least number is given for {unknown[0]}, who is not among the people.")
        if len({(one.person, one.prompt) for one in self.held}) < len(self.held):
            raise ValueError("The same pair is held twice.")


class _Work:
    """The work that is not fixed, as a flow that starts from all pairs which may be kept, with nothing given.

    Where that leaves a prompt short, imaginary people hold it who are due nothing; where it leaves too many,
    imaginary people are due it who have nothing. Somebody beyond their room has too many, a newcomer lacks their
    share. `helpers` say what imaginary people may have who can be called in.

    This start is the cheapest with these numbers. Two flows with the same numbers differ by circles in which people
    take and give prompts in turn. A circle through the start has somebody take a prompt they did not have: a move,
    as all that may be kept is kept, and nothing leads to imaginary people who have nothing. It saves no share, as
    nobody is due less than theirs at the start; and a move outweighs the rest.
    """

    def __init__(self, case: _Case, helpers: Iterable[Iterable[str]] = ()) -> None:
        self._case = case
        self._prompts = seeded_order(case.seed, "prompts to repair", items=list(case.wanted))
        self._bit = {prompt: 1 << number for number, prompt in enumerate(self._prompts)}
        self._every = (1 << len(self._prompts)) - 1
        begun = Counter(one.prompt for one in case.held if one.is_fixed)
        self.asked = {prompt: max(0, number - begun[prompt]) for prompt, number in case.wanted.items()}
        self.people = self._people()
        self._helpers = [
            Taker(allowed=self.bits(own), has=0, kept=0, due=0, floor=0, room=len(self._prompts)) for own in helpers
        ]

    def solve(self) -> tuple[str, ...]:
        """Put all numbers right. Returns the prompts for which the people do not suffice, none where it worked."""
        takers = [*self.people.values(), *self._helpers, *self._imaginary()]
        return tuple(sorted(self._names(solve(takers, prompts=self._every))))

    @property
    def pairs(self) -> set[tuple[str, str]]:
        """(person, prompt) now, fixed ones left out."""
        return {(name, prompt) for name, taker in self.people.items() for prompt in self._names(taker.has)}

    def bits(self, prompts: Iterable[str]) -> int:
        return sum(self._bit.get(prompt, 0) for prompt in prompts)

    def _names(self, bits: int) -> Iterator[str]:
        while bits:
            lowest = bits & -bits
            yield self._prompts[lowest.bit_length() - 1]
            bits ^= lowest

    def _people(self) -> dict[str, Taker]:
        fixed: defaultdict[str, int] = defaultdict(int)
        free: defaultdict[str, int] = defaultdict(int)
        for one in self._case.held:
            (fixed if one.is_fixed else free)[one.person] |= self._bit[one.prompt]
        by_name = {person.name: person for person in self._case.people}
        order = seeded_order(self._case.seed, "people to repair", items=[one.name for one in self._case.people])
        return {name: self._person(by_name[name], fixed[name], free[name]) for name in order}

    def _person(self, person: Person, fixed: int, free: int) -> Taker:
        begun = fixed.bit_count()
        allowed = self._every & ~self.bits(person.excluded) & ~fixed
        room = allowed.bit_count()
        if person.capacity is not None:
            room = min(room, max(0, person.capacity - begun))
        share = min(room, max(0, self._case.least.get(person.name, 0) - begun))
        kept = free & allowed
        return Taker(
            allowed=allowed,
            has=kept,
            kept=kept,
            due=max(share, min(room, kept.bit_count())),
            floor=0,
            room=room,
            unwished=self.bits(person.unwished),
            share=share,
            besides=begun,
        )

    def _imaginary(self) -> Iterator[Taker]:
        kept = Counter(prompt for _, prompt in self.pairs)
        for level in count(1):
            short = self.bits(prompt for prompt, asked in self.asked.items() if asked - kept[prompt] >= level)
            spare = self.bits(prompt for prompt, asked in self.asked.items() if kept[prompt] - asked >= level)
            if not short | spare:
                return
            yield Taker(allowed=short, has=short, kept=short, due=0, floor=0, room=0)
            owed = spare.bit_count()
            yield Taker(allowed=spare, has=0, kept=spare, due=owed, floor=owed, room=owed)


def _infeasible(case: _Case, work: _Work, short: tuple[str, ...]) -> Infeasible:
    """Recount what the `short` prompts ask for and who may take it, and find the nearest numbers that would do."""
    asked, bits = sum(work.asked[prompt] for prompt in short), work.bits(short)
    takers = {name: taker for name, taker in work.people.items() if taker.allowed & bits}
    possible = sum(min(taker.room, (taker.allowed & bits).bit_count()) for taker in takers.values())
    people_more = 1
    while _Work(case, [case.wanted] * people_more).solve():
        people_more += 1
    most_each = max(case.wanted.values()) - 1
    while _Work(case, _beyond(most_each, case.wanted)).solve():
        most_each -= 1
    shortage = Shortage(short, tuple(sorted(takers)), asked, possible, most_each, people_more)
    can = f"nobody may take {shortage.them}"
    if takers:
        who = "the one person" if len(takers) == 1 else f"the {len(takers)} people"
        can = f"{who} who may take {shortage.them} can take {possible}"
    return Infeasible.by(
        shortage,
        prompts=len(case.wanted),
        asked=f"{counted(asked, 'place')} still to be filled",
        can=can,
        people="1 more person" if people_more == 1 else f"{people_more} more people",
    )


def _beyond(most: int, wanted: Mapping[str, int]) -> list[list[str]]:
    """Return the prompts that want a person more than `most`, those that want two more, and so on."""
    levels = range(most + 1, max(wanted.values()) + 1)
    return [[prompt for prompt, number in wanted.items() if number >= level] for level in levels]
