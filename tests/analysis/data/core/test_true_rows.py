"""What is said of a column names the row in which its name stands, wherever in the file that is."""

from collections.abc import Callable

import pytest

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.rating_files.core.looking import read_file
from analysis.rating_files.core.reading import FileKind, RatingOptions
from tests.analysis.data.core.made_workbooks import made_workbook, rows_of


def blank_rows(text: str) -> bytes:
    return f"\n,,\n\n{text}".encode()


def named_separator(text: str) -> bytes:
    return f"sep=,\n\n\n{text}".encode()


def workbook(text: str) -> bytes:
    return made_workbook(rows_of((), (), (), *(tuple(line.split(",")) for line in text.splitlines())))


ABOVE: tuple[Callable[[str], bytes], ...] = (blank_rows, named_separator, workbook)
RATINGS = "rater,answer,prompt,clarity\nr1,a1,p1,5\nr2,a1,p1,6\n"
WORDS = "rater,answer,prompt,clarity,comment\nr1,a1,p1,good,x\nr2,a1,p1,bad,y\n"
FRAMED = "response_id,respondent_id,prompt_id,condition,judge_model,clarity\na,gpt,P1,baseline,one,5\n"


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (RATINGS.replace("rater", "who"), "ratings", {}),
        (RATINGS.replace("answer", "x").replace("prompt", "y"), "ratings", {}),
        (RATINGS, "ratings", {"dimensions": ("depth",)}),
        (RATINGS.replace("clarity", "rank"), "ratings", {"columns": {"prompt": "rank"}}),
        (RATINGS, "ratings", {"columns": {"nobody": "evaluator"}}),
        (RATINGS.replace("clarity", "seconds"), "ratings", {}),
        (WORDS, "ratings", {}),
        (RATINGS, "ratings", {"columns": {"rater": "by_rater", "evaluator": "by_rater"}}),
        (RATINGS, "panel", {"columns": {"nobody": "perspective"}}),
        (RATINGS, "pairs", {}),
        (RATINGS, "trials", {"columns": {"nobody": "overall"}}),
        (FRAMED, "framings", {"cuts": {"id": "{prompt}/{}"}}),
        (FRAMED.replace("respondent_id", "who"), "framings", {"respondents": {"gpt": ("gpt", "agree")}}),
        (FRAMED.replace("prompt_id", "x"), "framings", {}),
    ],
)
def test_errors_about_columns_name_the_row_of_their_names(
    above: Callable[[str], bytes], text: str, kind: FileKind, said: dict[str, object]
) -> None:
    for content, row in ((text.encode(), 1), (above(text), 4)):
        with pytest.raises(JudgmentFileError, match=rf"^row {row}\b") as raised:
            read_file(content, RatingOptions(**said), kind)  # type: ignore[arg-type]
        assert "row 1:" not in str(raised.value) or row == 1


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("rater,answer,prompt,clarity,seconds\nr1,a1,p1,5,9\nr2,a1,p1,6,8\n", "seconds"),
        ("rater,answer,prompt,clarity,grade\nr1,a1,p1,5,good\nr2,a1,p1,6,bad\n", "grade"),
        ("rater,answer,prompt,clarity,score\nr1,a1,p1,5,9\nr2,a1,p1,6,8\n", "score"),
        ("rater,answer,prompt,a,b,c\nr1,a1,p1,1,2,3\nr2,a1,p1,2,3,5\nr3,a1,p1,4,3,7\n", "c"),
    ],
)
def test_doubts_about_columns_name_the_row_of_their_names(
    above: Callable[[str], bytes], text: str, column: str
) -> None:
    for content, row in ((text.encode(), 1), (above(text), 4)):
        doubts = read_file(content, RatingOptions(), "ratings").doubts
        assert [doubt.row for doubt in doubts if doubt.column == column] == [row]
