"""`manage.py analyse --ratings` and `--pairs` read any file, and say what they doubted."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.agreement.sections import AGREEMENT, CATEGORIES
from analysis.data.core.parameters import WHOLE
from analysis.outcomes.sections import OUTCOMES
from analysis.panel.sections import PANEL
from analysis.report.core import page_file
from analysis.report.core.exhibits import exhibits
from analysis.report.core.results_file import from_json
from analysis.sections.core.report import Report
from tests.analysis.data.core.made_workbooks import made_workbook, rows_of
from tests.analysis.rating_files.panels import published_files

RATINGS = "who;case;system;clarity;depth\n" + "".join(
    f"r{rater};c{case};{system};{5 + at + rater % 2};{mark}\n"
    for case in range(4)
    for rater in range(3)
    for at, (system, mark) in enumerate([("gpt", "8,5"), ("claude", "7"), ("human", "-1" if rater == 2 else "5")])
)
NAMES = "who=evaluator,case=prompt,case+system=unit"
PAIRS = "idx,model_a,model_b,one,two\n" + "".join(f"{row},x,y,{row % 3},{row % 2 + 1}\n" for row in range(12))


@pytest.fixture(autouse=True)
def one_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing all of them takes its time, and is tested where they are made."""
    monkeypatch.setattr(page_file, "exhibits", lambda report: exhibits(report)[:1])


def analysed(folder: Path, kind: str, text: str, *options: str) -> tuple[Report, str]:
    file, said, out = folder / "file.csv", io.StringIO(), folder / "out"
    file.write_text(text, encoding="utf-8")
    call_command("analyse", f"--{kind}", str(file), "--out", str(out), "--draws", "100", *options, stdout=said)
    return from_json((out / "results.json").read_bytes()), said.getvalue()


def test_any_ratings_are_analysed_with_their_doubts_said(tmp_path: Path) -> None:
    report, said = analysed(tmp_path, "ratings", RATINGS, "--columns", NAMES, "--scale", "1-10")
    assert report.data.dimensions == ("clarity", "depth")
    assert {each.source for each in report[OUTCOMES].outcomes[WHOLE].sources} == {"claude", "gpt", "human"}
    assert "row 2, column depth: 12 decimal commas read as a point" in said
    assert "row 10, column depth: 4 ratings read as none (failed)" in said
    text = (tmp_path / "out" / "report.txt").read_text(encoding="utf-8")
    assert "Read with columns: who=evaluator, case=prompt, case+system=unit; scale: 1 to 10.\nRow 2, column" in text
    assert "Row 10, column depth: 4 ratings read as none (failed)." in text


def test_a_workbook_gives_the_figures_of_the_plain_file_that_holds_the_same(tmp_path: Path) -> None:
    plain, _ = analysed(tmp_path, "ratings", RATINGS, "--columns", NAMES, "--scale", "1-10")
    file, out = tmp_path / "file.xlsx", tmp_path / "of-workbook"
    rows = [tuple(line.replace(",", ".").split(";")) for line in RATINGS.splitlines()]
    file.write_bytes(made_workbook(rows_of(*rows)))
    options = ("--draws", "100", "--columns", NAMES, "--scale", "1-10")
    call_command("analyse", "--ratings", str(file), "--out", str(out), *options, stdout=io.StringIO())
    assert from_json((out / "results.json").read_bytes()) == plain


def test_where_nothing_is_ranked_that_is_said_once_and_agreement_on_the_dimensions_is_told(tmp_path: Path) -> None:
    text = "item,rater,toxic\n" + "".join(
        f"i{item},r{rater},{(item * rater) % 3 % 2}\n" for item in range(8) for rater in range(3)
    )
    report, said = analysed(tmp_path, "ratings", text)
    assert report.data.scale == (0, 1)
    assert said.count("undefined") == 1  # of ranks
    assert "Krippendorff’s α, interval, of scores   −" in said
    assert "Fleiss’ κ, toxic" in said


def test_verdicts_on_pairs_are_analysed_as_ranks_and_as_categories(tmp_path: Path) -> None:
    report, said = analysed(tmp_path, "pairs", PAIRS, "--columns", "one=verdict,two=verdict")
    assert [each.dimension for each in report[CATEGORIES]] == ["which_of_two"]
    assert report[AGREEMENT][WHOLE].summary.n_judges == 2
    assert report[OUTCOMES].outcomes[WHOLE].strengths.items[0].log_strength.value is not None
    assert "Wrote" in said


def test_codes_give_the_scale_and_rubrics_the_dimensions(tmp_path: Path) -> None:
    text = "rater,answer,prompt,verdict\n" + "".join(
        f"r{rater},a{case},p{case // 2},{'PASS' if (rater + case) % 3 else 'FAIL'}\n"
        for case in range(8)
        for rater in range(3)
    )
    report, said = analysed(tmp_path, "ratings", text, "--codes", "pass=1,fail=0")
    assert "Fleiss’ κ, verdict" in said
    assert report.data.scale == (0, 1)
    assert {each.dimension: each.categories for each in report[CATEGORIES]} == {"which_of_two": 3, "verdict": 2}


def test_a_panels_scores_are_analysed_alone_beside_judgments_and_from_a_folder_without_a_manifest(
    tmp_path: Path,
) -> None:
    for name, content in published_files().items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    judgments = str(tmp_path / "study/SCRuBAnnotations/task2_human_judgments.csv")
    panel = str(tmp_path / "study/SCRuBPanel/panel_scores.csv")
    found, words = {}, {}
    for name, given in {
        "alone": ("--panel", panel, "--people", "W-1"),
        "beside": ("--judgments", judgments, "--panel", panel, "--people", "W-1"),
        "folder": ("--release", str(tmp_path / "study"), "--people", "W-1"),
    }.items():
        said, out = io.StringIO(), tmp_path / name
        call_command("analyse", *given, "--out", str(out), "--draws", "100", "--scale", "1-10", stdout=said)
        (found[name],) = from_json((out / "results.json").read_bytes())[PANEL].panel
        words[name] = said.getvalue()
    assert found["alone"].is_alone
    assert found["beside"].outcomes[WHOLE].validity == found["folder"].outcomes[WHOLE].validity
    assert found["beside"].outcomes[WHOLE].validity.pooled.value is not None
    assert "there is no SHA256SUMS" in words["folder"]
    assert "panel_scores.csv: row 24: 2 ratings read as none (abstained)" in words["folder"]


def test_a_panel_stands_beside_people_alone(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="A panel’s scores stand alone, or beside --judgments or --ratings"):
        analysed(tmp_path, "pairs", PAIRS, "--panel", str(tmp_path / "scores.csv"))


@pytest.mark.parametrize(
    ("kind", "text", "options", "message"),
    [
        ("ratings", RATINGS, (), "row 1: no column is known to name the answer (unit)"),
        ("ratings", RATINGS, ("--columns", NAMES, "--scale", "1-5", "--rubric", "nowhere.toml"), "nowhere.toml"),
        ("ratings", RATINGS, ("--columns", NAMES, "--codes", "a"), "“a” does not give numbers"),
        ("ratings", RATINGS, ("--columns", NAMES, "--codes", "a=b"), "“a=b” does not give numbers"),
        ("pairs", PAIRS, (), "row 1: no column is known to name the verdict (verdict)"),
    ],
    ids=["no unit", "no rubric", "no code", "no number", "no verdict"],
)
def test_a_file_that_cannot_be_read_is_refused_in_words_and_nothing_is_written(
    tmp_path: Path, kind: str, text: str, options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError) as raised:
        analysed(tmp_path, kind, text, *options)
    assert message in str(raised.value)
    assert not (tmp_path / "out").exists()
