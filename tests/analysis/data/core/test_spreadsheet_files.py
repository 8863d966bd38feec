"""Files of ratings as spreadsheets and other studies' authors write them give the figures of the plain one."""

import pandas as pd
import pytest

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import Ratings, averaged
from analysis.data.core.table_file import read_table

HEADER = ("rater", "question", "system", "clarity", "depth")
ROWS = tuple(
    (rater, f"Q{question}", system, f"{3 + question + place}", f"{5 - question + (rater == 'Zoë') * place}")
    for rater in ("Zoë", "Jürgen")
    for question in range(2)
    for place, system in enumerate(("gpt", "people"))
)
PLAIN = "\n".join(",".join(row) for row in (HEADER, *ROWS))
KEYS = ["unit", "evaluator", "dimension"]


def lines(separator: str, *, header: tuple[str, ...] = HEADER, behind: str = "") -> str:
    return "\r\n".join(separator.join(row) + behind for row in (header, *ROWS))


def tidy(ratings: Ratings) -> pd.DataFrame:
    return ratings.frame.sort_values(KEYS).reset_index(drop=True)


@pytest.mark.parametrize(
    ("content", "doubt"),
    [
        (("sep=;\r\n" + lines(";", behind=";;") + "\r\n;;;;;;\r\n;;;;;;\r\n").encode("utf-8-sig"), None),
        (lines("\t").encode("utf-16"), None),
        (lines(";").encode("cp1252"), "read as Windows-1252"),
        ((PLAIN + "\n\n\n").encode(), None),
    ],
    ids=["sep-line-and-blank-ends", "utf-16", "windows-1252", "blank-lines-behind"],
)
def test_what_spreadsheets_write_is_read_as_the_plain_file(content: bytes, doubt: str | None) -> None:
    plain, found = (read_ratings(each, ColumnMap()) for each in (PLAIN.encode(), content))
    pd.testing.assert_frame_equal(tidy(found), tidy(plain))
    more = [str(each) for each in found.doubts if each not in plain.doubts]
    assert (doubt in more[0] and len(more) == 1) if doubt else not more


def test_rows_behind_a_line_that_names_the_separator_keep_their_numbers() -> None:
    text = "sep=;\n" + lines(";").replace(";3;", ";many;", 1)
    with pytest.raises(JudgmentFileError, match="row 3, column clarity: 'many'"):
        read_ratings(text.encode(), ColumnMap(dimensions=("clarity", "depth")))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04\x14\x00", "no workbook that can be read"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1",
            "an older workbook, or one with a password, not CSV: save it without one, as",
        ),
        (b'{"rater": "r1"}\n{"rater": "r2"}\n', "JSON, not CSV"),
        (b"%PDF-1.7", "a PDF"),
        (b"\x1f\x8b\x08", "a compressed file, not CSV: unpack it first"),
        (b'[{"rater": "r1"},\n {"rater": "r2"}]\n', "JSON, not CSV"),
        (b"PAR1\x15\x04\x15PAR1", "a Parquet file"),
    ],
    ids=["workbook", "older-workbook", "json-lines", "pdf", "gzip", "json", "parquet"],
)
def test_a_file_of_another_format_is_refused_by_what_it_is(content: bytes, said: str) -> None:
    with pytest.raises(JudgmentFileError, match=said):
        read_table(content)


@pytest.mark.parametrize("name", ["PK", "PKU", "PAR1", "[depth]", "{depth}", "%PDF", "PK\x01"])
def test_names_of_columns_that_begin_as_other_files_do_make_no_other_file(name: str) -> None:
    found = read_table(f"{name},rater,answer\n3,r1,a1\n".encode())
    assert list(found.columns) == [name, "rater", "answer"]


def test_a_cell_that_is_too_long_is_told_from_what_is_no_csv() -> None:
    text = "rater,answer,depth\n" + f'r1,"a{"x" * 140_000}",3\n'
    with pytest.raises(JudgmentFileError, match=r"a cell has more than 131,072 characters: look for a quotation"):
        read_table(text.encode())


def test_zero_bytes_are_refused_as_no_text() -> None:
    for content in (b"rater,answer,depth\nr1,a\0,3\n", "rater,answer\nr,a\n".encode("utf-16-le")):
        with pytest.raises(JudgmentFileError, match="the file is no text: there are zero bytes in it"):
            read_table(content)


def test_bytes_of_no_text_are_refused() -> None:
    with pytest.raises(JudgmentFileError, match="not CSV in UTF-8"):
        read_table(b"\xff\xfe\x00")


def test_a_long_file_with_columns_dimension_and_value_needs_nobody_to_say_so() -> None:
    long = ["rater,question,system,dimension,value"]
    for *who, clarity, depth in ROWS:
        long += [",".join((*who, name, mark)) for name, mark in (("clarity", clarity), ("depth", depth))]
    found = read_ratings("\n".join(long).encode(), ColumnMap())
    pd.testing.assert_frame_equal(tidy(found), tidy(read_ratings(PLAIN.encode(), ColumnMap())))


def test_a_rating_without_a_column_of_dimensions_is_a_dimension_by_its_own_name() -> None:
    found = read_ratings(b"rater,item,rating\na,x,3\nb,x,4\n", ColumnMap())
    assert set(found.frame["dimension"]) == {"rating"}


def test_a_file_with_a_column_for_every_rater_is_turned_round() -> None:
    text = "question,system,ann,ben\nQ1,gpt,3,4\nQ1,people,2,\nQ2,gpt,5,1\n"
    found = read_ratings(text.encode(), ColumnMap(raters=("ann", "ben")))
    values = found.frame.set_index(["evaluator", "unit"])["value"]
    assert values["ben", "Q1/gpt"] == 4
    assert values["ann", "Q2/gpt"] == 5
    assert found.frame["status"].tolist().count("missing") == 1
    wrong = text.replace("5,1", "5,one")
    with pytest.raises(JudgmentFileError, match="row 4, column ben: 'one'"):
        read_ratings(wrong.encode(), ColumnMap(raters=("ann", "ben")))


@pytest.mark.parametrize("name", ["{rater}_{dimension}", "{dimension} ({rater})", "{dimension}.{rater}"])
def test_a_header_that_numbers_raters_beside_dimensions_is_read(name: str) -> None:
    pairs = [("rater 1", "clarity"), ("rater 1", "depth"), ("rater 2", "clarity")]
    header = ",".join(name.format(rater=rater, dimension=dimension) for rater, dimension in pairs)
    found = read_ratings(f"answer,{header}\na1,3,4,5\n\na2,1,failed,2\n".encode(), ColumnMap())
    values = found.frame.set_index(["evaluator", "dimension", "unit"])["value"]
    assert values["rater 1", "depth", "a1"] == 4
    assert values["rater 2", "clarity", "a2"] == 2
    assert len(values) == 6
    said = [str(doubt) for doubt in found.doubts]
    assert any("there is none for depth by rater 2" in doubt for doubt in said)
    # A blank row does not count, and keeps its number.
    assert any(doubt.startswith(f"row 4, column {header.split(',')[1]}: 1 rating") for doubt in said)


def test_a_header_that_may_cross_raters_and_dimensions_tells_how_to_say_so() -> None:
    text = "answer,Ann_clarity,Ann_depth,Ben_clarity,Ben_depth\na1,3,4,5,4\n"
    with pytest.raises(JudgmentFileError, match=r"“Ann_clarity” are each of one rater .* as in R1_clarity"):
        read_ratings(text.encode(), ColumnMap())


def test_answers_rated_on_some_dimensions_alone_are_counted() -> None:
    blank = PLAIN.replace("Zoë,Q0,gpt,3,", "Zoë,Q0,gpt,,", 1)
    assert not list(averaged(read_ratings(PLAIN.encode(), ColumnMap())))
    (doubt,) = averaged(read_ratings(blank.encode(), ColumnMap()))
    assert "1 answer rated on some dimensions alone" in str(doubt)
