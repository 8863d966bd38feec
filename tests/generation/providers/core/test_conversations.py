"""System turns and earlier exchanges in every wire format, held against the official clients' types."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest
from pydantic import ValidationError

from generation.providers.base import Exchange, Request
from tests.generation.providers.core.asking import SCORE, http_provider, request
from tests.generation.providers.core.official import check_anthropic, check_chat, check_google, check_openai

SYSTEM = "Answer in one word."
# The first reply is wrong, and stays in the conversation as it was given.
EARLIER = (
    Exchange("Anne put the ball in the basket. Where is it?", "In the box."),
    Exchange("Where was it put?", "The basket.\n"),
)
LAST = "Where will Sally look?"
TALK = request(prompt=LAST, system=SYSTEM, earlier=EARLIER)

USER_AND_ASSISTANT = [
    {"role": "user", "content": "Anne put the ball in the basket. Where is it?"},
    {"role": "assistant", "content": "In the box."},
    {"role": "user", "content": "Where was it put?"},
    {"role": "assistant", "content": "The basket.\n"},
    {"role": "user", "content": LAST},
]
CHECKS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    "openai_responses": check_openai,
    "anthropic_messages": check_anthropic,
    "google_generate": check_google,
    "chat_completions": check_chat,
}


@pytest.mark.parametrize("schema", [None, SCORE], ids=["prose", "schema"])
@pytest.mark.parametrize("wire", CHECKS)
def test_the_official_client_would_send_the_same_conversation(wire: str, schema: Any) -> None:
    for earlier in ((), EARLIER):
        body = http_provider(wire).body(request(prompt=LAST, system=SYSTEM, earlier=earlier, schema=schema))
        CHECKS[wire](body)


def objects(part: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a request with its place, but none within a reply's schema, where any word may stand."""
    parts: Iterable[tuple[Any, Any]] = enumerate(part) if isinstance(part, list) else ()
    if isinstance(part, dict) and "properties" not in part:
        yield place, part
        parts = part.items()
    for name, value in parts:
        yield from objects(value, f"{place}/{name}")


@pytest.mark.parametrize("wire", CHECKS)
def test_the_official_types_know_no_other_word_at_any_depth_of_a_conversation(wire: str) -> None:
    body = http_provider(wire).body(request(prompt=LAST, system=SYSTEM, earlier=EARLIER, schema=SCORE))
    places = [place for place, _ in objects(body)]
    assert len(places) >= 1 + len(USER_AND_ASSISTANT)
    for place in places:
        changed = deepcopy(body)
        dict(objects(changed))[place]["surplus"] = 1
        with pytest.raises((ValidationError, AssertionError)):
            CHECKS[wire](changed)


def test_openai_gets_turns_as_messages_and_the_system_turn_as_instructions() -> None:
    body = http_provider("openai_responses").body(TALK)
    assert (body["instructions"], body["input"]) == (SYSTEM, USER_AND_ASSISTANT)


def test_anthropic_gets_the_system_turn_beside_the_messages() -> None:
    body = http_provider("anthropic_messages").body(TALK)
    assert (body["system"], body["messages"]) == (SYSTEM, USER_AND_ASSISTANT)


def test_google_calls_the_assistant_a_model() -> None:
    body = http_provider("google_generate").body(TALK)
    assert body["systemInstruction"] == {"parts": [{"text": SYSTEM}]}
    assert [turn["role"] for turn in body["contents"]] == ["user", "model", "user", "model", "user"]
    said = [part["text"] for turn in body["contents"] for part in turn["parts"]]
    assert said == [turn["content"] for turn in USER_AND_ASSISTANT]


def test_chat_completions_begin_with_the_system_turn() -> None:
    body = http_provider("chat_completions").body(TALK)
    assert body["messages"] == [{"role": "system", "content": SYSTEM}, *USER_AND_ASSISTANT]


OLDER = {"version": "2023-06-01"}
WITHIN_A_BUDGET = {"thinking": "budget"}
BY_TYPE = {"effort_field": "thinking"}
BY_SWITCH = {"effort_field": "chat_template_kwargs.enable_thinking"}
OF_KIMI = {"effort_field": "reasoning_effort", "efforts": ["low", "high", "max"]}


@pytest.mark.parametrize(
    ("wire", "settings", "changes", "why"),
    [
        ("openai_responses", {}, {"effort": "ultra"}, "it knows no effort “ultra”, but none, minimal, low"),
        ("openai_responses", {}, {"temperature": 0.0}, "it takes no temperature with the effort “medium”"),
        ("openai_responses", {}, {"max_output_tokens": 10}, "its output cap is at least 16, not 10"),
        ("anthropic_messages", {}, {"effort": "minimal"}, "it knows no effort “minimal”"),
        ("anthropic_messages", {}, {"temperature": 1.0}, "it takes no temperature"),
        ("anthropic_messages", OLDER, {"temperature": 1.0}, "it takes no temperature"),
        (
            "anthropic_messages",
            OLDER,
            {"temperature": 1.5, "options": {"thinking": "disabled"}},
            "its temperatures are 0 to 1, not 1.5",
        ),
        (
            "anthropic_messages",
            {},
            {"max_output_tokens": 2047, "options": WITHIN_A_BUDGET},
            "its output cap is at least 2048 where it thinks within a budget, not 2047",
        ),
        ("google_generate", {}, {"effort": "max"}, "it knows no effort “max”"),
        ("google_generate", {}, {"effort": "ultra", "options": {"thinking_budget": 0}}, "no effort “ultra”"),
        ("google_generate", {}, {"temperature": 2.5}, "its temperatures are 0 to 2, not 2.5"),
        ("chat_completions", BY_TYPE, {"effort": "high"}, "it knows no effort “high”, but enabled, disabled"),
        (
            "chat_completions",
            {"effort_field": "reasoning_effort"},
            {"effort": "ultra"},
            "no effort “ultra”, but none",
        ),
        ("chat_completions", {"effort_field": "reasoning.effort"}, {"effort": "maximal"}, "no effort “maximal”"),
        ("chat_completions", OF_KIMI, {"effort": "medium"}, "no effort “medium”, but low, high, max"),
        ("chat_completions", BY_SWITCH, {"effort": "high"}, "no effort “high”, but on, off"),
        (
            "chat_completions",
            OF_KIMI,
            {"effort": "max", "options": BY_TYPE},
            "no effort “max”, but enabled, disabled",
        ),
        ("chat_completions", {"sends_temperature": False}, {"temperature": 0.0}, "it takes no temperature"),
    ],
    ids=str,
)
def test_what_a_provider_would_refuse_is_found_before_anything_leaves(
    wire: str, settings: dict[str, Any], changes: dict[str, Any], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        http_provider(wire, **settings).check_request(request(**changes))


@pytest.mark.parametrize(
    ("wire", "settings", "asked"),
    [
        ("openai_responses", {}, request(effort="none", temperature=0.0, max_output_tokens=16)),
        ("openai_responses", {}, request(effort="")),
        ("anthropic_messages", {}, request(max_output_tokens=10)),
        (
            "anthropic_messages",
            OLDER,
            request(effort="", temperature=0.0, options={"thinking": "disabled"}),
        ),
        ("google_generate", {}, request(effort="MINIMAL", temperature=0.0, max_output_tokens=10)),
        ("google_generate", {}, request(effort="none", options={"thinking_budget": 0})),
        ("chat_completions", {}, request(effort="maximal", temperature=0.0, max_output_tokens=10)),
    ],
    ids=["openai", "unsaid", "anthropic", "older", "google", "budget", "chat"],
)
def test_a_request_that_a_provider_may_take_is_let_pass(
    wire: str, settings: dict[str, Any], asked: Request
) -> None:
    http_provider(wire, **settings).check_request(asked)
