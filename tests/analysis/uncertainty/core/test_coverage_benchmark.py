"""The benchmark of intervals: what it asks of them."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.coverage import Kept
from benchmarks.intervals.coverage_cells import DESIGNS_OF, GIVEN, Cell, Tried
from benchmarks.intervals.coverage_table import Coverage, brief, coverage, printed
from benchmarks.intervals.simulated_studies import Design
from benchmarks.intervals.tried_framing import AT_ONCE


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
    (found,) = coverage(trials, {}, Cell(design, "normal", "default"))
    assert found.is_good == is_good
    assert ("✗" in printed("", found)) != is_good


@pytest.mark.parametrize(("values", "is_good"), [(20, True), (21, False), (400, False)])
def test_intervals_of_figures_with_few_values_alone_may_hold_too_often(values: int, is_good: bool) -> None:
    # A value is found in 5.25 % of 400 studies if there are 19 of them, or in 5 % of 20 and fewer of more.
    trials = [{"led": Tried(number % (values - 1) / values, 0.0, 1.0, 0.5)} for number in range(400)]
    (found,) = coverage(trials, {}, Cell(Design(9, 15, 5), "normal", "default"))
    assert (found.holds, found.is_few, found.is_good) == (1, is_good, is_good)


def test_what_was_tried_is_kept_study_by_study_and_a_line_that_was_cut_goes(tmp_path: Path) -> None:
    cell, kept = Cell(Design(9, 15, 5), "near the ceiling", "paper"), Kept(tmp_path, draws=200, seed=1)
    kept.add(cell, {0: {"W": Tried(0.5, 0.4, 0.6, 0.5)}, 3: {"W": Tried(np.nan, np.nan, np.nan, 0.5)}})
    [file] = tmp_path.iterdir()
    file.write_text(file.read_text() + '{"study": 4, "dr')
    assert sorted(Kept(tmp_path, draws=200, seed=1).trials(cell)) == [0, 3]
    kept.add(cell, {1: {"W": Tried(0.1, 0.0, 0.2, 0.5)}})
    found = kept.trials(cell)
    assert sorted(found) == [0, 1, 3]
    assert found[0] == {"W": Tried(0.5, 0.4, 0.6, 0.5)}
    assert np.isnan(found[3]["W"].value)
    assert not kept.trials(Cell(cell.design, cell.generator, "default"))


def test_studies_tried_with_other_resamples_are_not_counted_together(tmp_path: Path) -> None:
    cell = Cell(Design(9, 15, 5), "normal", "default")
    Kept(tmp_path, draws=200, seed=1).add(cell, {0: {}})
    with pytest.raises(SystemExit, match="tried with 200 resamples and seed 1"):
        Kept(tmp_path, draws=2000, seed=1).trials(cell)


def test_the_documentations_table_has_the_range_over_generators_and_the_worst_side() -> None:
    small, large = Design(9, 15, 5), Design(26, 15, 5)

    def held(figure: str, above: float, below: float, has: float = 1.0) -> Coverage:
        return Coverage(figure, 0.5, has, 1 - above - below, above, below, 0.1, is_few=False, is_sure=False)

    found = {
        Cell(small, "normal", "default"): [held("W", 0.02, 0.03), held("ν", np.nan, np.nan, has=0)],
        Cell(small, "unlike judges", "default"): [held("W", 0.041, 0.01), held("ν", np.nan, np.nan, has=0)],
        Cell(large, "normal", "default"): [held("W", 0.02, 0.02), held("ν", 0.01, 0.03)],
    }
    assert list(brief(found)) == [
        "default:",
        "| Figure | 9×15×5 | 26×15×5 |",
        "|---|---|---|",
        "| W | 95, 4.1 ✗ | 96, 2.0 |",
        "| ν | no interval | 96, 3.0 |",
    ]


def test_figures_that_are_compared_at_once_are_missed_where_any_of_them_is() -> None:
    cell, names = Cell(Design(26, 3, 3), "normal", "framing"), (f"{AT_ONCE}: level", f"{AT_ONCE}: gap")
    held, above, below = Tried(0.5, 0.4, 0.6, 0.5), Tried(0.7, 0.6, 0.8, 0.5), Tried(0.3, 0.2, 0.4, 0.5)
    pairs = [(held, held)] * 16 + [(above, held), (held, below), (above, below), (above, above)]
    trials = [{"Δ": held, **dict(zip(names, pair, strict=True))} for pair in pairs]
    alone, at_once = coverage(trials, {}, cell)
    assert (alone.figure, alone.holds) == ("Δ", 1)
    assert at_once.figure == AT_ONCE
    assert (at_once.holds, at_once.above, at_once.below) == pytest.approx((0.8, 0.15, 0.1))


@pytest.mark.parametrize("kind", GIVEN)
def test_what_given_raters_say_has_intervals_about_what_large_populations_show(kind: str, tmp_path: Path) -> None:
    cell, kept = Cell(DESIGNS_OF[kind][1], "normal", kind), Kept(tmp_path, draws=100, seed=1)
    found = cell.trial(1, **kept.asked)
    true = kept.true_of_all(cell, processes=1, populations=1)
    assert found.keys() == true.keys()
    for name, tried in found.items():
        assert tried.low < tried.value < tried.high, name
        # Of one population the truth is known roughly: an interval wider by its own width on either side holds it.
        assert 2 * tried.low - tried.high < true[name] < 2 * tried.high - tried.low, name
