"""Steps over numbers, small enough to be counted by hand."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.errors import Refused
from generation.sources.core.funnel import Funnel, Removed, Scenario, Step, each_once, fingerprint


def odd(number: int) -> str | None:
    return "odd" if number % 2 else None


def beyond(most: int) -> Callable[[int], str | None]:
    return lambda number: "" if number > most else None


def numbers(*found: int) -> Funnel[int]:
    return Funnel("all", found, lambda number: (str(number), f"the number {number}"))


def scenario(key: str, stratum: str = "one", **payload: object) -> Scenario:
    return Scenario(key, stratum, payload)


def test_each_step_counts_what_it_kept_and_removed_by_rule_and_keeps_what_it_removed() -> None:
    # 1 2 3 4 5 6 → without the odd 1 3 5: 2 4 6 → without those beyond 4: 2 4
    funnel = numbers(1, 2, 3, 4, 5, 6)
    funnel.narrow("even", odd)
    funnel.narrow("small", beyond(4))
    assert funnel.items() == [2, 4]
    reduction = funnel.reduction(())
    assert reduction.steps == (Step("all", 6, 0), Step("even", 3, 3, {"odd": 3}), Step("small", 2, 1))
    assert [[one.key for one in removed] for removed in reduction.removed] == [[], ["1", "3", "5"], ["6"]]
    assert reduction.removed[2] == [Removed("6", "the number 6", "")]


def test_a_step_may_depend_on_all_that_the_steps_before_it_kept() -> None:
    funnel = numbers(5, 2, 4)
    funnel.narrow("even", odd)
    smallest = min(funnel.items())
    funnel.narrow("smallest", beyond(smallest))
    assert funnel.items() == [2]
    assert [step.removed for step in funnel.reduction(()).steps] == [0, 1, 1]


def test_what_groups_let_in_stands_with_the_step_of_that_name() -> None:
    funnel = numbers(2, 3)
    funnel.narrow("even", odd)
    admitted = {"even": {"twos": 1}}
    assert [step.admitted for step in funnel.reduction((), admitted).steps] == [{}, {"twos": 1}]


@given(st.lists(st.integers(0, 9)), st.lists(st.integers(0, 9), max_size=3))
def test_kept_and_removed_add_up_to_the_step_before(found: list[int], limits: list[int]) -> None:
    funnel = numbers(*found)
    for most in limits:
        funnel.narrow(f"up to {most}", beyond(most))
    steps = funnel.reduction(()).steps
    assert (steps[0].kept, steps[0].removed) == (len(found), 0)
    assert all(before.kept == after.kept + after.removed for before, after in pairwise(steps))


def test_the_second_item_of_a_name_stops_everything() -> None:
    items = each_once([1, 2, 1], str)
    assert [next(items), next(items)] == [1, 2]
    with pytest.raises(Refused, match="1 occurs twice"):
        next(items)


def test_a_fingerprint_is_of_what_the_scenarios_say_in_whatever_order_they_come() -> None:
    one, two = scenario("a", text="x"), scenario("b", text="y")
    assert fingerprint([one, two]) == fingerprint([two, one])
    others = [scenario("c", text="x"), scenario("a", stratum="two", text="x"), scenario("a", text="z")]
    assert len({fingerprint([other, two]) for other in (one, *others)}) == 4
