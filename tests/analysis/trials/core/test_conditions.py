import numpy as np
import pytest
from scipy import stats

from analysis.data.core.parameters import Parameters
from analysis.trials.core.conditions import DIFFERENT, EQUAL, OPEN, contrasts, difference_p, equivalence_p
from analysis.trials.core.score_table import score_tables
from tests.analysis.trials.core.worlds import BASELINE, DESIGN, world

DIFFERENCES = np.array([-1.5, 0.5, 2.0, -0.5, 1.0, -2.5, 3.0, 0.0])


def test_equivalence_and_difference_are_those_of_scipys_t_tests() -> None:
    mean, sd, n = float(DIFFERENCES.mean()), float(DIFFERENCES.std(ddof=1)), DIFFERENCES.size
    lower = stats.ttest_1samp(DIFFERENCES, -3.0, alternative="greater").pvalue
    upper = stats.ttest_1samp(DIFFERENCES, 3.0, alternative="less").pvalue
    assert equivalence_p(mean, sd, n, 3.0) == pytest.approx(max(lower, upper))
    assert difference_p(mean, sd, n) == pytest.approx(stats.ttest_1samp(DIFFERENCES, 0.0).pvalue)


def test_scenarios_without_spread_are_equal_within_the_margin_and_no_further() -> None:
    assert (equivalence_p(0.0, 0.0, 5, 5.0), equivalence_p(6.0, 0.0, 5, 5.0)) == (0.0, 1.0)


def test_a_fall_beyond_the_margin_is_different_and_few_scenarios_leave_all_open() -> None:
    (table,) = score_tables(world(falls=8.0))
    found = {(each.dimension, each.condition): each for each in contrasts(table, DESIGN, Parameters().level)}
    assert found["integrity", "order"].verdict == DIFFERENT
    assert found["integrity", "harm"].verdict == EQUAL
    assert found["transparency", "harm"].verdict == DIFFERENT
    rows = table.answers
    scores = np.nanmean(table.scores["integrity"], axis=0)
    by_hand = [
        scores[((rows["scenario"] == s) & (rows["condition"] == "order")).to_numpy()].mean()
        - scores[((rows["scenario"] == s) & (rows["condition"] == BASELINE)).to_numpy()].mean()
        for s in rows["scenario"].unique()
    ]
    theirs = stats.ttest_1samp(by_hand, 0.0).confidence_interval()
    interval = found["integrity", "order"].difference.interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((theirs.low, theirs.high))
    (few,) = score_tables(world(scenarios=2))
    assert {each.verdict for each in contrasts(few, DESIGN, 0.95) if each.dimension == "integrity"} == {OPEN}
