"""Where prompts come from, in a report: the funnel, functional diversity and maps, worked out by hand."""

from dataclasses import replace
from typing import Any

import pytest

from analysis.data.core import study_pool
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.study_tables import StudyTables, table
from analysis.pool.core.pool_report import PoolReport, pool_report
from analysis.pool.sections import POOL
from analysis.sections.core.report import Report
from analysis.sections.exhibits.rendering import pictures
from analysis.unblinded.core.full_report import analyse
from tests.analysis.agreement.core.rankings import ends, value
from tests.analysis.data.core.judgments import judgments

FUNNEL: list[tuple[object, ...]] = [
    ("BBQ", 1, "all rows", 100, 0),
    ("BBQ", 2, "ambiguous alone", 40, 60),
    ("BBQ", 3, "prompts written", 200, 0),
    ("HLE", 1, "all questions", 30, 0),
]
# Three of ten pairs are alike by both models in one scenario, one of ten in the other: FD .7 and .9.
DIVERSITY: list[tuple[object, ...]] = [
    ("BBQ", "a", "claude", 10, 2, 20, 3, 5),
    ("BBQ", "b", "claude", 10, 2, 20, 1, 2),
    ("BBQ", "c", "claude", 10, 2, 19, 0, 0),  # one verdict is to come
    ("BBQ", "a", "claude & gpt", 25, 1, 25, 5, 5),
    ("BBQ", "b", "claude & gpt", 25, 1, 25, 0, 0),
    ("HLE", "a", "gpt", 10, 2, 20, 4, 4),
]
MAP: list[tuple[object, ...]] = [
    ("BBQ", "scenario", "a", "", None, "Age", 0.0, 0.0),
    ("BBQ", "prompt", "a", "claude", 1, "Age", 0.5, -0.25),
    ("BBQ", "prompt", "a", "gpt", 1, "Age", -1.0, 1.0),
    ("HLE", "scenario", "a", "", None, "Law", 0.0, 0.0),  # no prompts: no map
]


def tables() -> StudyTables:
    ranks = {("P1", "J1"): {"claude-1": 1, "human-1": 2}, ("P1", "J2"): {"claude-1": 2, "human-1": 1}}
    rows: dict[str, list[tuple[object, ...]]] = {
        "pool_funnel": FUNNEL,
        "pool_diversity": DIVERSITY,
        "pool_map": MAP,
    }
    pool: dict[str, Any] = {name: table(rows[name], columns) for name, columns in study_pool.COLUMNS.items()}
    return replace(StudyTables(judgments(ranks)), **pool)


def found() -> PoolReport:
    return pool_report(tables(), level=0.95)


def test_diversity_is_the_mean_over_scenarios_all_of_whose_pairs_are_compared() -> None:
    lines = {(line.source, line.generators): line for line in found().diversity}
    one = lines["BBQ", "claude"]
    assert value(one.both) == pytest.approx(0.8)
    assert (one.both.n, one.both.left_out) == (2, 1)
    assert value(one.either) == pytest.approx((0.5 + 0.8) / 2)
    low, high = ends(one.both)
    assert 0 < low < 0.8 < high < 1
    across = lines["BBQ", "claude & gpt"]
    assert across.is_across
    assert value(across.both) == pytest.approx((0.8 + 1) / 2)
    assert lines["", "gpt"].both.interval is not None
    assert lines["", "gpt"].both.interval.low is None


def test_the_funnel_and_the_maps_have_what_the_tables_have() -> None:
    report = found()
    assert [(step.source, step.kept, step.removed) for step in report.funnel] == [
        *(("BBQ", 100, 0), ("BBQ", 40, 60), ("BBQ", 200, 0)),
        ("HLE", 30, 0),
    ]
    [own] = report.maps
    assert own.source == "BBQ"
    assert {(point.generator, point.x, point.y) for point in own.points} == {
        *(("", 0.0, 0.0), ("claude", 0.5, -0.25), ("gpt", -1.0, 1.0)),
    }


def test_a_study_without_sources_of_prompts_has_no_such_section() -> None:
    assert POOL.not_applicable(type("Inputs", (), {"tables": StudyTables(tables().judgments)})())
    assert not POOL.not_applicable(type("Inputs", (), {"tables": tables()})())


def test_the_table_and_all_pictures_are_files_of_the_report() -> None:
    report: Report = analyse(tables(), parameters=Parameters(draws=0))
    exhibits = {each.name: each for each in POOL.exhibits(report[POOL], report, WHOLE)}
    assert sorted(exhibits) == ["prompts-diversity", "prompts-funnel", "prompts-map-1"]
    for each in exhibits.values():
        drawn = pictures(each)
        assert drawn["svg"].startswith(b"<?xml")
        assert drawn["png"].startswith(b"\x89PNG")
        assert drawn["pdf"].startswith(b"%PDF")
    assert len(exhibits["prompts-map-1"].table.rows) == 3
    [passage] = POOL.passages(report[POOL], report)
    assert "BBQ 100 (all rows) to 200 (prompts written)" in passage.paragraphs[0]
