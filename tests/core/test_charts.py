"""Geometry of the figures: places by hand, and what holds for any data."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.core.charts import (
    DOT_WIDTH,
    GUTTER,
    MARGIN,
    Mark,
    axis,
    dot_plot,
    share_bar,
    strip_plot,
)
from analysis.core.results import Estimate

FIGURES = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
SHARES = st.floats(0, 1)


def known(value: float, name: str = "figure") -> Estimate:
    return Estimate(name, value, 10)


def unknown(reason: str = "needs a value") -> Estimate:
    return Estimate("figure", None, 0, reason=reason)


def a_mark(mean: Estimate, se: Estimate, *, label: str = "gpt", is_human: bool = False) -> Mark:
    return Mark(label, is_human, mean, se)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (5.66, 7.70, "5.5 6 6.5 7 7.5 8"),  # 2.04 in five steps is 0.408, so steps of 0.5
        (1, 6, "1 2 3 4 5 6"),
        (0, 1, "0 0.2 0.4 0.6 0.8 1"),
        (0, 1.03, "0 0.25 0.5 0.75 1 1.25"),  # 0.206 a step is more than 0.2
        (-0.3, 0.3, "-0.4 -0.2 0 0.2 0.4"),
        (0, 100, "0 20 40 60 80 100"),
        (7, 7, "6.4 6.6 6.8 7 7.2 7.4 7.6"),  # a single value gets half a unit on either side
    ],
)
def test_ticks_stand_at_round_values(low: float, high: float, labels: str) -> None:
    assert [tick.label for tick in axis(low, high).ticks] == labels.split()


@given(FIGURES, FIGURES)
def test_an_axis_covers_its_data_from_the_gutter_to_the_margin(one: float, other: float) -> None:
    low, high = sorted((one, other))
    scale = axis(low, high)
    places = [tick.x for tick in scale.ticks]
    assert scale.low <= low + 1e-6
    assert scale.high >= high - 1e-6
    assert places[0] == GUTTER
    assert places[-1] == 100 - MARGIN
    assert 2 <= len(places) <= 9
    steps = [after - before for before, after in pairwise(places)]
    assert max(steps) - min(steps) < 0.01


@pytest.mark.parametrize(("low", "high"), [(2, 1), (math.nan, 1), (0, math.inf)])
def test_an_axis_needs_two_ends_in_order(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="axis"):
        axis(low, high)


def test_a_mean_stands_between_the_ends_of_its_standard_error() -> None:
    # The whiskers go from 1.9 to 5.1, so the axis from 1 to 6; the plot is 74 of 100 wide and begins at 22.
    plot = dot_plot([("Clarity", [a_mark(known(2), known(0.1)), a_mark(known(5), known(0.1), is_human=True)])])
    assert (plot.axis.low, plot.axis.high) == (1, 6)
    model, human = plot.groups[0].lanes
    assert model.x == pytest.approx(22 + 74 * 1 / 5)
    assert model.whisker == pytest.approx((22 + 74 * 0.9 / 5, 22 + 74 * 1.1 / 5))
    assert human.x == pytest.approx(22 + 74 * 4 / 5)
    assert (model.is_human, human.is_human) == (False, True)


def test_lanes_follow_each_other_under_their_headings() -> None:
    marks = [a_mark(known(1), known(0.1)), a_mark(known(2), known(0.1))]
    plot = dot_plot([("Clarity", marks), ("Evidence", marks)])
    down = [y for group in plot.groups for y in (group.y, *(lane.y for lane in group.lanes))]
    assert down == sorted(down)
    assert len(set(down)) == 6
    assert down[-1] < plot.plot_height < plot.height


def test_an_undefined_mean_keeps_its_lane_and_says_why() -> None:
    plot = dot_plot([("", [a_mark(unknown("no ratings"), unknown()), a_mark(known(3), known(0.5))])])
    lane = plot.groups[0].lanes[0]
    assert (lane.x, lane.whisker, lane.reason) == (None, None, "no ratings")
    assert plot.groups[0].lanes[1].reason is None


def test_a_mean_without_a_standard_error_has_no_whisker() -> None:
    [lane] = dot_plot([("", [a_mark(known(3), unknown())])]).groups[0].lanes
    assert lane.x is not None
    assert lane.whisker is None


def test_a_plot_of_nothing_is_still_a_plot() -> None:
    plot = dot_plot([("Clarity", [a_mark(unknown(), unknown())])])
    assert (plot.axis.low, plot.axis.high) == (0, 1)


@given(st.lists(st.lists(SHARES, max_size=30), min_size=1, max_size=4))
def test_no_dot_covers_another(groups: list[list[float]]) -> None:
    plot = strip_plot([("domain", [known(value) for value in values]) for values in groups], low=0, high=1)
    for strip, values in zip(plot.strips, groups, strict=True):
        assert [dot.x for dot in strip.dots] == pytest.approx([plot.axis.x(value) for value in sorted(values)])
        for number, dot in enumerate(strip.dots):
            for other in strip.dots[:number]:
                assert dot.y != other.y or dot.x - other.x >= DOT_WIDTH
    places = [dot.y for strip in plot.strips for dot in strip.dots]
    assert all(0 < y < plot.plot_height for y in places)


@given(st.lists(st.lists(SHARES, min_size=1, max_size=30), min_size=2, max_size=4))
def test_dots_of_one_group_stay_above_those_of_the_next(groups: list[list[float]]) -> None:
    plot = strip_plot([("domain", [known(value) for value in values]) for values in groups], low=0, high=1)
    for upper, lower in pairwise(plot.strips):
        assert max(dot.y for dot in upper.dots) < min(dot.y for dot in lower.dots)


def test_a_strip_shows_its_mean_and_leaves_undefined_estimates_out() -> None:
    # (0.2 + 0.6) / 2 = 0.4, and 0 to 1 is 74 of 100 wide from 22 on.
    estimates = [known(0.6, "HLE_02"), unknown(), known(0.2, "HLE_01")]
    [strip] = strip_plot([("HLE", estimates)], low=0, high=1).strips
    assert [dot.label for dot in strip.dots] == ["HLE_01", "HLE_02"]
    assert strip.mean_x == pytest.approx(22 + 74 * 0.4)


def test_a_strip_without_a_defined_estimate_is_empty() -> None:
    [strip] = strip_plot([("HLE", [unknown()])], low=0, high=1).strips
    assert (strip.dots, strip.mean_x) == ((), None)


def test_an_axis_grows_with_values_beyond_it() -> None:
    plot = strip_plot([("HLE", [known(1.2)])], low=0, high=1)
    assert plot.axis.high == 1.25


def test_parts_of_a_bar_follow_each_other() -> None:
    wins, ties, losses = share_bar([("wins", 6), ("ties", 0), ("losses", 2)])
    assert (wins.x, wins.width, wins.share) == (0, 75, 0.75)
    assert (ties.x, ties.width) == (75, 0)
    assert (losses.x, losses.width, losses.count) == (75, 25, 2)


def test_nothing_has_no_parts() -> None:
    assert share_bar([("wins", 0), ("losses", 0)]) == ()
