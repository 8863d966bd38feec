"""Workbooks give what the CSV file gives that they would be saved as.

Those in the folder `workbooks` were written by openpyxl 3.1 and XlsxWriter 3.3, as their names say: two programs
that know nothing of the one that reads them here.
"""

import io
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pandas as pd
import pytest

from analysis.data.core import workbook, workbook_parts
from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import Doubt
from analysis.data.core.table_file import read_table
from tests.analysis.data.core.made_workbooks import made_workbook, packed, rows_of
from tests.analysis.data.core.test_spreadsheet_files import PLAIN, tidy

FILES = Path(__file__).parent / "workbooks"
STYLES = (
    '<numFmts><numFmt numFmtId="170" formatCode="[$-407]d/ mmm yy;@"/>'
    '<numFmt numFmtId="171" formatCode="0.0&quot; days&quot;"/></numFmts>'
    '<cellXfs><xf/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="10"/><xf numFmtId="20"/></cellXfs>'
)


def read(content: bytes) -> tuple[pd.DataFrame, list[str]]:
    doubts: list[Doubt] = []
    return read_table(content, doubts=doubts), [str(each) for each in doubts]


def one(cell: str, **more: Any) -> str:
    """What a cell of a column comes to."""
    sheet = f"{rows_of(('a',)).removesuffix('</sheetData>')}<row>{cell}</row></sheetData>"
    return str(read(made_workbook(sheet, **more))[0]["a"].iloc[0])


@pytest.mark.parametrize("program", ["openpyxl", "xlsxwriter"])
def test_a_sheet_is_read_as_the_plain_file(program: str) -> None:
    found = read_ratings((FILES / f"plain_{program}.xlsx").read_bytes(), ColumnMap())
    plain = read_ratings(PLAIN.encode(), ColumnMap())
    pd.testing.assert_frame_equal(tidy(found), tidy(plain))
    more = [str(each) for each in found.doubts if each not in plain.doubts]
    assert more == (["the sheet “Ratings” is read, and not “Notes”"] if program == "openpyxl" else [])


def test_cells_of_all_kinds_come_as_they_are_shown() -> None:
    cells, doubts = read((FILES / "kinds_openpyxl.xlsx").read_bytes())
    assert cells.to_dict("list") == {
        "rater": ["r1", "r1", "r2", "r2"],
        "answer": ["a1", "a2", "a1", "a2"],
        "score": ["7.1", "0.3", "8", "#N/A"],
        "share": ["85%", "100%", "50%", "12.5%"],
        "sure": ["TRUE", "FALSE", "TRUE", ""],
        "when": ["2024-05-01", "2024-05-01 12:30:00", "09:05:00", "1999-12-31"],
        "formula_free": ["x & y <z>", "ü\nline", "", "12345678901"],
    }
    assert doubts == [
        "the sheet “All kinds” is read, and not “Secret”",
        "1 hidden row of the sheet is read as well",
        "row 2, column A: 2 groups of merged cells: each cell is read as having what is shown",
    ]


@pytest.mark.parametrize("program", ["openpyxl", "xlsxwriter"])
def test_a_formula_without_the_value_it_came_to_is_refused_with_its_place(program: str) -> None:
    with pytest.raises(
        JudgmentFileError, match="row 3, column C: the value of its formula was not saved; open the"
    ):
        read((FILES / f"formula_{program}.xlsx").read_bytes())


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("<c><f>1+1</f><v>2</v></c>", "2"),
        ('<c t="str"><f>""</f><v></v></c><c><v>1</v></c>', ""),
        ('<c t="s"><v>1</v></c>', "bold and plain"),
        ("<c><v>3.3000000000000003</v></c>", "3.3"),
        ("<c><v>1E-3</v></c>", "0.001"),
        ("<c><v>-4.0</v></c>", "-4"),
        ('<c s="1"><v>45413</v></c>', "2024-05-01"),
        ('<c s="2"><v>3</v></c>', "3"),
        ('<c s="3"><v>0.07</v></c>', "7%"),
        ('<c s="4"><v>0.5</v></c>', "12:00:00"),
        ('<c t="d"><v>2024-05-01T00:00:00</v></c>', "2024-05-01T00:00:00"),
        ('<c t="inlineStr"><is><r><t>ri</t></r><r><t>ch_x000D_</t></r><rPh><t>no</t></rPh></is></c>', "rich\r"),
        ('<c t="e"><v>#DIV/0!</v></c>', "#DIV/0!"),
    ],
)
def test_a_cell_is_read_as_it_would_be_saved(cell: str, text: str) -> None:
    texts = "<si><t>one</t></si><si><r><t>bold</t></r><r><t> and plain</t></r><rPh><t>no</t></rPh></si>"
    header = rows_of(("a", "b")).removesuffix("</sheetData>")
    sheet = f"{header}<row>{cell}</row><row><c><v>9</v></c><c><v>9</v></c></row></sheetData>"
    assert read(made_workbook(sheet, texts=texts, styles=STYLES))[0]["a"].iloc[0] == text


def test_days_are_counted_from_where_the_workbook_does() -> None:
    cell = '<c s="1"><v>43951</v></c>'
    assert one(cell, styles=STYLES, book='<workbookPr date1904="1"/>') == "2024-05-01"


def test_a_workbook_may_name_its_parts_otherwise() -> None:
    assert one("<c><v>4</v></c>", main="xl/workbook2.xml") == "4"


def test_rows_and_columns_stand_where_they_are_and_keep_their_numbers() -> None:
    names = zip("BCD", ("rater", "answer", "depth"), strict=True)
    header = "".join(f'<c r="{column}3" t="inlineStr"><is><t>{name}</t></is></c>' for column, name in names)
    cells = '<c r="B7"><v>1</v></c><c r="C7"><v>2</v></c><c r="D7" t="inlineStr"><is><t>deep</t></is></c>'
    content = made_workbook(f'<sheetData><row r="3">{header}</row><row r="7">{cells}</row></sheetData>')
    with pytest.raises(JudgmentFileError, match="row 7, column depth: 'deep' is not a number"):
        read_ratings(content, ColumnMap(dimensions=("depth",)))


def test_titles_merged_over_the_names_of_columns_are_no_names() -> None:
    sheet = (
        rows_of(("Study", ""), ("rater", "answer"), ("r", "a"))
        + '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>'
    )
    with pytest.raises(JudgmentFileError, match="row 1, column 2 from the left: it has no name"):
        read(made_workbook(sheet))


def test_comparisons_are_read_from_workbooks_too() -> None:
    sheet = rows_of(("prompt", "model_a", "model_b", "winner"), ("p", "x", "y", "a"))
    assert len(read_pairs(made_workbook(sheet), ColumnMap()).frame) == 2


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (
                packed({"content.xml": "<x/>", "mimetype": "application/vnd.oasis.opendocument.spreadsheet"}),
                "an OpenDoc",
            ),
            (packed({"word/document.xml": "<x/>"}), "a Word document, not CSV: bring the table in it"),
            (packed({"xl/workbook.bin": "x"}), "a binary workbook, not CSV: save it as .xlsx or CSV"),
            (
                packed({"ratings.csv": "a,b"}),
                "an archive, and no workbook, not CSV: save the sheet as CSV, or unpack",
            ),
            (b"PK\x03\x04\x14\x00", "the file is no workbook that can be read"),
            (made_workbook("<sheetData/>"), "the sheet “One” is empty: put the table on the first one"),
            (made_workbook(rows_of(("a",))), "row 2: there is none, only the names of the columns"),
            (made_workbook("<sheetData><row>"), "the file is no workbook that can be read"),
            (
                made_workbook('<sheetData><row><c t="s"><v>7</v></c></row></sheetData>', texts="<si/>"),
                "no workbook that",
            ),
            (made_workbook('<sheetData><row><c r="7"><v>7</v></c></row></sheetData>'), "'7' names no cell"),
            (made_workbook("<sheetData><row><c><v>x</v></c></row></sheetData>"), "could not convert"),
        ],
    )
    def test_what_is_no_workbook_is_refused_in_words(self, content: bytes, said: str) -> None:
        with pytest.raises(JudgmentFileError, match=said):
            read(content)

    def test_a_damaged_one_is_refused(self) -> None:
        content = (FILES / "plain_xlsxwriter.xlsx").read_bytes()
        for place in range(0, len(content), 97):
            damaged = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
            try:
                read(damaged)
            except JudgmentFileError:
                continue

    def test_entities_are_refused(self) -> None:
        bomb = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>'
        content = made_workbook(rows_of(("a",), ("1",)))
        with pytest.raises(JudgmentFileError, match="declares a type of document"):
            read(with_part(content, "xl/worksheets/one.xml", f"{bomb}<worksheet>&lol2;</worksheet>"))

    def test_one_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(workbook_parts, "MAX_UNPACKED", 2_000)
        with pytest.raises(JudgmentFileError, match="unpacks to more than 0 MB: save the sheet as CSV"):
            read(made_workbook(rows_of(("a",), *((" " * 100,) for _ in range(100)))))

    def test_a_cell_far_from_the_table_is_refused(self) -> None:
        far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
        sheet = rows_of(("a",), ("1",)).replace("</sheetData>", far)
        with pytest.raises(JudgmentFileError, match="reaches over 17,179,869,184 cells, and 5,000,000 at most"):
            read(made_workbook(sheet))

    def test_cells_merged_over_too_much_are_refused(self) -> None:
        sheet = rows_of(("a",), ("1",)) + '<mergeCells><mergeCell ref="A2:XFD1048576"/></mergeCells>'
        with pytest.raises(JudgmentFileError, match="5,000,000 at most are read"):
            read(made_workbook(sheet))
        assert workbook.MAX_CELLS == 5_000_000


def with_part(content: bytes, name: str, text: str) -> bytes:
    with ZipFile(io.BytesIO(content)) as archive:
        files = {each: archive.read(each).decode() for each in archive.namelist()}
    return packed({**files, name: text})
