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
from analysis.release.core.panel_layouts import earlier_panel_layouts, other_ways_layout, panel_layout
from analysis.release.core.release_folder import (
    ReleaseFolderError,
    csv_faults,
    manifest_faults,
    read_release,
    row_faults,
)
from tests.analysis.release.core.panel_ways import ALL_WAYS, OTHER_WAYS, SOME_WAYS, asked_in, earlier, in_files
from tests.analysis.release.core.releases import RUBRIC, a_study, some_facts, write

PANEL = "SCRuBPanel/panel_scores"
KEY = ["response_id", "judge_model", "perspective_id"]
DIMENSIONS = [dimension.key for dimension in RUBRIC.dimensions]
PUBLISHED = ["response_id", "respondent_id", "judge_model", "perspective_id", *DIMENSIONS, "abstained"]


@pytest.fixture(scope="module")
def scores(built: BuiltRelease) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(built.files[f"{PANEL}.csv"]))


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


@pytest.mark.parametrize("ways", SOME_WAYS, ids=lambda ways: " ".join(map("-".join, ways)) or "none")
def test_panel_scores_have_one_row_for_an_answer_a_judge_model_and_a_perspective_however_a_panel_was_asked(
    ways: list[tuple[str, str]], tmp_path: Path
) -> None:
    """A script that averages over rows counts none twice, and no row without scores by dimension."""
    tables = asked_in(*ways)
    files = build_release(tables, some_facts(), k=1).files
    scores, others = (pd.read_csv(io.BytesIO(files[f"{stem}.csv"])) for stem in (PANEL, OTHER_WAYS))
    assert not scores.duplicated(KEY).any()
    assert scores[DIMENSIONS].notna().all(axis=None)
    is_published = ("per_dimension", "alone") in ways
    assert len(scores) == (is_published and len(asked_in(("per_dimension", "alone")).panel))
    assert len(scores) + len(others) == len(tables.panel)
    assert {*zip(others["mode"], others["presentation"], strict=True)} == {*ways} - {("per_dimension", "alone")}
    folder = write(files, tmp_path)
    assert tables_sha256(read_release(folder)) == tables_sha256(tables)
    assert [*csv_faults(folder), *manifest_faults(folder), *row_faults(folder)] == []


def test_the_other_ways_have_the_columns_of_panel_scores_and_those_that_tell_the_ways_apart(
    scores: pd.DataFrame, built: BuiltRelease
) -> None:
    others = pd.read_csv(io.BytesIO(built.files[f"{OTHER_WAYS}.csv"]))
    more = {"overall_score", "mode", "presentation", "judge_id", "mentioned"}
    assert set(others.columns) == {*scores.columns} | more
    assert not more & {*scores.columns}
    assert list(others.columns)[: len(PUBLISHED)] == PUBLISHED
    assert not {"score", "dimension"} & {*others.columns}


def test_a_reply_that_stands_twice_in_the_published_way_is_refused() -> None:
    tables = asked_in(("per_dimension", "alone"))
    doubled = replace(tables, panel=pd.concat([tables.panel, tables.panel.head(1).assign(judge_family="another")]))
    with pytest.raises(ValueError, match="panel_scores: two rows have the same response_id, judge_model, persp"):
        build_release(doubled, some_facts(), k=1)


@pytest.mark.parametrize("name", ["judge_id", "mentioned", "score"])
def test_what_panel_scores_has_no_column_for_is_published_all_the_same(name: str, tmp_path: Path) -> None:
    tables = asked_in(("per_dimension", "alone"))
    tables.panel.loc[0, name] = 7.0 if name == "score" else "J-1"
    folder = write(build_release(tables, some_facts(), k=1).files, tmp_path)
    assert tables_sha256(read_release(folder)) == tables_sha256(tables)


def test_a_table_in_which_two_rows_have_one_key_is_told(built: BuiltRelease, tmp_path: Path) -> None:
    layout, others = panel_layout(RUBRIC), other_ways_layout(RUBRIC)
    twice = {
        each: pd.read_parquet(io.BytesIO(built.files[f"{each.stem}.parquet"])).pipe(
            lambda frame: pd.concat([frame, frame.head(1)])
        )
        for each in (layout, others)
    }
    folder = write(in_files(built.files, twice), tmp_path)
    assert row_faults(folder) == [
        f"{folder / each.stem} has two rows with the same {', '.join(each.order)}." for each in (layout, others)
    ]


def test_a_row_of_the_published_way_that_stands_among_the_others_is_told(
    built: BuiltRelease, tmp_path: Path
) -> None:
    """There a script for panel scores does not find it."""
    layout, others = panel_layout(RUBRIC), other_ways_layout(RUBRIC)
    frames = {each: pd.read_parquet(io.BytesIO(built.files[f"{each.stem}.parquet"])) for each in (layout, others)}
    moved = (
        frames[layout]
        .head(1)
        .assign(mode="per_dimension", presentation="alone", judge_id="", mentioned="", overall_score=float("nan"))
    )
    hidden = {layout: frames[layout][1:], others: pd.concat([frames[others], moved])}
    folder = write(in_files(built.files, hidden), tmp_path)
    assert row_faults(folder) == [f"{folder / OTHER_WAYS} has 1 row that belongs into {PANEL}."]


def test_a_release_that_lacks_the_other_ways_is_none(built: BuiltRelease, tmp_path: Path) -> None:
    folder = write(in_files(built.files, {}), tmp_path)
    with pytest.raises(ReleaseFolderError, match=f"{OTHER_WAYS}.parquet: SHA256SUMS does not name it"):
        read_release(folder)


def test_abstentions_are_true_or_false_so_that_a_script_can_leave_them_out(scores: pd.DataFrame) -> None:
    assert scores["abstained"].dtype == bool
    long = scores[~scores["abstained"]].melt(PUBLISHED[:4], DIMENSIONS, var_name="dimension", value_name="score")
    assert len(long) == len(DIMENSIONS) * (~scores["abstained"]).sum()
    assert 0 < scores["abstained"].sum() < len(scores)


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


@pytest.mark.parametrize("way", ["per_dimension", "holistic"])
def test_reasons_in_one_way_alone_make_no_column_in_the_others_table(way: str, tmp_path: Path) -> None:
    tables = asked_in(("per_dimension", "alone"), ("holistic", "alone"))
    is_said = tables.panel["mode"] == way
    tables = replace(tables, panel=tables.panel.assign(reasons=tables.panel["reasons"].where(is_said, "")))
    files = build_release(tables, some_facts(), k=1).files
    having = [
        stem for stem in (PANEL, OTHER_WAYS) if "reasons" in pd.read_csv(io.BytesIO(files[f"{stem}.csv"])).columns
    ]
    assert having == [PANEL if way == "per_dimension" else OTHER_WAYS]
    assert tables_sha256(read_release(write(files, tmp_path))) == tables_sha256(tables)


@pytest.mark.parametrize("number", [0, 1], ids=["one table", "one table and 0 and 1"])
@pytest.mark.parametrize("ways", [ALL_WAYS, ALL_WAYS[:1], []], ids=["all ways", "one", "none"])
def test_a_release_of_an_earlier_version_is_read_as_before(
    number: int, ways: list[tuple[str, str]], tmp_path: Path
) -> None:
    layout, tables = earlier_panel_layouts(RUBRIC)[number], asked_in(*ways)
    if number == 1:  # there were no reasons yet
        tables = replace(tables, panel=tables.panel.drop(columns=REASONS, errors="ignore"))
    folder = write(earlier(tables, layout), tmp_path)
    assert tables_sha256(read_release(folder)) == tables_sha256(tables)
    assert [*csv_faults(folder), *manifest_faults(folder), *row_faults(folder)] == []
