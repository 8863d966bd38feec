"""Panel scores as a release publishes them: what scripts for the published ones find, and what earlier ones had."""

import io
from pathlib import Path

import pandas as pd
import pytest

from analysis.data.core.study_tables import StudyTables, tables_sha256
from analysis.release.core.building import BuiltRelease
from analysis.release.core.csv_files import csv_bytes
from analysis.release.core.layout import earlier_panel_layout
from analysis.release.core.manifest import MANIFEST, manifest
from analysis.release.core.parquet_files import parquet_bytes
from analysis.release.core.reading import csv_faults, manifest_faults, read_release
from tests.analysis.release.core.releases import RUBRIC, a_study, write

PANEL = "SCRuBPanel/panel_scores"
DIMENSIONS = [dimension.key for dimension in RUBRIC.dimensions]
PUBLISHED = ["response_id", "respondent_id", "judge_model", "perspective_id", *DIMENSIONS, "abstained"]


@pytest.fixture(scope="module")
def scores(built: BuiltRelease) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(built.files[f"{PANEL}.csv"]))


def earlier(built: BuiltRelease, tables: StudyTables) -> dict[str, bytes]:
    """The files as earlier versions published them."""
    layout = earlier_panel_layout(RUBRIC)
    files = {
        **built.files,
        f"{PANEL}.csv": csv_bytes(layout, tables.panel),
        f"{PANEL}.parquet": parquet_bytes(layout, tables.panel),
    }
    del files[MANIFEST]
    return {**files, MANIFEST: manifest(files)}


def test_panel_scores_begin_with_the_published_columns_and_add_none_that_the_scripts_make(
    scores: pd.DataFrame,
) -> None:
    names = list(scores.columns)
    assert names[: len(PUBLISHED)] == PUBLISHED
    assert not {"score", "dimension"} & set(names)
    assert len(names) == len(set(names))


def test_abstentions_are_true_or_false_so_that_a_script_can_leave_them_out(scores: pd.DataFrame) -> None:
    assert scores["abstained"].dtype == bool
    long = scores[~scores["abstained"]].melt(PUBLISHED[:4], DIMENSIONS, var_name="dimension", value_name="score")
    assert len(long) == len(DIMENSIONS) * (~scores["abstained"]).sum()
    assert scores["abstained"].sum() == a_study().panel["abstained"].sum() > 0


def test_a_weak_answer_and_one_at_maximum_have_respondents_of_their_own(scores: pd.DataFrame) -> None:
    answers = a_study().answers.set_index("response_id")
    arms = answers["arm"].reindex(scores["response_id"])
    names = scores["respondent_id"].set_axis(arms)
    assert {arm: sorted(set(names[arm])) for arm in set(arms)} == {
        "human": ["W-1", "W-2"],
        "model": ["claude", "gpt"],
        "weak": ["gpt (weak)"],
        "maximum": ["gpt (maximum)"],
    }


def test_a_release_of_an_earlier_version_is_read_as_before(built: BuiltRelease, tmp_path: Path) -> None:
    tables = a_study()
    folder = write(earlier(built, tables), tmp_path)
    assert tables_sha256(read_release(folder)) == tables_sha256(tables)
    assert [*csv_faults(folder), *manifest_faults(folder)] == []
