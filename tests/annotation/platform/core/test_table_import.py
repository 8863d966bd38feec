"""Tables as people really bring them. What is written into each test is the file, byte for byte."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core import cells
from annotation.platform.core.table_import import (
    MAX_BYTES,
    MAX_COLUMNS,
    MAX_ROWS,
    Field,
    ParsedRow,
    Row,
    as_western,
    read,
    suggest,
    take,
)
from annotation.platform.core.text import clean

TWO = (Row(2, {"domain": "BBQ", "text": "Is it fair?"}), Row(3, {"domain": "HLE", "text": "Is it just?"}))


def problems(data: bytes) -> list[str]:
    return [str(problem) for problem in read(data).problems]


def only_problem(data: bytes) -> str:
    """What is wrong with a table that cannot be used at all."""
    table = read(data)
    assert (table.columns, table.rows) == ((), ())
    [problem] = table.problems
    return str(problem)


class TestDelimitedText:
    @pytest.mark.parametrize("mark", [",", ";", "\t"])
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_delimited_text_is_parted_by_commas_semicolons_or_tabs_with_any_line_ends(
        self, mark: str, end: str
    ) -> None:
        lines = (f"domain{mark}text", f"BBQ{mark}Is it fair?", f"HLE{mark}Is it just?", "")
        table = read(end.join(lines).encode())
        assert (table.columns, table.rows, table.problems) == (("domain", "text"), TWO, ())

    def test_delimited_text_may_begin_with_a_byte_order_mark_and_blank_lines(self) -> None:
        table = read(b"\xef\xbb\xbf\n\ndomain,text\n\nBBQ,Is it fair?\n,\nHLE,Is it just?")
        assert [row.line for row in table.rows] == [5, 7]
        assert table.columns == ("domain", "text")

    def test_delimited_text_keeps_marks_quotes_and_line_ends_within_quoted_cells(self) -> None:
        table = read(b'domain;text\nBBQ;"Is it ""fair""; and\nto whom?"\nHLE;"x"\n')
        assert table.rows[0] == Row(2, {"domain": "BBQ", "text": 'Is it "fair"; and\nto whom?'})
        assert table.rows[1].line == 4  # the cell above has two lines

    def test_delimited_text_takes_the_delimiter_from_the_names_and_not_from_the_texts(self) -> None:
        table = read(b"domain;text\nBBQ;Fair, just, or neither?\n")
        assert table.rows == (Row(2, {"domain": "BBQ", "text": "Fair, just, or neither?"}),)

    def test_delimited_text_of_one_column_needs_no_delimiter(self) -> None:
        assert read(b"text\nIs it fair?\n").rows == (Row(2, {"text": "Is it fair?"}),)

    def test_cells_of_delimited_text_are_cleaned_as_every_text_is(self) -> None:
        table = read("text,note\n  a\u200bb\x07 ,e\u0301\x0bx\n".encode())
        assert table.rows == (Row(2, {"text": "ab", "note": "é\nx"}),)

    def test_a_space_after_the_delimiter_is_no_part_of_a_quoted_cell(self) -> None:
        assert read(b'domain, text\nBBQ, "Fair, or not?"\n').rows == (
            Row(2, {"domain": "BBQ", "text": "Fair, or not?"}),
        )

    def test_lines_that_a_spreadsheet_filled_up_are_no_longer_than_the_first(self) -> None:
        assert read(b"domain;text;;\nBBQ;Is it fair?;;\nHLE;Is it just?;;;\n").rows == TWO

    def test_a_line_with_another_number_of_cells_is_named_and_the_others_are_kept(self) -> None:
        table = read(b"domain,text\nBBQ,Fair, or not?\nHLE\nMSC,Is it just?\n")
        assert [str(problem) for problem in table.problems] == [
            "line 2: 3 cells, where the first line names 2 columns",
            "line 3: 1 cell, where the first line names 2 columns",
        ]
        assert table.rows == (Row(4, {"domain": "MSC", "text": "Is it just?"}),)

    @pytest.mark.parametrize("cell", ['"Is it fair?\nHLE,Is it just?\n', '"Is it" fair?\nHLE,Is it just?\n'])
    def test_quotes_that_do_not_fit_are_named_by_the_line_where_the_cell_begins(self, cell: str) -> None:
        table = read(f"domain,text\nMSC,Is it good?\nBBQ,{cell}".encode())
        [problem] = table.problems
        assert problem.line == 3
        assert "does not end with one" in problem.text
        assert [row.line for row in table.rows] == [2]

    def test_a_cell_that_swallowed_the_rest_of_a_long_file_is_no_surprise_either(self) -> None:
        assert "does not end with one" in problems(b'text\n"' + b"x" * 200_000)[0]


class TestJsonLines:
    def test_json_lines_are_objects_line_by_line(self) -> None:
        table = read(
            b'{"domain": "BBQ", "text": "Is it fair?"}\r\n\r\n{"text": "Is it just?", "domain": "HLE"}\r\n'
        )
        assert table.columns == ("domain", "text")
        assert table.rows == (
            Row(1, {"domain": "BBQ", "text": "Is it fair?"}),
            Row(3, {"text": "Is it just?", "domain": "HLE"}),
        )

    def test_json_lines_may_hold_numbers_lists_of_texts_and_nothing(self) -> None:
        [row] = read(
            b'{"n": 1.50, "yes": true, "topics": ["Law", "History"], "none": null, "text": "a\\u200bb "}'
        ).rows
        assert row.cells == {"n": "1.50", "yes": "true", "topics": "Law; History", "none": "", "text": "ab"}

    def test_json_lines_have_the_columns_of_all_lines_together(self) -> None:
        assert read(b'{"text": "a"}\n{"title": "b", "text": "c"}').columns == ("text", "title")

    @pytest.mark.parametrize(
        ("line", "fault"),
        [
            ("[1, 2]", "not one JSON object"),
            ('{"text": "a"', "not one JSON object"),
            ("text", "not one JSON object"),
            ("[" * 100_000, "not one JSON object"),
            ('{"text": "a", "text": "b"}', "“text” is given twice"),
            ('{"text": {"de": "a"}}', "“text” is neither a text"),
            ('{"text": ["a", 1, null]}', "“text” is neither a text"),
        ],
    )
    def test_lines_that_are_no_json_are_named_and_the_others_are_kept(self, line: str, fault: str) -> None:
        table = read(f'{{"text": "Is it fair?"}}\n{line}\n{{"text": "Is it just?"}}\n'.encode())
        assert [row.line for row in table.rows] == [1, 3]
        [problem] = table.problems
        assert problem.line == 2
        assert fault in problem.text

    def test_a_whole_json_document_is_told_how_to_become_lines(self) -> None:
        table = read(b'[\n{"text": "a"}\n]\n')
        assert [problem.line for problem in table.problems] == [1, 3]


class TestWhatCannotBeUsed:
    @pytest.mark.parametrize("data", [b"", b"\n \r\n", b"\xef\xbb\xbf"])
    def test_an_empty_file_cannot_be_imported(self, data: bytes) -> None:
        assert only_problem(data) == "There is nothing in it."

    def test_a_table_of_names_alone_cannot_be_imported(self) -> None:
        assert only_problem(b"domain,text\n") == "There are names of columns and nothing below them."

    @pytest.mark.parametrize(
        ("data", "what"),
        [
            (
                b"PK\x03\x04\x14\0\x06\0[",
                "an Excel workbook, a Word document or another packed file",
            ),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\n,", "an older Excel workbook or Word document"),
            (b"%PDF-1.7\n1 0 obj\n", "a PDF"),
            (b"\x89PNG\r\n\x1a\n", "a picture"),
        ],
    )
    def test_a_file_that_is_no_text_is_called_what_it_is(self, data: bytes, what: str) -> None:
        told = f"This is {what}, not a table in a text. In a spreadsheet, save the table as “CSV UTF-8”."
        assert only_problem(data) == told
        assert [problem.text for problem in read(data, guesses_encoding=True).problems] == [told]

    @pytest.mark.parametrize("text", ["é", "“"])
    def test_another_encoding_is_told_with_the_line_where_it_shows(self, text: str) -> None:
        assert only_problem(b"text\nfair\n" + text.encode("cp1252")).startswith("Line 3 is not UTF-8 text.")
        assert "Read as Windows-1252 (Latin-1) it says “" in only_problem(b"text\nfair\n" + text.encode("cp1252"))

    def test_a_table_in_utf_16_is_told_as_such_and_not_shown_as_nonsense(self) -> None:
        told = only_problem("id,text\n1,café\n".encode("utf-16"))
        assert "It begins as text in UTF-16 does." in told

    @pytest.mark.parametrize(
        ("encoding", "told"), [("cp1252", "Windows-1252 (Latin-1)"), ("utf-16", "UTF-16"), ("utf-8-sig", "")]
    )
    def test_a_table_of_another_encoding_is_read_where_somebody_will_look_at_it(
        self, encoding: str, told: str
    ) -> None:
        table = read("text;domain\nFür wen?;BBQ\nFair?;HLE".encode(encoding), guesses_encoding=True)
        assert [row.cells["text"] for row in table.rows] == ["Für wen?", "Fair?"]
        assert table.guessed == told
        assert table.doubtful == ([(2, "Für wen?;BBQ")] if told else [])

    @pytest.mark.parametrize("data", [b"PK\x03\x04\x14\x00\x87\xe4", b"text\n\x81\xff", b"\xff\xfea"])
    def test_what_is_no_text_in_any_encoding_is_not_guessed_at(self, data: bytes) -> None:
        [problem] = read(data, guesses_encoding=True).problems
        assert "save the table as “CSV UTF-8”" in problem.text

    @pytest.mark.parametrize("data", ["text\nfair".encode("utf-16"), b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x87\xe4"])
    def test_a_file_of_a_spreadsheet_program_is_told_how_to_become_a_table(self, data: bytes) -> None:
        assert "save the table as “CSV UTF-8”" in only_problem(data)

    def test_names_that_stand_twice_whatever_their_case_are_told(self) -> None:
        assert only_problem(b"Text,domain,text\na,b,c\n") == "Two columns have the name “text”."

    def test_a_column_without_a_name_is_told(self) -> None:
        assert only_problem(b"text,,domain\na,b,c\n") == "Column 2 has no name. Give it one in the first line."

    @pytest.mark.parametrize("mark", [",", "\t"])
    def test_a_first_column_without_a_name_as_data_frames_write_it_is_column_1(self, mark: str) -> None:
        table = read(f"{mark}text\n0{mark}Is it fair?\n".encode())
        assert not table.problems
        assert table.rows == (Row(2, {"column 1": "0", "text": "Is it fair?"}),)

    def test_a_table_without_a_first_line_of_names_is_told(self) -> None:
        assert "does the first line name the columns?" in only_problem(
            f"BBQ,{'Is it fair? ' * 9}\nHLE,b\n".encode()
        )

    def test_more_columns_than_anybody_means_are_told(self) -> None:
        names = ",".join(f"c{number}" for number in range(MAX_COLUMNS + 1))
        assert only_problem(f"{names}\n{names}\n".encode()).startswith("There are 61 columns")

    def test_one_line_too_many_is_told(self) -> None:
        assert len(read(b"text\n" + b"a\n" * MAX_ROWS).rows) == MAX_ROWS
        assert only_problem(b"text\n" + b"a\n" * (MAX_ROWS + 1)).startswith("There are more than 5,000 lines.")

    def test_whoever_reads_larger_tables_sets_the_bounds_of_lines_and_bytes(self) -> None:
        assert len(read(b"text\n" + b"a\n" * (MAX_ROWS + 1), max_rows=MAX_ROWS + 1).rows) == MAX_ROWS + 1
        assert read(b"x" * 4, max_bytes=3).problems[0].text.startswith("This is larger than 0 kB.")

    def test_one_byte_too_many_is_told(self) -> None:
        assert read(b"text\n" + b'"a"\n' * 10 + b"x" * 100_000).rows
        assert only_problem(b"x" * (MAX_BYTES + 1)).startswith("This is larger than 500 kB.")


@given(st.binary(max_size=400))
def test_no_bytes_make_reading_fail(data: bytes) -> None:
    read(data)


@given(st.text(st.sampled_from('a",;\t\n\r{}[]:1é\x00\ufeff'), max_size=60))
def test_no_text_makes_reading_fail(text: str) -> None:
    table = read(text.encode())
    assert table.columns or not table.rows
    assert all(problem.line is None or problem.line >= 1 for problem in table.problems)


any_cell = st.text(st.characters(codec="utf-8"), max_size=20)


@given(
    st.lists(
        st.tuples(any_cell, any_cell).filter(lambda row: any(clean(cell).strip() for cell in row)), min_size=1
    ),
    st.sampled_from(",;\t"),
)
def test_what_a_spreadsheet_writes_is_read_as_it_was(rows: list[tuple[str, str]], mark: str) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=mark, quoting=csv.QUOTE_ALL).writerows([("domain", "text"), *rows])
    table = read(file.getvalue().encode())
    assert table.problems == ()
    assert [tuple(row.cells.values()) for row in table.rows] == [
        tuple(clean(cell).strip() for cell in row) for row in rows
    ]


@given(st.lists(st.dictionaries(st.sampled_from(["text", "title"]), any_cell, min_size=1), min_size=1))
def test_what_a_program_writes_is_read_as_it_was(objects: list[dict[str, str]]) -> None:
    table = read("\n".join(map(json.dumps, objects)).encode())
    assert [row.cells for row in table.rows] == [
        {name: clean(text).strip() for name, text in found.items()} for found in objects
    ]


FIELDS = (
    Field("text", "Text", cells.text(30), is_required=True, also=("question",)),
    Field("domain", "Domain", cells.matching("[A-Z]{2,12}", "2 to 12 capital letters"), is_required=True),
    Field("until", "Last day", cells.day),
)


class TestSuggesting:
    def test_suggesting_columns_goes_by_name_label_and_other_names_whatever_case_and_punctuation(self) -> None:
        assert suggest(["DOMAIN ", "Question", "last_day", "note"], FIELDS) == {
            "text": "Question",
            "domain": "DOMAIN ",
            "until": "last_day",
        }

    def test_suggesting_columns_prefers_a_fields_own_name_and_gives_a_column_once(self) -> None:
        assert suggest(["question", "text"], FIELDS) == {"text": "text"}
        assert suggest(["nothing"], FIELDS) == {}


class TestTaking:
    MAPPING = {"text": "q", "domain": "d", "until": "u"}

    def taken(self, *rows: dict[str, str]) -> tuple[list[ParsedRow], list[str]]:
        lines, found = take([Row(line, row) for line, row in enumerate(rows, start=2)], FIELDS, self.MAPPING)
        return lines, [str(problem) for problem in found]

    def test_taking_lines_gives_values_by_field_and_leaves_out_what_is_empty(self) -> None:
        lines, found = self.taken({"q": "Fair?", "d": "BBQ", "u": "", "other": "x"})
        assert lines == [ParsedRow(2, {"text": "Fair?", "domain": "BBQ"})]
        assert found == []

    def test_taking_lines_names_every_fault_by_line_and_keeps_the_lines_without(self) -> None:
        lines, found = self.taken(
            {"q": "Fair?", "d": "bbq", "u": "tomorrow"}, {"q": "Just?", "d": "HLE"}, {"d": "HLE"}
        )
        assert [line.line for line in lines] == [3]
        assert found == [
            "line 2: the domain must be 2 to 12 capital letters",
            "line 2: the last day must be a day written like 2026-03-31",
            "line 4: nothing is given for the text",
        ]

    def test_a_field_without_a_column_is_empty_everywhere(self) -> None:
        lines, found = take([Row(2, {"q": "Fair?"})], FIELDS, {"text": "q", "domain": ""})
        assert lines == []
        assert [str(problem) for problem in found] == ["line 2: nothing is given for the domain"]


def test_what_is_not_utf_8_is_shown_as_western_europe_writes_it_with_the_words_around() -> None:
    line = b"a" * 60 + "née à Orléans".encode("cp1252") + b"b" * 60
    data = b"text\n" + line + b"\nlast"
    with pytest.raises(UnicodeDecodeError) as fault:
        data.decode()
    shown = as_western(data, fault.value)
    assert "née à Orléans" in shown
    assert shown.count("a") < 60
    assert "last" not in shown
