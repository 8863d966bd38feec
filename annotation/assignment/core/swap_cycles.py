"""Swap cycles that honour preferences: closed chains of reassignments that leave every load as it was.

A chain may also go on, without a prompt, from somebody to somebody else who has one more: the two trade loads.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from annotation.assignment.core.reassignments import Holdings, Reassignment, members


def honour_preferences(holdings: Holdings, wished: Sequence[int]) -> None:
    """Swap until no holdings that are as even have fewer pairs against a preference.

    `wished` is, for each prompt, the people who may take it and have nothing against it.
    """
    order = deque(range(len(holdings.own)))
    while cycle := _Sweep(holdings, wished).cycle(order):
        holdings.reassign(cycle)


class _Step(NamedTuple):
    """A chain goes on from `giver` to `taker`, with a prompt or by trading loads; it has gained `gain` by then."""

    giver: int
    prompt: int | None
    taker: int
    gain: int


class _Sweep:
    """A search for one swap cycle.

    The gain of a chain is by how much it lowers the number of pairs against a preference. Of the chains to a
    person, the one that gains most is followed, as in the method of Bellman and Ford. One that comes back to
    somebody whom it leads through already, with more gained than before, is a swap cycle. Where none does, there is
    none.
    """

    def __init__(self, holdings: Holdings, wished: Sequence[int]) -> None:
        self.holdings = holdings
        self.wished = wished
        self.gains = [0] * len(holdings.own)
        # Gain → people to whom a chain comes with so much or more.
        self.gaining = defaultdict(int, {0: (1 << len(holdings.own)) - 1})
        self.came: dict[int, _Step] = {}
        # Prompt → the most that a chain has gained with reassigning it.
        self.offered = [0] * len(holdings.fits)

    def cycle(self, order: deque[int]) -> list[Reassignment]:
        """Return a swap cycle, or an empty list; rotate `order` so that the next search begins there."""
        for _ in range(len(order)):
            waiting = [order[0]]
            while waiting:
                for step in self._steps(waiting.pop()):
                    if round_way := self._back_to(step.taker, step):
                        return [Reassignment(s.giver, s.prompt, s.taker) for s in round_way if s.prompt is not None]
                    self._follow(step)
                    waiting.append(step.taker)
            order.rotate(-1)
        return []

    def _steps(self, giver: int) -> Iterator[_Step]:
        """Each step from `giver` by which a chain gains more than those that came to its taker so far."""
        holdings, gain = self.holdings, self.gains[giver]
        for prompt in members(holdings.own[giver]):
            wished = self.wished[prompt]
            offer = gain if wished >> giver & 1 else gain + 1
            if offer > self.offered[prompt]:
                self.offered[prompt] = offer
                takers = holdings.fits[prompt] & ~holdings.holders[prompt]
                for taker in members(takers & wished & ~self.gaining[offer]):
                    yield _Step(giver, prompt, taker, offer)
                for taker in members(takers & ~wished & ~self.gaining[offer - 1]):
                    yield _Step(giver, prompt, taker, offer - 1)
        if holdings.free >> giver & 1:
            for busier in members(holdings.by_load[holdings.load(giver) + 1] & ~self.gaining[gain]):
                yield _Step(giver, None, busier, gain)

    def _follow(self, step: _Step) -> None:
        for gain in range(self.gains[step.taker] + 1, step.gain + 1):
            self.gaining[gain] |= 1 << step.taker
        self.gains[step.taker] = step.gain
        self.came[step.taker] = step

    def _back_to(self, person: int, step: _Step) -> list[_Step]:
        """Return the steps from `person` to this one, last first; empty where the chain never was with them."""
        steps = [step]
        while (giver := steps[-1].giver) != person:
            if giver not in self.came:
                return []
            steps.append(self.came[giver])
        return steps
