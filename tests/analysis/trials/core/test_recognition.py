"""How well judges name the framework behind an answer."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.data.core.parameters import Parameters
from analysis.data.core.trials import GUESSES
from analysis.trials.core.recognition import EVERY, Recognised
from analysis.trials.core.trial_report import trial_report
from tests.analysis.trials.core.worlds import CONDITIONS, world


def found(rows: list[tuple[str, str, str]]) -> dict[str, Recognised]:
    trials = replace(world(scenarios=2), guesses=pd.DataFrame(rows, columns=list(GUESSES)))
    return {each.condition: each for each in trial_report(trials, Parameters(draws=50)).recognised}


def test_the_index_is_1_where_all_are_right_and_0_where_guesses_are_drawn_or_nobody_knows() -> None:
    right = found([(judge, name, name) for judge in ("x", "y") for name in CONDITIONS])
    assert {each.index.value for each in right.values()} == {1.0}
    nobody = found([(judge, name, "unknown") for judge in ("x", "y") for name in CONDITIONS])
    assert (nobody[EVERY].index.value, nobody[EVERY].unknown.value) == (0.0, 1.0)
    random = np.random.default_rng(2)
    drawn = found(
        [
            (f"j{judge}", name, str(random.choice(CONDITIONS)))
            for judge in range(30)
            for name in CONDITIONS
            for _ in range(4)
        ]
    )
    index = drawn[EVERY].index
    assert index.value == pytest.approx(0, abs=0.06)
    assert index.interval
    assert index.interval.holds(0.0)


def test_no_interval_of_the_index_leaves_what_is_possible() -> None:
    """All guesses wrong are worth −1/5 among six conditions."""
    after = dict(zip(CONDITIONS, (*CONDITIONS[1:], CONDITIONS[0]), strict=True))
    rows = [
        (judge, name, "unknown" if judge == "x" else after[name])
        for judge in ("x", "y", "z")
        for name in CONDITIONS
    ]
    index = found(rows)[EVERY].index
    assert index.value == pytest.approx(-2 / 3 / 5)
    assert index.interval
    assert not index.interval.holds(-1 / 5 - 0.01)


def test_each_condition_says_what_it_is_most_often_taken_for() -> None:
    rows = [("x", "harm", "justice"), ("y", "harm", "justice"), ("y", "harm", "harm"), ("x", "justice", "unknown")]
    guessed = found(rows)
    assert guessed["harm"].taken_for == "justice"
    assert guessed["harm"].right.value == pytest.approx(1 / 3)
    assert guessed["harm"].index.value == pytest.approx(1 / 3 - 2 / 3 / 5)  # among six conditions
    assert guessed["justice"].taken_for == ""
    assert "order" not in guessed


def test_without_guesses_nothing_is_said() -> None:
    assert trial_report(world(scenarios=2), Parameters(draws=50)).recognised == ()
