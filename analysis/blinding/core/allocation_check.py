"""Checks that everybody judges what the seed and the recorded repairs gave them, in that order, with these sets."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.blinding.core.blinding_record import Item, Record, Repair
from annotation.assignment.core.assignment import allocate
from annotation.assignment.core.feasibility import Infeasible, Person
from annotation.assignment.core.human_sets import human_sets, sets_for
from annotation.assignment.core.preferences import answers_of_colleagues
from annotation.assignment.core.repair_plan import Move
from annotation.platform.core.blinding import seeded_order

_REPAIR: Final = "The audit trail has a repair"


@dataclass
class Expected:
    """An item as it has to be: the judge whose place it takes, and whether it was taken back in its turn."""

    judge: str
    prompt: str
    position: int
    asks_guess: bool
    replaces: "Expected | None" = None
    is_cancelled: bool = False


class _Replay:
    """The items that judging opened with, and then repair after repair."""

    def __init__(self, record: Record, people: Sequence[Person], prompts: Sequence[str]) -> None:
        self._record = record
        self.items: dict[str, list[Expected]] = {}
        self._holders: dict[tuple[str, str], Expected] = {}
        allocation = allocate(people, prompts, each=record.design.ratings, seed=record.seed, work="ratings")
        for judge, own in allocation.prompts.items():
            self._add(judge, [(prompt, None) for prompt in own])

    def repair(self, repair: Repair) -> Iterator[str]:
        """Make the moves; yields those that nobody could have made."""
        received: dict[str, dict[str, Expected | None]] = defaultdict(dict)
        for move in repair.moves:
            before = self._holders.get((move.prompt, move.taken_from))
            if before is None or not self._fits(move, before):
                yield f"{_REPAIR} that cannot be: {move.prompt} from {move.taken_from}."
                continue
            del self._holders[move.prompt, move.taken_from]
            before.is_cancelled = not move.was_begun
            if move.given_to:
                received[move.given_to][move.prompt] = before
        yield from self._pairing(repair.moves)
        people = {person.name: person for person in repair.people}
        for judge, own in received.items():
            order = seeded_order(self._record.seed, "prompts of a person", "ratings", judge, items=sorted(own))
            self._add(judge, [(prompt, own[prompt]) for prompt in order])
            yield from self._beyond_limits(judge, people.get(judge), own)

    def _fits(self, move: Move, before: Expected) -> bool:
        """Whether somebody else can have the place, or nobody needs to: an earlier judge has filled it."""
        if move.given_to:
            return (move.prompt, move.given_to) not in self._holders
        return before.replaces is not None and not move.was_begun

    def _pairing(self, moves: Sequence[Move]) -> Iterator[str]:
        takers: dict[str, list[str]] = defaultdict(list)
        for move in sorted(moves, key=lambda move: (move.prompt, move.taken_from)):
            if move.given_to:
                takers[move.prompt].append(move.given_to)
        for prompt, own in takers.items():
            if own != [*seeded_order(self._record.seed, "takers", prompt, items=sorted(own))]:
                yield f"{_REPAIR} in which who takes {prompt} from whom differs from the seeded order."

    def _beyond_limits(self, judge: str, person: Person | None, given: Collection[str]) -> Iterator[str]:
        """What a repair gave to somebody whom it could not give it to, by the limits recorded with it."""
        if person is None:
            yield f"{_REPAIR} that gives {judge} work, who could have none."
            return
        if barred := sorted(person.excluded.intersection(given)):
            yield f"{_REPAIR} that gives {judge} what is excluded: {', '.join(barred)}."
        number = sum(not item.is_cancelled for item in self.items[judge])
        if person.capacity is not None and number > person.capacity:
            yield f"{_REPAIR} that gives {judge} {number} prompts, beyond {person.capacity}."

    def _add(self, judge: str, prompts: Sequence[tuple[str, Expected | None]]) -> None:
        """Guesses are asked on some of a judge's first items."""
        own = self.items.setdefault(judge, [])
        codes = sorted(prompt for prompt, _ in prompts) if not own else []
        guesses = seeded_order(self._record.seed, "guesses", judge, items=codes)[: self._record.design.guesses]
        for prompt, before in prompts:
            item = Expected(judge, prompt, len(own) + 1, prompt in guesses, before)
            own.append(item)
            self._holders[prompt, judge] = item


def of_allocation(record: Record) -> Iterator[str]:
    """Every difference, in words: who has which prompts in which order and place, and where a guess is asked."""
    if record.opening is None or not record.opening.people:
        return
    prompts = sorted({*record.by_prompt, *record.opening.items})
    try:
        replay = _Replay(record, record.opening.people, prompts)
    except Infeasible as infeasible:
        yield f"The items cannot be those of the design. {infeasible}"
        return
    for repair in record.repairs:
        if repair.wrong:
            yield f"{_REPAIR} {repair.wrong}."
        else:
            yield from replay.repair(repair)
    by_id = {item.id: item for item in record.items}
    for judge in sorted({*record.by_judge, *replay.items}):
        own, expected = record.by_judge.get(judge, []), replay.items.get(judge, [])
        if [(item.position, item.prompt) for item in own] != [(item.position, item.prompt) for item in expected]:
            yield f"Judge {judge}: the prompts or their order differ from the seeded ones."
        for item, due in zip(own, expected, strict=False):
            if item.prompt == due.prompt:
                yield from _placement_faults(item, due, by_id.get(item.replaces or ""))


def _placement_faults(item: Item, due: Expected, before: Item | None) -> Iterator[str]:
    if item.asks_guess != due.asks_guess:
        yield f"{item}: whether a guess is asked differs from the seeded draw."
    if (item.state == "cancelled") != due.is_cancelled:
        yield f"{item}: whether it was taken back differs from the recorded repairs."
    expected = due.replaces and (due.replaces.judge, due.replaces.position)
    if (before and (before.judge, before.position)) != expected:
        yield f"{item}: whose place it takes differs from the recorded repairs."
    if before and (before.plan.set_number, before.plan.human_set) != (item.plan.set_number, item.plan.human_set):
        yield f"{item}: its set is not that of the item whose place it takes."


def of_sets(prompt: str, items: Sequence[Item], record: Record) -> Iterator[str]:
    """Which judge has which set follows from the seed, and no two judges have the same one where sets rotate."""
    first = {item.judge: item for item in items if item.replaces is None and item.plan.set_number is not None}
    if not first:
        return
    sets, wanted = record.sets.get(prompt, ()), len(first) if record.design.rotating else 1
    if len(sets) != wanted or len({item.plan.human_set for item in first.values()}) != wanted:
        yield f"Prompt {prompt}: its sets of answers are not as the design says."
    if len(sets) != wanted:
        return
    if [sorted(members) for members in sets] != _drawn(prompt, wanted, record):
        yield f"Prompt {prompt}: its sets of answers differ from the seeded ones."
    taken = _taken(prompt, sorted(first), items, record) if record.design.rotating else dict.fromkeys(first, 0)
    for judge, number in taken.items():
        if first[judge].plan.set_number != number + 1:
            yield f"{first[judge]}: its set differs from the seeded one."


def _drawn(prompt: str, number: int, record: Record) -> list[list[str]]:
    """The sets that the seed draws from the prompt's answers; none where these are too few."""
    answers, size = record.admitted.get(prompt, ()), record.design.human
    try:
        sets = human_sets(answers, size=size, ratings=number, seed=record.seed, context=prompt)
    except Infeasible:
        return []
    return [sorted(members) for members in sets]


def _taken(prompt: str, judges: Sequence[str], items: Sequence[Item], record: Record) -> dict[str, int]:
    """Judge → the index of the set that they have to have."""
    written_by = {a.response: a.source for item in items for a in item.answers if a.arm == "human"}
    avoids = answers_of_colleagues(record.opening.colleagues if record.opening else {}, written_by)
    return sets_for(judges, record.sets[prompt], avoids=avoids, seed=record.seed, context=prompt)
