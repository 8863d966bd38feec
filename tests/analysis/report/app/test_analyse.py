"""`manage.py analyse` works on any file in the published layout, without a study."""

import csv
import hashlib
import io
import math
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from analysis.agreement.sections import AGREEMENT
from analysis.data.core.judgment_frame import read_csv, write_csv
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.outcomes.sections import OUTCOMES
from analysis.panel.sections import PANEL
from analysis.release.core.building import BuiltRelease, build_release
from analysis.report.code_version import code_version
from analysis.report.core import page_file
from analysis.report.core.exhibits import exhibits
from analysis.report.core.report_comparison import compare
from analysis.report.core.report_leaves import figures
from analysis.report.core.results_file import from_json, to_json
from analysis.report.prose.headlines import headlines
from analysis.sections.core.report import Report
from analysis.unblinded.core.full_report import analyse
from tests.analysis.data.core.judgments import judgments
from tests.analysis.data.core.made_workbooks import made_workbook, rows_of
from tests.analysis.release.core.releases import a_study, some_facts, write

MARKS = {"gpt-1": (9.0, 8.0), "claude-1": (7.0, 7.0), "human-1": (5.0, 6.0)}


def write_judgments(folder: Path) -> Path:
    """Four prompts by three judges; one of them gave ranks that do not follow from the scores."""
    ranks = {
        (f"BBQ_{prompt}", f"j{judge}"): {"gpt-1": 1, "claude-1": 2, "human-1": 3}
        for prompt in range(4)
        for judge in range(3)
    }
    ranks["BBQ_0", "j0"] = {"gpt-1": 3, "claude-1": 1, "human-1": 1}
    path = folder / "judgments.csv"
    with path.open("wb") as buffer:
        write_csv(judgments(ranks, scores=MARKS, dimensions=("clarity", "evidence")), buffer)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_judgments(tmp_path)


@pytest.fixture(scope="module", autouse=True)
def one_picture() -> Iterator[None]:
    """Drawing all of them takes its time, and is tested where they are made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_file, "exhibits", lambda report: exhibits(report)[:1])
        yield


@pytest.fixture(scope="module")
def usual(one_picture: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """What the command writes of the file, without options, and says."""
    return analysed(write_judgments(tmp_path_factory.mktemp("usual")))


def report_in(out: Path) -> Report:
    return from_json((out / "results.json").read_bytes())


def analysed(file: Path, *options: str) -> tuple[Path, str]:
    said, out = io.StringIO(), Path(mkdtemp(dir=file.parent))
    call_command("analyse", "--judgments", str(file), "--out", str(out), "--draws", "100", *options, stdout=said)
    return out, said.getvalue()


def test_analyse_writes_every_figure_as_the_report_has_it(file: Path, usual: tuple[Path, str]) -> None:
    out, said = usual
    report = report_in(out)
    assert report == analyse(StudyTables(read_csv(file)), parameters=Parameters(draws=100))
    rows = list(csv.DictReader((out / "figures.csv").read_text(encoding="utf-8").splitlines()))
    found = {row["figure"]: row for row in rows}
    assert len(found) == len(rows) == len(list(figures(report)))
    w = report[AGREEMENT][WHOLE].summary.w.mean
    assert float(found["agreement.all.summary.w.mean"]["value"]) == w.value
    assert found["sources.outcomes.BBQ.card.gpt.clarity.score.mean"]["value"] == "9.0"
    assert "12 judgments of 4 prompts by 3 judges" in said
    assert "A model’s answer was preferred to a person’s in " in said
    assert all(f"{sentence}\n" in said for sentence in headlines(report))
    assert "In 1 judgment ranks and scores put answers in different orders: ranked anew by their scores." in said


def test_the_papers_estimators_take_ranks_as_they_stand_and_are_those_worked_out_by_hand(
    file: Path, usual: tuple[Path, str]
) -> None:
    whole = report_in(usual[0])[AGREEMENT][WHOLE]
    as_given, said = analysed(file, "--paper-compatible")
    paper = report_in(as_given)[AGREEMENT][WHOLE]
    assert whole.summary.w.mean.value == 1
    assert paper.summary.w.mean.value is not None
    assert paper.summary.w.mean.value < 1
    assert "taken as they stand" in said
    assert "The default analysis differs in these ways." in said
    summary = paper.summary
    # BBQ_0: ranks 3 1 1 | 1 2 3 | 1 2 3: sums 5 5 7, mean 17/3, S = 2·(2/3)² + (4/3)² = 24/9, W = 12·S/(9·24).
    assert summary.w.mean.value == pytest.approx((4 / 27 + 3) / 4, abs=1e-12)
    # j0 of BBQ_0 against the others: pairs of answers −1 −1 0 beside 1 1 1: τ_b = −2/√(2·3); the third pair agrees.
    of_first = [-2 / np.sqrt(6), -2 / np.sqrt(6), 1]
    assert summary.tau_b_pooled.value == pytest.approx((sum(of_first) + 9) / 12, abs=1e-12)
    assert (summary.top_1.value, summary.full.value) == (0.75, 0.75)


def test_other_columns_may_stand_in_the_file(file: Path) -> None:
    frame = pd.read_csv(file).assign(remark="Well argued.", house="north")
    frame.to_csv(file, index=False)
    out, _ = analysed(file)
    assert report_in(out).data.dimensions == ("clarity", "evidence")


def test_dimensions_can_be_named(file: Path) -> None:
    out, _ = analysed(file, "--dimensions", "evidence")
    assert report_in(out).data.dimensions == ("evidence",)
    with pytest.raises(CommandError, match="no column of dimensions is called grace"):
        analysed(file, "--dimensions", "grace")


def test_columns_may_be_called_otherwise(file: Path, usual: tuple[Path, str]) -> None:
    frame = pd.read_csv(file).rename(columns={"judge_id": "rater", "evidence": "sources cited"})
    frame.to_csv(file, index=False)
    out, _ = analysed(file, "--columns", "rater=judge_id, sources cited=evidence")
    assert compare(report_in(usual[0]), report_in(out)).is_same
    with pytest.raises(CommandError, match="row 1: no column is called reader"):
        analysed(file, "--columns", "reader=judge_id")


def test_faults_of_a_file_are_named(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    cells = lines[3].split(",")
    cells[-1] = "good"
    file.write_text("\n".join([*lines[:3], ",".join(cells), *lines[4:]]), encoding="utf-8")
    with pytest.raises(CommandError, match="row 4, column evidence: 'good' is not a number"):
        analysed(file)
    with pytest.raises(CommandError, match="No such file"):
        analysed(file.with_name("missing.csv"))


def with_last_score(file: Path, score: float) -> Path:
    """The file, with the score of row 4 in its last column, evidence, another one."""
    frame = pd.read_csv(file)
    frame.loc[2, "evidence"] = score
    frame.to_csv(file, index=False)
    return file


def test_a_score_outside_the_scale_is_refused(file: Path) -> None:
    with pytest.raises(CommandError, match="row 2, column clarity: 9 lies outside the scale, 1 to 5"):
        analysed(file, "--scale", "1-5")
    said = (
        "row 4, column evidence: 70 lies outside the usual scale that holds most scores, 1 to 10 (1 of 72 scores, "
        "which run from 5 to 70)"
    )
    with pytest.raises(CommandError, match=re.escape(said)):
        analysed(with_last_score(file, 70))


def test_a_column_that_is_no_dimension_is_noticed(file: Path, usual: tuple[Path, str]) -> None:
    _, said = usual
    assert "Dimensions, from 1 to 10; give --scale if it is another: clarity, evidence." in said
    assert "neither the sum nor the mean" not in said
    frame = pd.read_csv(file)
    frame["confidence"] = 3
    frame.to_csv(file, index=False)
    _, said = analysed(file)
    assert "clarity, evidence, confidence." in said
    assert "the score is neither the sum nor the mean of the dimensions, first in row 2" in said


def test_files_of_another_kind_are_named_for_what_they_are(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for content, said in (("", "the file is empty"), (text.replace(",", ";"), "columns are separated by ';'")):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(CommandError, match=said):
            analysed(file)


def test_a_workbook_of_judgments_is_read_as_the_plain_file_that_holds_the_same(
    file: Path, usual: tuple[Path, str]
) -> None:
    rows = [tuple(line) for line in csv.reader(io.StringIO(file.read_text(encoding="utf-8")))]
    book = file.with_suffix(".xlsx")
    book.write_bytes(made_workbook(rows_of(*rows)))
    out, _ = analysed(book)
    assert report_in(out)[AGREEMENT] == report_in(usual[0])[AGREEMENT]


def test_a_workbook_of_judgments_with_a_formula_whose_value_was_not_saved_is_refused_with_its_place(
    file: Path,
) -> None:
    rows = [tuple(line) for line in csv.reader(io.StringIO(file.read_text(encoding="utf-8")))]
    sheet = rows_of(*rows).replace("</c></row>", "</c><c><f>1+1</f></c></row>", 3)
    book = file.with_suffix(".xlsx")
    book.write_bytes(made_workbook(sheet))
    with pytest.raises(CommandError, match=r"row 1, column [A-Z]+: the value of its formula was not saved"):
        analysed(book)


def test_a_file_without_judgments_is_refused(file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    with pytest.raises(CommandError, match="row 2: there is none, only the names of the columns"):
        analysed(file)
    assert not list(file.parent.rglob("results.json"))


def test_all_files_are_written(usual: tuple[Path, str]) -> None:
    out, said = usual
    names = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    name = exhibits(report_in(out))[0].name
    assert names == sorted(
        ["results.json", "page.json", "figures.csv", "report.txt", "report.tex", f"tables/{name}.csv"]
        + [f"figures/{name}.{kind}" for kind in ("svg", "png", "pdf")]
    )
    assert f"Wrote {len(names)} files to {out}." in said


def test_the_text_says_which_file_it_is_of(file: Path, usual: tuple[Path, str]) -> None:
    out, _ = usual
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    text = (out / "report.txt").read_text("utf-8")
    assert text.startswith(f"judgments.csv\n\nSHA-256 of the file: {sha256}\nCode: {code_version()}\n")


@pytest.mark.parametrize("out", ["", "other.txt", "other.txt/out"])
def test_the_files_of_something_else_are_left_alone(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    monkeypatch.setattr("analysis.management.commands.analyse.file_report", None)  # refused before the work
    (tmp_path / "other.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CommandError, match="is not an empty folder"):
        call_command("analyse", f"--judgments={file}", f"--out={tmp_path / out}")
    assert (tmp_path / "other.txt").read_text("utf-8") == "mine"


def test_the_scale_is_inferred_or_given(file: Path, usual: tuple[Path, str]) -> None:
    out, said = usual
    assert report_in(out).data.scale == (1, 10)
    assert "give --scale if it is another" in said
    assert "from 1 to 10 (ends inferred from the scores) on clarity" in (out / "report.txt").read_text("utf-8")
    out, said = analysed(file, "--scale", "0-12.5")
    assert report_in(out).data.scale == (0, 12.5)
    assert "if it is another" not in said
    assert "inferred from" not in (out / "report.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("option", "text", "complaint"),
    [
        ("--scale", "10-1", "no scale such as 1-10"),
        ("--scale", "ten", "no scale such as 1-10"),
        ("--level", "95", "does not lie between 0.5 and 0.999"),
        ("--draws", "-3", "not a whole number"),
        ("--draws", "0", "does not lie between 100 and 20,000"),
        ("--columns", "rater", "does not name columns as in"),
    ],
)
def test_options_that_mean_nothing_are_refused(file: Path, option: str, text: str, complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        analysed(file, f"{option}={text}")


class TestSameAs:
    """A second analysis beside the results of a first one."""

    @pytest.fixture
    def earlier(self, file: Path, usual: tuple[Path, str]) -> str:
        return str(shutil.copy(usual[0] / "results.json", file.with_name("earlier.json")))

    def test_same_as_says_that_nothing_differs(self, file: Path, earlier: str) -> None:
        _, said = analysed(file, "--same-as", earlier)
        assert re.search(r"All [\d,]+ values are the same, to the last digit.", said)

    def test_same_as_takes_another_processors_rounding_for_the_same(self, file: Path, earlier: str) -> None:
        report = from_json(Path(earlier).read_bytes())
        whole = report[AGREEMENT][WHOLE]
        alpha = whole.summary.alpha_ordinal
        assert alpha.value is not None
        summary = replace(whole.summary, alpha_ordinal=replace(alpha, value=math.nextafter(alpha.value, 2)))
        agreement = {**report[AGREEMENT], WHOLE: replace(whole, summary=summary)}
        Path(earlier).write_bytes(to_json(report.having(AGREEMENT, agreement)))
        _, said = analysed(file, "--same-as", earlier)
        assert re.search(r"All [\d,]+ values are the same but for rounding: 1 differ", said)

    def test_same_as_leaves_out_what_an_earlier_version_did_not_compute(self, file: Path, earlier: str) -> None:
        Path(earlier).write_bytes(to_json(from_json(Path(earlier).read_bytes()).without(OUTCOMES)))
        _, said = analysed(file, "--same-as", earlier)
        assert "Not compared, since the earlier version did not compute it: Outcomes." in said
        assert "values are the same, to the last digit." in said

    def test_same_as_fails_and_names_what_differs_and_how_many_more(self, file: Path, earlier: str) -> None:
        said = io.StringIO()
        out = file.parent / "out"
        with pytest.raises(CommandError, match=r"[\d,]+ of [\d,]+ values differ.") as refusal:
            call_command(
                "analyse",
                f"--judgments={file}",
                f"--out={out}",
                "--draws=101",
                "--seed=7",
                f"--same-as={earlier}",
                stdout=said,
            )
        assert "parameters.draws: 100 before, 101 now" in said.getvalue()
        differing = int(str(refusal.value).partition(" ")[0].replace(",", ""))
        assert said.getvalue().count(" before, ") == 10
        assert f"… and {differing - 10:,} more" in said.getvalue()

    def test_same_as_needs_results_to_compare_with(self, file: Path) -> None:
        with pytest.raises(CommandError, match=r"no results of an analysis, a results\.json, can be read from it"):
            analysed(file, "--same-as", str(file))


@pytest.fixture(scope="module")
def built() -> BuiltRelease:
    return build_release(a_study(), some_facts(design={"parameters": {"panel_sees_abstentions": True}}), k=1)


class TestRelease:
    @pytest.fixture
    def folder(self, built: BuiltRelease, tmp_path: Path) -> Path:
        return write(built.files, tmp_path / "release-1")

    def test_analysing_a_release_gives_the_figures_that_its_study_has(self, folder: Path) -> None:
        out = folder.parent / "out"
        call_command("analyse", f"--release={folder}", f"--out={out}", "--draws=100", stdout=io.StringIO())
        found = report_in(out)
        of_study = analyse(a_study(), parameters=Parameters(draws=100, counts_abstentions=True))
        assert compare(of_study, found).differences == ()
        assert found[PANEL].panel

    def test_analysing_a_release_names_the_study_in_the_text_and_says_where_it_is_synthetic(
        self, tmp_path: Path
    ) -> None:
        facts = some_facts(is_synthetic=True, title="Ten voices", number=3)
        folder = write(build_release(a_study(), facts, k=1).files, tmp_path / "release-3")
        out = tmp_path / "out"
        call_command("analyse", f"--release={folder}", f"--out={out}", "--draws=100", stdout=io.StringIO())
        sha256 = hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()
        text = (out / "report.txt").read_text("utf-8")
        assert text.startswith("Ten voices, release 3\n\nSynthetic: texts and judgments were made up.")
        assert f"\n\nSHA-256 of its SHA256SUMS: {sha256}\n" in text

    def test_a_release_whose_demographics_were_generalised_differs_in_them_alone(self, tmp_path: Path) -> None:
        coarse = write(build_release(a_study(), some_facts(), k=5).files, tmp_path / "release-2")
        of_study = analyse(a_study(), parameters=Parameters(draws=100))
        (tmp_path / "study.json").write_bytes(to_json(of_study))
        options = (f"--out={tmp_path / 'out'}", "--draws=100", f"--same-as={tmp_path / 'study.json'}")
        with pytest.raises(CommandError, match="They are of participants alone, of whom a release tells less"):
            call_command("analyse", f"--release={coarse}", *options, stdout=io.StringIO())
        found = report_in(tmp_path / "out")
        assert {each.name.partition(".")[0] for each in compare(of_study, found).differences} == {"participants"}

    def test_a_release_that_was_changed_is_refused(self, folder: Path) -> None:
        changed = next(folder.rglob("task2_human_judgments.parquet"))
        changed.write_bytes(changed.read_bytes()[:-1] + b"?")
        with pytest.raises(CommandError, match="task2_human_judgments"):
            call_command("analyse", f"--release={folder}", f"--out={folder.parent / 'out'}", stdout=io.StringIO())

    def test_a_release_whose_csv_was_corrected_says_that_it_was_in_vain(self, folder: Path) -> None:
        corrected = next(folder.rglob("task2_human_judgments.csv"))
        corrected.write_bytes(corrected.read_bytes()[:-1])
        said = io.StringIO()
        call_command("analyse", f"--release={folder}", f"--out={folder.parent / 'out'}", "--draws=100", stdout=said)
        [line] = [line for line in said.getvalue().splitlines() if line.startswith("Not used here: ")]
        assert line == f"Not used here: {corrected} is not the file that was published, by its sum in SHA256SUMS."

    def test_a_release_that_is_not_there_is_said_to_be_missing(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match=r"^/.*/nowhere: there is no such folder\.$"):
            call_command("analyse", f"--release={tmp_path / 'nowhere'}", f"--out={tmp_path / 'out'}")

    def test_a_release_is_read_once_it_is_unpacked(self, folder: Path) -> None:
        packed = shutil.make_archive(str(folder), "zip", folder)
        for command in (("analyse", f"--out={folder.parent / 'out'}"), ("verify_blinding",)):
            with pytest.raises(CommandError, match=r"release-1\.zip is a file: unpack it first"):
                call_command(*command, f"--release={packed}", stdout=io.StringIO())

    @pytest.mark.parametrize("option", ["--dimensions=clarity", "--columns=rater=judge_id", "--scale=1-5"])
    def test_a_release_names_its_columns_and_its_scale_itself(self, folder: Path, option: str) -> None:
        with pytest.raises(CommandError, match="it names them itself"):
            call_command("analyse", f"--release={folder}", f"--out={folder.parent}", option)
