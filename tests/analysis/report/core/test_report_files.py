"""A report as files: all of them there, readable, the same every time."""

import csv
import io
from dataclasses import replace

import pytest

from analysis.data.core.parameters import Parameters
from analysis.report.core import page_file
from analysis.report.core.exhibits import exhibits
from analysis.report.core.report_comparison import compare
from analysis.report.core.report_files import figures_csv, files
from analysis.report.core.report_leaves import figures, leaves
from analysis.report.core.results_file import from_json, to_json
from analysis.report.prose.title_block import Basis
from analysis.sections.core.report import Progress, Report
from analysis.unblinded.core.full_report import analyse
from tests.analysis.release.core.releases import a_study
from tests.analysis.report.core.made_reports import made_report, masked

BASIS = Basis("Reasoning in ten voices", "d" * 64, "1.0+c0de", is_synthetic=True)


@pytest.fixture(scope="module")
def report() -> Report:
    return made_report()


@pytest.fixture
def two_exhibits(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    """One with a picture and one without, since drawing takes its time."""
    drawn = next(exhibit for exhibit in exhibits(report) if exhibit.draw)
    chosen = (drawn, replace(drawn, name="only-a-table", draw=None))
    monkeypatch.setattr(page_file, "exhibits", lambda _report: chosen)


@pytest.mark.usefixtures("two_exhibits")
class TestFiles:
    def test_the_files_of_a_report_are_figures_texts_tables_and_pictures(self, report: Report) -> None:
        found = dict(files(report, BASIS))
        name = next(
            name.removeprefix("tables/").removesuffix(".csv") for name in found if name.startswith("tables/")
        )
        assert list(found) == [
            "results.json",
            "figures.csv",
            "report.txt",
            "report.tex",
            "page.json",
            f"tables/{name}.csv",
            f"figures/{name}.svg",
            f"figures/{name}.png",
            f"figures/{name}.pdf",
            "tables/only-a-table.csv",
        ]
        assert found[f"figures/{name}.png"].startswith(b"\x89PNG")
        assert found[f"figures/{name}.pdf"].startswith(b"%PDF")
        assert b"<svg" in found[f"figures/{name}.svg"]
        assert f"{{figures/{name}.pdf}}".encode() in found["report.tex"]

    def test_the_files_of_a_report_are_the_same_bytes_every_time(self, report: Report) -> None:
        assert list(files(report, BASIS)) == list(files(made_report(), BASIS))

    def test_the_files_of_a_report_have_texts_that_say_what_they_are_of(self, report: Report) -> None:
        found = dict(files(report, BASIS))
        for name in ("report.txt", "report.tex"):
            beginning, methods, _ = found[name].decode().lower().partition("methods")
            assert methods
            for said in (BASIS.title.lower(), BASIS.data_sha256, BASIS.code_version, "synthetic", "seed"):
                assert said in beginning

    def test_the_files_of_a_report_say_how_a_file_was_read(self, report: Report) -> None:
        reading = ("read with codes: A_1=1.", *(f"row {row}: a doubt" for row in range(2, 40)))
        found = dict(files(report, replace(BASIS, reading=reading)))
        text, latex = found["report.txt"].decode(), found["report.tex"].decode()
        assert "Read with codes: A_1=1.\nRow 2: a doubt.\n" in text.partition("METHODS")[0]
        assert r"\noindent Read with codes: A\_1=1." in latex
        assert "Row 30: a doubt.\nAnd 9 remarks more.\n" in text
        assert "Row 31" not in text + latex

    def test_the_files_of_a_report_tell_how_far_they_are(self, report: Report) -> None:
        told: list[tuple[str, int, int]] = []
        for _ in files(report, BASIS, Progress(lambda *how_far: told.append(how_far))):
            pass
        assert told == [("files", 0, 2), ("files", 1, 2)]


def test_results_are_read_back_as_they_were(report: Report) -> None:
    assert from_json(to_json(report)) == report
    assert from_json(to_json(masked(report))) == masked(report)


def test_every_figure_is_a_line_with_all_its_digits(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(figures_csv(report).decode("utf-8"))))
    expected = list(figures(report))
    assert [row["figure"] for row in rows] == [name for name, _ in expected]
    assert [float(row["value"]) for row in rows] == [figure.value for _, figure in expected]
    lows = [figure.interval.low for _, figure in expected if figure.interval]
    assert [float(row["value (low)"]) for row in rows] == lows


def test_the_figures_of_a_whole_study_have_names_of_their_own() -> None:
    report = analyse(a_study(), parameters=Parameters(draws=20))
    names = [name for name, _ in leaves(report)]
    assert len(set(names)) == len(names)
    assert compare(report, from_json(to_json(report))).is_same
