"""What is left out of a flag's words: what is quoted, and what was found in them."""

import pytest

from annotation.study.core.flags import LEFT_OUT, without, without_quotes

ANSWER = "A shopkeeper’s notebook records amounts, dates and names.\n\nIts obligation is specific and small."


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("It is fine.", "It is fine."),
        ("It speaks of amounts, dates and names.", "It speaks of amounts, dates and names."),
        (
            "It says “RECORDS amounts; dates and names its obligation”, twice.",
            f"It says “{LEFT_OUT}”, twice.",
        ),
        (f"{ANSWER} So what?", f"{LEFT_OUT} So what?".replace(f"{LEFT_OUT} So", f"{LEFT_OUT}. So")),
        ("records amounts, dates and names. It", f"{LEFT_OUT}"),
    ],
)
def test_six_words_in_a_row_of_an_answer_are_a_quote_however_they_are_written(words: str, left: str) -> None:
    if words.endswith("names. It"):  # five words of the answer and one of another
        assert without_quotes(words, [ANSWER.replace("Its", "It")]) == left
    else:
        assert without_quotes(words, [ANSWER]) == left


def test_words_without_answers_lose_nothing() -> None:
    assert without_quotes(ANSWER, []) == ANSWER


def test_spans_that_overlap_or_touch_are_left_out_once() -> None:
    assert without("0123456789", [(4, 6), (1, 3), (2, 5)]) == f"0{LEFT_OUT}6789"
    assert without("0123456789", [(0, 1), (8, 9)]) == f"{LEFT_OUT}1234567{LEFT_OUT}9"
    assert without("0123", []) == "0123"
