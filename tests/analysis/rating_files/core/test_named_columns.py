"""Columns of a file are named by our words, or by what these are also known as, and by nothing else."""

import pytest

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.rating_files.core.reading import (
    RATING_COLUMNS,
    RatingOptions,
    codes_in,
    composed,
    in_words,
    pairs_in,
    read_tables,
)

FILE = b"Participant ID,Question,Source,Clear\nP1,Q1,gpt,3\nP1,Q1,human,5\nP2,Q1,gpt,2\nP2,Q1,human,5\n"


def test_what_columns_are_also_known_as_names_them_too() -> None:
    ours = {"Participant ID": "evaluator", "Question": "prompt", "Source": "respondent"}
    theirs = {"Participant ID": "rater", "Question": "question", "Source": "model"}
    one, other = (read_tables(FILE, RatingOptions(columns=columns)) for columns in (ours, theirs))
    assert one.tables.judgments.equals(other.tables.judgments)
    assert composed({"a+b": "worker"}, RATING_COLUMNS) == {"evaluator": ("a", "b")}


@pytest.mark.parametrize(
    ("content", "kind", "why"),
    [
        (
            b"rater,item,depth,status\nr1,a,3,bounced\nr2,a,4,bounced\n",
            "ratings",
            r"row 2: read as no rating \(bounced\)",
        ),
        (b"model_a,model_b,judge,winner\nx,y,j,error\n", "pairs", r"read as no rating \(missing\)"),
        (
            b"response_id,respondent_id,judge_model,perspective_id,depth,abstained\na,x,m,p,3,True\n",
            "panel",
            r"row 2: read as no rating \(abstained\)",
        ),
    ],
    ids=["ratings", "pairs", "panel"],
)
def test_a_file_of_which_no_rating_is_left_is_refused(content: bytes, kind: str, why: str) -> None:
    with pytest.raises(JudgmentFileError, match=why):
        read_tables(content, RatingOptions(), kind)  # type: ignore[arg-type]


def test_codes_may_have_a_blank_cell_among_them_and_constants_not() -> None:
    assert codes_in("BEST=1,WORST=-1,=0") == {"BEST": 1, "WORST": -1, "": 0}
    for text in ("BEST", "BEST=many", "BEST=1,", "A=inf"):
        with pytest.raises(ValueError, match="does not give numbers as in"):
            codes_in(text)
    with pytest.raises(ValueError, match="does not give values as in"):
        pairs_in("=P1")


def test_what_was_said_of_a_file_is_told_in_words() -> None:
    assert in_words(RatingOptions()) == ""
    said = RatingOptions(codes={"BEST": 1, "WORST": -1, "": 0}, people=("Ann",), scale=(-1, 1), failures=("x", "y"))
    assert in_words(said) == (
        "read with codes: BEST=1, WORST=−1, (blank)=0; no rating: x, y; people: Ann; scale: −1 to 1"
    )


def test_a_scale_that_nobody_gave_is_called_so() -> None:
    content = b"rater,item,depth\n" + b"".join(b"r%d,a,%d\n" % (rater, rater - 2) for rater in range(7))
    with pytest.raises(JudgmentFileError, match="-2 lies outside the usual scale that holds most scores, 0 to 10"):
        read_tables(content, RatingOptions())
    with pytest.raises(JudgmentFileError, match=r"read as no rating \(out of scale\)"):
        read_tables(content, RatingOptions(scale=(20, 30)))


def test_a_doubt_about_a_column_that_names_two_things_is_said_once() -> None:
    stray = FILE.replace(b"P1,Q1,gpt", b"P1, Q1 ,gpt")
    said = [str(doubt) for doubt in read_tables(stray, RatingOptions()).doubts]
    assert sum("stray spaces" in doubt for doubt in said) == 1


@pytest.mark.parametrize("kind", ["ratings", "pairs"])
def test_a_word_for_no_column_is_refused_with_those_there_are(kind: str) -> None:
    with pytest.raises(JudgmentFileError, match=r"Source=sauce: columns stand for .*prompt.*"):
        read_tables(FILE, RatingOptions(columns={"Source": "sauce"}), kind)  # type: ignore[arg-type]
