"""Shares of clustered things: their intervals where few clusters tell."""

import numpy as np
import pytest

from analysis.benchmarks.core.cluster_shares import Resamples
from analysis.data.core.results import Estimate
from analysis.uncertainty.core.intervals import EXACT

CLUSTERS = np.repeat(np.arange(12), 5)


def resamples() -> Resamples:
    return Resamples.drawn(12, draws=400, seed=1, level=0.95)


def share(right: "np.ndarray") -> Estimate:
    drawn = resamples()
    return drawn.estimate("score", drawn.share(right, np.ones(60), CLUSTERS))


def width(found: Estimate) -> float:
    assert found.interval is not None
    assert found.interval.low is not None
    assert found.interval.high is not None
    return found.interval.high - found.interval.low


def test_a_share_of_all_has_the_exact_interval_of_as_many_clusters() -> None:
    found = share(np.ones(60))
    assert found.value == 1
    assert found.interval is not None
    assert found.interval.method == EXACT
    assert found.interval.low == pytest.approx(0.025 ** (1 / 12))


def test_an_interval_is_wider_where_one_cluster_has_all_of_the_wrong_answers() -> None:
    in_one, in_four = np.ones(60), np.ones(60)
    in_one[:4], in_four[[0, 5, 10, 15]] = 0, 0
    assert share(in_one).value == share(in_four).value
    assert width(share(in_one)) > 2 * width(share(in_four))


def test_a_cluster_without_any_weight_changes_no_interval() -> None:
    drawn, right = resamples(), np.tile([1.0, 1.0, 0.0, 1.0, 0.0], 12)
    right[::7] = 0
    weights = np.r_[np.zeros(5), np.ones(55)]
    whole = drawn.share(right, weights, CLUSTERS)
    assert np.isnan(whole.without_each[0])
    assert np.isfinite(whole.without_each[1:]).all()
