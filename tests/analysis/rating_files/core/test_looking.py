"""What a file of ratings looks like, and what it is understood as."""

from dataclasses import replace

import pytest

from analysis.rating_files.core.looking import MAX_COLUMNS, guessed, look_at, understand
from analysis.rating_files.core.reading import FileKind, RatingOptions, codes_in
from analysis.rating_files.forms import ColumnsForm
from annotation.platform.core.errors import Refused
from tests.analysis.rating_files.files import OPTIONS, ratings_csv

PAIRS = b"model_a,model_b,judge,winner\ngpt,llama,ann,model_a\ngpt,llama,ben,tie\nllama,gpt,cy,model_b\n"


def test_columns_rows_and_cells_are_shown_as_they_stand() -> None:
    look = look_at(ratings_csv())
    assert look.columns == ("worker", "story", "system", "fluency", "coherence")
    assert look.rows == 36
    assert look.first_rows[0] == ("ann", "S0", "gpt", "8,5", "10")
    assert len(look.first_rows) == 5


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (b"a,b\n", "row 2: there is none, only the names of the columns"),
        (b"a,b\n1\n", "row 2: 1 cells under 2 columns"),
        (b"a,a\n1,2\n", "column names are filled in and occur once"),
        (b"\xff\xfe\x00", "not CSV in UTF-8"),
        (
            ",".join(f"c{n}" for n in range(MAX_COLUMNS + 1)).encode() + b"\n1" + b"," * MAX_COLUMNS,
            "at most 200",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(Refused, match=words) as refusal:
        look_at(content)
    assert refusal.value.field == "file"


def test_usual_names_of_columns_are_guessed_and_no_column_is_guessed_twice() -> None:
    assert guessed(("worker", "story", "system", "fluency"), "ratings") == {
        "worker": "evaluator",
        "story": "prompt",
        "system": "respondent",
    }
    assert guessed(("model_a", "model_b", "judge", "winner"), "pairs") == {
        "model_a": "first",
        "model_b": "second",
        "judge": "evaluator",
        "winner": "verdict",
    }


def test_a_file_is_understood_as_it_was_explained_with_what_is_doubtful() -> None:
    understood = understand(ratings_csv(), OPTIONS, "ratings")
    assert (understood.prompts, understood.answers, understood.evaluators) == (4, 12, 3)
    assert understood.judgments == 12
    assert understood.sources == ("gpt", "llama", "people")
    assert understood.dimensions == ("fluency", "coherence")
    assert understood.scale == ("1", "10")
    assert [doubt for doubt in understood.doubts if "decimal comma" in doubt] == [
        "row 2, column fluency: 1 decimal comma read as a point"
    ]
    assert any("1 rating read as none (failed)" in doubt for doubt in understood.doubts)


def test_an_ignored_column_is_neither_guessed_nor_a_dimension() -> None:
    understood = understand(ratings_csv(), replace(OPTIONS, ignored=("coherence",)), "ratings")
    assert understood.dimensions == ("fluency",)
    assert not any("failed" in doubt for doubt in understood.doubts)


def test_where_nobody_gives_the_scale_the_one_that_is_taken_is_told_with_where_scores_begin_and_end() -> None:
    understood = understand(ratings_csv(), replace(OPTIONS, scale=None), "ratings")
    assert (understood.scale, understood.taken) == (None, ("1", "10"))
    assert understood.scores is not None
    assert 1 <= float(understood.scores[0]) < float(understood.scores[1]) <= 10
    given = understand(ratings_csv(), OPTIONS, "ratings")
    assert (given.taken, given.scores) == (None, None)


def test_comparisons_are_understood_by_their_usual_names() -> None:
    understood = understand(PAIRS, RatingOptions(), "pairs")
    assert (understood.scale, understood.taken) == (None, None)
    assert understood.evaluators == 3
    assert understood.sources == ("gpt", "llama")


def test_a_file_that_cannot_be_read_as_said_is_refused_with_row_and_column() -> None:
    named = replace(OPTIONS, dimensions=("fluency", "coherence"))
    with pytest.raises(Refused, match="row 2, column fluency: 'good' is not a number, nor a code for one"):
        understand(ratings_csv().replace(b"8,5", b"good"), named, "ratings")


def test_a_score_off_the_scale_is_found_where_it_stands_in_the_file() -> None:
    more = "".join(f"t{n},2,4\n" for n in range(3, 30))
    content = f"Text,Ann,Ben\nt1,3,4\nt2,3,44\n{more}".encode()
    options = RatingOptions(columns={"Text": "unit", "Ann": "by_rater", "Ben": "by_rater"})
    with pytest.raises(Refused, match="row 3, column Ben: 44 lies outside the usual scale"):
        understand(content, options, "ratings")


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (PAIRS, "ratings", "bring the file as comparisons"),
        (b"rater,answer,clarity\na,t1,3\n", "pairs", "bring the file as ratings"),
    ],
)
def test_comparisons_and_ratings_brought_as_each_other_are_told(content: bytes, kind: FileKind, words: str) -> None:
    with pytest.raises(Refused, match=words):
        understand(content, RatingOptions(), kind)


def test_errors_call_columns_as_the_file_does() -> None:
    content = b"Coder,Text,By whom,clarity\na,t1,gpt,3\nb,t1,llama,4\n"
    options = RatingOptions(columns={"Coder": "evaluator", "Text": "unit", "By whom": "respondent"})
    with pytest.raises(Refused, match=r"row 3, column By whom: 'llama', and 'gpt' before, in row 2"):
        understand(content, options, "ratings")


WORDS = ("Agree", "Neutral", "Strongly agree")
ALL_WORDS = "Strongly disagree=1,Disagree=2,Neutral=3,Agree=4,Strongly agree=5"


@pytest.mark.parametrize(
    ("header", "cells", "codes"),
    [
        ("rater,item,clarity", "{word}", ALL_WORDS),
        ("rater,item,clarity,seconds", "{word},12", ALL_WORDS),
        ("rater,item,criterion,rating", "clarity,{word}", ALL_WORDS),
        ("rater,item,clarity,depth", "{word},7", ""),
        ("rater,item,clarity,comment", "{word},It reads well enough.", ALL_WORDS),
        ("rater,item,clarity", "7", ""),
        ("rater,item,comment", "It reads well enough.", ""),
    ],
)
def test_words_that_alone_are_ratings_have_codes_proposed(header: str, cells: str, codes: str) -> None:
    rows = [f"r{rater},a{place},{cells.format(word=word)}" for rater in "xy" for place, word in enumerate(WORDS)]
    look = look_at("\n".join([header, *rows]).encode())
    assert look.codes == codes
    assert ColumnsForm.proposed(look.columns, "ratings", look.codes)["codes"].initial == (codes or None)
    if codes:
        read = understand("\n".join([header, *rows]).encode(), RatingOptions(codes=codes_in(codes)), "ratings")
        assert read.scale == ("1", "5")
        assert read.dimensions == ("clarity",)
