"""Words of ratings are known for the numbers that they usually stand for, and these are proposed."""

import re
import shlex

import pytest

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.word_scales import as_given, codes_of_words, proposed_codes
from analysis.rating_files.core.reading import RatingOptions, codes_in, read_tables

FIVE = "Strongly disagree,Disagree,Neutral,Agree,Strongly agree".split(",")
SEVEN = "Strongly disagree,Disagree,Somewhat disagree,Neutral,Somewhat agree,Agree,Strongly agree".split(",")


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (FIVE, [1, 2, 3, 4, 5]),
        (SEVEN, [1, 2, 3, 4, 5, 6, 7]),
        (["strongly_disagree", "DISAGREE", "agree", "Strongly-Agree"], [1, 2, 3, 4]),
        (["Disagree", "Neither agree nor disagree", "Agree"], [1, 2, 3]),
        (["Strongly agree", "Agree", "Neutral"], [5, 4, 3]),
        (["Somewhat agree", "Agree", "Neutral", "Disagree"], [5, 6, 4, 2]),
        (["Never", "Rarely", "Sometimes", "Often", "Always"], [1, 2, 3, 4, 5]),
        (["Seldom", "Usually", "Never"], [2, 4, 1]),
        (["Poor", "Fair", "Good", "Very good", "Excellent"], [1, 2, 3, 4, 5]),
        (["Bad", "Poor", "Fair", "Good", "Excellent"], [1, 2, 3, 4, 5]),
        (["Very unlikely", "Unlikely", "Neutral", "Likely", "Very likely"], [1, 2, 3, 4, 5]),
        (["Not at all helpful", "Slightly helpful", "Moderately helpful", "Extremely helpful"], [1, 2, 3, 5]),
        (["High", "Low", "Medium"], [3, 1, 2]),
        (["PASS", "FAIL"], [1, 0]),
        (["Yes", "No"], [1, 0]),
        (["1 - poor", "4 - good", "7 - best"], [1, 4, 7]),
        (["Poor (1)", "Good (3)"], [1, 3]),
    ],
)
def test_words_stand_for_their_places_from_the_least_to_the_most(words: list[str], numbers: list[int]) -> None:
    codes = codes_of_words(words)
    assert [codes[word] for word in words] == numbers


@pytest.mark.parametrize(
    "words", [["Agree"], ["Agree", "Blue"], ["Agree", "Good"], ["gpt", "llama"], [], ["1 - a", "1 - b"]]
)
def test_words_of_no_known_places_have_no_codes(words: list[str]) -> None:
    assert codes_of_words(words) == {}


def test_places_that_no_word_uses_are_told_too_so_that_the_scale_ends_where_it_does() -> None:
    assert as_given(proposed_codes([["Agree", "Neutral", "Strongly agree"]])) == (
        "Strongly disagree=1,Disagree=2,Neutral=3,Agree=4,Strongly agree=5"
    )


def test_columns_that_contradict_each_other_have_no_common_codes() -> None:
    assert proposed_codes([FIVE, ["Never", "Sometimes", "Always"]]).items() >= {"Agree": 4, "Always": 5}.items()
    assert proposed_codes([FIVE, ["Poor", "Fair", "Good", "Excellent"]]) == {}
    assert proposed_codes([["Poor", "Fair", "Good", "Very good"], ["Bad", "Poor", "Fair", "Good"]]) == {}
    assert proposed_codes([FIVE, SEVEN]) == {}
    assert proposed_codes([["No, never (1)", "Yes (2)"]]) == {}


def a_file(words: list[str], more: str = "", cells: str = "") -> bytes:
    return f"rater,answer,prompt,clarity{more}\n".encode() + b"".join(
        f"r{rater},a{place},p1,{word}{cells}\n".encode() for rater in range(2) for place, word in enumerate(words)
    )


@pytest.mark.parametrize("words", [FIVE, SEVEN, ["Never", "Often", "Always"], ["It's good (3)", "It's bad (1)"]])
@pytest.mark.parametrize("dimensions", [(), ("clarity",)])
def test_the_error_about_words_has_the_option_that_reads_them(
    words: list[str], dimensions: tuple[str, ...]
) -> None:
    content = a_file(words)
    with pytest.raises(JudgmentFileError, match="--codes ") as raised:
        read_tables(content, RatingOptions(dimensions=dimensions))
    option = re.search(r"--codes .*", str(raised.value))
    assert option
    given = shlex.split(option[0].partition(". Other columns")[0])[1]
    read = read_tables(content, RatingOptions(dimensions=dimensions, codes=codes_in(given)))
    assert read.tables.judgments["clarity"].notna().all()


def test_words_beside_numbers_are_proposed_where_numbers_are_on_their_scale() -> None:
    doubts, others = (
        " ".join(map(str, read_tables(a_file(FIVE, ",depth", f",{depth}"), RatingOptions()).doubts))
        for depth in (4, 9)
    )
    assert "--codes 'Strongly disagree=1,Disagree=2" in doubts
    assert "its words may be ratings" in others
    assert "--codes" not in others
