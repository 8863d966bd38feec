"""Who holds which prompts, and the chains of reassignments that change it.

In a chain one person hands a prompt to another, who hands one of theirs to a third, and so on: only its two ends
have less or more to do afterwards. In terms of flows these are the augmenting paths. They make whole designs, where
only numbers and evenness count; what has a price besides, as the moves of a repair have, is for `min_cost_flow`.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Reassignment(NamedTuple):
    giver: int
    prompt: int
    taker: int


class Search(NamedTuple):
    """The shortest chain, empty where there is none, and all whom the search reached, its start included."""

    chain: tuple[Reassignment, ...]
    reached: int


def members(numbers: int) -> Iterator[int]:
    """Return what a set holds, in ascending order: the places of the bits of `numbers`."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest


class Holdings:
    """Who holds which prompts. At first nobody does: each prompt is held by as many vacancies as it has `places`.

    People and prompts are numbers from 0, a set of them is the bits of an integer. So a search looks at each prompt
    once, whatever the number of people. Vacancies are people, too, with the last numbers and room for nothing.

    `room` is the most prompts of each person, `fits` the people who may take each prompt.
    """

    def __init__(self, room: Sequence[int], fits: Sequence[int], *, places: int) -> None:
        people = (1 << len(room)) - 1
        self.vacancies = ((1 << places) - 1) << len(room)
        self.room = [*room, *[0] * places]
        self.fits = fits
        self.own = [*[0] * len(room), *[(1 << len(fits)) - 1] * places]
        self.holders = [self.vacancies] * len(fits)
        self.by_load = [people, *[0] * len(fits)]
        self.by_load[-1] |= self.vacancies
        self.free = sum(1 << person for person, most in enumerate(room) if most)

    def load(self, person: int) -> int:
        return self.own[person].bit_count()

    def toggle(self, person: int, prompt: int) -> None:
        """Give the prompt to the person, or take it away where they hold it."""
        bit = 1 << person
        self.by_load[self.load(person)] ^= bit
        self.own[person] ^= 1 << prompt
        self.holders[prompt] ^= bit
        self.by_load[self.load(person)] ^= bit
        self.free = self.free | bit if self.load(person) < self.room[person] else self.free & ~bit

    def reassign(self, chain: Iterable[Reassignment]) -> None:
        for giver, prompt, taker in chain:
            self.toggle(giver, prompt)
            self.toggle(taker, prompt)

    def search(self, givers: int, takers: int, *, closed: int = 0) -> Search:
        """Look for the shortest chain from one of the `givers` to one of the `takers` through nobody `closed`."""
        queue = deque(members(givers))
        came: dict[int, tuple[int, int]] = {}
        asked, reached = 0, givers
        while queue:
            giver = queue.popleft()
            for prompt in members(self.own[giver] & ~asked):
                new = self.fits[prompt] & ~(self.holders[prompt] | reached | closed)
                if found := new & takers:
                    return Search(_traced(came, giver, prompt, next(members(found))), reached)
                reached |= new
                for person in members(new):
                    came[person] = giver, prompt
                    queue.append(person)
            asked |= self.own[giver]
        return Search((), reached)

    def drain(self, givers: int) -> int:
        """Let the `givers` give away all that people with room can take, directly or along chains.

        Returns 0, or everyone reached by an unsuccessful search, including givers with something left. Of these, no
        one else has room, and no one beyond them may take any more of the prompts that they all hold.
        """
        while left := givers & ~self.by_load[0]:
            chain, reached = self.search(left, self.free)
            if not chain:
                return reached
            self.reassign(chain)
        return 0

    def even_out(self) -> None:
        """Reassign until no chain leads from anybody to somebody who has less to do by two or more.

        The busiest begin. Everyone reached by an unsuccessful search is excluded from later ones: no chain leads
        away from there, and chains elsewhere change nothing there. So all unsuccessful searches together cost one.
        """
        closed = 0
        for load in self._loads():
            while busy := self.by_load[load] & ~closed:
                chain, reached = self.search(busy, self._less_than(load - 1), closed=closed)
                self.reassign(chain)
                if not chain:
                    closed |= reached

    def is_even(self) -> bool:
        """Whether no chain leads from anybody to somebody who has less to do by two or more.

        Then no other holdings with as many holders of each prompt have a smaller sum of squared loads.
        """
        return not any(self.search(self.by_load[load], self._less_than(load - 1)).chain for load in self._loads())

    def _loads(self) -> range:
        """Numbers of prompts, from the most that anybody holds down to 2."""
        return range(max(load for load, people in enumerate(self.by_load) if people), 1, -1)

    def _less_than(self, load: int) -> int:
        """The people with room who hold fewer prompts."""
        return self.free & sum(self.by_load[:load])


def _traced(came: dict[int, tuple[int, int]], giver: int, prompt: int, taker: int) -> tuple[Reassignment, ...]:
    """Return the chain that ends with this reassignment; `came` is person → who hands them which prompt."""
    chain = [Reassignment(giver, prompt, taker)]
    while giver in came:
        chain.append(Reassignment(*came[giver], giver))
        giver = chain[-1].giver
    return tuple(chain)
