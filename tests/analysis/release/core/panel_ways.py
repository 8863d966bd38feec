"""A study whose panel was asked in chosen ways, and its release as earlier versions published it."""

import io
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import get_args

import pandas as pd

from analysis.data.core import study_pool
from analysis.data.core.framed import REASONS
from analysis.data.core.study_tables import StudyTables
from analysis.release.core.building import build_release
from analysis.release.core.columns import Layout
from analysis.release.core.csv_files import csv_bytes
from analysis.release.core.manifest import MANIFEST, manifest
from analysis.release.core.panel_layouts import other_ways_layout, panel_layout, together
from analysis.release.core.parquet_files import parquet_bytes
from generation.calls.models import GenerationRun
from generation.panel.core.panel import Mode
from tests.analysis.release.core.releases import RUBRIC, a_study, some_facts

OTHER_WAYS = "SCRuBPanel/panel_scores_other_ways"
DIMENSIONS = [dimension.key for dimension in RUBRIC.dimensions]
ALL_WAYS = [*product(get_args(Mode), GenerationRun.Presentation.values)]
SOME_WAYS = [
    ALL_WAYS,
    [way for way in ALL_WAYS if way != ("per_dimension", "alone")],
    *([way] for way in ALL_WAYS),
    [],
]


def in_files(files: Mapping[str, bytes], tables: Mapping[Layout, pd.DataFrame]) -> dict[str, bytes]:
    """The files with these tables in place of their own, or without the panel's other table where it is in none,
    all sums made anew.
    """
    kept = {name: content for name, content in files.items() if OTHER_WAYS not in name and name != MANIFEST}
    for layout, frame in tables.items():
        kept[f"{layout.stem}.csv"] = csv_bytes(layout, frame)
        kept[f"{layout.stem}.parquet"] = parquet_bytes(layout, frame)
    return {**kept, MANIFEST: manifest(kept)}


def earlier(tables: StudyTables, layout: Layout) -> dict[str, bytes]:
    """The study's release as earlier versions published it: however the panel was asked, in one table. The first of
    them named models alike in every arm.
    """
    files = build_release(tables, some_facts(), k=1).files
    scores, others = (
        pd.read_parquet(io.BytesIO(files[f"{each(RUBRIC).stem}.parquet"]))
        for each in (panel_layout, other_ways_layout)
    )
    panel = tables.panel if "score" in layout.names else together(scores, others)
    named = panel.assign(overall_score=panel["score"])
    return in_files(files, {layout.having(named.columns): named})


def asked_in(*ways: tuple[str, str]) -> StudyTables:
    """The study, asked in these ways alone: modes and presentations, some as each judge saw the answers. Every way
    has the same answers, judge models and perspectives, those with dimensions the same scores.
    """
    tables = a_study()
    of_one = tables.panel[(tables.panel["mode"] == "per_dimension") & (tables.panel["presentation"] == "alone")]
    parts = [tables.panel[:0]]
    for mode, presentation in ways:
        for judge in ("J-1", "J-2") if presentation == "as_judged" else ("",):
            part = of_one.assign(mode=mode, presentation=presentation, judge_id=judge)
            if mode in ("holistic", "no_rubric"):
                part = part.assign(score=7.0, **dict.fromkeys(DIMENSIONS, float("nan")))
            parts.append(part.assign(mentioned=DIMENSIONS[0] if mode == "inferred" else ""))
    panel = pd.concat(parts, ignore_index=True)
    panel = panel if ways else panel.drop(columns=REASONS)
    # Without what is drawn, which takes most of the time.
    pool = {name: getattr(tables, name)[:0] for name in study_pool.ORDER}
    return replace(tables, panel=panel, **pool)
