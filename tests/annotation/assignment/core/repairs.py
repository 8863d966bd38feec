"""Studies that are to be repaired, with other ways to find out what a repair costs."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from annotation.assignment.core.feasibility import Person
from annotation.assignment.core.repair import Held, Repaired, repair

SEED = bytes(range(32))

Pair = tuple[str, str]


@dataclass(frozen=True)
class State:
    people: list[Person]
    held: list[Held]
    wanted: dict[str, int]
    least: dict[str, int]

    def may(self, person: Person, prompt: str) -> bool:
        return prompt not in person.excluded and Held(person.name, prompt, True) not in self.held

    def begun(self, name: str) -> int:
        return sum(one.is_fixed and one.person == name for one in self.held)

    def room(self, person: Person) -> int:
        return len(self.wanted) if person.capacity is None else max(0, person.capacity - self.begun(person.name))

    def asked(self, prompt: str) -> int:
        return max(0, self.wanted[prompt] - sum(one.is_fixed and one.prompt == prompt for one in self.held))

    @property
    def free(self) -> set[Pair]:
        return {(one.person, one.prompt) for one in self.held if not one.is_fixed}

    def fits(self, now: Collection[Pair]) -> bool:
        """Whether these unfixed pairs are what is asked for."""
        by_name = {person.name: person for person in self.people}
        loads, places = Counter(person for person, _ in now), Counter(prompt for _, prompt in now)
        return (
            all(places[prompt] == self.asked(prompt) for prompt in self.wanted)
            and all(loads[person.name] <= self.room(person) for person in self.people)
            and all(name in by_name and self.may(by_name[name], prompt) for name, prompt in now)
        )

    def costs(self, now: Collection[Pair]) -> tuple[int, int, int, int]:
        """Below shares, moves, sum of squares, against a preference."""
        loads = {one.name: self.begun(one.name) + sum(name == one.name for name, _ in now) for one in self.people}
        return (
            sum(max(0, number - loads[name]) for name, number in self.least.items()),
            len(set(now) - self.free),
            sum(load**2 for load in loads.values()),
            sum((one.name, prompt) in now for one in self.people for prompt in one.unwished),
        )

    def repaired(self, seed: bytes = SEED) -> tuple[Repaired, set[Pair]]:
        """The repair, and the unfixed pairs after it."""
        repaired = repair(self.people, self.held, self.wanted, seed=seed, least=self.least)
        assert set(repaired.taken) <= self.free
        assert self.free.isdisjoint(repaired.given)
        return repaired, self.free - set(repaired.taken) | set(repaired.given)

    def exists(self) -> bool:
        """Whether the largest flow fills all places: source → people → prompts → sink."""
        rows, prompts = len(self.people), list(self.wanted)
        sink = 1 + rows + len(prompts)
        capacity = np.zeros((sink + 1, sink + 1), dtype=np.int32)
        for row, person in enumerate(self.people, start=1):
            capacity[0, row] = self.room(person)
            for column, prompt in enumerate(prompts, start=1 + rows):
                capacity[row, column] = self.may(person, prompt)
                capacity[column, sink] = self.asked(prompt)
        asked = sum(map(self.asked, prompts))
        return bool(maximum_flow(csr_array(capacity), 0, sink).flow_value == asked)

    def fewest_moves(self) -> int:
        """By linear programming in whole numbers, shares left out."""
        cells = [(one, prompt) for one in self.people for prompt in self.wanted if self.may(one, prompt)]
        price = [float((one.name, prompt) not in self.free) for one, prompt in cells]
        if not cells:
            return 0
        by_person = np.array([[one is person for one, _ in cells] for person in self.people], dtype=float)
        by_prompt = np.array([[own == prompt for _, own in cells] for prompt in self.wanted], dtype=float)
        asked = [self.asked(prompt) for prompt in self.wanted]
        found = milp(
            price,
            integrality=np.ones(len(cells)),
            bounds=Bounds(0, 1),
            constraints=[
                LinearConstraint(by_person, 0, [self.room(person) for person in self.people]),
                LinearConstraint(by_prompt, asked, asked),
            ],
        )
        assert found.success
        return round(float(found.fun))

    def best_costs(self) -> tuple[int, int, int, int] | None:
        """By trying everything."""
        cells = [(one.name, prompt) for one in self.people for prompt in self.wanted if self.may(one, prompt)]
        tried = (
            [cell for cell, is_held in zip(cells, choice, strict=True) if is_held]
            for choice in product((False, True), repeat=len(cells))
        )
        return min((self.costs(now) for now in tried if self.fits(now)), default=None)
