"""What trials of any size take, and what they can be expected to show."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data.core.trials import COLUMNS, Trials
from analysis.trials.core.conditions import contrasts, equivalence_p
from analysis.trials.core.score_table import score_tables
from analysis.trials.core.sizing import Asked, half_width, power_of_difference, power_of_equality, size
from analysis.trials.core.spread import spreads
from tests.analysis.trials.core.worlds import BASELINE, DESIGN, world

FOUR_WAYS = {"A": 1, "B": 1, "C": 2, "D": 1}


def test_the_protocols_validation_takes_2100_calls_of_evaluators() -> None:
    found = size(Asked(cases=14, conditions=6, evaluators=5, calls=FOUR_WAYS, score_price=0.01, seconds=6))
    assert found.answers == 84
    assert dict(found.calls) == {"A": 420, "B": 420, "C": 840, "D": 420}
    assert found.evaluations == 2100
    assert [found.cost, found.model_hours] == pytest.approx([21.0, 2184 * 6 / 3600])


def test_controls_repeats_and_people_are_counted() -> None:
    asked = Asked(
        cases=3, conditions=2, evaluators=2, calls={"D": 1}, controls=1, answers=2, repeats=3, ratings=2,
        answer_price=0.1, minutes=10,
    )  # fmt: skip
    found = size(asked)
    # 3 × 2 × 2 answers and 3 controls; each scored thrice by two; six judgments of ten minutes.
    assert (found.answers, found.controls, found.evaluations, found.people_hours) == (15, 3, 90, 1.0)
    assert found.cost == pytest.approx(1.5)


def test_with_the_numbers_that_there_were_the_expected_spread_is_the_one_found() -> None:
    trials = world()
    (table,) = score_tables(trials)
    found = {each.dimension: each for each in spreads(table, trials, DESIGN)}
    for dimension in table.dimensions:
        seen = [each.sd.value or 0.0 for each in contrasts(table, DESIGN, 0.95) if each.dimension == dimension]
        expected = found[dimension].sd(models=2, evaluators=4) ** 2
        assert expected == pytest.approx(np.mean(np.square(seen)))  # pooled over conditions
    assert found["integrity"].repeat.reason == "no evaluator scored an answer twice"


def test_where_scenarios_differ_no_more_than_their_cases_all_cases_have_one_spread() -> None:
    rows = [
        (
            *(f"{scenario}/{model}/{condition}", f"s{scenario}", f"m{model}", condition, "D", evaluator, ""),
            *("integrity", 70.0 + (condition == "harm") * (5 if model else -5), ""),
        )
        for scenario, model, condition, evaluator in product(range(4), range(2), (BASELINE, "harm"), "xy")
    ]
    trials = Trials(pd.DataFrame(rows, columns=list(COLUMNS)), {}, DESIGN)
    (table,) = score_tables(trials)
    [found] = spreads(table, trials, DESIGN)
    assert (found.scenario.value, found.evaluator.value) == (0, 0)
    assert found.case.value == pytest.approx(np.var([5, -5] * 4, ddof=1))


def test_the_parts_of_the_spread_are_found_again_and_more_of_each_narrows_what_it_can() -> None:
    random = np.random.default_rng(3)
    rows = []
    by_scenario = random.normal(0, 3, 300)
    for scenario, model, condition in product(range(300), range(2), (BASELINE, "harm")):
        of_case = random.normal(0, 2)
        for evaluator in range(4):
            noise = random.normal(0, 4)
            for replicate in range(2):
                value = (
                    70
                    + (by_scenario[scenario] if condition == "harm" else 0)
                    + of_case
                    + noise
                    + random.normal(0, 1)
                )
                answer = f"{scenario}/{model}/{condition}"
                rows.append(
                    (
                        *(answer, f"s{scenario}", f"m{model}", condition, "D", f"e{evaluator}", str(replicate)),
                        *("integrity", value, ""),
                    )
                )
    trials = Trials(pd.DataFrame(rows, columns=list(COLUMNS)), {}, DESIGN)
    (table,) = score_tables(trials)
    [found] = spreads(table, trials, DESIGN)
    assert found.case.value == pytest.approx(2 * 4, rel=0.3)
    assert found.evaluator.value == pytest.approx(2 * 16, rel=0.15)
    assert found.repeat.value == pytest.approx(2 * 1, rel=0.1)
    assert found.scenario.value == pytest.approx(9, rel=0.3)
    now = found.sd(models=2, evaluators=4, repeats=2)
    assert found.sd(models=4, evaluators=4, repeats=2) < found.sd(models=2, evaluators=8, repeats=2) < now
    assert found.sd(models=2, evaluators=4, repeats=1) > now


def test_chances_are_those_of_simulated_studies() -> None:
    random = np.random.default_rng(11)
    sd, scenarios = 5.0, 12
    drawn = random.normal(0, sd, (20_000, scenarios))
    equal = [equivalence_p(float(row.mean()), float(row.std(ddof=1)), scenarios, 5.0) < 0.05 for row in drawn]
    assert power_of_equality(sd, scenarios, 5.0, 0.95) == pytest.approx(np.mean(equal), abs=0.03)
    p = stats.ttest_1samp(drawn + 5.0, 0.0, axis=1).pvalue * 5
    chance = power_of_difference(sd, scenarios, 5.0, tests=5, level=0.95)
    assert chance == pytest.approx((p < 0.05).mean(), abs=0.02)
    assert half_width(sd, scenarios, 0.95) == pytest.approx(stats.t.ppf(0.975, 11) * sd / np.sqrt(12))
