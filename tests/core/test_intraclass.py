import dataclasses
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.core.intraclass import RaterPairs, intraclass_correlations
from tests.core.rankings import NAN, ends, ranking, value, why_no_interval

# Six targets by four judges: Shrout and Fleiss (1979), table 2.
SHROUT_FLEISS = ranking([9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7])


def test_of_the_worked_example_of_shrout_and_fleiss():
    # Mean squares: between targets 11.24, within 6.26, between judges 32.49, residual 1.02.
    found = intraclass_correlations(SHROUT_FLEISS)
    assert [
        round(value(estimate), 2)
        for estimate in (
            found.one_way,
            found.random,
            found.fixed,
            found.one_way_mean,
            found.random_mean,
            found.fixed_mean,
        )
    ] == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    assert found.one_way.n == 6


def test_intervals_of_the_worked_example():
    # As psych's ICC prints them: one rating, then the mean of four.
    found = intraclass_correlations(SHROUT_FLEISS)
    for estimate, low, high in (
        (found.one_way, -0.13, 0.72),
        (found.random, 0.02, 0.76),
        (found.fixed, 0.34, 0.95),
        (found.one_way_mean, -0.88, 0.91),
        (found.random_mean, 0.07, 0.93),
        (found.fixed_mean, 0.68, 0.99),
    ):
        assert tuple(round(end, 2) for end in ends(estimate)) == (low, high)


@given(arrays(float, (5, 3), elements=st.integers(1, 9).map(float)))
def test_the_levels_of_fixed_raters_do_not_count(ratings):
    here = intraclass_correlations(ratings).fixed
    there = intraclass_correlations(ratings + np.array([0, 5, -3])).fixed
    assume(here.value is not None and there.value is not None)
    assert there.value == pytest.approx(here.value, abs=1e-9)


@given(arrays(float, (6, 4), elements=st.integers(1, 9).map(float)))
def test_estimates_lie_in_their_intervals(ratings):
    found = intraclass_correlations(ratings)
    for estimate in (found.one_way, found.fixed, found.one_way_mean, found.fixed_mean):
        if estimate.value is not None and not why_no_interval(estimate):
            low, high = ends(estimate)
            assert low - 1e-9 <= estimate.value <= high + 1e-9


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (ranking([1, 2, 3]), "fewer than two targets"),
        (ranking([1], [2]), "fewer than two raters"),
        (ranking([1, 2], [2, NAN]), "the raters did not rate the same targets"),
        (ranking([3, 3], [3, 3]), "all ratings are equal"),
    ],
)
def test_undefined_says_why(ratings, reason):
    found = intraclass_correlations(ratings)
    assert {found.random.reason, found.fixed_mean.reason, found.one_way.reason} == {reason}


def test_perfect_agreement_has_no_interval_and_says_why():
    found = intraclass_correlations(ranking([1, 1], [2, 2], [4, 4]))
    assert (found.one_way.value, found.random.value, found.fixed_mean.value) == (1, 1, 1)
    assert why_no_interval(found.fixed) == "the raters agree perfectly"
    assert why_no_interval(found.random)


def test_targets_that_do_not_differ_leave_the_mean_undefined():
    # Both targets have the mean 2, judges the means 2 and 2: nothing between targets.
    found = intraclass_correlations(ranking([1, 3], [3, 1]))
    assert found.fixed_mean.reason == "the targets do not differ"
    assert math.isfinite(value(found.fixed))


class TestRaterPairs:
    RATINGS = np.random.default_rng(3).normal(size=(6, 4)) + np.arange(6)[:, None] + np.arange(4)

    def test_give_the_same_coefficients(self):
        found = RaterPairs.of(self.RATINGS.T[None]).coefficients(np.ones((1, 1, 4)))
        oracle = intraclass_correlations(self.RATINGS)
        assert {name: values[0, 0] for name, values in found.items()} == {
            each.name: pytest.approx(value(getattr(oracle, each.name))) for each in dataclasses.fields(oracle)
        }

    def test_leave_out_targets_that_a_rater_did_not_rate(self):
        gap = np.vstack([self.RATINGS, [1, 2, NAN, 4]])
        one, other = (RaterPairs.of(each.T[None]).coefficients(np.ones((1, 1, 4))) for each in (gap, self.RATINGS))
        assert one["random"] == pytest.approx(other["random"])

    def test_a_rater_drawn_twice_does_not_agree_with_itself(self):
        # Raters 0 and 1 alone, however often they were drawn: as of the two of them.
        drawn = RaterPairs.of(self.RATINGS.T[None]).coefficients(ranking([[3, 1, 0, 0]]))
        two = intraclass_correlations(self.RATINGS[:, :2])
        assert [drawn[name][0] for name in ("random", "fixed")] == pytest.approx(
            [value(two.random), value(two.fixed)]
        )

    @pytest.mark.parametrize("weights", [[4, 0, 0, 0], [0, 0, 0, 0]])
    def test_are_undefined_of_one_rater(self, weights):
        drawn = RaterPairs.of(self.RATINGS.T[None]).coefficients(ranking([weights]))
        assert all(np.isnan(values).all() for values in drawn.values())
