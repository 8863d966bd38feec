from dataclasses import replace

import numpy as np
import pytest

from analysis.data.core.results import FloatArray
from analysis.trials.core.halo import halo_difference, halos
from analysis.trials.core.score_table import ScoreTable, score_tables
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
