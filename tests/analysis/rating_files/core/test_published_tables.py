"""Our own releases' tables, brought as anybody's files, need no explanation."""

import io
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

from analysis.management.analysed_files import read_judgments
from analysis.rating_files.core.looking import read_file
from analysis.rating_files.core.reading import FileKind, RatingOptions
from analysis.release.core.building import build_release
from tests.analysis.release.core.panel_ways import DIMENSIONS, SOME_WAYS, asked_in
from tests.analysis.release.core.releases import a_study, some_facts

OPTIONS = RatingOptions(scale=(1, 10))
PANEL, OTHER_WAYS = "SCRuBPanel/panel_scores.csv", "SCRuBPanel/panel_scores_other_ways.csv"
JUDGMENTS = "SCRuBAnnotations/task2_human_judgments.csv"
READ: tuple[tuple[str, FileKind], ...] = (
    (JUDGMENTS, "ratings"),
    (PANEL, "panel"),
    (PANEL, "ratings"),
    (OTHER_WAYS, "panel"),
    ("SCRuBAdversarial/adversarial_panel_scores.csv", "framings"),
    ("ConstitutionalTrials/trial_scores.csv", "trials"),
)


@pytest.fixture(scope="module")
def released() -> Mapping[str, bytes]:
    return build_release(a_study(), some_facts(), k=1).files


def asking(doubts: list[str]) -> list[str]:
    """Doubts that ask what columns are."""
    signs = ("nothing is read", "not taken for", "its name says")
    return [each for each in doubts if any(sign in each for sign in signs)]


def doubts_of(content: bytes, kind: FileKind) -> list[str]:
    return [str(each) for each in read_file(content, OPTIONS, kind).doubts]


@pytest.mark.parametrize(("name", "kind"), READ, ids=lambda each: each.rpartition("/")[2])
def test_no_column_of_a_released_table_is_asked_about(
    released: Mapping[str, bytes], name: str, kind: FileKind
) -> None:
    assert asking(doubts_of(released[name], kind)) == []


@pytest.mark.parametrize(
    "ways", [ways for ways in SOME_WAYS if ways], ids=lambda ways: " ".join(map("-".join, ways))
)
def test_nor_is_one_of_a_panel_that_was_asked_in_any_way(ways: list[tuple[str, str]]) -> None:
    """Where no way has dimensions, their columns are blank throughout."""
    files = build_release(asked_in(*ways), some_facts(), k=1).files
    for name in (PANEL, OTHER_WAYS):
        if name in files and files[name].count(b"\n") > 1:
            assert asking(doubts_of(files[name], "panel")) == []


def test_a_column_more_is_asked_about_as_in_any_file(released: Mapping[str, bytes]) -> None:
    for name, kind in READ:
        table = pd.read_csv(io.BytesIO(released[name]), dtype="str", keep_default_na=False).assign(
            remark="well said"
        )
        [asked] = asking(doubts_of(table.to_csv(index=False).encode(), kind))
        assert "nothing is read from the column remark" in asked


def test_a_column_of_the_layouts_is_asked_about_in_files_of_other_layouts() -> None:
    found = doubts_of(b"rater,answer,depth,reasons,shows\nr,a,3,well,all\nr,b,4,so,all\n", "ratings")
    assert any("nothing is read from the columns reasons and shows" in each for each in found)


@pytest.mark.parametrize("blank", ["", " ", "NaN"])
def test_a_wholly_blank_column_is_none_to_ask_about(blank: str) -> None:
    assert asking(doubts_of(f"rater,answer,depth,remark\nr,a,3,{blank}\nr,b,4,\n".encode(), "ratings")) == []
    found = doubts_of(f"prompt,model_a,model_b,winner,remark\np,x,y,a,{blank}\nq,x,y,b,\n".encode(), "pairs")
    assert asking(found) == []


def test_reasons_beside_each_score_are_known_as_score_responses_writes_them() -> None:
    header = "response_id,respondent_id,judge_model,perspective_id,clarity,abstained,clarity_reason\n"
    rows = "a,gpt,m1,historian,3,False,plain\nb,gpt,m1,historian,4,False,plainer\n"
    assert asking(doubts_of((header + rows).encode(), "panel")) == []


def test_released_judgments_are_the_same_read_as_ratings_and_as_judgments(
    released: Mapping[str, bytes], tmp_path: Path
) -> None:
    (tmp_path / "judgments.csv").write_bytes(released[JUDGMENTS])
    theirs = read_judgments(tmp_path / "judgments.csv", None, None, {}, (1, 10))[0].tables.judgments
    ours = read_file(released[JUDGMENTS], OPTIONS, "ratings").tables.judgments
    key = ["prompt_id", "judge_id", "true_id"]
    kept = [*key, "item_type", "true_source", "model", "rank", "score", *DIMENSIONS]
    pd.testing.assert_frame_equal(
        ours[kept].sort_values(key, ignore_index=True), theirs[kept].sort_values(key, ignore_index=True)
    )
