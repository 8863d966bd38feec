"""What a wording itself says of length."""

import pytest

from generation.catalogue.core.lengths_said import numbers_of_words, tells_length
from generation.catalogue.core.prompt_templates import SHIPPED


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Aim for 400 words and stay below 440 words.", [400, 440]),
        ("Write 90–110 words, or 90 to 110 words.", [90, 110, 90, 110]),
        ("A 1,200-word essay.", [1200]),
        ("Use 2 examples; about {target_words} words.", []),
        ("In your own words: 3 reasons.", []),
    ],
)
def test_numbers_of_words_are_those_that_words_follow(text: str, numbers: list[int]) -> None:
    assert list(numbers_of_words(text)) == numbers


def test_a_wording_tells_length_by_a_placeholder_or_in_digits() -> None:
    assert tells_length(SHIPPED["answer"].text)
    assert tells_length("{prompt} In 100 words.")
    assert not tells_length("{prompt}")
