"""Which human answers the judges of a prompt see: different sets, balanced over answers and over pairs of answers.

Sets belong to the prompt. A judge takes one of them, and whoever replaces the judge inherits it.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, count, islice, permutations
from math import comb
from typing import Final

import numpy as np
import scipy

from annotation.assignment.core.feasibility import Infeasible
from annotation.platform.core.blinding import keyed_hash, seeded_order
from annotation.platform.core.phrases import counted

_Set = tuple[int, ...]  # numbers of answers, ascending

_TRIES_DOMAIN: Final = b"scrub/swaps/v1"
_TRIES: Final = 50_000  # swaps tried for even meetings; 10 triples of 10 answers are perfect after a hundred
_TIE_DOMAIN: Final = "scrub/sets/v1"
_TIE_BYTES: Final = 3  # with 200 judges of a prompt, sums of costs stay whole numbers that floats hold


def human_sets(
    answers: Sequence[str], *, size: int, ratings: int, seed: bytes, context: str
) -> tuple[tuple[str, ...], ...]:
    """Return one set of `size` human answers for each of the `ratings` judges of a prompt.

    No two sets are equal, every answer is used equally often (the counts differ by 1 at most), and pairs of
    answers meet as evenly as a search finds: `concurrence` says how evenly. `context` is the prompt's identifier,
    it gives each prompt a draw of its own. Raises `Infeasible` where there are fewer different sets than ratings.
    """
    if size < 1 or ratings < 1:
        raise ValueError("A set has 1 answer or more, and a prompt 1 rating or more.")
    if ratings > comb(len(answers), size):
        raise Infeasible(_too_few(len(answers), size, ratings))
    order = seeded_order(seed, "human sets", context, items=answers)
    return tuple(tuple(sorted(order[answer] for answer in chosen)) for chosen in _plan(len(answers), size, ratings))


def _too_few(answers: int, size: int, ratings: int) -> str:
    possible = comb(answers, size)
    gives = "gives" if answers == 1 else "give"
    enough = counted(next(number for number in count(answers) if comb(number, size) >= ratings), "answer")
    if possible:
        enough = f"{counted(possible, 'rating')}, or {enough}"
    return (
        f"{counted(answers, 'answer')} {gives} {counted(possible, 'different set')} of {size}; "
        f"{counted(ratings, 'rating')} asked. Enough would be {enough}."
    )


@dataclass(frozen=True)
class Concurrence:
    """How often answers are used in sets, and how often two of them meet in one.

    `meetings` is times → number of pairs of answers that meet so often, and `unevenness` the sum of their squared
    meetings. No family of as many sets of this size gets below `bound`, and perhaps none gets there.
    """

    least_uses: int
    most_uses: int
    meetings: Mapping[int, int]
    unevenness: int
    bound: int


def concurrence(sets: Sequence[Collection[str]], answers: Sequence[str]) -> Concurrence:
    """Count how often the `answers` are used and meet in the `sets`, one or more of the same size."""
    uses = Counter(answer for chosen in sets for answer in chosen)
    met = Counter(pair for chosen in sets for pair in combinations(sorted(chosen), 2))
    return Concurrence(
        least_uses=min(uses[answer] for answer in answers),
        most_uses=max(uses[answer] for answer in answers),
        meetings=dict(sorted(Counter(met[pair] for pair in combinations(sorted(answers), 2)).items())),
        unevenness=sum(times**2 for times in met.values()),
        bound=_least_unevenness(len(answers), len(sets[0]), len(sets)),
    )


def sets_for(
    judges: Sequence[str],
    sets: Sequence[Collection[str]],
    *,
    avoids: Mapping[str, Collection[str]],
    seed: bytes,
    context: str,
) -> dict[str, int]:
    """Return judge → index of the set they take, another one each; there are as many sets as judges, or more.

    `avoids` is judge → answers they should not see; together they see as few of these as can be. Apart from that,
    as many judges as can be take the sets in seeded order. `context` is the prompt's identifier.
    """
    if len(judges) > len(sets):
        raise ValueError("There are as many sets as judges, or more.")
    order = seeded_order(seed, "sets", context, items=judges)
    if not any(avoids.values()):
        return dict(zip(order, range(len(order)), strict=True))
    seen = np.array([[len({*chosen}.intersection(avoids.get(judge, ()))) for chosen in sets] for judge in order])
    departs = 1 - np.eye(len(order), len(sets))
    ties = np.array([[_tie(seed, context, judge, index) for index in range(len(sets))] for judge in order])
    # An answer seen outweighs any number of departures from the order, and a departure the ties of all judges.
    costs = (seen * (len(sets) + 1) + departs) * len(sets) * 256**_TIE_BYTES + ties
    _, taken = scipy.optimize.linear_sum_assignment(costs)
    return dict(zip(order, taken.tolist(), strict=True))


def _tie(seed: bytes, context: str, judge: str, index: int) -> int:
    return int.from_bytes(keyed_hash(seed, _TIE_DOMAIN, context, judge, str(index))[:_TIE_BYTES], "big")


@cache
def _plan(answers: int, size: int, ratings: int) -> tuple[_Set, ...]:
    """Return different sets of answers, which are numbers from 0 here.

    One plan serves all prompts of the same shape: the seed says, for each prompt, which of its answers gets which
    number. So the plan itself needs no seed.
    """
    family = list(islice(combinations(range(answers), size), ratings))
    _level_uses(family, answers)
    _level_meetings(family, answers)
    uses = Counter(answer for chosen in family for answer in chosen)
    if len(set(family)) < ratings or max(uses.values()) - min(uses[answer] for answer in range(answers)) > 1:
        raise RuntimeError("The sets of human answers are not balanced; nothing was assigned.")
    return tuple(family)


def _level_uses(family: list[_Set], answers: int) -> None:
    """Exchange single answers until the numbers of uses differ by 1 at most.

    It cannot get stuck: if `most` is used at least twice more often than `least`, more sets hold only `most` than
    hold only `least`, so in one of the former the exchange gives a set that is not there yet.
    """
    uses = Counter(answer for chosen in family for answer in chosen)
    while True:
        most, least = max(range(answers), key=uses.__getitem__), min(range(answers), key=uses.__getitem__)
        if uses[most] - uses[least] <= 1:
            return
        for place, chosen in enumerate(family):
            fits = most in chosen and least not in chosen
            if fits and (exchanged := _exchanged(chosen, most, least)) not in family:
                family[place] = exchanged
                uses[most] -= 1
                uses[least] += 1
                break


def _level_meetings(family: list[_Set], answers: int) -> None:
    """Let pairs of sets swap two answers as long as that does not make meetings less even.

    Swaps after which they are just as even are made too: they lead away from where no single swap helps.
    """
    size, taken = len(family[0]), set(family)
    met = [[0] * answers for _ in range(answers)]
    for chosen in family:
        for one, other in permutations(chosen, 2):
            met[one][other] += 1
    above = sum(times**2 for row in met for times in row) // 2 - _least_unevenness(answers, size, len(family))
    tries = _tries(size * len(family))
    while above > 0 and (tried := next(tries, None)):
        (first, slot), (second, other_slot) = (divmod(place, size) for place in tried)
        here, there = family[first], family[second]
        one, other = here[slot], there[other_slot]
        if one in there or other in here:
            continue
        swapped = _exchanged(here, one, other), _exchanged(there, other, one)
        # Who meets the one less and the other more, or the other way round; whoever is in both sets, neither.
        changes = [(partner, one, other) for partner in {*here} - {*there, one}]
        changes += [(partner, other, one) for partner in {*there} - {*here, other}]
        gain = sum(met[partner][less] - met[partner][more] - 1 for partner, less, more in changes)
        if gain >= 0 and taken.isdisjoint(swapped):
            for partner, less, more in changes:
                for change, answer in ((-1, less), (1, more)):
                    met[partner][answer] += change
                    met[answer][partner] += change
            taken ^= {here, there, *swapped}
            family[first], family[second] = swapped
            above -= 2 * gain


def _tries(places: int) -> Iterator[list[int]]:
    """Return pairs of numbers below `places`, the same ones on every machine."""
    drawn = hashlib.shake_256(_TRIES_DOMAIN).digest(8 * _TRIES)
    yield from (np.frombuffer(drawn, dtype=">u4").reshape(-1, 2) % places).tolist()


def _exchanged(chosen: _Set, old: int, new: int) -> _Set:
    return tuple(sorted({*chosen} - {old} | {new}))


def _least_unevenness(answers: int, size: int, ratings: int) -> int:
    """Return a bound that no family can beat: uses are even, and so are the meetings of each answer with others."""
    every, some = divmod(ratings * size, answers)
    less, more = (_even(uses * (size - 1), answers - 1) for uses in (every, every + 1))
    return -(-((answers - some) * less + some * more) // 2)  # each pair was counted from both sides


def _even(total: int, places: int) -> int:
    """Return the sum of the squares of `places` whole numbers that make `total` and differ by 1 at most."""
    every, some = divmod(total, max(1, places))
    return (places - some) * every**2 + some * (every + 1) ** 2
