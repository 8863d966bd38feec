from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.assignment.core.feasibility import Infeasible
from annotation.assignment.core.human_sets import Concurrence, concurrence, human_sets, sets_for
from annotation.platform.core.blinding import seeded_order
from tests.thorough import examples

SEED = bytes(range(32))
TEN = [f"r{number}" for number in range(10)]

seeds = st.binary(min_size=32, max_size=32)


def names(letter: str, count: int) -> list[str]:
    return [f"{letter}{number:02}" for number in range(count)]


def uses(sets: Iterable[tuple[str, ...]], answers: list[str]) -> list[int]:
    counted = Counter(answer for chosen in sets for answer in chosen)
    return [counted[answer] for answer in answers]


@pytest.mark.parametrize("ratings", [10, 5])
@pytest.mark.parametrize("prompt", names("P", 30))
def test_judges_of_the_full_study_see_different_triples_and_no_pair_of_answers_twice(
    prompt: str, ratings: int
) -> None:
    sets = human_sets(TEN, size=3, ratings=ratings, seed=SEED, context=prompt)
    assert len(set(sets)) == ratings
    # 10 triples hold 30 places, 3 for each answer; 5 hold 15, so each is used once or twice
    assert sorted(uses(sets, TEN)) == ([3] * 10 if ratings == 10 else [1] * 5 + [2] * 5)
    # and 30 or 15 pairs, fewer than the C(10, 2) = 45 there are: they can all differ
    assert concurrence(sets, TEN).meetings == {0: 45 - 3 * ratings, 1: 3 * ratings}


@st.composite
def set_problems(draw: st.DrawFn) -> tuple[list[str], int, int]:
    answers = names("r", draw(st.integers(1, 8)))
    size = draw(st.integers(1, len(answers)))
    return answers, size, draw(st.integers(1, comb(len(answers), size)))


@examples(60)
@given(set_problems(), seeds)
def test_every_feasible_number_of_sets_is_found_distinct_and_balanced(
    problem: tuple[list[str], int, int], seed: bytes
) -> None:
    answers, size, ratings = problem
    sets = human_sets(answers, size=size, ratings=ratings, seed=seed, context="P")
    assert len({frozenset(chosen) for chosen in sets}) == ratings
    assert all(len(set(chosen)) == size and set(chosen) <= set(answers) for chosen in sets)
    assert max(uses(sets, answers)) - min(uses(sets, answers)) <= 1
    found = concurrence(sets, answers)
    assert found.unevenness >= found.bound


@pytest.mark.parametrize(
    ("answers", "size", "ratings", "meetings"),
    [
        (5, 2, 5, {0: 5, 1: 5}),  # pilot: 5 pairs out of 10
        (5, 2, 10, {1: 10}),  # all 10 pairs
        (7, 3, 7, {1: 21}),  # 7 triples hold 21 = C(7, 2) pairs: each once
        (9, 3, 12, {1: 36}),
        (13, 4, 13, {1: 78}),  # 13 fours hold 13 × 6 = C(13, 2) pairs
        (15, 3, 35, {1: 105}),
        (12, 3, 10, {0: 36, 1: 30}),
        (6, 3, 20, {4: 15}),  # all C(6, 3) = 20 triples; a pair has C(4, 1) = 4 third members
    ],
)
def test_pairs_of_answers_meet_evenly(answers: int, size: int, ratings: int, meetings: dict[int, int]) -> None:
    own = names("r", answers)
    found = concurrence(human_sets(own, size=size, ratings=ratings, seed=SEED, context="P"), own)
    assert found.meetings == meetings
    assert found.unevenness == found.bound


@pytest.mark.parametrize(("answers", "size", "ratings"), [(4, 3, 2), (5, 3, 3), (5, 2, 4), (6, 4, 3), (5, 4, 3)])
def test_no_family_of_sets_is_below_the_bound(answers: int, size: int, ratings: int) -> None:
    own = names("r", answers)
    families = combinations(combinations(own, size), ratings)
    found = [concurrence(family, own) for family in families]
    assert min(each.unevenness for each in found) >= found[0].bound


def test_a_concurrence_counts_uses_and_meetings() -> None:
    # a is in both sets, d in none. a meets b, c and e once, and so on: 6 pairs once, of C(5, 2) = 10.
    found = concurrence([("a", "b", "c"), ("a", "e", "f")], ["a", "b", "c", "d", "e", "f"])
    assert found == Concurrence(least_uses=0, most_uses=2, meetings={0: 9, 1: 6}, unevenness=6, bound=6)
    # Two triples of four answers share two: that pair meets twice, 4 + 4 × 1 = 8, and no others do better. Two
    # answers are used twice, with 4 meetings for 3 partners, 2² + 1 + 1 = 6, and two once, 1 + 1: the bound is
    # (6 + 6 + 2 + 2) / 2 = 8.
    found = concurrence([("a", "b", "c"), ("a", "b", "d")], ["a", "b", "c", "d"])
    assert found == Concurrence(least_uses=1, most_uses=2, meetings={0: 1, 1: 4, 2: 1}, unevenness=8, bound=8)


@pytest.mark.parametrize(
    ("answers", "size", "ratings", "message"),
    [
        # C(10, 3) = 120, and C(11, 3) = 165
        (10, 3, 130, "10 answers give 120 different sets of 3; 130 ratings asked. "
         "Enough would be 120 ratings, or 11 answers."),
        (2, 3, 1, "2 answers give 0 different sets of 3; 1 rating asked. Enough would be 3 answers."),
        (1, 1, 2, "1 answer gives 1 different set of 1; 2 ratings asked. Enough would be 1 rating, or 2 answers."),
    ],
)  # fmt: skip
def test_sets_that_cannot_be_are_refused_with_the_numbers_and_the_nearest_change(
    answers: int, size: int, ratings: int, message: str
) -> None:
    with pytest.raises(Infeasible) as refusal:
        human_sets(names("r", answers), size=size, ratings=ratings, seed=SEED, context="P")
    assert str(refusal.value) == message


@pytest.mark.parametrize(("size", "ratings"), [(0, 1), (1, 0)])
def test_sets_of_nothing_are_an_error(size: int, ratings: int) -> None:
    with pytest.raises(ValueError, match="1 answer or more"):
        human_sets(TEN, size=size, ratings=ratings, seed=SEED, context="P")


def test_sets_depend_on_seed_and_prompt_and_not_on_the_order_given() -> None:
    def drawn(answers: list[str], seed: bytes = SEED, context: str = "BBQ_01") -> tuple[tuple[str, ...], ...]:
        return human_sets(answers, size=3, ratings=10, seed=seed, context=context)

    assert drawn(TEN) == drawn(TEN[::-1])
    assert drawn(TEN) != drawn(TEN, context="BBQ_02")
    assert drawn(TEN) != drawn(TEN, seed=bytes(32))
    # also not on how this interpreter happens to order a set
    assert drawn(TEN)[:3] == (("r2", "r4", "r8"), ("r1", "r7", "r8"), ("r0", "r7", "r9"))


def test_judges_take_sets_in_seeded_order_where_nothing_is_to_be_avoided() -> None:
    judges, sets = names("J", 6), [(f"r{number}",) for number in range(6)]
    taken = sets_for(judges, sets, avoids={"J01": ()}, seed=SEED, context="P")
    order = seeded_order(SEED, "sets", "P", items=judges)
    assert taken == {judge: number for number, judge in enumerate(order)}
    # an answer that is in no set changes nothing, and neither do sets to spare
    assert sets_for(judges, sets, avoids={"J01": ["r9"]}, seed=SEED, context="P") == taken
    assert sets_for(judges, [*sets, ("r6",)], avoids={"J01": ["r9"]}, seed=SEED, context="P") == taken


@st.composite
def choices(draw: st.DrawFn) -> tuple[list[str], list[tuple[str, ...]], dict[str, list[str]]]:
    judges = names("J", draw(st.integers(1, 5)))
    pairs: list[tuple[str, ...]] = list(combinations(TEN[:5], 2))
    sets = draw(st.lists(st.sampled_from(pairs), min_size=len(judges), max_size=6, unique=True))
    return judges, sets, {judge: draw(st.lists(st.sampled_from(TEN[:5]), unique=True)) for judge in judges}


@examples(60)
@given(choices(), seeds)
def test_judges_see_as_few_answers_to_avoid_as_can_be(
    choice: tuple[list[str], list[tuple[str, ...]], dict[str, list[str]]], seed: bytes
) -> None:
    judges, sets, avoids = choice
    taken = sets_for(judges, sets, avoids=avoids, seed=seed, context="P")
    assert sets_for(judges[::-1], sets, avoids=avoids, seed=seed, context="P") == taken
    order = seeded_order(seed, "sets", "P", items=judges)

    def price(numbers: Iterable[int]) -> tuple[int, int]:
        """Answers seen that should not be, and departures from the seeded order."""
        chosen = dict(zip(order, numbers, strict=True))
        seen = sum(len({*sets[number]} & {*avoids[judge]}) for judge, number in chosen.items())
        return seen, sum(number != place for place, number in enumerate(chosen.values()))

    assert len(set(taken.values())) == len(judges)
    assert price(taken[judge] for judge in order) == min(map(price, permutations(range(len(sets)), len(judges))))


def test_there_are_sets_for_all_judges() -> None:
    with pytest.raises(ValueError, match="as many sets"):
        sets_for(["J0", "J1"], [("r0",)], avoids={}, seed=SEED, context="P")
