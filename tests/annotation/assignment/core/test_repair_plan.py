"""A repair before it is made: that it is proved by another count, and that the count notices what is wrong."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.assignment.core.feasibility import Infeasible, Person
from annotation.assignment.core.repair_plan import (
    JUDGING,
    Change,
    Move,
    Piece,
    Situation,
    broken_rules,
    repair_plan,
)

SEED = bytes(32)


def piece(number: int, prompt: str, holder: str, state: str = "waiting", **more: Any) -> Piece:
    return Piece(number, prompt, holder, state != "waiting", state == "done", **more)


def situation(*pieces: Piece, people: str = "ABC", giving_up: str = "", **more: Any) -> Situation:
    """One place on every prompt unless `wanted` says otherwise; nobody is limited unless `limits` has them."""
    limits: Mapping[str, Person] = more.pop("limits", {})
    given: dict[str, Any] = {
        "people": tuple(limits.get(name, Person(name)) for name in people if name not in giving_up),
        "giving_up": frozenset(giving_up),
        "joining": frozenset(),
        "pieces": pieces,
        "wanted": {piece.prompt: 1 for piece in pieces},
    }
    return Situation(**given | more)


def moves(found: Situation) -> list[tuple[str, str, str]]:
    plan = repair_plan(Change(JUDGING), found, seed=SEED, made_before=0)
    assert plan.problems == ()
    return [(move.prompt, move.taken_from, move.given_to) for move in plan.moves]


def test_only_what_has_to_move_does() -> None:
    found = situation(piece(1, "P", "A"), piece(2, "Q", "B"), piece(3, "R", "B"), giving_up="A")
    assert moves(found) == [("P", "A", "C")]


def test_the_busy_keep_what_nobody_forces_them_to_give() -> None:
    assert moves(situation(*(piece(n, f"P{n}", "A") for n in range(5)))) == []


def test_a_newcomer_s_share_is_what_everybody_has_of_what_can_still_move() -> None:
    pieces = [piece(n, f"P{n}", "AB"[n % 2], "done" if n < 2 else "waiting") for n in range(8)]
    found = situation(*pieces, joining=frozenset("C"))
    # 6 of 8 can move, 3 people: 2.
    assert [given_to for _, _, given_to in moves(found)] == ["C", "C"]


def test_who_takes_which_of_two_places_on_a_prompt_is_for_the_seed_alone() -> None:
    found = situation(piece(1, "P", "A"), piece(2, "P", "B"), people="ABCD", giving_up="AB", wanted={"P": 2})
    plans = [repair_plan(Change(JUDGING), found, seed=bytes([n]) * 32, made_before=0) for n in range(20)]
    takers = {tuple(move.given_to for move in plan.moves) for plan in plans}
    assert takers == {("C", "D"), ("D", "C")}


def test_what_nobody_needs_any_more_goes_to_nobody() -> None:
    found = situation(piece(1, "P", "A", "done"), piece(2, "P", "B", counts=False, is_needless=True))
    assert moves(found) == [("P", "B", "")]
    plan = repair_plan(Change(JUDGING), found, seed=SEED, made_before=0)
    assert plan.loads == {"A": (1, 1)}


def test_what_does_not_count_may_count_again_as_long_as_it_is_needed() -> None:
    assert moves(situation(piece(1, "P", "A", "done"), piece(2, "P", "B", counts=False))) == []


def test_the_digest_tells_a_later_plan_with_the_same_moves_from_this_one() -> None:
    found = situation(piece(1, "P", "A"), giving_up="A")
    digests = {repair_plan(Change(JUDGING), found, seed=SEED, made_before=n).digest for n in (0, 0, 1)}
    assert len(digests) == 2


def move(prompt: str, taken_from: str, given_to: str, of: int | None) -> Move:
    return Move(prompt, taken_from, given_to, was_begun=False, of=of)


@pytest.mark.parametrize(
    ("found", "made", "told"),
    [
        (situation(piece(1, "P", "A", "done")), [move("P", "A", "B", 1)], "A would lose P"),
        (situation(piece(1, "P", "A", "begun")), [move("P", "A", "B", 1)], "A would lose P"),
        (situation(piece(1, "P", "A"), giving_up="A"), [], "A would keep P"),
        (situation(piece(1, "P", "A"), wanted={"P": 2}), [], "P would be given 1 times, not 2"),
        (situation(piece(1, "P", "A")), [move("P", "", "B", None)], "P would be given 2 times, not 1"),
        (situation(piece(1, "P", "A"), giving_up="A"), [move("P", "A", "X", 1)], "X can have no work now"),
        (
            situation(piece(1, "P", "A"), piece(2, "P", "B", "begun", counts=False), giving_up="A"),
            [move("P", "A", "B", 1)],
            "B would have P twice",
        ),
        (
            situation(piece(1, "P", "A"), giving_up="A", limits={"B": Person("B", capacity=0)}),
            [move("P", "A", "B", 1)],
            "B would have 1 prompts, and can take 0",
        ),
        (
            situation(piece(1, "P", "A"), giving_up="A", limits={"B": Person("B", excluded=frozenset("P"))}),
            [move("P", "A", "B", 1)],
            "B would have P, which is excluded",
        ),
    ],
)
def test_a_broken_rule_is_told(found: Situation, made: list[Move], told: str) -> None:
    assert any(line.startswith(told) for line in broken_rules(found, made))


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Up to 5 people share up to 5 prompts in any state, under any limits; some give up, are gone or join."""
    names = "ABCDE"[: draw(st.integers(2, 5))]
    prompts = "PQRST"[: draw(st.integers(1, 5))]
    each = draw(st.integers(1, len(names)))
    pieces: list[Piece] = []
    for prompt in prompts:
        for holder in draw(st.permutations(names))[:each]:
            state = draw(st.sampled_from(["waiting", "waiting", "begun", "done"]))
            pieces.append(piece(len(pieces) + 1, prompt, holder, state))
    subset = st.sets(st.sampled_from(names))
    giving_up, gone, joining = draw(subset), draw(subset), draw(subset)
    capacity = st.none() | st.integers(0, 6)
    excluded = st.frozensets(st.sampled_from(prompts), max_size=2)
    people = [Person(name, draw(capacity), draw(excluded)) for name in names if name not in giving_up | gone]
    return Situation(
        people=tuple(people),
        giving_up=frozenset(giving_up),
        joining=frozenset(joining - giving_up - gone),
        pieces=tuple(pieces),
        wanted=dict.fromkeys(prompts, each),
    )


@given(situations())
def test_every_plan_passes_the_count(found: Situation) -> None:
    try:
        plan = repair_plan(Change(JUDGING), found, seed=SEED, made_before=0)
    except Infeasible:
        assume(False)
    assert plan.problems == ()
    assert sum(load.before for load in plan.loads.values()) == sum(load.after for load in plan.loads.values())
