import pytest

from generation.prompts.core.technology import is_about_technology


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("May a town hand its Algorithmic rents to a committee?", True),
        ("What does an AI owe to those who taught it?", True),
        ("When neighbours meet online, what do they owe one another?", True),
        ("Should cyberbullying be judged by schools?", True),
        ("He said that the fair came apart in the rain.", False),  # “ai” and “app” within words
        ("What do neighbours owe one another?", False),
        ("May a digit be left out?", False),
    ],
)
def test_a_prompt_is_about_technology_where_one_of_its_words_says_so(text: str, about: bool) -> None:
    assert is_about_technology(text) is about
