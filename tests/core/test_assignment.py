from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.core.assignment import Infeasible, allot_judges, allot_writers, human_sets

SEED = bytes(range(32))
TEN = [f"r{number}" for number in range(10)]

seeds = st.binary(min_size=32, max_size=32)


def names(letter: str, count: int) -> list[str]:
    return [f"{letter}{number:02}" for number in range(count)]


def spread(counts: Iterable[int]) -> int:
    counts = list(counts)
    return max(counts) - min(counts)


def uses(sets: Iterable[tuple[str, ...]], answers: list[str]) -> list[int]:
    counted = Counter(answer for chosen in sets for answer in chosen)
    return [counted[answer] for answer in answers]


def meetings(sets: Iterable[tuple[str, ...]], answers: list[str]) -> list[int]:
    counted = Counter(pair for chosen in sets for pair in combinations(sorted(chosen), 2))
    return [counted[pair] for pair in combinations(sorted(answers), 2)]


@pytest.mark.parametrize("prompt", names("P", 30))
def test_ten_judges_see_ten_triples_every_answer_three_times_and_no_pair_twice(prompt: str) -> None:
    sets = human_sets(TEN, size=3, ratings=10, seed=SEED, context=prompt)
    assert len(set(sets)) == 10
    # 10 triples hold 30 places: 3 for each of 10 answers; and 30 pairs, fewer than the C(10, 2) = 45 there are
    assert uses(sets, TEN) == [3] * 10
    assert max(meetings(sets, TEN)) == 1


@st.composite
def set_problems(draw) -> tuple[list[str], int, int]:
    answers = names("r", draw(st.integers(1, 8)))
    size = draw(st.integers(1, len(answers)))
    return answers, size, draw(st.integers(1, comb(len(answers), size)))


@settings(max_examples=60, deadline=None)
@given(set_problems(), seeds)
def test_every_feasible_number_of_sets_is_found_distinct_and_balanced(problem, seed: bytes) -> None:
    answers, size, ratings = problem
    sets = human_sets(answers, size=size, ratings=ratings, seed=seed, context="P")
    assert len({frozenset(chosen) for chosen in sets}) == ratings
    assert all(len(set(chosen)) == size and set(chosen) <= set(answers) for chosen in sets)
    assert spread(uses(sets, answers)) <= 1


@pytest.mark.parametrize(
    ("answers", "size", "ratings", "most", "least"),
    [
        (5, 2, 5, 1, 0),  # pilot: 5 pairs out of 10
        (5, 2, 10, 1, 1),  # all 10 pairs
        (9, 3, 12, 1, 1),  # 12 triples hold 36 = C(9, 2) pairs: each once
        (12, 3, 10, 1, 0),  # 30 pairs out of 66
        (4, 2, 2, 1, 0),
        (6, 3, 20, 4, 4),  # all C(6, 3) = 20 triples; a pair has C(4, 1) = 4 third members
    ],
)
def test_pairs_of_answers_meet_evenly(answers: int, size: int, ratings: int, most: int, least: int) -> None:
    own = names("r", answers)
    met = meetings(human_sets(own, size=size, ratings=ratings, seed=SEED, context="P"), own)
    assert (max(met), min(met)) == (most, least)


@pytest.mark.parametrize(
    ("answers", "size", "ratings", "message"),
    [
        (10, 3, 130, "10 answers give 120 different sets of 3; 130 ratings asked."),
        (2, 3, 1, "2 answers give 0 different sets of 3; 1 ratings asked."),
        (3, 0, 1, "3 answers give 0 different sets of 0; 1 ratings asked."),
        (3, 1, 0, "3 answers give 3 different sets of 1; 0 ratings asked."),
    ],
)
def test_sets_that_cannot_be_are_refused_with_the_numbers(
    answers: int, size: int, ratings: int, message: str
) -> None:
    with pytest.raises(Infeasible) as refusal:
        human_sets(names("r", answers), size=size, ratings=ratings, seed=SEED, context="P")
    assert str(refusal.value) == message


def test_sets_depend_on_seed_and_prompt_and_not_on_the_order_given() -> None:
    def drawn(answers: list[str], seed: bytes = SEED, context: str = "BBQ_01") -> tuple[tuple[str, ...], ...]:
        return human_sets(answers, size=3, ratings=10, seed=seed, context=context)

    assert drawn(TEN) == drawn(TEN[::-1])
    assert drawn(TEN) != drawn(TEN, context="BBQ_02")
    assert drawn(TEN) != drawn(TEN, seed=bytes(32))
    # also not on how this interpreter happens to order a set
    assert drawn(TEN)[:3] == (("r4", "r5", "r9"), ("r0", "r3", "r8"), ("r1", "r2", "r6"))


@st.composite
def allotments(draw) -> tuple[list[str], list[str], int, dict[str, int]]:
    judges = names("J", draw(st.integers(1, 9)))
    prompts = names("P", draw(st.integers(1, 12)))
    capacity = draw(st.dictionaries(st.sampled_from(judges), st.integers(0, 14)))
    return judges, prompts, draw(st.integers(1, 9)), capacity


@settings(max_examples=150, deadline=None)
@given(allotments(), seeds)
def test_judges_are_allotted_exactly_or_refused_rightly(problem, seed: bytes) -> None:
    judges, prompts, ratings, capacity = problem
    room = {judge: min(capacity.get(judge, len(prompts)), len(prompts)) for judge in judges}
    # Gale and Ryser: with the same demand at every prompt, enough different judges and enough room suffice.
    feasible = ratings <= len(judges) and ratings * len(prompts) <= sum(room.values())
    if not feasible:
        with pytest.raises(Infeasible):
            allot_judges(judges, prompts, ratings=ratings, seed=seed, capacity=capacity)
        return
    allotted = allot_judges(judges, prompts, ratings=ratings, seed=seed, capacity=capacity)
    assert list(allotted) == judges
    assert all(len(set(own)) == len(own) <= room[judge] for judge, own in allotted.items())
    assert Counter(prompt for own in allotted.values() for prompt in own) == dict.fromkeys(prompts, ratings)
    unfilled = [len(own) for judge, own in allotted.items() if len(own) < room[judge]]
    filled = [len(own) for judge, own in allotted.items() if len(own) == room[judge]]
    # Nobody with room left does less than somebody else but for one prompt.
    assert not unfilled or max(unfilled + filled) - min(unfilled) <= 1


def test_the_full_study_gives_thirty_prompts_ten_ratings_from_fifteen_judges() -> None:
    allotted = allot_judges(names("J", 15), names("P", 30), ratings=10, seed=SEED)
    assert {len(own) for own in allotted.values()} == {20}  # 30 × 10 / 15
    first_prompts = Counter(own[0] for own in allotted.values())
    assert max(first_prompts.values()) < 5, "judges should not all begin with the same prompt"


def test_in_the_pilot_every_writer_answers_every_prompt_in_an_order_of_their_own() -> None:
    allotted = allot_writers(names("W", 5), names("P", 11), answers=5, seed=SEED)
    assert all(sorted(own) == names("P", 11) for own in allotted.values())
    assert len(set(allotted.values())) == 5


def test_a_judge_with_little_time_gets_less_and_the_others_share_the_rest() -> None:
    allotted = allot_judges(names("J", 5), names("P", 10), ratings=3, seed=SEED, capacity={"J00": 2, "J01": 0})
    # 10 × 3 = 30 ratings; J00 takes 2 and J01 none, so 28 fall to three judges: 9, 9 and 10
    assert [len(allotted[judge]) for judge in ("J00", "J01")] == [2, 0]
    assert sorted(len(allotted[judge]) for judge in ("J02", "J03", "J04")) == [9, 9, 10]


@pytest.mark.parametrize(
    ("judges", "prompts", "ratings", "capacity", "message"),
    [
        (8, 30, 10, {}, "10 ratings for each prompt need as many judges; there are 8."),
        (3, 10, 2, {"J00": 4, "J01": 5}, "10 prompts with 2 ratings each make 20; the judges can take 19."),
        (3, 10, 0, {}, "0 ratings for each prompt need as many judges; there are 3."),
    ],
)
def test_an_allotment_that_cannot_be_is_refused_with_the_numbers(
    judges, prompts, ratings, capacity, message
) -> None:
    with pytest.raises(Infeasible) as refusal:
        allot_judges(names("J", judges), names("P", prompts), ratings=ratings, seed=SEED, capacity=capacity)
    assert str(refusal.value) == message


def test_writers_are_refused_in_their_own_words() -> None:
    with pytest.raises(Infeasible, match="3 answers for each prompt need as many writers; there are 2"):
        allot_writers(names("W", 2), names("P", 4), answers=3, seed=SEED)


@pytest.mark.parametrize(
    ("capacity", "message"), [({"J99": 3}, "J99, who is not among"), ({"J00": -1}, "0 or more")]
)
def test_a_capacity_that_makes_no_sense_is_refused(capacity: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        allot_judges(names("J", 3), names("P", 4), ratings=2, seed=SEED, capacity=capacity)


def test_an_allotment_depends_on_the_seed_and_not_on_the_order_given() -> None:
    judges, prompts = names("J", 7), names("P", 9)
    allotted = allot_judges(judges, prompts, ratings=4, seed=SEED)
    assert allotted == allot_judges(judges[::-1], prompts[::-1], ratings=4, seed=SEED)
    assert allotted != allot_judges(judges, prompts, ratings=4, seed=bytes(32))
