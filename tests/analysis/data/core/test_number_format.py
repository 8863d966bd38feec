"""Figures as people read them."""

import pytest

from analysis.data.core.number_format import (
    estimate_text,
    interval_text,
    numeral,
    p_value,
    percentage,
    permutation_p,
    shortest,
)
from analysis.data.core.results import Estimate, Interval


@pytest.mark.parametrize(
    ("p", "permutations", "text"),
    [
        (1 / 201, 200, "p ≤ 0.005 (200 permutations)"),
        (1 / 301, 300, "p ≤ 0.004 (300 permutations)"),  # 0.00332, rounded upwards: a bound has to hold
        (2 / 201, 200, "p = 0.010 (200 permutations)"),
        (1 / 2001, 2000, "p < 0.001 (2,000 permutations)"),
    ],
)
def test_a_p_value_of_permutations_at_its_floor_is_a_bound(p: float, permutations: int, text: str) -> None:
    assert permutation_p(p, permutations) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.004, "0.00"),
        (-0.0, "0.00"),
        (-0.006, "−0.01"),
        (0.125, "0.12"),
        (1234.5, "1,234.50"),
        (-1e6, "−1,000,000.00"),
    ],
)
def test_a_number_has_a_true_minus_sign_and_zero_has_none(value: float, text: str) -> None:
    assert numeral(value) == text


def test_a_share_that_rounds_to_nothing_is_nothing() -> None:
    assert percentage(-0.0004) == "0.0\N{NO-BREAK SPACE}%"
    assert percentage(0.7444) == "74.4\N{NO-BREAK SPACE}%"


def test_a_small_p_value_is_not_called_zero() -> None:
    assert p_value(1 / 2001) == "p < 0.001"
    assert p_value(0.0429) == "p = 0.043"


def test_an_estimate_stands_with_its_interval() -> None:
    share = Estimate("preference", 0.744, 1170, interval=Interval(-0.0001, 0.8, 0.95, "bootstrap"))
    assert estimate_text(share) == "0.74 [0.00, 0.80]"
    assert estimate_text(share, is_share=True) == "74.4\N{NO-BREAK SPACE}% [0.0, 80.0]"


def test_an_interval_without_ends_is_left_out() -> None:
    alone = Estimate("w", 0.5, 3, interval=Interval(None, None, 0.95, "bootstrap", reason="undefined in 9 of 10"))
    assert estimate_text(alone, 3) == "0.500"
    assert interval_text(None) == ""


def test_an_undefined_figure_is_a_dash() -> None:
    assert estimate_text(Estimate("w", None, 1, reason="fewer than two judges")) == "–"


def test_a_p_value_too_small_for_its_digits_is_said_to_be_smaller() -> None:
    assert estimate_text(Estimate("permutation_p", 0.0004, 9), 3) == "< 0.001"
    assert estimate_text(Estimate("permutation_p", 0.0012, 9), 3) == "0.001"
    assert estimate_text(Estimate("lead", 0.0004, 9), 3) == "0.000"


def test_ends_of_a_scale_have_no_more_digits_than_they_need_and_a_true_minus_sign() -> None:
    assert [shortest(end) for end in (-3.0, 0.0, 2.5, 100.0)] == ["−3", "0", "2.5", "100"]
