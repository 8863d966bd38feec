"""Which questions are drawn for review: all that a model missed, and a share of the others, with its weight."""

from annotation.benchmarks.core.drawing import Asked, Drawn, draw

SEED = bytes(32)


def asked(*answers: str) -> Asked:
    return Asked("basket", None, (), answers)


def drawn(questions: dict[str, Asked], sampled: int = 10) -> dict[str, Drawn]:
    return draw(questions, seed=SEED, context="ToMi", sampled=sampled)


def test_what_one_of_several_models_missed_is_reviewed_with_its_wrong_answer() -> None:
    found = drawn({"1": asked("Basket.", "trunk"), "2": asked("box", "trunk")})
    assert found["1"] == Drawn(1, is_sampled=False, answer="trunk")
    assert found["2"].answer in ("box", "trunk")
    assert drawn({"2": asked("trunk", "box")}) == {"2": found["2"]}, "whatever the order of models"


def test_of_what_none_missed_a_share_is_reviewed_and_weighs_for_the_others() -> None:
    questions = {str(number): asked("basket") for number in range(1, 26)} | {"26": asked("trunk")}
    found = drawn(questions)
    sampled = {name: each for name, each in found.items() if each.is_sampled}
    assert len(sampled) == 3, "a tenth of 25, rounded up"
    assert {each.weight for each in sampled.values()} == {25 / 3}
    assert sum(each.weight for each in found.values()) == 26
    assert {each.answer for each in sampled.values()} == {"basket"}
    assert drawn(questions) == found
    everything = drawn(questions, sampled=100)
    assert (len(everything), {each.weight for each in everything.values()}) == (26, {1})


def test_a_question_that_no_model_answered_is_reviewed() -> None:
    assert drawn({"1": asked(), "2": asked("basket")}, 1)["1"] == Drawn(1, is_sampled=False, answer="")


def test_options_count_by_what_is_named() -> None:
    question = Asked("B", 2, ("He left", "He stayed"), ("2", "he stayed", "B."))
    missed = Asked("B", 2, ("He left", "He stayed"), ("A. He left",))
    found = drawn({"1": question, "2": missed}, 1)
    assert [each.is_sampled for each in found.values()] == [True, False]
