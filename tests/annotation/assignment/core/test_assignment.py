import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.assignment.core.assignment import allocate, is_even
from annotation.assignment.core.feasibility import Allocation, Infeasible, Person, Shortage
from tests.annotation.assignment.core.design_oracles import best, most_places, room
from tests.thorough import examples

SEED = bytes(range(32))

seeds = st.binary(min_size=32, max_size=32)

Problem = tuple[list[Person], list[str], int]


def names(letter: str, count: int) -> list[str]:
    return [f"{letter}{number:02}" for number in range(count)]


def people_named(letter: str, count: int) -> list[Person]:
    return [Person(name) for name in names(letter, count)]


def ratings(people: Sequence[Person], prompts: Sequence[str], each: int, seed: bytes = SEED) -> Allocation:
    return allocate(people, prompts, each=each, seed=seed, work="ratings")


def answers(people: Sequence[Person], prompts: Sequence[str], each: int, seed: bytes = SEED) -> Allocation:
    return allocate(people, prompts, each=each, seed=seed, work="answers")


def shortage_of(people: Sequence[Person], prompts: Sequence[str], each: int) -> Shortage:
    with pytest.raises(Infeasible) as refusal:
        ratings(people, prompts, each)
    assert refusal.value.shortage
    return refusal.value.shortage


def loads(allocation: Allocation) -> list[int]:
    return sorted(len(own) for own in allocation.prompts.values())


def takers(allocation: Allocation) -> Counter[str]:
    return Counter(prompt for own in allocation.prompts.values() for prompt in own)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """About half of these have no design."""
    prompts = names("P", draw(st.integers(1, 7)))
    some = st.frozensets(st.sampled_from(prompts))
    limits = st.none() | st.integers(0, len(prompts) + 2)
    people = [
        Person(name, capacity=draw(limits), excluded=draw(some), unwished=draw(some))
        for name in names("J", draw(st.integers(1, 8)))
    ]
    return people, prompts, draw(st.integers(1, 3))


@examples(120)
@given(problems(), seeds)
def test_every_prompt_gets_exactly_so_many_people_within_all_limits_or_there_is_no_design(
    problem: Problem, seed: bytes
) -> None:
    people, prompts, each = problem
    if most_places(people, prompts, each) < each * len(prompts):
        with pytest.raises(Infeasible):
            ratings(people, prompts, each, seed)
        return
    allocation = ratings(people, prompts, each, seed)
    assert list(allocation.prompts) == sorted(person.name for person in people)
    assert takers(allocation) == dict.fromkeys(prompts, each)
    for person in people:
        own = allocation.prompts[person.name]
        assert len(set(own)) == len(own) <= room(person, prompts)
        assert person.excluded.isdisjoint(own)
    assert allocation.unwished == tuple(
        sorted(
            (one.name, prompt)
            for one in people
            for prompt in allocation.prompts[one.name]
            if prompt in one.unwished
        )
    )
    # no other design is more even, and none that is as even asks fewer people against their preference
    assert (sum(load**2 for load in loads(allocation)), len(allocation.unwished)) == best(people, prompts, each)


@pytest.mark.parametrize("number", range(4))
def test_a_design_of_many_people_with_few_choices_is_the_best_there_is(number: int) -> None:
    numbers, prompts = random.Random(number), names("P", 40)  # noqa: S311 - the same every time
    people = [
        Person(
            name,
            capacity=numbers.choice([None, 4, 8, 12]),
            excluded=frozenset(numbers.sample(prompts, numbers.choice([0, 20, 30, 36]))),
            unwished=frozenset(numbers.sample(prompts, numbers.choice([0, 20, 35]))),
        )
        for name in names("J", 30)
    ]
    allocation = ratings(people, prompts, 4)
    assert (sum(load**2 for load in loads(allocation)), len(allocation.unwished)) == best(people, prompts, 4)


@examples(150)
@given(problems())
def test_a_shortage_is_a_minimum_cut_and_names_the_nearest_designs(problem: Problem) -> None:
    people, prompts, each = problem
    filled = most_places(people, prompts, each)
    if filled == each * len(prompts):
        return
    short = shortage_of(people, prompts, each)
    # all that cannot be filled is missing at these prompts, and their people are used as far as they go
    assert short.wanted == each * len(short.prompts)
    assert short.wanted - short.possible == each * len(prompts) - filled
    assert short.possible == most_places(people, short.prompts, each)
    assert short.people == tuple(person.name for person in people if set(short.prompts) - person.excluded)
    # the most pieces for each prompt, and the fewest people without limits who would do
    assert most_places(people, prompts, short.most_each) == short.most_each * len(prompts)
    assert most_places(people, prompts, short.most_each + 1) < (short.most_each + 1) * len(prompts)
    helpers = people_named("H", short.people_more)
    assert takers(ratings([*people, *helpers], prompts, each)) == dict.fromkeys(prompts, each)
    with pytest.raises(Infeasible):
        ratings([*people, *helpers[1:]], prompts, each)


@examples(50)
@given(problems(), seeds, st.randoms(use_true_random=False))
def test_a_design_does_not_depend_on_the_order_given(problem: Problem, seed: bytes, numbers: random.Random) -> None:
    people, prompts, each = problem

    def drawn() -> Allocation | tuple[str, Shortage | None]:
        try:
            return ratings(people, prompts, each, seed)
        except Infeasible as infeasible:
            return str(infeasible), infeasible.shortage

    first = drawn()
    numbers.shuffle(people)
    numbers.shuffle(prompts)
    assert drawn() == first


def test_a_design_depends_on_the_seed_and_on_the_work() -> None:
    people, prompts = people_named("J", 7), names("P", 9)
    drawn = ratings(people, prompts, 4)
    assert drawn != ratings(people, prompts, 4, seed=bytes(32))
    assert drawn != answers(people, prompts, 4)


def test_a_design_is_the_same_on_every_machine() -> None:
    people = [
        Person("J1", capacity=2),
        Person("J2", excluded=frozenset({"P1", "P2"})),
        Person("J3", unwished=frozenset({"P3"})),
        Person("J4"),
    ]
    # 4 × 2 = 8 ratings, 2 for everybody; J3 can be spared P3 since three others may take it
    assert ratings(people, ["P1", "P2", "P3", "P4"], 2) == Allocation(
        {"J1": ("P3", "P1"), "J2": ("P4", "P3"), "J3": ("P4", "P2"), "J4": ("P2", "P1")}
    )


@pytest.mark.parametrize(("each", "load"), [(10, 20), (5, 10)])
def test_the_full_study_gives_each_of_fifteen_judges_as_many_prompts(each: int, load: int) -> None:
    allocation = ratings(people_named("J", 15), names("P", 30), each)
    assert loads(allocation) == [load] * 15  # 30 × 10 / 15 = 20, and 30 × 5 / 15 = 10
    assert takers(allocation) == dict.fromkeys(names("P", 30), each)
    first_prompts = Counter(own[0] for own in allocation.prompts.values())
    assert max(first_prompts.values()) < 5, "judges should not all begin with the same prompt"


def test_in_the_full_study_writers_give_differing_numbers_of_answers() -> None:
    capacities = [5, 5, 10, 15, 20, 25] * 4
    people = [Person(name, limit) for name, limit in zip(names("W", 24), capacities, strict=True)]
    allocation = answers(people, names("P", 30), 10)
    # 300 answers from 24 people: 8 of them give 5 each and 4 give 10, so 220 fall to twelve: 18⅓ each. Four of
    # these stop at 15, so 160 fall to eight: 20 each.
    assert loads(allocation) == [5] * 8 + [10] * 4 + [15] * 4 + [20] * 8


def test_in_the_pilot_every_writer_answers_every_prompt_in_an_order_of_their_own() -> None:
    allocation = answers(people_named("W", 5), names("P", 11), 5)
    assert all(sorted(own) == names("P", 11) for own in allocation.prompts.values())
    assert len(set(allocation.prompts.values())) == 5


def test_people_with_little_time_get_less_and_the_others_share_the_rest() -> None:
    people = [Person("J0", capacity=2), Person("J1", capacity=0), *people_named("K", 3)]
    # 10 × 3 = 30 ratings; J0 takes 2 and J1 none, so 28 fall to three judges: 9, 9 and 10
    assert loads(ratings(people, names("P", 10), 3)) == [0, 2, 9, 9, 10]


def test_somebody_hands_over_what_a_person_with_fewer_choices_needs() -> None:
    # Only J0 and J1 may take P0. J0 has time for one prompt, so it has to be this one, however the seed deals.
    people = [Person("J0", capacity=1), Person("J1"), Person("J2", excluded=frozenset({"P0"}))]
    for number in range(20):
        allocation = ratings(people, ["P0", "P1"], 2, seed=bytes([number] * 32))
        assert allocation.prompts["J0"] == ("P0",)


def test_preferences_come_after_even_loads() -> None:
    eager, reluctant = Person("J0"), Person("J1", unwished=frozenset({"P0", "P1"}))
    allocation = ratings([eager, reluctant], ["P0", "P1"], 1)
    assert loads(allocation) == [1, 1]
    assert [name for name, _ in allocation.unwished] == ["J1"]


def test_who_trades_loads_spares_a_preference() -> None:
    # 3 ratings for two judges: one has 2. J0 would have P0 or P1 against a preference, and so takes P2 alone.
    people = [Person("J0", unwished=frozenset({"P0", "P1"})), Person("J1")]
    for number in range(20):
        allocation = ratings(people, ["P0", "P1", "P2"], 1, seed=bytes([number] * 32))
        assert (allocation.prompts["J0"], allocation.unwished) == (("P2",), ())


@pytest.mark.parametrize(
    ("people", "prompts", "each", "message"),
    [
        (
            people_named("J", 8),
            30,
            10,  # of 10 each, eight judges fill 8
            "30 prompts ask for 300 ratings, 10 each; 8 judges can give 240. "
            "Enough would be 8 ratings for each prompt, or 2 more judges who can take every prompt.",
        ),
        (
            [Person("J0", 4), Person("J1", 5), Person("J2")],
            10,
            2,  # 4 + 5 + 10 = 19 of 20, so 1 each is possible
            "10 prompts ask for 20 ratings, 2 each; 3 judges can give 19. "
            "Enough would be 1 rating for each prompt, or 1 more judge who can take every prompt.",
        ),
        (
            [*people_named("J", 2), *(Person(f"K{number}", excluded=frozenset({"P01"})) for number in range(5))],
            4,
            3,  # the others have five more people
            "1 prompt (P01) asks for 3 ratings, 3 each; the 2 judges who may take it (J00, J01) can give 2. "
            "Enough would be 2 ratings for each prompt, or 1 more judge who can take every prompt.",
        ),
        (
            [
                *(Person(f"J{number}", 1, excluded=frozenset({"P02"})) for number in range(4)),
                *(Person(f"K{number}", excluded=frozenset({"P00", "P01"})) for number in range(4)),
            ],
            3,
            4,  # four judges with time for one fill 2 of the 4 places of each of two prompts
            "2 prompts (P00, P01) ask for 8 ratings, 4 each; the 4 judges who may take them (J0, J1, J2 and 1 "
            "more) can give 4. "
            "Enough would be 2 ratings for each prompt, or 2 more judges who can take every prompt.",
        ),
        (
            [Person("J0", excluded=frozenset({"P00", "P01"}))],
            3,
            1,
            "2 prompts (P00, P01) ask for 2 ratings, 1 each; no judge may take them. "
            "Enough would be 1 more judge who can take every prompt.",
        ),
        ([], 2, 0, "Each prompt needs at least 1 judge."),
    ],
)
def test_an_infeasible_design_is_refused_with_the_numbers_and_the_nearest_change(
    people: list[Person], prompts: int, each: int, message: str
) -> None:
    with pytest.raises(Infeasible) as refusal:
        ratings(people, names("P", prompts), each)
    assert str(refusal.value) == message


def test_writers_are_refused_in_their_own_words() -> None:
    with pytest.raises(Infeasible) as refusal:
        answers(people_named("W", 2), names("P", 4), 3)
    assert str(refusal.value) == (
        "4 prompts ask for 12 answers, 3 each; 2 writers can give 8. "
        "Enough would be 2 answers for each prompt, or 1 more writer who can take every prompt."
    )


def test_people_or_prompts_that_make_no_sense_are_an_error() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        ratings([Person("J0", -1), Person("J1")], ["P0"], 1)
    with pytest.raises(ValueError, match="twice"):
        ratings([Person("J0"), Person("J0", 3)], ["P0"], 1)
    with pytest.raises(ValueError, match="twice"):
        ratings([Person("J0")], ["P0", "P0"], 1)


def test_a_study_without_prompts_gives_nobody_anything() -> None:
    assert ratings(people_named("J", 2), [], 3) == Allocation({"J00": (), "J01": ()})


def test_a_design_is_even_where_nobody_can_pass_anything_to_somebody_with_two_less() -> None:
    # J0 has 3, J1 has 1. J0 could hand P2 to J1 by way of J2: J2 takes P2 and hands P3 to J1.
    given = {"J0": ("P0", "P1", "P2"), "J1": ("P4",), "J2": ("P3", "P4")}
    own = frozenset({"P0", "P1", "P2"})
    people = [Person("J0"), Person("J1", excluded=own), Person("J2", excluded=own - {"P2"})]
    assert not is_even(people, given)
    busy = [people[0], replace(people[1], capacity=1), people[2]]
    assert is_even(busy, given), "J1 has no room"
    apart = [*people[:2], replace(people[2], excluded=own)]
    assert is_even(apart, given), "nobody else may take what J0 has"
