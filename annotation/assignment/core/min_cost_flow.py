"""Minimum-cost flow of prompts through people, by successive shortest paths.

A source gives every taker the number of prompts they are due, and they pass one to each prompt they have. Sets of
prompts are integers, a bit for each prompt, so that a search looks at people and hardly ever at single pairs. It is
for the fewest moves of a repair; where nothing is held yet, `reassignments` needs no prices and is far faster.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple


class _Prices(NamedTuple):
    """What outweighs what: no change adds up to the next dearer price, so the dearer kind always decides."""

    unwished: int
    square: int
    move: int
    below_share: int


@dataclass(slots=True)
class Taker:
    """Whoever can have prompts.

    `allowed`: prompts they may have. `has`: those they have now. `kept`: those that are no move for them.
    `unwished`: those against a preference. `due`: how many they are to have, between `floor` and `room`, best not
    below `share`. `besides`: how many others they have, which cannot change; they count for balance alone.
    """

    allowed: int
    has: int
    kept: int
    due: int
    floor: int
    room: int
    unwished: int = 0
    share: int = 0
    besides: int = 0

    # What each change would cost now, set by `refresh`: (price, prompts), or a price, `None` where it cannot be.
    takes: list[tuple[int, int]] = field(default_factory=list, init=False)
    gives: list[tuple[int, int]] = field(default_factory=list, init=False)
    due_more: int | None = field(default=None, init=False)
    due_less: int | None = field(default=None, init=False)

    @property
    def lacks(self) -> int:
        """How many prompts they are due beyond those they have; below 0, how many they have too many."""
        return self.due - self.has.bit_count()

    def refresh(self, prices: _Prices) -> None:
        self.takes = list(self._by_price(self.allowed & ~self.has, prices))
        self.gives = [(-price, prompts) for price, prompts in self._by_price(self.has, prices)]
        self.due_more = self._price_of(self.due, prices) if self.due < self.room else None
        self.due_less = -self._price_of(self.due - 1, prices) if self.due > self.floor else None

    def _by_price(self, prompts: int, prices: _Prices) -> Iterator[tuple[int, int]]:
        for move, part in ((0, prompts & self.kept), (prices.move, prompts & ~self.kept)):
            for unwished, some in ((0, part & ~self.unwished), (prices.unwished, part & self.unwished)):
                if some:
                    yield move + unwished, some

    def _price_of(self, due: int, prices: _Prices) -> int:
        """The price of the step from `due` to one more."""
        number = self.besides + due
        squares = (number + 1) ** 2 - number**2
        return squares * prices.square - (prices.below_share if due < self.share else 0)


def solve(takers: Sequence[Taker], *, prompts: int) -> int:
    """Let every taker have as many of `prompts` as they are due, by changing them.

    Returns the prompts for which the takers do not suffice, none (0) where it worked: everybody either has all of
    these that they may have, or no room left and no other prompts than these.

    What prompts cost, most important first: prompts below shares, moves, the sum of the squared numbers of prompts,
    prompts against a preference. Takers that are the cheapest of all with their numbers (who lacks how many) stay
    so when one prompt goes along a shortest path from somebody who lacks it to somebody who has too many (Ahuja,
    Magnanti and Orlin 1993, Network Flows, section 9.7). So if those given are, the solution is the cheapest who
    lack nothing.
    """
    base = 4 * (len(takers) + prompts.bit_count()) + 8  # a change meets each taker and prompt, and the source, once
    prices = _Prices(unwished=1, square=base, move=base**2, below_share=base**3)
    source = len(takers)
    for taker in takers:
        taker.refresh(prices)
    for number, taker in enumerate(takers):
        # What somebody lacks can always come from where too many are, or be no longer due to them.
        while taker.lacks > 0:
            search = _Search(takers, number)
            _shift(takers, search, search.nearest([*_overfull(takers), source]), prices)
    while overfull := _overfull(takers):
        search = _Search(takers, source)
        if not search.distance.keys() & overfull:
            return prompts & ~search.prompts
        _shift(takers, search, search.nearest(overfull), prices)
    return 0


def _overfull(takers: Sequence[Taker]) -> list[int]:
    return [number for number, taker in enumerate(takers) if taker.lacks < 0]


def _shift(takers: Sequence[Taker], search: "_Search", end: int, prices: _Prices) -> None:
    """Move one prompt along the way found to `end`."""
    for before, prompt, node in search.way_to(end):
        for number, sign in ((before, -1), (node, 1)):
            if number < len(takers):
                taker = takers[number]
                taker.has ^= prompt
                taker.due += 0 if prompt else sign
                taker.refresh(prices)


class _Search:
    """The shortest ways from one node, by Bellman's and Ford's rule: steps below 0 occur, circles below 0 do not.

    A node is the number of a taker, or of the source, which is the highest. A step between takers leads over a
    prompt: the one before takes it, the next gives it away. One between a taker and the source leads over none (0):
    they are due one less or one more. `distance` has the nodes reached, `prompts` what somebody reached can take.
    """

    def __init__(self, takers: Sequence[Taker], start: int) -> None:
        self._takers = takers
        self._source = len(takers)
        self._step: dict[int, tuple[int, int]] = {}
        self.distance = {start: 0}
        while self._over_source() | self._over_prompts():
            pass
        self.prompts = 0
        for _, _, prompts in self._offers():
            self.prompts |= prompts

    def nearest(self, ends: Collection[int]) -> int:
        return min(self.distance.keys() & ends, key=lambda end: (self.distance[end], end))

    def way_to(self, end: int) -> Iterator[tuple[int, int, int]]:
        """The steps to `end`, last one first: (node before, prompt, node)."""
        while end in self._step:
            before, prompt = self._step[end]
            yield before, prompt, end
            end = before

    def _over_source(self) -> bool:
        shorter = False
        for number, taker in enumerate(self._takers):
            if taker.due_less is not None and number in self.distance:
                shorter |= self._reach(self._source, self.distance[number] + taker.due_less, number)
        if self._source in self.distance:
            for number, taker in enumerate(self._takers):
                if taker.due_more is not None:
                    shorter |= self._reach(number, self.distance[self._source] + taker.due_more, self._source)
        return shorter

    def _over_prompts(self) -> bool:
        shorter = False
        offers = self._offers()
        for number, taker in enumerate(self._takers):
            for price, has in taker.gives:
                for distance, before, prompts in offers:
                    if distance + price >= self.distance.get(number, inf):
                        break
                    if common := has & prompts:
                        shorter |= self._reach(number, distance + price, before, common & -common)
                        break
        return shorter

    def _offers(self) -> list[tuple[int, int, int]]:
        """(distance, who can take them, prompts), the nearest first, every prompt once."""
        reached = (number for number in self.distance if number != self._source)
        takes = [
            (self.distance[n] + price, n, prompts) for n in reached for price, prompts in self._takers[n].takes
        ]
        offers, seen = [], 0
        for distance, number, prompts in sorted(takes):
            if new := prompts & ~seen:
                offers.append((distance, number, new))
                seen |= new
        return offers

    def _reach(self, node: int, distance: int, before: int, prompt: int = 0) -> bool:
        if distance >= self.distance.get(node, inf):
            return False
        self.distance[node] = distance
        self._step[node] = (before, prompt)
        return True
