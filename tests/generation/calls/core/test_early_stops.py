"""Refusals that mean the same stop a model, and others do not."""

import pytest

from generation.calls.core.early_stops import ALIKE, Refusal, why_stopped
from generation.providers.http import MOVED

UNKNOWN = Refusal(404, "HTTP 404, not_found_error: model: claude-9")


def test_twenty_refusals_alike_stop_a_model_and_say_what_to_mend() -> None:
    assert why_stopped("claude", [UNKNOWN] * (ALIKE - 1)) == ""
    told = why_stopped("claude", [UNKNOWN] * ALIKE)
    assert told.startswith(
        "“claude” is asked nothing more: all of its first 20 requests were refused alike. HTTP 404"
    )
    assert "know the model by this name" in told


@pytest.mark.parametrize(
    ("status", "words"),
    [
        *((moved, "address of the provider leads elsewhere") for moved in MOVED),
        (405, "takes no calls"),
        (410, "know the model by this name"),
        (400, "effort, temperature and options"),
    ],
)
def test_what_to_mend_depends_on_the_refusal(status: int, words: str) -> None:
    assert words in why_stopped("claude", [Refusal(status, "No.")] * ALIKE)


def test_refusals_that_differ_in_numbers_and_references_alone_are_alike() -> None:
    told = [Refusal(400, f"HTTP 400: prompt is too long: {n} tokens (request req_{n}a)") for n in range(ALIKE)]
    assert why_stopped("claude", told)


def test_refusals_for_different_fields_are_not_alike() -> None:
    told = [Refusal(400, f"HTTP 400: {field}: extra input") for field in ("temperature", "effort")]
    assert not why_stopped("claude", told * ALIKE)


def test_refusals_that_name_the_same_field_are_alike_whatever_they_say_of_it() -> None:
    told = [f"HTTP 400, invalid_value, “messages.0.content”: cannot take {word}" for word in "abcdefghijklmnopqrst"]
    assert why_stopped("claude", [Refusal(400, each) for each in told])
    told[2] = told[2].replace("messages.0", "messages.12")
    assert why_stopped("claude", [Refusal(400, each) for each in told]), "wherever in a list it stands"
    told[3] = told[3].replace("messages.0.content", "temperature")
    assert not why_stopped("claude", [Refusal(400, each) for each in told])
