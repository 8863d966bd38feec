"""Each property of an assignment holds where it does and fails, by name, where a row was tampered with."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from annotation.assignment.core.assignment import allocate
from annotation.assignment.core.certificate import (
    JUDGING,
    WRITING,
    Given,
    Property,
    all_present,
    allocation_properties,
    even_loads,
    exactly,
    in_seeded_order,
    later_limits,
    no_exclusion,
    nobody_twice,
    preferences,
    within_limits,
)
from annotation.assignment.core.feasibility import Infeasible, Person

SEED = bytes(range(32))
PROMPTS = [f"P{number}" for number in range(6)]
PEOPLE = [
    Person("J1", capacity=3),
    Person("J2", excluded=frozenset({"P0"})),
    Person("J3", unwished=frozenset({"P1", "P2", "P3", "P4", "P5"})),
    Person("J4"),
]
BY_NAME = {person.name: person for person in PEOPLE}
WANTED = dict.fromkeys(PROMPTS, 2)


def drawn(people: Sequence[Person] = PEOPLE, *, each: int = 2, work: str = "ratings") -> list[Given]:
    allocated = allocate(people, PROMPTS, each=each, seed=SEED, work=work)
    return [
        Given(person, prompt, position, is_added=False, is_done=False)
        for person, prompts in allocated.prompts.items()
        for position, prompt in enumerate(prompts, start=1)
    ]


def properties(rows: Sequence[Given], **changed: object) -> dict[str, Property]:
    arguments = {
        "wanted": WANTED,
        "people": BY_NAME,
        "today": BY_NAME,
        "absent": (),
        "wording": JUDGING,
        "seed": SEED,
        "is_repaired": False,
        **changed,
    }
    return {one.claim: one for one in allocation_properties(rows, **arguments)}  # type: ignore[arg-type]


def broken(rows: Sequence[Given], **changed: object) -> dict[str, tuple[str, ...]]:
    return {claim: one.problems for claim, one in properties(rows, **changed).items() if one.holds is False}


def handed_over(rows: Sequence[Given], prompt: str, giver: str, taker: str) -> list[Given]:
    return [replace(one, person=taker) if (one.person, one.prompt) == (giver, prompt) else one for one in rows]


def holder_of(rows: Sequence[Given], prompt: str) -> str:
    return min(one.person for one in rows if one.prompt == prompt)


def test_a_drawn_design_holds_in_every_respect() -> None:
    rows = drawn()
    assert broken(rows) == {}
    assert [one.holds for one in properties(rows).values()].count(
        None
    ) == 2  # preferences are no rule, nor limits that came later


def test_numbers_are_those_counted_by_hand() -> None:
    counted = {claim: one.counted for claim, one in properties(drawn()).items()}
    assert counted["Every prompt has exactly 2 ratings"] == "6 prompts, 12 ratings; 6 × 2 = 12"
    assert counted["No judge has a prompt twice"] == "12 different pairs of judge and prompt"
    assert counted["No judge has more prompts than they take"] == "1 judge of 4 with a limit"
    # 12 ratings among four judges, of whom nobody is stopped before three
    assert counted["Ratings are spread over judges as evenly as limits and exclusions allow"] == (
        "4 judges, from 3 to 3 each"
    )


@given(
    st.lists(st.tuples(st.integers(2, 7), st.sets(st.sampled_from(PROMPTS), max_size=2)), min_size=5, max_size=8),
    st.integers(1, 3),
    st.sampled_from(["answers", "ratings"]),
)
def test_every_design_that_is_drawn_is_certified(people: list[tuple[int, set[str]]], each: int, work: str) -> None:
    named = [
        Person(f"X{number}", capacity=capacity, excluded=frozenset(excluded))
        for number, (capacity, excluded) in enumerate(people)
    ]
    try:
        rows = drawn(named, each=each, work=work)
    except Infeasible:
        reject()
    wording = WRITING if work == "answers" else JUDGING
    by_name, wanted = {person.name: person for person in named}, dict.fromkeys(PROMPTS, each)
    assert broken(rows, people=by_name, today=by_name, wanted=wanted, wording=wording) == {}


class TestTamperedRows:
    def test_a_rating_that_is_missing_is_named_with_its_prompt(self) -> None:
        rows = [one for one in drawn() if (one.person, one.prompt) != (holder_of(drawn(), "P3"), "P3")]
        [found] = [exactly(rows, wanted=WANTED, wording=JUDGING)]
        assert (found.holds, found.problems) == (False, ("P3 has 1",))

    def test_a_prompt_that_nobody_has_is_named(self) -> None:
        rows = [one for one in drawn() if one.prompt != "P5"]
        assert exactly(rows, wanted=WANTED, wording=JUDGING).problems == ("P5 has 0",)

    def test_prompts_that_ask_for_different_numbers_are_counted_each_by_its_own(self) -> None:
        rows = [one for one in drawn() if (one.person, one.prompt) != (holder_of(drawn(), "P3"), "P3")]
        found = exactly(rows, wanted=WANTED | {"P3": 1}, wording=JUDGING)
        assert (found.claim, found.problems) == ("Every prompt has exactly the ratings it asks for", ())
        assert found.counted == "6 prompts, 11 ratings; 5 × 2 + 1 × 1 = 11"

    def test_a_limit_that_was_changed_later_is_a_figure_and_no_broken_rule(self) -> None:
        rows = drawn()
        now = BY_NAME | {
            "J1": replace(BY_NAME["J1"], capacity=2),  # has 3
            "J4": replace(BY_NAME["J4"], excluded=frozenset(one.prompt for one in rows if one.person == "J4")),
        }
        found = later_limits(rows, people=now, wording=JUDGING)
        assert found.holds is None
        assert found.counted == (
            "1 judge with more than they take now, 3 prompts that their judge must not get any more"
        )

    def test_a_prompt_given_twice_to_somebody_is_named(self) -> None:
        rows = [*drawn(), replace(drawn()[0], position=9)]
        first = rows[0]
        assert nobody_twice(rows, wording=JUDGING).problems == (f"{first.person} has {first.prompt} 2 times",)

    def test_work_of_somebody_who_has_left_is_named_unless_it_is_done(self) -> None:
        rows = [replace(one, is_done=one.position == 1) for one in drawn() if one.person == "J1"]
        found = all_present(rows, absent={"J1"}, wording=JUDGING)
        assert found.problems == ("J1 has left, 2 ratings to be given",)
        assert all_present(rows, absent=(), wording=JUDGING).holds

    def test_a_judge_who_has_more_than_they_take_is_named(self) -> None:
        tight = BY_NAME | {"J1": replace(BY_NAME["J1"], capacity=2)}
        assert within_limits(drawn(), people=tight, wording=JUDGING).problems == ("J1 has 3 and takes 2",)

    def test_an_excluded_prompt_is_named_with_its_judge(self) -> None:
        rows = drawn()
        tampered = handed_over(rows, "P0", holder_of(rows, "P0"), "J2")
        assert no_exclusion(tampered, people=BY_NAME, wording=JUDGING).problems == ("J2 has P0",)

    def test_a_prompt_against_a_wish_is_counted_and_breaks_no_rule(self) -> None:
        rows = [Given("J3", prompt, position, False, False) for position, prompt in enumerate(PROMPTS)]
        found = preferences(rows, people=BY_NAME, wording=JUDGING)
        assert found.holds is None
        assert found.counted == "5 of 6; 1 of 4 judges with wishes"

    def test_loads_that_could_be_more_even_are_no_longer_certified(self) -> None:
        rows = drawn()
        free = next(one for one in rows if one.person == "J4" and ("J3", one.prompt) not in pairs(rows))
        found = even(handed_over(rows, free.prompt, "J4", "J3"))
        assert found.holds is False
        assert found.counted == "4 judges, from 2 to 4 each"

    def test_after_a_repair_uneven_loads_are_reported_and_break_no_rule(self) -> None:
        rows = drawn()
        free = next(one for one in rows if one.person == "J4" and ("J3", one.prompt) not in pairs(rows))
        assert even(handed_over(rows, free.prompt, "J4", "J3"), is_repaired=True).holds is None

    def test_loads_that_only_a_limit_keeps_apart_are_as_even_as_can_be(self) -> None:
        tight = [Person("J1", capacity=1), Person("J2"), Person("J3")]
        rows = drawn(tight)
        # J1 takes one of the 12; the others take six prompts each at most, and share 11: 5 and 6
        assert sorted(Counter(one.person for one in rows).values()) == [1, 5, 6]
        assert even(rows, people={person.name: person for person in tight}).holds

    def test_an_order_that_was_changed_is_named(self) -> None:
        places = {1: 2, 2: 1}
        rows = [
            replace(one, position=places.get(one.position, one.position)) if one.person == "J4" else one
            for one in drawn()
        ]
        assert in_seeded_order(rows, wording=JUDGING, seed=SEED).problems == ("J4’s order",)

    def test_an_order_from_another_seed_or_for_other_work_is_not_the_drawn_one(self) -> None:
        assert in_seeded_order(drawn(), wording=JUDGING, seed=bytes(32)).holds is False
        assert in_seeded_order(drawn(), wording=WRITING, seed=SEED).holds is False

    def test_what_a_repair_added_comes_last_and_changes_no_order(self) -> None:
        rows = [one for one in drawn() if one.person == "J4"]
        missing = next(prompt for prompt in PROMPTS if prompt not in {one.prompt for one in rows})
        added = Given("J4", missing, 9, is_added=True, is_done=False)
        assert in_seeded_order([*rows, added], wording=JUDGING, seed=SEED).holds
        assert in_seeded_order([*rows, replace(added, position=0)], wording=JUDGING, seed=SEED).holds is False

    def test_what_was_taken_away_leaves_the_rest_in_order(self) -> None:
        rows = [one for one in drawn() if one.position != 2]
        assert in_seeded_order(rows, wording=JUDGING, seed=SEED).holds


def pairs(rows: Sequence[Given]) -> set[tuple[str, str]]:
    return {(one.person, one.prompt) for one in rows}


def even(rows: Sequence[Given], *, people: dict[str, Person] = BY_NAME, is_repaired: bool = False) -> Property:
    return even_loads(rows, people=people, absent=(), wording=JUDGING, is_repaired=is_repaired)


@pytest.mark.parametrize(
    "proof",
    [
        lambda rows: exactly(rows, wanted={}, wording=WRITING),
        lambda rows: nobody_twice(rows, wording=WRITING),
        lambda rows: even_loads(rows, people={}, absent=(), wording=WRITING, is_repaired=False),
        lambda rows: in_seeded_order(rows, wording=WRITING, seed=SEED),
    ],
)
def test_an_assignment_of_nothing_breaks_no_rule(proof: Callable[[Sequence[Given]], Property]) -> None:
    assert proof([]).holds
