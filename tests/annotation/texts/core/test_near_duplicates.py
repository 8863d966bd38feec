"""Answers that are nearly the same."""

from annotation.texts.core.near_duplicates import near_duplicates

FIRST = "Towns differ from villages in how strangers greet each other on a narrow street at night"


def test_a_text_is_near_one_that_differs_by_a_word_at_its_end() -> None:
    texts = {1: FIRST, 2: FIRST.replace("night", "noon"), 3: "Nothing of this stands in the other two texts at all"}
    assert near_duplicates(texts) == [(1, 2)]


def test_case_and_punctuation_make_no_other_text() -> None:
    assert near_duplicates({1: FIRST, 2: FIRST.upper() + "!"}) == [(1, 2)]


def test_half_of_a_text_that_was_taken_over_is_not_nearly_the_same() -> None:
    own = "while I would say that greeting has more to do with haste than with any town"
    assert near_duplicates({1: FIRST, 2: " ".join(FIRST.split()[:8]) + " " + own}) == []


def test_texts_without_five_words_are_near_nobody() -> None:
    assert near_duplicates({1: "Yes.", 2: "Yes."}) == []
