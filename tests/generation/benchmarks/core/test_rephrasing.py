"""What a model that rephrases is asked, and what of its replies is taken."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from generation.benchmarks.core.rephrasing import (
    TEMPLATE,
    Worded,
    names_in,
    read_rephrasings,
    rephrasing_request,
    rephrasing_schema,
)
from generation.calls.core.json_replies import Unreadable
from generation.catalogue.core.prompt_templates import SHIPPED

QUESTION = Worded(
    "Tracy left the office. Later Riley called.", "What will Tracy do?", ("call Riley", "stay home", "sleep")
)


def one(place: int = 1, **changed: Any) -> dict[str, Any]:
    return {
        "context": f"Tracy went from work, it is said {place} times. Riley phoned later.",
        "question": "What is Tracy about to do?",
        "option_1": "phone Riley",
        "option_2": "not go out",
        "option_3": "go to bed",
        **changed,
    }


def a_reply(**changed: Mapping[str, Any]) -> str:
    return json.dumps({f"rephrasing_{place}": one(place) for place in (1, 2)} | changed)


def test_rephrasings_keep_the_places_of_the_options() -> None:
    [first, second] = read_rephrasings(a_reply(), QUESTION, 2)
    assert first.options == ("phone Riley", "not go out", "go to bed")
    assert first.story != second.story
    assert "Number of rephrasings: 2" in rephrasing_request(SHIPPED[TEMPLATE], QUESTION, 2)
    assert list(rephrasing_schema(QUESTION, 2)["properties"]) == ["rephrasing_1", "rephrasing_2"]


def test_names_are_those_within_sentences() -> None:
    assert names_in(QUESTION) == {"Riley", "Tracy"}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"option_2": " "}, "has no option_2"),
        ({"option_2": "Phone  Riley."}, "say the same"),
        ({"question": "What is she about to do?", "context": "She went. Riley phoned."}, "lacks the name Tracy"),
        ({"option_3": 3}, "has no option_3"),
        ({"extra": "x"}, "."),
        (one(1), "of another rephrasing"),
        (
            {
                "context": QUESTION.story,
                "question": QUESTION.text,
                **{f"option_{n}": text for n, text in enumerate(QUESTION.options, 1)},
            },
            "words of the question",
        ),
    ],
)
def test_a_rephrasing_that_breaks_a_rule_is_unreadable(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read_rephrasings(a_reply(rephrasing_2=one(2, **changed)), QUESTION, 2)


def test_a_question_without_story_and_options_is_rephrased_alone() -> None:
    assert read_rephrasings('{"rephrasing_1": {"question": "Who was it?"}}', Worded("", "Who?"), 1) == [
        Worded("", "Who was it?")
    ]
