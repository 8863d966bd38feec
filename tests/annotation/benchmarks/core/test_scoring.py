"""What counts as the right answer, by each way of scoring."""

import pytest

from annotation.benchmarks.core.scoring import is_right, named_option, similarity

OPTIONS = ("go home", "call a friend", "a")


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("2", 2),
        ("B", 2),
        ("(b)", 2),
        ("b.", 2),
        ("Option 2", 2),
        ("The answer is 2", 2),
        ("Answer: (B)", 2),
        ("Call a friend.", 2),
        ("2: call a friend", 2),
        ("B) because she is lonely", 2),
        ("B) go home", None),
        ("A", 3),
        ("4", None),
        ("0", None),
        ("both", None),
        ("", None),
        ("2 or 3", None),
    ],
)
def test_an_option_is_named_by_its_words_its_letter_or_its_number(said: str, number: int | None) -> None:
    assert named_option(said, OPTIONS) == number


def test_words_that_two_options_have_name_neither() -> None:
    assert named_option("yes", ("Yes", "yes.", "no")) is None


def test_an_exact_match_looks_past_case_signs_at_the_ends_and_underscores() -> None:
    assert is_right("exact", " Blue pantry.", gold="blue_pantry")
    assert not is_right("exact", "the blue_pantry", gold="blue_pantry")
    assert not is_right("exact", "...", gold="...")
    assert is_right("exact", "go home", gold="1", options=OPTIONS, gold_option=1)


def test_similarity_is_one_less_the_edits_over_the_longer_text() -> None:
    assert similarity("kitten", "sitting") == pytest.approx(1 - 3 / 7)
    assert similarity("", "") == 1
    assert similarity("", "abc") == 0
    assert is_right("levenshtein", "Joan and Mary", gold="Joan and Marie", threshold=0.7)
    assert not is_right("levenshtein", "Joan", gold="Joan and Marie", threshold=0.7)


def test_a_question_without_options_is_scored_by_exact_match_where_options_are_asked_for() -> None:
    assert is_right("option", "basket", gold="Basket")
