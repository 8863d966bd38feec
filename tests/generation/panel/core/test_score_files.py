import pytest

from annotation.platform.core.errors import Refused
from generation.panel.core.score_files import GivenAnswer, heading, read_answers, score_line

HEAD = "response_id,prompt_text,response_text,respondent_id\n"


def read(text: str) -> list[GivenAnswer]:
    return read_answers(text.encode())


def test_answers_are_read_cleaned_and_in_their_order() -> None:
    rows = 'R2,"Why, then?","One line.\r\nAnother.\u200b",P1\r\nR1,Why?,Because., \r\n'
    assert read(HEAD + rows) == [
        GivenAnswer("R2", "Why, then?", "One line.\nAnother.", "P1"),
        GivenAnswer("R1", "Why?", "Because.", ""),
    ]


def test_other_columns_in_any_order_are_left_alone() -> None:
    text = "model,response_text,response_id,respondent_id,prompt_text\ngpt,Because.,R1,P1,Why?\n"
    assert read(text) == [GivenAnswer("R1", "Why?", "Because.", "P1")]


def test_a_text_is_known_by_itself_and_its_prompt_whatever_it_is_called() -> None:
    answer = GivenAnswer("R1", "Why?", "Because.", "P1")
    assert answer.sha256 == GivenAnswer("R2", "Why?", "Because.", "P2").sha256
    assert answer.sha256 != GivenAnswer("R1", "Why", "?Because.", "P1").sha256


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no column response_id, prompt_text, response_text, respondent_id"),
        ("response_id,prompt_text,respondent_id\n", "no column response_text"),
        (HEAD, "holds no answer"),
        (f"{HEAD}R1,Why?,,P1\n", "Row 2 has nothing under response_text"),
        (f"{HEAD}R1,Why?\n", "Row 2 has nothing under response_text"),
        (f"{HEAD}R1,Why?,Because.,P1\nR1,How?,Thus.,P1\n", "Row 3 has the response_id of row 2, “R1”"),
        (f'{HEAD}R1,Why?,"Because.,P1\n', "not CSV"),
    ],
)
def test_a_file_that_cannot_be_scored_is_refused_with_the_row(text: str, complaint: str) -> None:
    with pytest.raises(Refused, match=complaint):
        read(text)


def test_scores_are_written_under_the_published_columns() -> None:
    answer = GivenAnswer("=R1", "Why?", "Because.", "P, 1")
    line = score_line(answer, judge_model="gpt", perspective="historian", scores=[7, 10], abstained=False)
    assert heading(["clarity", "evidence"]) == (
        '"response_id","respondent_id","judge_model","perspective_id","clarity","evidence","abstained"\n'
    )
    assert line == '"\'=R1","P, 1","gpt","historian",7,10,"False"\n'


def test_a_file_in_another_encoding_is_refused_with_the_line_where_it_shows() -> None:
    with pytest.raises(Refused, match=r"Line 2 is not UTF-8 text\. .*it says “R1,Why,Café,P1”"):
        read_answers((HEAD + "R1,Why,Café,P1\n").encode("latin-1"))
