"""Panel scores as a release publishes them: what scripts for the published ones find, and what earlier ones had."""

import io
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from analysis.data.core.framed import REASONS
from analysis.data.core.study_tables import StudyTables, tables_sha256
from analysis.data.core.study_trials import REASON
from analysis.release.core.building import BuiltRelease, build_release
from analysis.release.core.codebook import CODEBOOK
from analysis.release.core.csv_files import csv_bytes
from analysis.release.core.layout import earlier_panel_layout
from analysis.release.core.manifest import MANIFEST, manifest
from analysis.release.core.parquet_files import parquet_bytes
from analysis.release.core.release_folder import csv_faults, manifest_faults, read_release
from tests.analysis.release.core.releases import RUBRIC, a_study, some_facts, write

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


def without_reasons() -> StudyTables:
    """A study whose models gave scores alone."""
    tables = a_study()
    return replace(
        tables,
        panel=tables.panel.drop(columns=REASONS),
        framed_scores=tables.framed_scores.drop(columns=REASONS),
        trial_scores=tables.trial_scores.drop(columns=REASON),
    )


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


def test_reasons_stand_beside_scores_where_any_were_given_and_nowhere_else(
    scores: pd.DataFrame, built: BuiltRelease, tmp_path: Path
) -> None:
    assert set(scores["reasons"].dropna()) == {'{"holistic": "Fair."}'}
    assert tables_sha256(read_release(write(built.files, tmp_path / "with"))) == tables_sha256(a_study())
    tables = without_reasons()
    files = build_release(tables, some_facts(), k=1).files
    assert "reasons" not in pd.read_csv(io.BytesIO(files[f"{PANEL}.csv"])).columns
    assert "beside" not in files[CODEBOOK].decode()
    folder = write(files, tmp_path / "without")
    assert tables_sha256(read_release(folder)) == tables_sha256(tables)
    assert [*csv_faults(folder), *manifest_faults(folder)] == []


def test_a_release_of_an_earlier_version_is_read_as_before(built: BuiltRelease, tmp_path: Path) -> None:
    tables = replace(a_study(), panel=without_reasons().panel)
    folder = write(earlier(built, tables), tmp_path)
    assert tables_sha256(read_release(folder)) == tables_sha256(tables)
    assert [*csv_faults(folder), *manifest_faults(folder)] == []
