"""Whatever a workbook says of itself, it is read, or refused in words, within so much memory and time."""

import io
from collections.abc import Callable, Iterator
from zipfile import ZipFile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.data.core import workbook_parts
from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.table_file import read_table
from tests.analysis.data.core.limited_reader import LimitedReader, limited_reader
from tests.analysis.data.core.made_workbooks import made_workbook, packed, rows_of
from tests.thorough import examples

SHEET = "xl/worksheets/one.xml"
TABLE = rows_of(("a", "b"), ("1", "2"))
OPEN = rows_of(("a", "b")).removesuffix("</sheetData>")  # a table that goes on
STYLES = '<numFmts><numFmt numFmtId="{}" formatCode="0%"/></numFmts><cellXfs><xf/><xf numFmtId="{}"/></cellXfs>'
# Wherever a number stands in a workbook that is read; a second one where there are two.
PLACES = {
    "the row of a row": OPEN + '<row r="{}"><c><v>1</v></c></row></sheetData>',
    "the row of a cell": OPEN + '<row><c r="A{}"><v>1</v></c></row></sheetData>',
    "the cell of a cell": OPEN + '<row><c r="{}"><v>1</v></c></row></sheetData>',
    "the number of a text": OPEN + '<row><c t="s"><v>{}</v></c></row></sheetData>',
    "the style of a cell": OPEN + '<row><c s="{}"><v>1</v></c></row></sheetData>',
    "a number": OPEN + "<row><c><v>{}</v></c></row></sheetData>",
    "a date": OPEN + '<row><c s="2"><v>{}</v></c></row></sheetData>',
    "hidden columns": '<cols><col min="{}" max="{}" hidden="1"/></cols>' + TABLE,
    "merged cells": TABLE + '<mergeCells><mergeCell ref="A{}:B{}"/></mergeCells>',
    "merged columns": TABLE + '<mergeCells><mergeCell ref="{}2:{}9"/></mergeCells>',
    "merged cells beside reversed ones": TABLE
    + '<mergeCells><mergeCell ref="A2:XFD{0}"/><mergeCell ref="XFE{1}:A{0}"/></mergeCells>',
}
NUMBERS = st.one_of(
    st.integers(-(10**12), 10**12).map(str),
    st.integers(-20, 20).map(str),
    st.floats().map(repr),
    st.sampled_from(
        (
            *(
                "",
                " ",
                "-",
                "-0",
                " 7 ",
                "1_0",
                "１",
                "٣",
                "0x10",
                "nan",
                "INF",
                "1e999",
                "9" * 5_000,
                "-" + "9" * 500,
            ),
            *(
                "A",
                "XFD",
                "XFE",
                "ZZZ",
                "A1",
                "XFD1048576",
                "XFD1048577",
                "A0",
                "$A$1",
                "16384",
                "16385",
                "1048577",
            ),
            *("2958465", "2958465.99999999", "2958466", "0.999999999", "59", "60", "1e-320"),
        )
    ),
)


@pytest.fixture(scope="module")
def within_limits() -> Iterator[LimitedReader]:
    with limited_reader() as reader:
        yield reader


def with_part(content: bytes, name: str, text: str) -> bytes:
    with ZipFile(io.BytesIO(content)) as archive:
        files = {each: archive.read(each).decode() for each in archive.namelist()}
    return packed({**files, name: text})


@pytest.mark.parametrize("place", PLACES)
@given(st.tuples(NUMBERS, NUMBERS), st.booleans())
@example(("1000000", "2"), False)
@example(("-1000000000", "1"), False)
@example(("1", "99999999999"), True)
@example(("-3", "-3"), False)
@examples(60)
def test_any_number_of_a_workbook_is_read_or_refused_within_limits(
    within_limits: LimitedReader, place: str, numbers: tuple[str, str], counts_from_1904: bool
) -> None:
    content = made_workbook(
        PLACES[place].format(*numbers),
        texts="<si><t>one</t></si>",
        styles='<cellXfs><xf/><xf numFmtId="9"/><xf numFmtId="14"/></cellXfs>',
        book='<workbookPr date1904="1"/>' if counts_from_1904 else "",
    )
    outcome, words = within_limits(content)
    assert outcome in ("read", "refused"), words
    assert not words.endswith(("invalid literal", "out of range"))


@given(NUMBERS, NUMBERS)
@examples(60)
def test_any_number_of_a_style_is_read_or_refused_within_limits(
    within_limits: LimitedReader, one: str, other: str
) -> None:
    sheet = OPEN + '<row><c s="1"><v>0.5</v></c></row></sheetData>'
    outcome, words = within_limits(made_workbook(sheet, styles=STYLES.format(one, other)))
    assert outcome in ("read", "refused"), words


ROW = "<row>" + "<c><v>1</v></c>" * 100 + "</row>"
OF_VERY_MANY: dict[str, Callable[[], str]] = {  # each of megabytes
    "cells": lambda: "<sheetData>" + ROW * 55_000 + "</sheetData>",
    "blank cells": lambda: "<sheetData>" + ("<row>" + "<c/>" * 10_000 + "</row>") * 600 + "</sheetData>",
    "cells in one place": lambda: (
        '<sheetData><row r="1">' + '<c r="A1"><v>1</v></c>' * 1_000_000 + "</row></sheetData>"
    ),
    "rows": lambda: "<sheetData>" + "<row/>" * 1_100_000 + "</sheetData>",
    "texts in one cell": lambda: OPEN + "<row><c>" + "<v>1</v>" * 500_000 + "</c></row></sheetData>",
    "texts in no cell": lambda: TABLE + "<v>1</v>" * 500_000,
    "hidden columns": lambda: '<cols><col min="1" max="16384" hidden="1"/></cols>' * 200_000 + TABLE,
    "merged cells": lambda: TABLE + '<mergeCell ref="A2:B2"/>' * 2_600_000,
    "merges of one cell": lambda: TABLE + '<mergeCell ref="A2"/>' * 500_000,
    "elements": lambda: TABLE + "<a/>" * 21_000_000,
    "elements within elements": lambda: "<a>" * 5_000_000,
    "attributes": lambda: "<a " + " ".join(f'a{number:x}=""' for number in range(2_000_000)) + "/>" + TABLE,
    "names": lambda: "".join(f"<a{number:x}/>" for number in range(2_000_000)) + TABLE,
    "signs in a comment": lambda: "<!--" + " " * 100_000_000 + "-->" + TABLE,
    "signs in a text": lambda: OPEN + '<row><c t="str"><v>' + "x" * 100_000_000 + "</v></c></row></sheetData>",
    "signs in a name": lambda: f'<sheetData><row r="{"1" * 100_000_000}"/></sheetData>',
}


@pytest.mark.parametrize("what", OF_VERY_MANY)
def test_a_sheet_of_very_many_is_read_or_refused_within_limits(within_limits: LimitedReader, what: str) -> None:
    outcome, words = within_limits(made_workbook(OF_VERY_MANY[what]()))
    assert outcome in ("read", "refused"), words


IN_PARTS = {
    "relations of the whole": ("_rels/.rels", '<Relationship Id="{0}" Type="t/{0}" Target="{0}"/>'),
    "relations": ("xl/_rels/workbook.xml.rels", '<Relationship Id="{0}" Type="t/{0}" Target="{0}"/>'),
    "sheets": ("xl/workbook.xml", '<sheet name="{0}" id="{0}"/>'),
    "formats": ("xl/styles.xml", '<numFmt formatCode="{0}" numFmtId="{0}"/>'),
    "styles": ("xl/styles.xml", '<cellXfs><xf numFmtId="{0}"/></cellXfs>'),
    "texts": ("xl/sharedStrings.xml", "<si><t>{0}</t><t/></si>"),
    "runs of a text": ("xl/sharedStrings.xml", "<t>{0}</t>"),
}


@pytest.mark.parametrize("what", IN_PARTS)
def test_a_part_of_very_many_is_read_or_refused_within_limits(within_limits: LimitedReader, what: str) -> None:
    part, text = IN_PARTS[what]
    whole = made_workbook(TABLE, texts="<si><t>one</t></si>", styles="<cellXfs><xf/></cellXfs>")
    with ZipFile(io.BytesIO(whole)) as archive:
        head, _, tail = archive.read(part).decode().rpartition("</")
    many = "".join(text.format(each) for each in range(1_100_000))
    outcome, words = within_limits(with_part(whole, part, f"{head}{many}</{tail}"))
    assert outcome in ("read", "refused"), words


def test_a_long_text_in_very_many_cells_is_refused_as_the_bytes_that_it_would_be(
    within_limits: LimitedReader,
) -> None:
    for cells, merged in (("<row>" + '<c t="s"><v>0</v></c>' * 100 + "</row>", ""), ("", "A3:B1000000")):
        more = f'<mergeCells><mergeCell ref="{merged}"/></mergeCells>' if merged else ""
        long = '<row><c t="s"><v>0</v></c></row>' if merged else ""
        sheet = (
            f"{rows_of(('a', 'b'), ('1', '2')).removesuffix('</sheetData>')}{long}{cells * 100}</sheetData>{more}"
        )
        said = within_limits(made_workbook(sheet, texts=f"<si><t>{'x' * 100_000}</t></si>"))
        assert said == ("refused", "the workbook unpacks to more than 200 MB: save the sheet as CSV")


PARTS = (
    "_rels/.rels",
    "xl/_rels/workbook.xml.rels",
    "xl/workbook.xml",
    "xl/styles.xml",
    "xl/sharedStrings.xml",
    SHEET,
)


@pytest.mark.parametrize("long", [3_000, 7_000])
def test_all_parts_together_unpack_to_no_more_than_is_read(monkeypatch: pytest.MonkeyPatch, long: int) -> None:
    monkeypatch.setattr(workbook_parts, "MAX_UNPACKED", 30_000)
    content = made_workbook(TABLE, texts="<si><t>one</t></si>", styles="<cellXfs><xf/></cellXfs>")
    for name in PARTS:
        with ZipFile(io.BytesIO(content)) as archive:
            text = archive.read(name).decode()
        content = with_part(content, name, f"{text}<!--{' ' * long}-->")
    if long == 3_000:
        assert read_table(content).shape == (1, 2)
    else:
        with pytest.raises(JudgmentFileError, match="unpacks to more than 0 MB: save the sheet as CSV"):
            read_table(content)


@pytest.mark.parametrize("name", PARTS)
def test_a_part_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(
    within_limits: LimitedReader, name: str
) -> None:
    content = made_workbook(TABLE, texts="<si><t>one</t></si>", styles="<cellXfs><xf/></cellXfs>")
    said = within_limits(with_part(content, name, " " * 200_000_001))
    assert said == ("refused", "the workbook unpacks to more than 200 MB: save the sheet as CSV")


def test_entities_are_refused() -> None:
    bomb = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>'
    with pytest.raises(JudgmentFileError, match="declares a type of document"):
        read_table(with_part(made_workbook(TABLE), SHEET, f"{bomb}<worksheet>&lol2;</worksheet>"))


def test_a_cell_far_from_the_table_is_refused() -> None:
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    with pytest.raises(JudgmentFileError, match="reaches over 17,179,869,184 cells, and 5,000,000 at most"):
        read_table(made_workbook(TABLE.replace("</sheetData>", far)))


@pytest.mark.parametrize(
    "merged", [("A2:XFD1048576",), ("A2:XFD200", "A2:XFD200"), ("A300:XFD600",), ("A2:XFD1000000", "B1:B2")]
)
def test_cells_merged_over_too_much_are_refused(merged: tuple[str, ...]) -> None:
    cells = "".join(f'<mergeCell ref="{each}"/>' for each in merged)
    far = '<row r="300"><c><v>1</v></c></row></sheetData>'
    with pytest.raises(JudgmentFileError, match="5,000,000 at most are read"):
        read_table(made_workbook(f"{TABLE.replace('</sheetData>', far)}<mergeCells>{cells}</mergeCells>"))


@pytest.mark.parametrize("merged", ["B2:A2", "A3:A2", "XFE2:XFF3", "A2:A1048577", "A0:A2", "$A$2:$B$2", "A:A", "x"])
def test_merged_cells_that_are_no_rectangle_of_a_sheet_are_refused(merged: str) -> None:
    with pytest.raises(JudgmentFileError, match=r"names no cell of a sheet|does not begin at its upper left cell"):
        read_table(made_workbook(f'{TABLE}<mergeCells><mergeCell ref="{merged}"/></mergeCells>'))


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ('<row r="-3"><c><v>1</v></c></row>', "'-3' is no number of a row"),
        ('<row r="0"><c><v>1</v></c></row>', "a sheet has no row 0"),
        ('<row r="1048577"><c><v>1</v></c></row>', "a sheet has no row 1048577"),
        ('<row r="3"><c r="A4"><v>1</v></c></row>', "the cell A4 stands in row 3"),
        ('<row><c r="XFE2"><v>1</v></c></row>', "'XFE2' names no cell of a sheet"),
        ('<row><c r="A0"><v>1</v></c></row>', "'A0' names no cell of a sheet"),
        ('<row r="3"><c r="B3" t="s"><v>-1</v></c></row>', "row 3, column B: .*'-1' is no number of a text"),
        ('<row r="3"><c r="B3" t="s"><v>1</v></c></row>', "row 3, column B: .*there is no text with the number 1"),
        ('<row r="3"><c r="B3" s="-1"><v>1</v></c></row>', "row 3, column B: .*'-1' is no number of a style"),
        ('<row r="3"><c r="B3"><v>x</v></c></row>', "row 3, column B: .*'x' is no number"),
        ('<row r="3"><c r="B3"><v>nan</v></c></row>', "row 3, column B: .*'nan' is no number"),
        ('<row r="3"><c r="B3"><v>1_0</v></c></row>', "row 3, column B: .*'1_0' is no number"),
        ('<row r="3"><c r="B3"><v>1e999</v></c></row>', "row 3, column B: .*'1e999' is no number"),
        (
            '<row r="3"><c r="B3"><v>1</v></c><c r="B3"><v>2</v></c></row>',
            "row 3, column B: two cells of the sheet",
        ),
    ],
)
def test_what_stands_nowhere_or_has_no_such_number_is_refused_with_its_place(cell: str, words: str) -> None:
    with pytest.raises(JudgmentFileError, match=words):
        read_table(made_workbook(f"{OPEN}{cell}</sheetData>", texts="<si><t>one</t></si>"))
