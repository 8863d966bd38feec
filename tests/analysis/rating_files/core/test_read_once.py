"""However much has to be known of a file before it is read, its cells are parsed once."""

import pytest

from analysis.data.core.rating_frame import Doubt
from analysis.data.core.workbook import lines_of_workbook
from analysis.rating_files.core.looking import read_file
from analysis.rating_files.core.reading import FileKind, RatingOptions
from tests.analysis.data.core.made_workbooks import made_workbook, rows_of
from tests.analysis.rating_files.files import OPTIONS, ratings_csv, trials_csv
from tests.analysis.rating_files.panels import published_files


@pytest.mark.parametrize(
    ("kind", "text", "options"),
    [
        ("ratings", ratings_csv().decode(), OPTIONS),
        ("panel", published_files()["study/SCRuBPanel/panel_scores.csv"].decode(), RatingOptions()),
        ("trials", trials_csv(), RatingOptions(codes={"PASS": 1, "FAIL": 0})),
    ],
    ids=("ratings", "panel", "trials"),
)
def test_a_workbook_of_any_kind_is_parsed_once(
    monkeypatch: pytest.MonkeyPatch, kind: FileKind, text: str, options: RatingOptions
) -> None:
    separator = ";" if ";" in text.partition("\n")[0] else ","
    lines = [line.replace('"', "").split(separator) for line in text.splitlines()]
    rows = [tuple(cell.replace(",", ".") for cell in line) for line in lines]
    parsed = []

    def counted(content: bytes, doubts: list[Doubt]) -> list[list[str]]:
        parsed.append(content)
        return lines_of_workbook(content, doubts)

    monkeypatch.setattr("analysis.data.core.table_file.lines_of_workbook", counted)
    read_file(made_workbook(rows_of(*rows)), options, kind)
    assert len(parsed) == 1
