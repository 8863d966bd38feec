"""Who answers which scenario."""

from collections import Counter

from generation.trials.core.cases import allot_cases
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
