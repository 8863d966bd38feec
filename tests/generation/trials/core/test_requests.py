"""What a model is asked about a case."""

import json

import pytest

from generation.calls.core.json_replies import Unreadable
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.trials.core.requests import PARTS, answer_text, answer_turn, framework_turn, read_answer

PARTS_SAID = {name: f"The {name}." for name in PARTS}


def test_a_framework_is_told_in_the_template_a_control_as_it_stands_and_none_not_at_all() -> None:
    template = SHIPPED["trial_framework"]
    assert framework_turn(template, "Avoid harm.", is_control=False).endswith("Avoid harm.")
    assert framework_turn(template, "Deny a fact.", is_control=True) == "Deny a fact."
    assert framework_turn(template, "", is_control=False) == ""


def test_the_framework_stands_at_the_head_of_the_question_where_it_is_not_the_system_turn() -> None:
    asked = answer_turn(SHIPPED["trial_answer"], "1. It rains.", framework="Avoid harm.", words=400, limit=440)
    assert asked.startswith("Avoid harm.\n\nA decision")
    assert "1. It rains." in asked
    alone = answer_turn(SHIPPED["trial_answer"], "1. It rains.", framework="", words=400, limit=440)
    assert alone == asked.removeprefix("Avoid harm.\n\n")


def test_an_answer_is_read_with_all_its_parts_and_shown_with_their_names() -> None:
    assert answer_text(read_answer(json.dumps(PARTS_SAID))) == (
        "The reasoning.\n\nRecommendation: The recommendation.\n\nValues: The values.\n\n"
        "Trade-offs: The trade_offs."
    )


@pytest.mark.parametrize(
    "reply",
    [
        "Close it.",
        "[]",
        json.dumps({**PARTS_SAID, "values": " "}),
        json.dumps({**PARTS_SAID, "values": 3}),
        json.dumps({"reasoning": "So."}),
        json.dumps({**PARTS_SAID, "more": "x"}),
    ],
)
def test_anything_else_is_no_answer(reply: str) -> None:
    with pytest.raises(Unreadable):
        read_answer(reply)
