"""Who works on what: balanced designs, drawn from the study's seed and counted again before they leave.

A design depends on the seed and on the identifiers, never on the order in which these were given.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import Final

from annotation.assignment.core.feasibility import Allocation, Infeasible, Person, Shortage, named
from annotation.assignment.core.reassignments import Holdings, Reassignment, members
from annotation.assignment.core.swap_cycles import honour_preferences
from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.phrases import counted

_PEOPLE: Final = {"answers": "writer", "ratings": "judge"}


def allocate(people: Sequence[Person], prompts: Sequence[str], *, each: int, seed: bytes, work: str) -> Allocation:
    """Give every prompt to exactly `each` different people; `work` is what they do, "answers" or "ratings".

    Nobody gets an excluded prompt, or more than their capacity. Of all such designs it is one with the smallest sum
    of squared loads, and of these one with the fewest pairs against a preference; among equals the seed decides.

    Raises `Infeasible` where there is none, with who can do how much and the nearest numbers that would do.
    """
    if any(person.capacity is not None and person.capacity < 0 for person in people):
        raise ValueError("A capacity is 0 or more.")
    if each < 1:
        raise Infeasible(f"Each prompt needs at least 1 {_PEOPLE[work]}.")
    by_name = {person.name: person for person in people}
    names = seeded_order(seed, "people to allot", work, items=[person.name for person in people])
    design = _Design(
        people=[by_name[name] for name in names],
        prompts=seeded_order(seed, "prompts to allot", work, items=prompts),
        each=each,
        seed=seed,
        work=work,
    )
    wished = _fits(design.prompts, [person.excluded | person.unwished for person in design.people])
    holdings = design.vacant()
    design.deal(holdings, wished)
    if stuck := holdings.drain(holdings.vacancies):
        raise design.infeasible(design.shortage(holdings, stuck))
    holdings.even_out()
    honour_preferences(holdings, wished)
    allocation = design.allocation(holdings)
    _check(allocation, people, prompts, each)
    return allocation


def is_even(people: Sequence[Person], given: Mapping[str, Collection[str]]) -> bool:
    """Whether no other design with as many people for each prompt has more even loads; `given` is person → prompts.

    Even is what has the smallest sum of squared loads: no chain of reassignments, within capacities and exclusions,
    leads from anybody to somebody who has less to do by two or more.
    """
    prompts = sorted(set().union(*given.values()))
    holdings = _vacant(people, prompts, each=0)
    for number, person in enumerate(people):
        own = set(given.get(person.name, ()))
        for prompt, code in enumerate(prompts):
            if code in own:
                holdings.toggle(number, prompt)
    return holdings.is_even()


@dataclass(frozen=True)
class _Design:
    """What is asked for. People and prompts have their places in these sequences as their numbers."""

    people: Sequence[Person]
    prompts: Sequence[str]
    each: int
    seed: bytes
    work: str

    def vacant(self) -> Holdings:
        return _vacant(self.people, self.prompts, each=self.each)

    def deal(self, holdings: Holdings, wished: Sequence[int]) -> None:
        """Fill the vacancies of one prompt after the other, as far as nobody has to hand over anything for it."""
        place = {person.name: number for number, person in enumerate(self.people)}

        def line(prompt: int) -> Iterator[int]:
            """Who has least to do comes first; of these, who has nothing against it; then the seed decides."""
            fits = holdings.fits[prompt] & holdings.free
            for load in holdings.by_load:
                for group in (load & fits & wished[prompt], load & fits & ~wished[prompt]):
                    names = [self.people[person].name for person in members(group)]
                    context = "people for a prompt", self.work, self.prompts[prompt]
                    yield from map(place.__getitem__, seeded_order(self.seed, *context, items=names))

        for prompt in range(len(self.prompts)):
            takers = list(islice(line(prompt), self.each))
            for vacancy, taker in zip(members(holdings.vacancies), takers, strict=False):
                holdings.reassign([Reassignment(vacancy, prompt, taker)])

    def allocation(self, holdings: Holdings) -> Allocation:
        given = {
            person.name: [self.prompts[prompt] for prompt in members(holdings.own[number])]
            for number, person in enumerate(self.people)
        }
        return Allocation(
            prompts={
                name: seeded_order(self.seed, "prompts of a person", self.work, name, items=given[name])
                for name in sorted(given)
            },
            unwished=tuple(
                sorted(
                    (person.name, code)
                    for person in self.people
                    for code in person.unwished & {*given[person.name]}
                )
            ),
        )

    def shortage(self, holdings: Holdings, stuck: int) -> Shortage:
        """Return the minimum cut that `Holdings.drain` has found; `stuck` are whom its last search reached."""
        held = [holdings.own[person] for person in members(stuck)]
        short = {code for prompt, code in enumerate(self.prompts) if any(own >> prompt & 1 for own in held)}
        fitting = {person: len(short - person.excluded) for person in self.people}
        most_each = self._most_each()
        return Shortage(
            prompts=tuple(sorted(short)),
            people=tuple(sorted(person.name for person, number in fitting.items() if number)),
            wanted=self.each * len(short),
            possible=sum(min(number, _room(person, self.prompts)) for person, number in fitting.items()),
            most_each=most_each,
            # Somebody without limits takes one place of every prompt, and so leaves a design of one place less.
            people_more=self.each - most_each,
        )

    def _most_each(self) -> int:
        """Return how many places of every prompt can be filled, where not all can."""
        holdings = self.vacant()
        vacancies = enumerate(members(holdings.vacancies))
        return next(filled for filled, vacancy in vacancies if holdings.drain(1 << vacancy))

    def infeasible(self, shortage: Shortage) -> Infeasible:
        """Who is concerned is named where it is not everybody."""
        person, fitting, them = _PEOPLE[self.work], len(shortage.people), shortage.them
        can = f"{counted(fitting, person)} can give {shortage.possible}"
        if not fitting:
            can = f"no {person} may take {them}"
        elif fitting < len(self.people):
            who = f"{counted(fitting, person)} who may take {them} ({named(shortage.people)})"
            can = f"the {who} can give {shortage.possible}"
        return Infeasible.by(
            shortage,
            prompts=len(self.prompts),
            asked=f"{shortage.wanted} {self.work}, {self.each} each",
            can=can,
            piece=counted(shortage.most_each, self.work.removesuffix("s")),
            people=counted(shortage.people_more, f"more {person}"),
        )


def _vacant(people: Sequence[Person], prompts: Sequence[str], *, each: int) -> Holdings:
    room = [_room(person, prompts) for person in people]
    return Holdings(room, _fits(prompts, [person.excluded for person in people]), places=each)


def _room(person: Person, prompts: Sequence[str]) -> int:
    return len(prompts) if person.capacity is None else min(person.capacity, len(prompts))


def _fits(prompts: Sequence[str], refused: Sequence[AbstractSet[str]]) -> list[int]:
    """Return, for each prompt, who does not refuse it, as bits; `refused` has a set of prompts for each person."""
    fits = dict.fromkeys(prompts, (1 << len(refused)) - 1)
    for person, own in enumerate(refused):
        for code in own & fits.keys():
            fits[code] ^= 1 << person
    return list(fits.values())


def _check(allocation: Allocation, people: Sequence[Person], prompts: Sequence[str], each: int) -> None:
    """Count everything again, from the names."""
    given = allocation.prompts
    takers = Counter(code for own in given.values() for code in set(own))
    right = takers == dict.fromkeys(prompts, each) and all(
        len(given[person.name]) <= _room(person, prompts) and person.excluded.isdisjoint(given[person.name])
        for person in people
    )
    if not right or not is_even(people, given):
        raise RuntimeError("The design is not what it has to be; nothing was assigned.")
