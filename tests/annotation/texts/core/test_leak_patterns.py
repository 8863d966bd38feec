"""How patterns of the leak scan are written and read."""

import pytest

from annotation.texts.core.folding import fold
from annotation.texts.core.leaks.grammar import Grammar, Group, told
from annotation.texts.core.leaks.patterns import read_rule
from annotation.texts.core.leaks.rules import read_fields
from annotation.texts.core.leaks.signs import PERHAPS
from annotation.texts.core.sentences import sentences
from annotation.texts.core.vocabulary import Vocabulary

NO_WORDS = Vocabulary.of((), ())


def matches(pattern: str, text: str, *, is_real: bool = False) -> list[str]:
    group = Group("own_work", 3, "is tried", (pattern,), is_real)
    grammar = Grammar([group])
    read = told(list(sentences(fold(text, NO_WORDS))))
    return [text[match.start : match.end] for sentence in read for match in grammar.matches(sentence)]


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("my book", "See my book.", ["my book"]),
        ("my book|paper", "See my paper.", ["my paper"]),
        ("my {publication}", "See my monographs.", ["my monographs"]),
        ("my own? book", "My own book and my book.", ["My own book", "my book"]),
        ("my ~2 book", "My very old book.", ["My very old book"]),
        ("my ~1 book", "My very old book.", []),
        ("my ~2 book", "My own, old book.", []),
        ("my ..3 book", "My own, old book.", ["My own, old book"]),
        ("my =2 book", "My place in the book.", []),
        ("my book !club", "My book club reads my book.", ["my book"]),
        ("^ my book", "And my book. My book.", ["My book"]),
        ("my book $", "My book sells. I like my book.", ["my book."]),
        ("in {name}", "I was born in Lagos.", ["in Lagos"]),
        ("( my old|our new ) book", "Our new book.", ["Our new book"]),
        ("( my old | our book|paper ) on", "Our paper on it.", ["Our paper on"]),
        ("book & my", "A book. My old book.", ["book"]),
        ("book % he", "The book. He has a book.", ["book"]),
    ],
)
def test_a_pattern_is_followed_where_it_says(pattern: str, text: str, found: list[str]) -> None:
    assert matches(pattern, text) == found


def test_mine_is_a_possessive_only_where_it_is_no_verb() -> None:
    assert matches("mine", "Historians mine the book for facts.") == []
    assert matches("mine", "A book of mine sells.") == ["mine"]


@pytest.mark.parametrize(
    "text",
    [
        "If I were rich, my book would sell.",
        "Suppose that I write. My book sells.",
        '"My book sells," he said to me.',
        "My book sells, says the fool.",
        "We read My Book of Hours.",
        "Were we to agree, my book would sell.",
        "It sells, should my book be read.",
    ],
)
def test_what_is_supposed_quoted_or_a_title_is_nobodys_own(text: str) -> None:
    assert matches("my book", text, is_real=True) == []


@pytest.mark.parametrize(
    "text",
    [
        "My book had my name on it.",
        "They were my readers and liked my book.",
        "My book reads as though it were one more.",
    ],
)
def test_what_somebody_had_or_was_is_no_supposition(text: str) -> None:
    assert matches("my book|readers", text, is_real=True)


@pytest.mark.parametrize("text", ["The present author's book.", "My book.", "This author's book."])
def test_the_present_author_speaks_of_themselves(text: str) -> None:
    assert matches("my book", text)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("my {nothing_of_the_kind}", KeyError),
        ("( my book", ValueError),
        ("my book )", ValueError),
        ("~3", ValueError),
    ],
)
def test_a_pattern_that_is_not_well_formed_is_refused(pattern: str, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        read_rule(pattern)


def test_a_pattern_is_compiled_when_a_text_first_has_what_it_wants() -> None:
    group = Group("own_work", 3, "is tried", ("my book",))
    grammar = Grammar([group])
    for text, is_compiled in (("My paper.", False), ("My book.", True)):
        for sentence in told(list(sentences(fold(text, NO_WORDS)))):
            list(grammar.matches(sentence))
        assert ("pattern" in vars(group.rules[0])) is is_compiled


def test_every_frame_is_asked_of_every_field_of_words() -> None:
    toml = """
frames = ["my {field}", "{field} of mine"]
[field.learner]
kind = "own_post"
meaning = "teaches"
[field.family]
kind = "own_life"
meaning = "lives"
"""
    groups = list(read_fields(toml))
    assert [group.patterns for group in groups] == [
        ("my {learner}", "{learner} of mine"),
        ("my {family}", "{family} of mine"),
    ]
    assert {(group.severity, group.is_real) for group in groups} == {(PERHAPS, True)}


@pytest.mark.parametrize(
    ("text", "is_supposed"),
    [("Suppose that I lie. I am caught.", [True, True]), ("I lie. Suppose that I am caught.", [False, True])],
)
def test_a_supposition_lasts_from_where_it_begins_to_the_end_of_its_paragraph(
    text: str, is_supposed: list[bool]
) -> None:
    read = told(list(sentences(fold(f"{text}\n\nAnother day.", NO_WORDS))))
    assert [sentence.is_supposed for sentence in read] == [*is_supposed, False]
