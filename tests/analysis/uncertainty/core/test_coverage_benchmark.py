"""The benchmark of intervals: what it asks of them."""

import numpy as np
import pytest

from benchmarks.coverage import Tried, coverage, printed
from benchmarks.support.simulated_studies import Design


@pytest.mark.parametrize(
    ("design", "without", "is_good"),
    [
        (Design(9, 15, 5), 20, True),
        (Design(26, 15, 5), 0, True),
        (Design(26, 15, 5), 1, False),
        (Design(30, 45, 10), 20, False),
    ],
    ids=str,
)
def test_a_figure_without_an_interval_is_good_in_small_studies_alone(
    design: Design, without: int, is_good: bool
) -> None:
    held = [Tried(0.5, low, 0.9, 0.5) for low in [0.1] * 24 + [0.6]]
    none = [Tried(0.5, np.nan, np.nan, 0.5)] * without
    trials = [{"W": one} for one in held + none]
    (found,) = coverage(trials, {}, design)
    assert found.is_good == is_good
    assert ("✗" in printed("", found)) != is_good


@pytest.mark.parametrize(("values", "is_good"), [(20, True), (21, False), (400, False)])
def test_intervals_of_figures_with_few_values_alone_may_hold_too_often(values: int, is_good: bool) -> None:
    # A value is found in 5.25 % of 400 studies if there are 19 of them, or in 5 % of 20 and fewer of more.
    trials = [{"led": Tried(number % (values - 1) / values, 0.0, 1.0, 0.5)} for number in range(400)]
    (found,) = coverage(trials, {}, Design(9, 15, 5))
    assert (found.holds, found.is_few, found.is_good) == (1, is_good, is_good)
