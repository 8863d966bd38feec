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
    held = [Tried(0.5, low, 0.9, 0.5, False) for low in [0.1] * 24 + [0.6]]
    none = [Tried(0.5, np.nan, np.nan, 0.5, False)] * without
    trials = [{"W": one} for one in held + none]
    (found,) = coverage(trials, {}, design)
    assert found.is_good == is_good
    assert ("✗" in printed("", found)) != is_good
