"""How well length or format tells an arm: on texts made so that the share can be counted."""

import pytest

from annotation.platform.core.phrases import percent
from annotation.texts.core.arm_contrast import ArmText, contrast


def made(words: int, *, comma: bool = False) -> str:
    """A text of so many words, in sentences of ten."""
    sentence = "one two three four five six seven eight nine" + (", ten." if comma else " ten.")
    return " ".join([sentence] * (words // 10))


def study(people: list[int], models: list[int], *, prompts: int = 5) -> list[ArmText]:
    """For every prompt a text of each of these lengths."""
    return [
        ArmText(f"P{prompt}", by_model, made(words))
        for prompt in range(prompts)
        for by_model, lengths in ((False, people), (True, models))
        for words in lengths
    ]


def test_lengths_that_never_meet_tell_every_text() -> None:
    found = contrast(study([60, 80], [370, 390]))
    assert found
    assert (found.length, found.format) == (1.0, 0.5)


def test_lengths_that_are_alike_tell_nothing() -> None:
    found = contrast(study([300, 400], [300, 400]))
    assert found
    assert found.length == 0.5


def test_of_every_four_texts_one_that_is_as_long_as_the_other_arm_s_is_told_wrongly() -> None:
    """People's texts have 100 or 400 words, models' 400: the long half of people's are taken for models'."""
    found = contrast(study([100, 400], [400, 400]))
    assert found
    assert found.length == 0.75


def test_commas_alone_are_format() -> None:
    both = [(prompt, by_model) for prompt in range(6) for by_model in (True, False)]
    texts = [ArmText(f"P{prompt}", by_model, made(200, comma=by_model)) for prompt, by_model in both]
    found = contrast(texts)
    assert found
    assert (found.length, found.format) == (0.5, 1.0)


@pytest.mark.parametrize(("people", "models"), [([300] * 4, [300] * 9), ([300] * 9, [300] * 4)])
def test_nothing_is_told_of_fewer_than_five_texts_of_an_arm(people: list[int], models: list[int]) -> None:
    assert contrast(study(people, models, prompts=1)) is None


def test_of_fewer_than_four_prompts_means_are_told_and_no_share() -> None:
    found = contrast(study([300, 310], [400, 410], prompts=3))
    assert found
    assert (found.people, found.models, found.length, found.format) == (5, 5, None, None)


def test_means_of_words_are_told_in_tens_so_that_one_more_text_does_not_tell_its_length() -> None:
    texts = study([300] * 6, [400] * 6, prompts=1)
    before = contrast(texts)
    after = contrast([*texts, ArmText("P0", by_model=True, text=made(420))])
    assert before
    assert after
    assert before.features[0].models == after.features[0].models == 400


def test_texts_of_an_arm_are_counted_in_tens_and_shares_in_whole_percent_rounded_down() -> None:
    found = contrast(study([300, 310, 320], [400, 410, 420, 430]))
    assert found
    assert (found.people, found.models) == (10, 20)
    shares = [percent(share) for share in (0.29, 0.749999, 1.0)]
    assert shares == ["29\N{NO-BREAK SPACE}%", "74\N{NO-BREAK SPACE}%", "100\N{NO-BREAK SPACE}%"]
