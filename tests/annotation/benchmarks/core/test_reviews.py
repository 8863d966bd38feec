"""What an annotator may say of a question, and when it is all that is asked."""

from collections.abc import Mapping

import pytest
from hypothesis import given as given_some
from hypothesis import strategies as st

from annotation.benchmarks.core.reviews import (
    DATA,
    FlagGiven,
    Given,
    as_fields,
    given_from,
    lacks,
)
from annotation.benchmarks.core.scheme import EVALUATION
from annotation.benchmarks.selectors.schemes import scheme
from annotation.platform.core.errors import Refused

SCHEME = scheme("1")
WRONG_LABEL, ROLE = "structural.wrong_label", "semantic.role_mismatch"


def read(fields: Mapping[str, str | list[str]], *, several: bool = False) -> Given:
    form = {name: [value] if isinstance(value, str) else value for name, value in fields.items()}
    return given_from(form, SCHEME, several=several)


def test_a_flaw_comes_with_its_note_and_notes_of_what_is_not_chosen_are_left_out() -> None:
    notes = {f"note:{WRONG_LABEL}": " The box \n is empty ", f"note:{ROLE}": "x"}
    said = read({"verdict": "flawed", "flaw": WRONG_LABEL, **notes})
    assert said.flags == (FlagGiven(DATA, "structural", "wrong_label", note="The box is empty"),)
    assert said.category == "structural"
    assert lacks(said) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": "perhaps"},
        {"verdict": "flawed", "flaw": "structural.boring"},
        {"verdict": "flawed", "flaw": "semantic.wrong_label"},
        {"evaluation": "too_hard"},
        {"evaluation": "granularity_mismatch", "scope:granularity_mismatch": "universe"},
        {"verdict": "flawed", "flaw": WRONG_LABEL, f"note:{WRONG_LABEL}": "w " * 600},
        {"verdict": "flawed", "flaw": [WRONG_LABEL, ROLE]},
    ],
)
def test_a_review_that_the_page_cannot_send_is_refused(fields: dict[str, str | list[str]]) -> None:
    with pytest.raises(Refused):
        read(fields)


def test_several_flaws_are_taken_where_the_benchmark_says_so_and_the_first_category_is_the_primary_one() -> None:
    said = read({"verdict": "flawed", "flaw": [ROLE, WRONG_LABEL]}, several=True)
    assert [flag.name for flag in said.flags] == [ROLE, WRONG_LABEL]
    assert said.category == "structural"


def test_a_question_without_flaw_has_none() -> None:
    assert read({"verdict": "sound", "flaw": WRONG_LABEL}).flags == ()
    assert read({"verdict": "model", "flaw": WRONG_LABEL}).category == "none"


@pytest.mark.parametrize(("words", "is_enough"), [(0, False), (2, False), (3, True), (30, True), (31, False)])
def test_a_note_on_a_flaw_has_three_to_thirty_words(words: int, is_enough: bool) -> None:
    said = read({"verdict": "flawed", "flaw": ROLE, f"note:{ROLE}": "word " * words})
    assert (lacks(said) == []) == is_enough


def test_a_note_on_the_evaluation_may_be_left_out_but_not_be_a_word() -> None:
    assert lacks(read({"verdict": "sound", "evaluation": "granularity_mismatch"})) == []
    said = read({"verdict": "sound", "evaluation": "granularity_mismatch", "note:granularity_mismatch": "coarse"})
    assert lacks(said) != []


def test_a_review_without_verdict_or_flaw_is_not_complete() -> None:
    assert lacks(Given()) == ["Say whether the question is flawed."]
    assert lacks(read({"verdict": "flawed"})) == ["Choose the flaw."]
    assert lacks(read({"evaluation": "granularity_mismatch"})) != []


FLAWS = [f"{category.key}.{flaw.key}" for category in SCHEME.categories for flaw in category.flaws]


@given_some(
    st.sampled_from(["", "flawed", "model", "sound"]),
    st.lists(st.sampled_from(FLAWS), unique=True),
    st.lists(st.sampled_from(EVALUATION), unique=True),
    st.text(max_size=60),
)
def test_the_fields_of_what_was_said_say_it_again(
    verdict: str, flaws: list[str], evaluation: list[str], note: str
) -> None:
    notes = {f"note:{name}": note for name in (*flaws, *evaluation)}
    said = read({"verdict": verdict, "flaw": flaws, "evaluation": evaluation, **notes}, several=True)
    assert given_from(as_fields(said), SCHEME, several=True) == said
