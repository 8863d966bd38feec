from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate, FloatArray
from analysis.data.core.trials import Effort
from analysis.trials.core.halo import halo_difference, halos
from analysis.trials.core.score_table import ScoreTable, score_tables
from analysis.trials.core.trial_report import trial_report
from analysis.trials.exhibits import trial_exhibits
from tests.analysis.trials.core.worlds import world


def a_table(halo: float, seed: int) -> ScoreTable:
    """Dimensions that have nothing to do with each other but for what each evaluator adds to both."""
    (table,) = score_tables(world(scenarios=12))
    random = np.random.default_rng(seed)
    shape = table.scores["integrity"].shape
    own = halo * random.normal(size=shape)

    def scores() -> FloatArray:
        return np.asarray(random.normal(size=shape[1]) + own + 0.3 * random.normal(size=shape))

    return replace(table, scores={"integrity": scores(), "transparency": scores()})


def test_what_an_evaluator_adds_to_both_dimensions_is_halo() -> None:
    (with_halo,), (without,) = halos(a_table(1.0, 1), 0.95), halos(a_table(0.0, 1), 0.95)
    assert with_halo.halo.value is not None
    assert without.halo.value is not None
    assert with_halo.halo.value > 0.3
    assert without.halo.value == pytest.approx(0, abs=0.1)


def test_approaches_differ_in_halo_by_a_paired_difference_with_an_interval() -> None:
    found = halo_difference(a_table(1.0, 1), a_table(0.0, 2), 0.95).difference
    assert found.interval is not None
    assert found.interval.low is not None
    assert found.interval.low > 0.2


@pytest.mark.parametrize("is_known", [True, False])
def test_what_independence_costs_stands_beside_halo_where_it_is_known(is_known: bool) -> None:
    trials = world()
    apart = trials.frame.assign(approach="C")
    efforts = (Effort("C", 896, 1.75), Effort("D", 448, 1.0))
    both = replace(trials, frame=pd.concat([apart, trials.frame]), efforts=efforts if is_known else ())
    found = trial_report(both, Parameters(draws=50))
    table = next(each.table for each in trial_exhibits(found) if each.name == "trials-halo")
    assert [column.heading for column in table.columns][-2:] == ["Calls", "Cost, in $"]
    shown = [(row[0], *(isinstance(each, Estimate) and each.value for each in row[-2:])) for row in table.rows]
    known = [("C", 896, 1.75), ("D", 448, 1.0), ("C less D", 448, 0.75)]
    assert shown == (known if is_known else [(name, False, False) for name, *_ in known])
