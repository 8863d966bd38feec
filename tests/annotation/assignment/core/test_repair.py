from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.assignment.core.feasibility import Infeasible, Person
from annotation.assignment.core.repair import Held, Repaired, repair
from tests.annotation.assignment.core.repairs import SEED, Pair, State
from tests.thorough import examples

Item = TypeVar("Item")

seeds = st.binary(min_size=32, max_size=32)


def holding(free: str = "", fixed: str = "") -> list[Held]:
    """Pairs from words such as "A1 B2": person A has prompt 1, B has 2."""
    return [
        Held(pair[0], pair[1], is_fixed)
        for words, is_fixed in ((free, False), (fixed, True))
        for pair in words.split()
    ]


def people(names: str, **changes: Person) -> list[Person]:
    return [changes.get(name, Person(name)) for name in names]


def pairs(words: str) -> tuple[Pair, ...]:
    return tuple((pair[0], pair[1]) for pair in words.split())


# By hand


def test_one_who_leaves_hands_their_work_to_those_with_least() -> None:
    held = holding("A1 A2 B1 B3 C2 C3 D3")
    repaired = repair(people("BCD"), held, {"1": 2, "2": 2, "3": 3}, seed=SEED)
    # A's two prompts need somebody. D has 1 prompt, B and C have 2: both to D make 2, 2, 3 = 17 squared,
    # one each to D and C, 2, 3, 2 = 17 too; anything else has 3, 3, 1 = 19 or more.
    assert repaired.taken == pairs("A1 A2")
    assert {prompt for _, prompt in repaired.given} == {"1", "2"}
    loads = Counter({"B": 2, "C": 2, "D": 1}) + Counter(person for person, _ in repaired.given)
    assert sum(load**2 for load in loads.values()) == 17


def test_what_is_begun_stays_with_whoever_left_and_counts() -> None:
    held = holding("A1 B1 B2", fixed="A2")
    assert repair(people("BC"), held, {"1": 2, "2": 2}, seed=SEED) == Repaired(pairs("C1"), pairs("A1"), ())


def test_who_cannot_take_a_free_prompt_takes_another_whose_holder_can() -> None:
    # 1 is free and only B, who is full, may take it: so C takes 2 from B. Two moves, no repair has one.
    now = [Person("B", capacity=1), Person("C", excluded=frozenset("1"))]
    assert repair(now, holding("A1 B2"), {"1": 1, "2": 1}, seed=SEED) == Repaired(
        given=pairs("B1 C2"), taken=pairs("A1 B2"), unwished=()
    )


def test_work_in_hand_is_not_passed_on_to_make_room() -> None:
    now = [Person("B", capacity=1), Person("C", excluded=frozenset("1"))]
    with pytest.raises(Infeasible) as refusal:
        repair(now, holding("A1", fixed="B2"), {"1": 1, "2": 1}, seed=SEED)
    assert str(refusal.value) == (
        "1 prompt (1) asks for 1 place still to be filled; the one person who may take it can take 0. "
        "Enough would be 1 more person who can take every prompt."
    )


def test_somebody_beyond_their_capacity_gives_away_what_they_did_not_wish_for() -> None:
    over = Person("A", capacity=2, unwished=frozenset("2"))
    repaired = repair([over, Person("B")], holding("A1 A2 A3"), {"1": 1, "2": 1, "3": 1}, seed=SEED)
    assert repaired == Repaired(given=pairs("B2"), taken=pairs("A2"), unwished=())


def test_an_exclusion_moves_what_is_not_begun_and_leaves_what_is() -> None:
    conflicted = Person("A", excluded=frozenset("12"))
    repaired = repair([conflicted, Person("B")], holding("A1", fixed="A2"), {"1": 1, "2": 1}, seed=SEED)
    assert repaired == Repaired(given=pairs("B1"), taken=pairs("A1"), unwished=())


def test_a_capacity_fallen_below_what_is_begun_takes_the_rest() -> None:
    repaired = repair(
        [Person("A", capacity=1), Person("B")], holding("A3", fixed="A1 A2"), {"1": 1, "2": 1, "3": 1}, seed=SEED
    )
    assert repaired == Repaired(given=pairs("B3"), taken=pairs("A3"), unwished=())


def test_a_newcomer_takes_their_share_from_those_with_most() -> None:
    held = holding("A1 A2 A3 A4 B1 B2 B3 C4")
    repaired = repair(people("ABCN"), held, {"1": 2, "2": 2, "3": 2, "4": 2}, seed=SEED, least={"N": 2})
    # Loads 4, 3, 1: N takes one of A's (3, 3, 1, 1 = 20) and then one of A's or B's (2, 3, 1, 2 = 18).
    assert repaired.moves == 2
    assert {person for person, _ in repaired.given} == {"N"}
    assert "A" in {person for person, _ in repaired.taken}
    assert "C" not in {person for person, _ in repaired.taken}


def test_a_newcomer_gets_no_more_than_is_not_begun() -> None:
    repaired = repair(
        people("AN"), holding("A3", fixed="A1 A2"), {"1": 1, "2": 1, "3": 1}, seed=SEED, least={"N": 2}
    )
    assert repaired == Repaired(given=pairs("N3"), taken=pairs("A3"), unwished=())


def test_the_share_of_a_newcomer_comes_before_few_moves_and_after_full_prompts() -> None:
    # A leaves, and N could take over A's one prompt with 1 move; a share of 2 takes another.
    repaired = repair(people("BN"), holding("A1 B2 B3"), {"1": 1, "2": 1, "3": 1}, seed=SEED, least={"N": 2})
    assert (repaired.moves, {person for person, _ in repaired.given}) == (2, {"N"})
    # Only B may do 2 and 3; N has one prompt and no more.
    only_b = Person("N", excluded=frozenset("23"))
    assert repair(
        [Person("B"), only_b], holding("A1 B2 B3"), {"1": 1, "2": 1, "3": 1}, seed=SEED, least={"N": 2}
    ) == (Repaired(given=pairs("N1"), taken=pairs("A1"), unwished=()))


def test_a_prompt_with_more_in_hand_than_it_wants_keeps_it_and_nothing_else() -> None:
    repaired = repair(people("ABC"), holding("C1", fixed="A1 B1"), {"1": 1}, seed=SEED)
    assert repaired == Repaired(given=(), taken=pairs("C1"), unwished=())


def test_a_prompt_that_wants_fewer_is_taken_from_those_with_most() -> None:
    repaired = repair(people("AB"), holding("A1 A2 B1"), {"1": 1, "2": 1}, seed=SEED)
    assert repaired == Repaired(given=(), taken=pairs("A1"), unwished=())


def test_a_prompt_too_many_is_what_somebody_beyond_their_capacity_gives_up() -> None:
    repaired = repair([Person("A", capacity=0), Person("B")], holding("A1 B1"), {"1": 1}, seed=SEED)
    assert repaired == Repaired(given=(), taken=pairs("A1"), unwished=())


def test_a_wish_decides_between_equals_and_a_lack_of_choice_is_told() -> None:
    against = frozenset("1")
    unwilling, willing = Person("B", unwished=against), Person("C")
    assert repair([unwilling, willing], holding("A1"), {"1": 1}, seed=SEED).given == pairs("C1")
    # C has two prompts already, so that balance comes before B's preference.
    assert repair([unwilling, willing], holding("A1 C2 C3"), {"1": 1, "2": 1, "3": 1}, seed=SEED) == (
        Repaired(given=pairs("B1"), taken=pairs("A1"), unwished=pairs("B1"))
    )


def test_too_few_people_are_refused_with_who_they_are_and_what_would_do() -> None:
    now = [Person("B", capacity=2), Person("C", capacity=2), Person("D", excluded=frozenset("123"))]
    held = holding("A1 A2 A3 B1 B2 C3", fixed="B4 C1")
    with pytest.raises(Infeasible) as refusal:
        repair(now, held, {"1": 3, "2": 2, "3": 2, "4": 1}, seed=SEED)
    # Besides C's begun 1, prompt 1 asks for 2, 2 and 3 for 2 each: 6. B and C have each begun one of their two, so
    # they can take 1 + 1. That leaves 4 places of three prompts: one person more fills 3 of them, two fill all.
    # With 1 person for each prompt, 1 and 4 have theirs and B and C take 2 and 3; 2 for each leave 3 places.
    assert str(refusal.value) == (
        "3 prompts (1, 2, 3) ask for 6 places still to be filled; the 2 people who may take them can take 2. "
        "Enough would be 2 more people who can take every prompt."
    )
    shortage = refusal.value.shortage
    assert shortage is not None
    assert (shortage.prompts, shortage.people) == (("1", "2", "3"), ("B", "C"))
    assert (shortage.wanted, shortage.possible, shortage.most_each, shortage.people_more) == (6, 2, 1, 2)


# Against other methods


@st.composite
def states(draw: st.DrawFn, most_people: int, most_prompts: int, *, shares: bool = True) -> State:
    """Anything that may be found: people gone, over capacity, in conflict, prompts with too many or too few."""
    names = "ABCDEFGH"[: draw(st.integers(1, most_people))]
    prompts = "123456789"[: draw(st.integers(1, most_prompts))]
    some = st.frozensets(st.sampled_from(prompts), max_size=2)
    now = [
        Person(name, draw(st.none() | st.integers(0, len(prompts))), excluded=draw(some), unwished=draw(some))
        for name in names
    ]
    held = [
        Held(name, prompt, is_fixed=draw(st.booleans()))
        for name in [*names, "X", "Y"]
        for prompt in prompts
        if draw(st.booleans())
    ]
    wanted = {prompt: draw(st.integers(0, 3)) for prompt in prompts}
    least = draw(st.dictionaries(st.sampled_from(names), st.integers(0, 3), max_size=2)) if shares else {}
    return State(now, held, wanted, least)


@examples(250)
@given(states(3, 3), seeds)
def test_no_repair_is_better_in_shares_moves_balance_or_preferences(state: State, seed: bytes) -> None:
    best = state.best_costs()
    if best is None:
        with pytest.raises(Infeasible):
            state.repaired(seed)
        return
    repaired, now = state.repaired(seed)
    assert state.fits(now)
    assert state.costs(now) == best
    assert repaired.moves == best[1]


@examples(150)
@given(states(7, 8, shares=False))
def test_a_repair_is_found_where_a_flow_has_one_and_moves_as_little_as_a_linear_program(state: State) -> None:
    if not state.exists():
        with pytest.raises(Infeasible):
            state.repaired()
        return
    repaired, now = state.repaired()
    assert state.fits(now)
    assert repaired.moves == state.fewest_moves()


@st.composite
def running_studies(draw: st.DrawFn) -> State:
    """Every prompt has its judges, and every judge has begun some of their items."""
    judges, prompts = "ABCDEFGH"[: draw(st.integers(2, 8))], "123456789"[: draw(st.integers(1, 9))]
    each = draw(st.integers(1, len(judges)))
    held = [
        Held(judges[(number * each + turn) % len(judges)], prompt, is_fixed=draw(st.booleans()))
        for number, prompt in enumerate(prompts)
        for turn in range(each)
    ]
    own = {judge: {one.prompt for one in held if one.person == judge} for judge in judges}
    now = [
        Person(
            judge,
            capacity=len(own[judge]) + draw(st.integers(0, 3)),
            excluded=draw(st.frozensets(st.sampled_from(prompts), max_size=3)) - own[judge],
        )
        for judge in judges
    ]
    return State(now, held, dict.fromkeys(prompts, each), {})


@examples(60)
@given(running_studies())
def test_whoever_leaves_at_any_time_only_what_they_had_not_begun_is_moved_if_that_can_be(study: State) -> None:
    assert study.repaired()[0] == Repaired((), (), ())
    for leaver in study.people:
        rest = replace(study, people=[one for one in study.people if one is not leaver])
        left = {pair for pair in study.free if pair[0] == leaver.name}
        if not rest.exists():
            with pytest.raises(Infeasible):
                rest.repaired()
            continue
        repaired, now = rest.repaired()
        assert rest.fits(now)
        assert left <= set(repaired.taken)
        assert len(left) <= repaired.moves == len(repaired.taken) == rest.fewest_moves()


@examples(60)
@given(running_studies(), st.integers(0, 9))
def test_a_newcomer_without_limits_gets_their_share_of_what_is_not_begun(study: State, share: int) -> None:
    joined = replace(study, people=[*study.people, Person("N")], least={"N": share})
    repaired, now = joined.repaired()
    assert joined.fits(now)
    # They can have one place of every prompt that is not begun by all of its judges.
    assert sum(name == "N" for name, _ in now) == min(
        share, sum(joined.asked(prompt) > 0 for prompt in study.wanted)
    )
    assert {name for name, _ in repaired.given} <= {"N"}


@examples(150)
@given(states(4, 4, shares=False))
def test_a_refusal_names_a_shortage_and_the_nearest_numbers_that_would_do(state: State) -> None:
    assume(not state.exists())
    with pytest.raises(Infeasible) as refusal:
        state.repaired()
    shortage = refusal.value.shortage
    assert shortage is not None
    fitting = {one.name: sum(state.may(one, prompt) for prompt in shortage.prompts) for one in state.people}
    assert shortage.wanted == sum(map(state.asked, shortage.prompts))
    assert shortage.possible == sum(min(state.room(one), fitting[one.name]) for one in state.people)
    assert shortage.possible < shortage.wanted
    assert shortage.people == tuple(sorted(name for name, number in fitting.items() if number))

    def with_more(number: int) -> State:
        return replace(state, people=[*state.people, *(Person(f"more {turn}") for turn in range(number))])

    def with_at_most(number: int) -> State:
        return replace(state, wanted={prompt: min(number, wanted) for prompt, wanted in state.wanted.items()})

    assert with_more(shortage.people_more).exists()
    assert not with_more(shortage.people_more - 1).exists()
    assert with_at_most(shortage.most_each).exists()
    assert not with_at_most(shortage.most_each + 1).exists()


@examples(60)
@given(states(5, 5), seeds, st.randoms(use_true_random=False))
def test_a_repair_does_not_depend_on_the_order_given(state: State, seed: bytes, chance: Random) -> None:
    assume(state.exists())

    def shuffled(items: Iterable[Item]) -> list[Item]:
        return chance.sample(list(items), k=len(list(items)))

    again = State(
        shuffled(state.people), shuffled(state.held), dict(shuffled(state.wanted.items())), dict(state.least)
    )
    assert again.repaired(seed) == state.repaired(seed)


def test_the_seed_decides_between_equals() -> None:
    chosen = {
        repair(people("BCDE"), holding("A1"), {"1": 1}, seed=bytes([number] * 32)).given for number in range(30)
    }
    assert chosen == {pairs(f"{name}1") for name in "BCDE"}


@pytest.mark.parametrize(
    ("held", "wanted", "least", "message"),
    [
        (holding("A2"), {"1": 1}, {}, "2 is held, but not among the prompts."),
        (holding("A1"), {"1": 1}, {"B": 1}, "A least number is given for B, who is not among the people."),
        (holding("A1", fixed="A1"), {"1": 1}, {}, "The same pair is held twice."),
    ],
)
def test_a_situation_that_contradicts_itself_is_an_error(
    held: list[Held], wanted: dict[str, int], least: dict[str, int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        repair(people("A"), held, wanted, seed=SEED, least=least)


def test_a_drop_out_in_the_largest_study_moves_only_their_open_items() -> None:
    judges, prompts = [f"J{number:03}" for number in range(500)], [f"P{number:04}" for number in range(1000)]
    # Judge j has the prompts j / 10 rounded down + 50 n: 1,000 prompts × 10 ratings / 500 judges = 20 each.
    held = [
        Held(judges[(10 * number + turn) % 500], prompt, is_fixed=number < 300)
        for number, prompt in enumerate(prompts)
        for turn in range(10)
    ]
    rest = [Person(judge, capacity=21) for judge in judges[1:]]
    repaired = repair(rest, held, dict.fromkeys(prompts, 10), seed=SEED)
    # J000 has P0000, P0050, …, P0950; the first six are begun.
    assert repaired.taken == tuple(("J000", f"P{number:04}") for number in range(300, 1000, 50))
    assert repaired.moves == 14
    assert max(Counter(person for person, _ in repaired.given).values()) == 1
