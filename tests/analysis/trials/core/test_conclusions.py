import numpy as np
import pandas as pd
import pytest

from analysis.trials.core.conclusions import DEGENERATE, NO_CODES, conclusions, corrected_v


def answers(*rows: tuple[str, str, str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["scenario", "model", "condition", "conclusion"])


def test_conditions_that_decide_what_is_recommended_are_found_and_repeats_stand_beside() -> None:
    frame = answers(
        *(
            (f"s{s}", f"m{m}", c, f"{c}{s}")
            for s in range(4)
            for m in range(3)
            for c in "ab"
            for _repeat in range(2)
        )
    )
    found = conclusions(frame, draws=500, seed=1)
    # By case 2 × 2 pairs of conditions, all different, and two pairs of repeats, all alike.
    assert (found.differ.value, found.differ.n) == (1.0, 48)
    assert (found.repeats.value, found.repeats.n) == (0.0, 24)
    assert found.chi_squared.value == pytest.approx(4 * 12)  # n in each scenario's 2 × 2 table
    assert found.p.value == pytest.approx(1 / 501)


def test_one_case_of_a_scenario_with_one_answer_a_condition_is_degenerate_and_that_is_said() -> None:
    found = conclusions(answers(*(("s", "m", c, c) for c in "abc")), draws=100, seed=1)
    assert (found.p.value, found.p.reason) == (None, DEGENERATE)
    assert found.differ.value == 1.0


def test_uncoded_answers_are_left_out_and_counted() -> None:
    found = conclusions(answers(("s", "m", "a", ""), ("s", "m", "b", "")), draws=100, seed=1)
    assert (found.differ.reason, found.differ.left_out) == (NO_CODES, 2)


def test_corrected_v_follows_bergsmas_formula_step_by_step() -> None:
    table = np.array([[20.0, 5.0, 5.0], [4.0, 18.0, 8.0]])
    n, expected = 60.0, np.outer(table.sum(axis=1), table.sum(axis=0)) / 60
    phi = ((table - expected) ** 2 / expected).sum() / n - (1 * 2) / (n - 1)
    rows, columns = 2 - 1 / (n - 1), 3 - 4 / (n - 1)
    assert corrected_v(table) == pytest.approx(np.sqrt(phi / (min(rows, columns) - 1)))
    assert corrected_v(np.full((2, 2), 10.0)) == 0.0
