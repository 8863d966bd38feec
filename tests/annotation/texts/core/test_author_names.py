"""Names of authors in their texts: in parts, by initials, in letters that look alike; and words that are none."""

import pytest

from annotation.texts.core.author_names import MAX_FOUND, author_names
from tests.adversaries import ALPHABETS, least_ordinary_seconds, least_seconds, text_of

SECONDS = 0.2
LENGTH = 30_000


def found(text: str, *names: str) -> list[tuple[str, str]]:
    return [(text[one.start : one.end], one.how) for one in author_names(text, names)]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Thus Jane Okafor.", "Jane Okafor", [("Jane Okafor", "name")]),
        ("Thus JANE\nOKAFOR.", "Jane Okafor", [("JANE\nOKAFOR", "name")]),
        ("by jane okafor", "Jane Okafor", [("jane okafor", "name")]),
        ("Thus Okafor, Jane.", "Jane Okafor", [("Okafor, Jane", "name")]),
        ("Thus Jane M. Okafor.", "Jane Mary Okafor", [("Jane M. Okafor", "name")]),
        ("as J. Okafor says", "Jane Okafor", [("J. Okafor", "initials")]),
        ("as J.M. Okafor says", "Jane Mary Okafor", [("J.M. Okafor", "initials")]),
        ("Okafor, J. (2010)", "Jane Okafor", [("Okafor, J", "initials")]),
        ("in Okafor's view", "Jane Okafor", [("Okafor", "surname")]),
        ("(Okafor 2010)", "Okafor, Jane", [("Okafor", "surname")]),
        ("Maria Nunez", "María Núñez", [("Maria Nunez", "name")]),
        ("Mueller says", "Karl Müller", [("Mueller", "surname")]),
        ("Muller says", "Karl Müller", [("Muller", "surname")]),
        ("Оkаfоr says", "Jane Okafor", [("Оkаfоr", "surname")]),
        ("Ok\u200bafor says", "Jane Okafor", [("Ok\u200bafor", "surname")]),
        ("Ｏｋａｆｏｒ says", "Jane Okafor", [("Ｏｋａｆｏｒ", "surname")]),
        ("O’Neill and ONeill", "Sean O'Neill", [("O’Neill", "surname"), ("ONeill", "surname")]),
        ("Doe-Smith says", "Jane Doe-Smith", [("Doe-Smith", "surname")]),
        ("L. van den Berg; Berg", "Ludwig van den Berg", [("L. van den Berg", "initials"), ("Berg", "surname")]),
        ("I am Jane. My town", "Jane Okafor", [("Jane", "introduction")]),
        ("It ends.\n\nJ. O.", "Jane Okafor", [("J. O.", "signature")]),
        ("It ends. – JO", "Jane Okafor", [("JO", "signature")]),
        ("So says 王小明。", "王 小明", [("王小明", "name")]),
        ("I am GPT-5-mini.", "gpt-5-mini", [("GPT-5-mini", "name")]),
    ],
)
def test_a_name_is_found_in_parts_and_in_disguise(text: str, name: str, expected: list[tuple[str, str]]) -> None:
    assert found(text, name) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Prices will rise, and a rose is a rose.", "Will Rose"),
        ("As Smith (1776) and Adam Smith say", "Tom Smith"),
        ("Weber's view of Max Weber", "Karin Weber"),
        ("The J. O. degree is common.", "Jane Okafor"),
        ("Jane Eyre is a novel.", "Jane Okafor"),
        ("The okafor of the deep sea", "Jane Okafor"),
        ("King Lear and a king", "Ada King"),
        ("", "Jane Okafor"),
        ("Anything at all.", ""),
        ("Anything at all.", "–"),
    ],
)
def test_ordinary_words_and_names_that_everybody_cites_are_nobodys_signature(text: str, name: str) -> None:
    assert found(text, name) == []


def test_of_a_name_found_in_two_ways_the_longer_stretch_is_told() -> None:
    assert found("Jane Okafor", "Jane Okafor", "Okafor") == [("Jane Okafor", "name")]


def test_no_more_names_are_told_than_anybody_reads() -> None:
    assert len(found("Okafor. " * 500, "Jane Okafor")) == MAX_FOUND


def test_no_text_as_long_as_an_answer_takes_long_to_search_for_a_name() -> None:
    too_long = {}
    for name, alphabet in ALPHABETS.items():
        text = text_of(alphabet, LENGTH)

        def search(text: str = text) -> None:
            author_names(text, ["Ada Aa"])

        if least_seconds(search, times=1) > SECONDS:
            least = least_ordinary_seconds(search, times=5)
            if least > SECONDS:
                too_long[name] = least
    assert too_long == {}
