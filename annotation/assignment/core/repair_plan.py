"""A repair before it is made: what goes from whom to whom, and the proof that the study's rules hold afterwards."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import Final, NamedTuple

from annotation.assignment.core.feasibility import Person
from annotation.assignment.core.repair import Held, Repaired, repair
from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.sealing import canonical_json
from annotation.platform.core.text import sha256_hex

WRITING: Final = "writing"
JUDGING: Final = "judging"


@dataclass(frozen=True)
class Change:
    """What a repair answers to, by pseudonym. `task` is "writing" or "judging".

    Who `leaves`, leaves the study; the unfinished work of those who are `late` goes to others though they stay; who
    `joins` takes a share though they came later.
    """

    task: str
    leaves: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()
    joins: frozenset[str] = frozenset()

    @property
    def as_recorded(self) -> dict[str, str | list[str]]:
        """The change as the audit trail keeps it."""
        people = {"leaves": self.leaves, "late": self.late, "joins": self.joins}
        return {"task": self.task, **{name: sorted(named) for name, named in people.items()}}


@dataclass(frozen=True)
class Piece:
    """A piece of work that somebody has on a prompt: an answer to write, or an item to judge.

    What `is_begun` stays with its holder, unless they give up what they have; what `is_done` stays for good. A
    piece that does not count is not among those that its prompt asks for: another person's has its place. It
    `is_needless` if it is not begun either, and its place is filled for good.
    """

    id: int
    prompt: str
    holder: str
    is_begun: bool
    is_done: bool
    counts: bool = True
    is_needless: bool = False


@dataclass(frozen=True)
class Situation:
    """All work of one kind as a repair finds it.

    `people` are those who can have work from now on; `giving_up` give up all that is not done; `joining` get a
    share. `wanted` is the number of pieces by prompt.
    """

    people: tuple[Person, ...]
    giving_up: frozenset[str]
    joining: frozenset[str]
    pieces: tuple[Piece, ...]
    wanted: Mapping[str, int]

    @cached_property
    def counting(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.counts]

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(person.name for person in self.people)

    def stays(self, piece: Piece) -> bool:
        """Whether the piece must remain with its holder."""
        if piece.is_done or piece.is_needless or piece.holder in self.giving_up:
            return piece.is_done
        return piece.is_begun or piece.holder not in self.names


@dataclass(frozen=True, order=True)
class Move:
    """A piece that goes from one person to another; what `was_begun` in judging stays with its holder all the same.

    `taken_from` is empty where nobody has it so far, and `of`, its id, is `None`. `given_to` is empty where nobody
    needs to have it any more.
    """

    prompt: str
    taken_from: str
    given_to: str
    was_begun: bool
    of: int | None


class Load(NamedTuple):
    """How many of the pieces that count a person has."""

    before: int
    after: int


@dataclass(frozen=True)
class RepairPlan:
    """`unwished` are (person, prompt) pairs given against a preference, `problems` the rules that do not hold
    afterwards.

    The `digest` stands for the change, the moves and the repairs made before: it tells whether a plan is still the
    one that was looked at.
    """

    change: Change
    moves: tuple[Move, ...]
    loads: Mapping[str, Load]
    unwished: tuple[tuple[str, str], ...]
    problems: tuple[str, ...]
    digest: str


def repair_plan(change: Change, situation: Situation, *, seed: bytes, made_before: int) -> RepairPlan:
    """The smallest repair, proved. `made_before` is the number of repairs that the study has had.

    Raises `Infeasible` where there is none.
    """
    repaired = repair(
        [_limited(person, situation) for person in situation.people],
        [Held(piece.holder, piece.prompt, situation.stays(piece)) for piece in situation.counting],
        situation.wanted,
        seed=seed,
        least=_shares(situation),
    )
    exchanged = list(_moves(situation, repaired, seed))
    moves = tuple(sorted([*exchanged, *_dropped(situation)]))
    content = [change.as_recorded, [asdict(move) for move in moves], made_before]
    return RepairPlan(
        change=change,
        moves=moves,
        loads=_loads(situation, exchanged),
        unwished=repaired.unwished,
        problems=tuple(broken_rules(situation, moves)),
        digest=sha256_hex(canonical_json(content).decode()),
    )


def _limited(person: Person, situation: Situation) -> Person:
    """The person as pieces that count find them: the others take room, and their prompts cannot be had again."""
    besides = {piece.prompt for piece in situation.pieces if piece.holder == person.name and not piece.counts}
    room = None if person.capacity is None else max(0, person.capacity - len(besides))
    return replace(person, capacity=room, excluded=person.excluded | besides)


def _shares(situation: Situation) -> dict[str, int]:
    """Shares: for each newcomer, as much as for everybody of all that can still go from one to another."""
    fixed = Counter(piece.holder for piece in situation.counting if situation.stays(piece))
    free = sum(situation.wanted.values()) - fixed.total()
    sharing = sum(person.capacity is None or person.capacity > fixed[person.name] for person in situation.people)
    return {name: fixed[name] + free // max(1, sharing) for name in situation.joining}


def _moves(situation: Situation, repaired: Repaired, seed: bytes) -> Iterator[Move]:
    """Pair who gives with who takes, by the seed alone: whose answers an item shows must not tell in a plan."""
    pieces = {(piece.holder, piece.prompt): piece for piece in situation.counting}
    giving: dict[str, list[Piece]] = defaultdict(list)
    taking: dict[str, list[str]] = defaultdict(list)
    for pair in repaired.taken:
        giving[pair[1]].append(pieces[pair])
    for person, prompt in repaired.given:
        taking[prompt].append(person)
    for prompt in {**giving, **taking}:
        givers = sorted(giving[prompt], key=lambda piece: piece.holder)
        takers = seeded_order(seed, "takers", prompt, items=taking[prompt])
        for piece, taker in zip_longest(givers, takers):
            if piece is None:
                yield Move(prompt, "", taker, was_begun=False, of=None)
            else:
                yield Move(prompt, piece.holder, taker or "", piece.is_begun, piece.id)


def _dropped(situation: Situation) -> Iterator[Move]:
    """What nobody needs to do any more is taken back, and goes to nobody."""
    for piece in situation.pieces:
        if piece.is_needless:
            yield Move(piece.prompt, piece.holder, "", was_begun=False, of=piece.id)


def _loads(situation: Situation, moves: Sequence[Move]) -> dict[str, Load]:
    before = Counter(piece.holder for piece in situation.counting)
    after = before.copy()
    after.subtract(move.taken_from for move in moves)
    after.update(move.given_to for move in moves)
    names = {*before, *situation.joining, *(move.given_to for move in moves)} - {""}
    return {name: Load(before[name], after[name]) for name in sorted(names)}


# -- the proof ---------------------------------------------------------------------------------------------------


def broken_rules(situation: Situation, moves: Sequence[Move]) -> Iterator[str]:
    """Each rule, in words, that would not hold after the moves, counted from the pieces themselves."""
    moved = {move.of for move in moves}
    left = [piece for piece in situation.pieces if piece.id not in moved]
    given = [(move.given_to, move.prompt) for move in moves if move.given_to]
    yield from (
        f"{piece.holder} would lose {piece.prompt}, which is theirs to finish."
        for piece in situation.pieces
        if piece.id in moved and situation.stays(piece)
    )
    yield from (
        f"{piece.holder} would keep {piece.prompt}, and gives their work up."
        for piece in left
        if piece.counts and not piece.is_done and piece.holder in situation.giving_up
    )
    yield from _numbers(situation, left, given)
    had = {(piece.holder, piece.prompt) for piece in situation.pieces}
    yield from (
        f"{person} would have {prompt} twice."
        for (person, prompt), times in Counter(given).items()
        if times + ((person, prompt) in had) > 1
    )
    yield from (
        f"{person} can have no work now." for person in sorted({name for name, _ in given} - situation.names)
    )
    own, new = defaultdict[str, list[Piece]](list), defaultdict[str, list[str]](list)
    for piece in left:
        own[piece.holder].append(piece)
    for name, prompt in given:
        new[name].append(prompt)
    for person in situation.people:
        yield from _limits(person, situation, own[person.name], new[person.name])


def _numbers(situation: Situation, left: Sequence[Piece], given: Sequence[tuple[str, str]]) -> Iterator[str]:
    staying = Counter(piece.prompt for piece in situation.counting if situation.stays(piece))
    found = Counter([*(piece.prompt for piece in left if piece.counts), *(prompt for _, prompt in given)])
    for prompt, number in situation.wanted.items():
        if found[prompt] != max(number, staying[prompt]):
            yield f"{prompt} would be given {found[prompt]} times, not {number}."


def _limits(person: Person, situation: Situation, own: Sequence[Piece], given: Sequence[str]) -> Iterator[str]:
    """What is begun or done stays even against a limit that was set later; nothing else does."""
    free = [piece.prompt for piece in own if piece.counts and not situation.stays(piece)]
    if person.capacity is not None and len(own) + len(given) > max(person.capacity, len(own) - len(free)):
        yield f"{person.name} would have {len(own) + len(given)} prompts, and can take {person.capacity}."
    if barred := sorted(person.excluded & {*free, *given}):
        yield f"{person.name} would have {', '.join(barred)}, which is excluded."
