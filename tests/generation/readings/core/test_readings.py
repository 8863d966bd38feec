"""What a reader of texts is asked, and how its reply is read."""

import json

import pytest

from generation.calls.core.json_replies import Unreadable
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.demo.core.synthetic_readings import read_text
from generation.readings.core.readings import Reading, read_reading, reading_request

TEXT = "Towns differ. My students know it. So do their rules."


def reply(**said: object) -> str:
    return json.dumps({"quote": "My students know it.", "reason": "A teacher.", "verdict": "surely", **said})


def test_a_reader_is_shown_the_text_and_nothing_else_of_it() -> None:
    request = reading_request(SHIPPED["reading"], TEXT)
    assert TEXT in request
    assert "{" not in request.replace('{"quote": "…", "reason": "…", "verdict": "…"}', "")


def test_a_reading_has_a_verdict_a_passage_and_a_reason() -> None:
    assert read_reading(reply(), TEXT) == Reading(3, "My students know it.", "A teacher.")
    assert read_reading(reply(quote="", verdict="no"), TEXT) == Reading(0, "", "A teacher.")


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ({"quote": "My pupils know it."}, "does not stand in the text"),
        ({"quote": ""}, "contradicts itself"),
        ({"verdict": "no"}, "contradicts itself"),
        ({"verdict": "certainly"}, "no verdict"),
        ({"verdict": 3}, "no verdict"),
        ({"reason": " "}, "no reason"),
        ({"quote": None}, "is no text"),
    ],
)
def test_a_reading_that_is_not_what_was_asked_for_is_not_read(said: dict[str, object], fault: str) -> None:
    with pytest.raises(Unreadable, match=fault):
        read_reading(reply(**said), TEXT)


@pytest.mark.parametrize("text", [TEXT, "Towns differ.", "As an AI, I cannot vote.", "It stops in the"])
def test_the_demonstrations_reader_replies_in_the_form_asked_for(text: str) -> None:
    read_reading(json.dumps(read_text(text)), text)
