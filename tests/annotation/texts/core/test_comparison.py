import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.texts.core.comparison import MAX_WORDS, compare


def differing(old: str, new: str) -> tuple[list[str], list[str]]:
    """The words that differ on either side, in stretches."""
    compared = compare(old, new)
    old_side, new_side = (
        [passage.text.strip() for passage in side if passage.differs] for side in (compared.old, compared.new)
    )
    return old_side, new_side


@pytest.mark.parametrize(
    ("old", "new", "differences"),
    [
        ("one two three", "one two three", ([], [])),
        ("one two three", "one 2 three", (["two"], ["2"])),
        ("one two", "one two three four", ([], ["three four"])),
        ("one two three", "three", (["one two"], [])),
        ("", "one", ([], ["one"])),
        ("one\n\ntwo", "one two", ([], [])),  # spacing makes no difference
    ],
)
def test_words_that_the_other_text_has_not_got_are_marked(
    old: str, new: str, differences: tuple[list[str], list[str]]
) -> None:
    assert differing(old, new) == differences


@given(old=st.text(), new=st.text())
def test_the_passages_of_either_side_put_together_are_its_text(old: str, new: str) -> None:
    compared = compare(old, new)
    assert "".join(passage.text for passage in compared.old) == old
    assert "".join(passage.text for passage in compared.new) == new


def test_texts_that_would_take_too_long_are_shown_without_marks() -> None:
    long = "word " * (MAX_WORDS + 1)
    compared = compare("word", long)
    assert not compared.is_marked
    assert [passage.differs for passage in (*compared.old, *compared.new)] == [False, False]
    assert compared.new[0].text == long
