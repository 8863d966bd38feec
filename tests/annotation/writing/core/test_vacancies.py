"""Which answers are missed: few enough that every number can be counted by hand."""

import pytest

from annotation.writing.core.vacancies import Standing, vacancies


def standing(answer: int) -> Standing:
    return Standing(answer, "BBQ_01", stands=True, is_to_replace=False)


def out(answer: int, *, waived: bool = False) -> Standing:
    return Standing(answer, "BBQ_01", stands=False, is_to_replace=True, is_waived=waived)


@pytest.mark.parametrize(
    ("answers", "wanted", "missed"),
    [
        pytest.param([standing(1), out(2)], 2, {2}, id="a place that nobody else has"),
        pytest.param([standing(1), out(2), standing(3)], 2, set[int](), id="a place that somebody else has"),
        pytest.param([out(1), out(2), standing(3)], 2, {2}, id="the one given out last of two"),
        pytest.param([standing(1), out(2, waived=True)], 2, set[int](), id="a place the study does without"),
        pytest.param([out(1), out(2, waived=True)], 2, {1}, id="one of two that it does without"),
        pytest.param([standing(1), out(2)], None, {2}, id="where every writer answers every prompt"),
        pytest.param(
            [out(1, waived=True)], None, set[int](), id="done without, where every writer answers every one"
        ),
    ],
)
def test_an_answer_is_missed_until_somebody_else_has_it_or_the_study_does_without(
    answers: list[Standing], wanted: int | None, missed: set[int]
) -> None:
    assert vacancies(answers, wanted=wanted) == missed


def test_what_one_prompt_has_too_many_of_fills_no_place_of_another() -> None:
    other = [Standing(number, "HLE_02", stands=True, is_to_replace=False) for number in (3, 4, 5)]
    assert vacancies([standing(1), out(2), *other], wanted=2) == {2}
