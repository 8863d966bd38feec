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
    of_eleven = Resamples(drawn.weights[:, 1:], 0.95)
    found = drawn.estimate("score", drawn.share(right, weights, CLUSTERS))
    alone = of_eleven.estimate("score", of_eleven.share(right[5:], weights[5:], CLUSTERS[5:] - 1))
    assert found == alone


def test_a_difference_counts_a_cluster_that_one_of_its_shares_has_nothing_of() -> None:
    """All wrong answers are in two stories, which the other share leaves out: these two bring the difference."""
    drawn, weights = resamples(), np.r_[np.zeros(10), np.ones(50)]
    in_two, everywhere = np.r_[np.zeros(10), np.ones(50)], np.tile([0.0, 1.0, 1.0, 1.0, 1.0], 12)
    few, many = (
        drawn.difference(
            "difference",
            drawn.share(right, weights, CLUSTERS),
            drawn.share(right, np.ones(60), CLUSTERS),
        )
        for right in (in_two, np.r_[np.zeros(10), everywhere[10:]])
    )
    assert few.value == pytest.approx(1 / 6)
    # Leaving out either story moves the difference, leaving out any other hardly does.
    whole = drawn.share(in_two, np.ones(60), CLUSTERS)
    assert len(np.unique(whole.without_each.round(9))) == 2
    assert width(few) > 0.5
    assert width(many) > 0
