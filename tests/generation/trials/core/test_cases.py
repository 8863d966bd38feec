"""Who answers which scenario."""

from collections import Counter

import pytest

from generation.trials.core.cases import allot_cases, left_unjudged
from generation.trials.core.scenarios import EXAMPLES

SCENARIOS = [(each.key, each.is_new) for each in EXAMPLES]


def test_the_examples_make_fourteen_cases_of_which_models_take_about_as_many_each() -> None:
    cases = allot_cases(SCENARIOS, ["a", "b", "c", "d"], per_new=2, per_known=1, seed=42)
    assert len(cases) == 14
    assert len({(case.scenario, case.model) for case in cases}) == 14
    taken = Counter(case.model for case in cases).values()
    assert max(taken) - min(taken) <= 1
    assert [case.code for case in cases] == [f"CASE_{number:02}" for number in range(1, 15)]


def test_codes_follow_neither_scenarios_nor_models() -> None:
    cases = allot_cases(SCENARIOS, ["a", "b"], per_new=2, per_known=2, seed=42)
    order = [SCENARIOS.index(next(each for each in SCENARIOS if each[0] == case.scenario)) for case in cases]
    assert order != sorted(order)
    assert [case.model for case in cases] != sorted(case.model for case in cases)
    other = allot_cases(SCENARIOS, ["a", "b"], per_new=2, per_known=2, seed=43)
    assert [(case.scenario, case.model) for case in cases] != [(case.scenario, case.model) for case in other]


def test_fewer_models_than_wanted_take_a_scenario_each_once() -> None:
    assert len(allot_cases(SCENARIOS, ["a"], per_new=2, per_known=1, seed=1)) == 8


@pytest.mark.parametrize(
    ("in_an_item", "ratings", "said"),
    [
        (6, 1, ""),
        (1, 0, ""),
        (1, 6, ""),
        (1, 12, ""),
        (1, 2, "of each case nobody judges 4 answers. Ask for 6 ratings"),
        (1, 5, "of each case nobody judges 1 answer. Ask for 6 ratings"),
        (4, 5, "of each case nobody judges the other 2. Show 6 model answers"),
        (8, 5, "judging cannot open. Show 6 model answers in an item, or 1"),
    ],
)
def test_answers_that_nobody_would_judge_are_told_with_what_to_do(in_an_item: int, ratings: int, said: str) -> None:
    found = left_unjudged(6, in_an_item=in_an_item, ratings=ratings)
    assert said in found if said else not found
