"""Workbooks give what the plain file gives that holds the same.

Those in the folder `workbooks` were written by openpyxl 3.1 and XlsxWriter 3.3, as their names say: two programs
that know nothing of the one that reads them here.
"""

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import Doubt
from analysis.data.core.table_file import read_table
from analysis.rating_files.core.looking import look_at
from tests.analysis.data.core.made_workbooks import made_workbook, packed, rows_of
from tests.analysis.data.core.test_spreadsheet_files import PLAIN, tidy
from tests.thorough import examples

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


def test_cells_of_all_kinds_come_at_full_precision_and_per_cents_and_dates_by_their_format() -> None:
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
def test_a_formula_without_the_value_it_came_to_is_refused_with_its_place_where_its_column_is_read(
    program: str,
) -> None:
    content = (FILES / f"formula_{program}.xlsx").read_bytes()
    with pytest.raises(
        JudgmentFileError,
        match=r"row 3, column C: the value of its formula was not saved; open the.*leave the column",
    ):
        read(content)
    assert read_table(content, ignored=frozenset(("score",))).to_dict("list") == {
        "rater": ["r1", "r1"],
        "answer": ["a1", "a2"],
    }
    assert look_at(content).columns == ("rater", "answer", "score")


def test_a_formula_in_the_name_of_a_column_has_to_have_its_value() -> None:
    sheet = rows_of(("a",), ("1",)).replace("</c></row>", "</c><c><f>1+1</f></c></row>", 1)
    with pytest.raises(JudgmentFileError, match="row 1, column B: the value of its formula was not saved"):
        read_table(made_workbook(sheet), ignored=frozenset("a"))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("<v>7</v>", "7"),
        ("<v>-0.5</v>", "-0.5"),
        ("<v>0</v>", None),
        ("<v>0.0</v>", None),
        ("<v/>", None),
        ("", None),
    ],
)
def test_of_a_workbook_that_computes_anew_formulas_are_read_that_have_a_value_and_that_is_said(
    value: str, text: str | None
) -> None:
    # Programs that compute nothing write 0, or nothing.
    content = made_workbook(
        rows_of(("a", "b"), ("1", "2")).replace("<c><v>2</v></c>", f"<c><f>A2*7</f>{value}</c>"),
        book='<calcPr fullCalcOnLoad="1"/>',
    )
    if text is None:
        with pytest.raises(JudgmentFileError, match="row 2, column B: the value of its formula was not saved"):
            read(content)
    else:
        table, doubts = read(content)
        assert table["b"].iloc[0] == text
        assert doubts == [
            "row 2, column B: the value of a formula that was saved is read, though all are to be computed anew"
        ]


@given(st.text(st.characters(exclude_categories=()), max_size=3), st.booleans(), st.booleans())
@example("\0", False, False)
@example("\ud800", True, True)
@example("\ud83d\ude00", False, False)
@example("\x0b", False, True)
@example("_x005F_", False, True)
@examples(300)
def test_a_text_with_any_escaped_signs_is_read_as_it_is_or_refused_with_its_place_where_it_is_read(
    signs: str, is_shared: bool, is_name: bool
) -> None:
    escaped = "x" + "".join(f"_x{ord(each):04X}_" for each in signs if ord(each) < 0x10000)
    read_as = "x" + "".join(each for each in signs if ord(each) < 0x10000)
    text = '<c t="s"><v>0</v></c>' if is_shared else f'<c t="inlineStr"><is><t>{escaped}</t></is></c>'
    cells = [
        f"<row><c><v>{row}</v></c>{text if is_name == (row == 1) else '<c><v>5</v></c>'}</row>" for row in (1, 2)
    ]
    content = made_workbook(f"<sheetData>{''.join(cells)}</sheetData>", texts=f"<si><t>{escaped}</t></si>")
    if re.search("[\0-\x08\x0e-\x1f\ud800-\udfff\ufffe\uffff]", read_as):
        place = f"row {1 if is_name else 2}, column B: it has a sign that no text has"
        with pytest.raises(JudgmentFileError, match=place):
            read(content)
        if not is_name:
            assert list(read_table(content, ignored=frozenset("5"))) == ["1"]
            look_at(content)
    else:
        plain = re.sub("[\x0b\x0c]", "\n", read_as)
        table, _ = read(content)
        assert (str(table.columns[1]), table.iloc[0, 1]) == ((plain.strip(), "5") if is_name else ("5", plain))


@given(st.floats(0, 3_000_000), st.booleans())
@example(2_958_465.9999999, False)
@example(2_957_003.9999999, True)
@example(2_957_004.0, True)
@example(0.999999, False)
@examples(200)
def test_any_day_is_read_as_a_date_as_far_as_days_go_and_as_its_number_beyond(
    days: float, counts_from_1904: bool
) -> None:
    book = '<workbookPr date1904="1"/>' if counts_from_1904 else ""
    found = one(f'<c s="1"><v>{days!r}</v></c>', styles=STYLES, book=book)
    if days >= (2_957_004 if counts_from_1904 else 2_958_466) - 0.6 / 86_400:
        assert found == f"{days:.15g}"
    elif days < 1 - 0.5 / 86_400:
        assert re.fullmatch(r"\d\d:\d\d:\d\d", found)
    else:
        day_0 = "1904-01-01" if counts_from_1904 else "1899-12-31" if days < 60 - 0.6 / 86_400 else "1899-12-30"
        assert abs(
            datetime.fromisoformat(found) - datetime.fromisoformat(day_0) - timedelta(days=days)
        ) < timedelta(seconds=1)


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
        ('<c t="s"/><c><v>1</v></c>', ""),
        ('<c t="s"><v> </v></c><c><v>1</v></c>', ""),
        ('<c t="b"/><c><v>1</v></c>', ""),
        ('<c t="inlineStr"><is><t>kept</t><rPh/></is></c>', "kept"),
        ('<c s="3"><v>0.857</v></c>', "85.7%"),
        ("<c><v>12345678901234567</v></c>", "12345678901234567"),
        ("<c><v>0.12345678901234567</v></c>", "0.123456789012346"),
        ('<c s="1"><v>1</v></c>', "1900-01-01"),
    ],
)
def test_a_cell_is_read_by_its_kind_and_format(cell: str, text: str) -> None:
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
                "row 1, column A: the cell is none that can be read: there is no text with the number 7",
            ),
            (made_workbook('<sheetData><row><c r="7"><v>7</v></c></row></sheetData>'), "'7' names no cell"),
            (made_workbook("<mergeCells><mergeCell/></mergeCells>"), "it lacks a 'ref'"),
        ],
        # Not the bytes, which have the time in them: every process has to collect the same names.
        ids=[
            *("OpenDocument", "Word", "binary", "archive", "cut", "empty", "no rows", "cut sheet"),
            *("no such text", "no cell", "merged without cells"),
        ],
    )
    def test_what_is_no_workbook_is_refused_in_words(self, content: bytes, said: str) -> None:
        with pytest.raises(JudgmentFileError, match=said):
            read(content)

    def test_a_damaged_one_is_refused_or_read_as_the_whole_one(self) -> None:
        content = (FILES / "plain_xlsxwriter.xlsx").read_bytes()
        whole, doubts = read(content)
        refused = 0
        for place in range(0, len(content), 13):
            damaged = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
            try:
                found, said = read(damaged)
            except JudgmentFileError:
                refused += 1
            else:
                pd.testing.assert_frame_equal(found, whole)
                assert said == doubts
        assert refused > 100
