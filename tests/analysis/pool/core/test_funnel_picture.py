"""The picture of what was left of sources: every number of its axis can be read, however many items there were."""

from itertools import pairwise

import matplotlib
import pytest

from analysis.sections.exhibits.counts import counts_plot
from analysis.sections.exhibits.fonts import make_faces_known
from analysis.sections.exhibits.theme import STYLE

GAP = 16.0  # pixels, at 240 to an inch: a letter


@pytest.mark.parametrize("source", ["BBQ", "Concepts of the social sciences, and questions"])
@pytest.mark.parametrize("most", [0, 1, 5, 9, 64, 999, 5_000, 58_492, 500_000, 1_000_000, 123_456_789])
def test_numbers_of_the_axis_stand_apart_and_none_is_cut_off(most: int, source: str) -> None:
    make_faces_known()
    with matplotlib.rc_context(STYLE):
        figure = counts_plot([(source, [("all rows", most), ("prompts drawn", min(most, 4))])], what="Items")
        figure.set_dpi(240)
        figure.draw_without_rendering()
        (axes,) = figure.axes
        low, high = axes.get_xlim()
        shown = [
            tick.label1
            for tick in axes.xaxis.get_major_ticks()
            if low <= tick.get_loc() <= high and tick.label1.get_text()
        ]
        boxes = [each.get_window_extent() for each in shown]
        assert len(shown) >= (2 if most > 4 else 1)
        assert shown[0].get_text() == "1"
        assert all(left.x1 + GAP <= right.x0 for left, right in pairwise(boxes))
        counts = [each.get_window_extent() for each in axes.texts]
        assert max(each.x1 for each in (*boxes, *counts)) <= figure.bbox.x1
