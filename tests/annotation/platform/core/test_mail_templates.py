"""Words in braces, filled in for one person."""

import pytest

from annotation.platform.core.errors import Refused
from annotation.platform.core.mail_templates import fill, parse_template

MEANINGS = {"name": "the person’s name", "left": "what is left", "due": "the day by which it should be done"}
VALUES = {"name": "Ada {link}", "left": "3 answers to write", "due": "1 March 2031"}


def test_placeholders_give_way_to_their_values_and_values_are_not_looked_into() -> None:
    assert (
        fill("Dear {name}: {left}, {left}.", VALUES, placeholders=MEANINGS)
        == "Dear Ada {link}: 3 answers to write, 3 answers to write."
    )


@pytest.mark.parametrize(
    "braces", ["{nmae}", "{}", "{ name}", "{name!r}", "{name.x}", "{name:>9}", "{", "}", "{{name}}"]
)
def test_braces_around_anything_else_are_refused(braces: str) -> None:
    with pytest.raises(Refused, match="is not a placeholder"):
        fill(f"Dear {braces},", VALUES, placeholders=MEANINGS)


def test_a_placeholder_without_a_value_is_refused_with_what_is_missing() -> None:
    with pytest.raises(Refused, match=r"\{due\} stands for nothing here, as the day by which it should be done"):
        fill("by {due}", {**VALUES, "due": ""}, placeholders=MEANINGS)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "Title: A\nSubject: B\nText",
        "Title: A\n\nText",
        "Subject: B\nTitle: A\n\nText",
        "Title: \nSubject: B\n\nC",
    ],
)
def test_a_file_of_another_form_is_no_template(source: str) -> None:
    with pytest.raises(ValueError, match="odd-1 does not begin"):
        parse_template("odd-1", source)
