"""Who works on what: balanced designs, drawn from the study's seed and counted again before they leave.

A design depends on the seed and on the identifiers, never on the order in which these were given.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Final

from annotation.core.blinding import seeded_order
from annotation.core.errors import Refused

_Family = list[frozenset[str]]

_STARTS: Final = 30  # draws tried for even pairs; of 10 triples from 10 answers every third draw is perfect


class Infeasible(Refused):
    """No design fits the numbers asked for; the message names them."""


def human_sets(
    answers: Sequence[str], *, size: int, ratings: int, seed: bytes, context: str
) -> tuple[tuple[str, ...], ...]:
    """Return one set of `size` human answers for each of the `ratings` judges of a prompt.

    No two sets are equal, every answer is used equally often (the counts differ by 1 at most), and pairs of
    answers meet as evenly as a seeded search finds. `context` is the prompt's identifier: it gives each
    prompt a draw of its own. Raises `Infeasible` where there are fewer different sets than ratings.
    """
    possible = comb(len(answers), size) if size >= 1 else 0
    if not 1 <= ratings <= possible:
        raise Infeasible(
            f"{len(answers)} answers give {possible} different sets of {size}; {ratings} ratings asked."
        )
    least = _least_unevenness(len(answers), size, ratings)
    best: _Family = []
    for start in range(_STARTS):
        family = _dealt(answers, size, ratings, seed, (context, str(start)))
        _level_uses(family, answers)
        if not best or _unevenness(family) < _unevenness(best):
            best = family
        if _unevenness(best) == least:
            break
    _check_sets(best, answers, size, ratings)
    return tuple(tuple(sorted(chosen)) for chosen in best)


def allot_judges(
    judges: Sequence[str],
    prompts: Sequence[str],
    *,
    ratings: int,
    seed: bytes,
    capacity: Mapping[str, int] | None = None,
) -> dict[str, tuple[str, ...]]:
    """Return judge → prompts, in the order in which that judge meets them.

    Every prompt gets exactly `ratings` different judges. The judges' loads differ by 1 at most, except where
    a judge's `capacity` (prompts; no entry: no limit) stops earlier. Raises `Infeasible` where no such
    design exists.
    """
    return _allotted(judges, prompts, ratings, seed, capacity or {}, words=("judges", "ratings"))


def allot_writers(
    writers: Sequence[str],
    prompts: Sequence[str],
    *,
    answers: int,
    seed: bytes,
    capacity: Mapping[str, int] | None = None,
) -> dict[str, tuple[str, ...]]:
    """Return writer → prompts, in writing order: `allot_judges` with `answers` different writers a prompt."""
    return _allotted(writers, prompts, answers, seed, capacity or {}, words=("writers", "answers"))


def _dealt(answers: Sequence[str], size: int, ratings: int, seed: bytes, context: tuple[str, ...]) -> _Family:
    """Deal distinct sets one by one, each from the answers used least and, among these, met least so far."""
    family: _Family = []
    for number in range(ratings):
        order = seeded_order(seed, "human sets", *context, str(number), items=answers)
        uses, meetings = _uses(family), _meetings(family)
        chosen: list[str] = []
        while len(chosen) < size:
            rest = [answer for answer in order if answer not in chosen]
            met = {answer: sum(meetings[frozenset((answer, other))] for other in chosen) for answer in rest}
            chosen.append(min(rest, key=lambda answer: (uses[answer], met[answer])))
        dealt = frozenset(chosen)
        if dealt in family:
            dealt = next(new for new in map(frozenset, combinations(order, size)) if new not in family)
        family.append(dealt)
    return family


def _level_uses(family: _Family, answers: Sequence[str]) -> None:
    """Exchange single answers until the numbers of uses differ by 1 at most.

    It cannot get stuck: if `most` is used at least twice more often than `least`, more sets hold only `most`
    than hold only `least`, so in one of the former the exchange gives a set that is not there yet.
    """
    by_name = sorted(answers)
    while True:
        uses = _uses(family)
        most, least = max(by_name, key=uses.__getitem__), min(by_name, key=uses.__getitem__)
        if uses[most] - uses[least] <= 1:
            return
        for place, chosen in enumerate(family):
            exchanged = chosen - {most} | {least}
            if most in chosen and least not in chosen and exchanged not in family:
                family[place] = exchanged
                break


def _uses(family: _Family) -> Counter[str]:
    return Counter(answer for chosen in family for answer in chosen)


def _meetings(family: _Family) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for chosen in family for pair in combinations(chosen, 2))


def _unevenness(family: _Family) -> int:
    """Return the sum of squared meetings over pairs of answers: least where all pairs meet equally often."""
    return sum(count * count for count in _meetings(family).values())


def _least_unevenness(answers: int, size: int, ratings: int) -> int:
    """Return a bound that no family can beat: every pair meets equally often, give or take 1."""
    pairs = max(1, comb(answers, 2))
    every, some = divmod(ratings * comb(size, 2), pairs)
    return (pairs - some) * every**2 + some * (every + 1) ** 2


def _check_sets(family: _Family, answers: Sequence[str], size: int, ratings: int) -> None:
    uses = [_uses(family)[answer] for answer in answers]
    right = len(family) == len(set(family)) == ratings and all(len(chosen) == size for chosen in family)
    if not right or sum(uses) != size * ratings or max(uses) - min(uses) > 1:
        raise RuntimeError("The sets of human answers are not balanced; nothing was assigned.")


def _allotted(
    people: Sequence[str],
    prompts: Sequence[str],
    each: int,
    seed: bytes,
    capacity: Mapping[str, int],
    *,
    words: tuple[str, str],
) -> dict[str, tuple[str, ...]]:
    """Give every prompt to the `each` people with most left to do.

    Serving the largest remainders first always ends even (Gale and Ryser's theorem on 0-1 matrices): a person
    is never left with more to do than there are prompts.
    """
    _, work = words
    loads = _loads(people, prompts, each, seed, capacity, words=words)
    left = dict(loads)
    given: dict[str, list[str]] = {person: [] for person in people}
    for prompt in seeded_order(seed, "prompts to allot", work, items=prompts):
        order = seeded_order(seed, "people for a prompt", work, prompt, items=people)
        for person in sorted(order, key=left.__getitem__, reverse=True)[:each]:
            given[person].append(prompt)
            left[person] -= 1
    if any(left.values()):
        raise RuntimeError("The prompts were not given out evenly; nothing was assigned.")
    return {
        person: seeded_order(seed, "prompts of a person", work, person, items=own) for person, own in given.items()
    }


def _loads(
    people: Sequence[str],
    prompts: Sequence[str],
    each: int,
    seed: bytes,
    capacity: Mapping[str, int],
    *,
    words: tuple[str, str],
) -> dict[str, int]:
    """Return person → number of prompts, as equal as capacities allow; the seed says who gets one more."""
    name, work = words
    if unknown := sorted(set(capacity) - set(people)):
        raise ValueError(f"A capacity is given for {unknown[0]}, who is not among the {name}.")
    if min(capacity.values(), default=0) < 0:
        raise ValueError("A capacity is 0 or more.")
    if not 1 <= each <= len(people):
        raise Infeasible(f"{each} {work} for each prompt need as many {name}; there are {len(people)}.")
    room = {person: min(capacity.get(person, len(prompts)), len(prompts)) for person in people}
    wanted, possible = each * len(prompts), sum(room.values())
    if wanted > possible:
        raise Infeasible(
            f"{len(prompts)} prompts with {each} {work} each make {wanted}; the {name} can take {possible}."
        )
    loads = dict.fromkeys(people, 0)
    order = seeded_order(seed, "loads", work, items=people)
    while wanted:
        for person in order:
            if wanted and loads[person] < room[person]:
                loads[person] += 1
                wanted -= 1
    return loads
