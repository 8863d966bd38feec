"""A panel's scores, alone or beside people's judgments, and a study's folder without a manifest."""

import io
from collections.abc import Mapping

import pandas as pd
import pytest
from scipy.stats import kendalltau

from analysis.agreement.sections import AGREEMENT
from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.study_tables import ORDER
from analysis.panel.core.panel_report import PanelReport
from analysis.panel.sections import JUDGE_MODELS, PANEL
from analysis.rating_files.core.looking import look_at, understand
from analysis.rating_files.core.published_folder import by_name
from analysis.rating_files.core.reading import RatingOptions, Read, read_files, read_tables
from analysis.release.core.building import build_release
from analysis.release.core.panel_layouts import earlier_panel_layouts
from analysis.sections.core.report import Report
from analysis.unblinded.core.full_report import analyse
from tests.analysis.agreement.core.rankings import value
from tests.analysis.rating_files.panels import published_files, zipped_folder
from tests.analysis.release.core.panel_ways import DIMENSIONS, OTHER_WAYS, SOME_WAYS, asked_in, earlier
from tests.analysis.release.core.releases import RUBRIC, some_facts

FILES = published_files()
NAMED = by_name(FILES)
JUDGMENTS, SCORES = (
    pd.read_csv(io.BytesIO(NAMED[name])) for name in ("task2_human_judgments.csv", "panel_scores.csv")
)
OPTIONS = RatingOptions(scale=(1, 10), people=("W-1",))


def reported(read: Read) -> Report:
    return analyse(read.tables, parameters=Parameters(draws=100, scale=read.scale))


def only(report: Report) -> PanelReport:
    (found,) = report[PANEL].panel
    return found


@pytest.fixture(scope="module")
def alone() -> Report:
    return reported(read_tables(NAMED["panel_scores.csv"], OPTIONS, "panel"))


@pytest.fixture(scope="module")
def folder() -> Read:
    return read_files(FILES, OPTIONS)


@pytest.fixture(scope="module")
def whole(folder: Read) -> Report:
    return reported(folder)


def composites() -> "pd.Series[float]":
    counted = SCORES[~SCORES["abstained"]]
    return counted[["clarity", "evidence"]].mean(axis=1).groupby(counted["response_id"]).mean()


def test_scores_alone_have_a_card_and_counts_and_no_validity(alone: Report) -> None:
    panel = only(alone)
    found = {each.source: each for each in panel.outcomes[WHOLE].sources}
    means = composites()
    for source, end in (("claude", "-claude"), ("gpt", "-gpt"), ("human", "-person")):
        assert value(found[source].score.mean) == pytest.approx(means[means.index.str.endswith(end)].mean())
    assert {each.source: (each.given, each.expected, each.abstentions) for each in found.values()} == {
        "claude": (20, 20, 0),
        "gpt": (19, 20, 0),
        "human": (19, 20, 1),
    }
    assert panel.is_alone
    assert panel.outcomes[WHOLE].validity.pooled.value is None
    names = {
        each.name for section in (PANEL, JUDGE_MODELS) for each in section.exhibits(alone[section], alone, WHOLE)
    }
    assert {"panel-agreement", "panel-severity", "panel-card-per-dimension-alone"} <= names
    assert not {"panel-validity", "panel-against-people-per-dimension-alone"} & names


def test_without_prompts_agreement_of_judge_models_rests_on_all_answers(alone: Report) -> None:
    assert alone.data.prompts == 15
    assert alone[AGREEMENT][WHOLE].summary.n_judges == 2


def test_a_folder_has_peoples_judgments_with_the_panel_beside_them(whole: Report) -> None:
    panel, means = only(whole), composites()
    ranks = JUDGMENTS.groupby(["prompt_id", "judge_id"])["score"].rank(ascending=False)
    people = -ranks.groupby(JUDGMENTS["true_id"]).mean()
    tau = kendalltau(means.reindex(people.index), people).statistic
    assert value(panel.outcomes[WHOLE].validity.pooled) == pytest.approx(tau)
    (raters,) = whole[JUDGE_MODELS].judge_models
    assert len(raters.answers) == 15
    assert set(panel.outcomes) == {WHOLE, "BBQ"}
    assert whole.data.judges == 4
    shown = {each.name: each for each in JUDGE_MODELS.exhibits(whole[JUDGE_MODELS], whole, WHOLE)}
    assert "It rests on 58 of 60 replies wanted." in shown["panel-against-people-per-dimension-alone"].describes


def test_lengths_come_from_the_tables_of_answers(folder: Read) -> None:
    words = folder.tables.answers.set_index("response_id")["words"]
    assert (words["BBQ_00-claude"], words["BBQ_00-gpt"]) == (10, 11)
    assert pd.isna(words["BBQ_00-person"])


def test_what_of_a_folder_is_not_read_is_said(folder: Read) -> None:
    assert "evaluation_dataset.csv is not read: prompts to draw from; a study’s pool takes them in" in " ".join(
        map(str, folder.doubts)
    )


def test_a_zip_of_the_folder_is_the_folder(folder: Read) -> None:
    content = zipped_folder(FILES)
    read = read_tables(content, OPTIONS, "folder")
    pd.testing.assert_frame_equal(read.tables.panel, folder.tables.panel)
    pd.testing.assert_frame_equal(read.tables.judgments, folder.tables.judgments)
    assert ("panel_scores.csv", "what judge models said of answers") in {
        row[:2] for row in look_at(content, "folder").first_rows
    }
    assert understand(content, OPTIONS, "folder").replies == len(SCORES)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a/README.md": b"x"}, "there is neither task2_human_judgments.csv nor panel_scores.csv in it"),
        (
            {"a/panel_scores.csv": b"x", "b/panel_scores.csv": b"x"},
            "panel_scores.csv is there twice: give the folder of one study",
        ),
        (
            {"panel_scores.csv": b"response_id,judge_model,clarity\na,,4\n"},
            "panel_scores.csv: row 2, column judge_model: is blank, but names the rater; fill it in, or delete "
            "the row",
        ),
        (
            {**FILES, "study/SCRuBPanel/panel_scores.csv": NAMED["panel_scores.csv"].replace(b",gpt,", b",llama,")},
            "panel_scores.csv: the answer 'BBQ_00-gpt' is by 'llama' in the panel’s file and by 'gpt' in the "
            "judgments",
        ),
    ],
    ids=["nothing", "twice", "blank", "somebody else's"],
)
def test_a_folder_that_cannot_be_meant_says_which_file(files: dict[str, bytes], message: str) -> None:
    with pytest.raises(JudgmentFileError) as raised:
        read_files(files, OPTIONS)
    assert str(raised.value) == message


def test_a_file_that_is_no_zip_is_refused() -> None:
    with pytest.raises(JudgmentFileError, match="the file is no ZIP that can be read"):
        read_tables(b"prompt_id,true_id\n", OPTIONS, "folder")


def test_several_ways_of_asking_are_told_apart_as_our_releases_have_them() -> None:
    text = (
        "response_id,respondent_id,judge_model,perspective_id,clarity,abstained,overall_score,mode,presentation\n"
    )
    rows = [
        f"{answer},gpt,{judge},historian,{mark if mode == 'per_dimension' else ''},False,"
        f"{'' if mode == 'per_dimension' else mark + 1},{mode},alone\n"
        for mode in ("per_dimension", "holistic")
        for judge in ("m1", "m2")
        for answer, mark in (("a", 4), ("b", 6))
    ]
    read = read_tables((text + "".join(rows)).encode(), RatingOptions(scale=(1, 10)), "panel")
    panels = {each.mode: each for each in reported(read)[PANEL].panel}
    means = {mode: value(each.outcomes[WHOLE].sources[0].score.mean) for mode, each in panels.items()}
    assert means == {"holistic": 6, "per_dimension": 5}


@pytest.mark.parametrize(
    "ways", [each for each in SOME_WAYS if each], ids=lambda ways: " ".join(map("-".join, ways))
)
def test_a_folder_has_a_panels_replies_however_it_was_asked_as_in_earlier_releases(
    ways: list[tuple[str, str]],
) -> None:
    """Whatever is asked for in another way than published stands in a file of its own today."""
    tables = asked_in(*ways)
    today = _panel_of(build_release(tables, some_facts(), k=1).files)
    before = _panel_of(earlier(tables, earlier_panel_layouts(RUBRIC)[0]))
    pd.testing.assert_frame_equal(today, before[list(today.columns)])
    assert {*zip(today["mode"], today["presentation"], strict=True)} == {*ways}
    assert len(today) == len(tables.panel)


def _panel_of(files: Mapping[str, bytes]) -> pd.DataFrame:
    panel = read_files(files, OPTIONS).tables.panel
    return panel.sort_values([*ORDER["panel"]], ignore_index=True)


def test_a_folder_without_a_row_of_the_panels_is_peoples_judgments_alone() -> None:
    tables = asked_in()
    read = read_files(build_release(tables, some_facts(), k=1).files, OPTIONS)
    assert len(read.tables.judgments) == len(tables.judgments)
    assert read.tables.panel.empty


def test_a_folder_of_tables_without_rows_is_refused() -> None:
    files = {"study/task2_human_judgments.csv": NAMED["task2_human_judgments.csv"].splitlines(keepends=True)[0]}
    with pytest.raises(JudgmentFileError, match=r"no row in task2_human_judgments\.csv nor in panel_scores"):
        read_files(files, OPTIONS)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"holistic", b"per_dimension", "'gemini-9' has rated '[^']+' in the panel’s other file already"),
        (b",W-1,", b",W-2,", "the answer '[^']+' is somebody else’s in the panel’s other file"),
    ],
    ids=["the same way", "another source"],
)
def test_two_files_of_a_panel_that_contradict_each_other_are_refused(old: bytes, new: bytes, message: str) -> None:
    ways = (("per_dimension", "alone"), ("holistic", "alone"))
    files = dict(build_release(asked_in(*ways), some_facts(), k=1).files)
    name = f"{OTHER_WAYS}.csv"
    scores = dict.fromkeys(DIMENSIONS, 4)
    table = pd.read_csv(io.BytesIO(files[name])).assign(**scores)
    files[name] = table.to_csv(index=False).encode().replace(old, new)
    with pytest.raises(JudgmentFileError, match=f"panel_scores_other_ways.csv: {message}"):
        read_files(files, OPTIONS)
