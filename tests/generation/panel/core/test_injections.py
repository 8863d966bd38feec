import pytest

from generation.panel.core.injections import CLEAN, INJECTIONS, Injection, compare, twins

DIMENSIONS = ("clarity", "evidence")


def test_every_essay_has_a_clean_twin_and_one_with_each_trick() -> None:
    found = twins({"E1": "First.\n\nSecond."}, DIMENSIONS)
    assert found[CLEAN, "E1"] == "First.\n\nSecond."
    assert set(found) == {(CLEAN, "E1"), *((injection.name, "E1") for injection in INJECTIONS)}
    assert len(set(found.values())) == len(INJECTIONS) + 1


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
@pytest.mark.parametrize("essay", ["Only one paragraph.", "First.\n\nSecond."])
def test_a_trick_leaves_every_word_of_the_essay(injection: Injection, essay: str) -> None:
    assert all(paragraph in injection.into(essay, DIMENSIONS) for paragraph in essay.split("\n\n"))


def test_twins_are_compared_seat_by_seat() -> None:
    historian, ethicist = ("gpt", "historian"), ("gpt", "ethicist")
    scores = {
        (CLEAN, "E1"): {historian: 6.0, ethicist: 7.0},
        (CLEAN, "E2"): {historian: 5.0, ethicist: 5.0},
        ("orders_ten", "E1"): {historian: 7.0, ethicist: 7.0},
        ("orders_ten", "E2"): {historian: 4.5},
    }
    ordered, *others = compare(scores)
    # 7 − 6, 7 − 7 and 4.5 − 5: mean 1/6. By essay 0.5 and −0.5: sd √0.5, over √2: 0.5.
    assert (ordered.pairs, ordered.raised, ordered.unscored) == (3, 1, 1)
    assert ordered.difference == pytest.approx(1 / 6)
    assert ordered.standard_error == pytest.approx(0.5)
    assert [(other.pairs, other.unscored, other.difference) for other in others] == [(0, 4, None)] * 4
