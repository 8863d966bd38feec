"""The jackknife, beside what is known of means and variances."""

import numpy as np
import pytest
from scipy import stats

from annotation.platform.core.jackknife import (
    FloatArray,
    degrees_of_squares,
    jackknife_bias,
    jackknife_degrees,
    jackknife_variance,
    skewness_of,
)

VALUES = np.random.default_rng(1).gamma(2.0, 1.5, 24)


def means_without_each(values: FloatArray) -> FloatArray:
    return np.asarray((values.sum() - values) / (values.size - 1))


def test_the_variance_of_a_mean_is_that_of_its_values_over_how_many_they_are() -> None:
    without = means_without_each(VALUES)
    assert jackknife_variance(without) == pytest.approx(VALUES.var(ddof=1) / VALUES.size)
    assert jackknife_bias(without, float(VALUES.mean())) == pytest.approx(0)


def test_the_bias_of_a_variance_over_n_is_what_division_by_n_less_1_mends() -> None:
    without = np.array([np.delete(VALUES, place).var() for place in range(VALUES.size)])
    assert VALUES.var() - jackknife_bias(without, float(VALUES.var())) == pytest.approx(VALUES.var(ddof=1))


def test_skewness_is_that_of_the_values_themselves() -> None:
    assert skewness_of(means_without_each(VALUES)) == pytest.approx(stats.skew(VALUES, bias=False))


@pytest.mark.parametrize(
    ("values", "degrees"),
    [
        (np.tile([1.0, 2.0], 10), 19),  # two values as often: nothing is as little peaked
        (np.r_[np.zeros(19), 1.0], 40 / (stats.kurtosis(np.r_[np.zeros(19), 1.0], fisher=False) - 1)),
        (np.ones(20), 19),
        (np.array([0.0, 1.0]), 1),
    ],
    ids=["even", "one alone", "constant", "two"],
)
def test_degrees_of_freedom_fall_where_a_few_bring_nearly_all(values: FloatArray, degrees: float) -> None:
    assert jackknife_degrees(means_without_each(values), values.size) == pytest.approx(degrees)


@pytest.mark.parametrize(("degrees", "number", "expected"), [(25, 26, 12.5), (4, 26, 4), (8, 9, 4), (1, 2, 1)])
def test_figures_made_of_squares_have_half_of_the_degrees_of_freedom_at_most(
    degrees: float, number: int, expected: float
) -> None:
    assert degrees_of_squares(degrees, number) == expected


def test_what_is_undefined_without_one_thing_counts_for_nothing() -> None:
    without = np.r_[means_without_each(VALUES), np.nan]
    assert jackknife_variance(without) == pytest.approx(jackknife_variance(without[:-1]))
    assert skewness_of(without) == pytest.approx(skewness_of(without[:-1]))
    assert (jackknife_variance(without[-1:]), skewness_of(without[-1:])) == (0, 0)
