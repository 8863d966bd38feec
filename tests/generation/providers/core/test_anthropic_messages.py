"""Requests and replies of Anthropic's Messages, held against the official client's types."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from tests.generation.providers.core.asking import KEY, PROMPT, SCORE, http_provider, request, told
from tests.generation.providers.core.official import check_anthropic, official

ANTHROPIC = http_provider("anthropic_messages")
OLDER = http_provider("anthropic_messages", version="2023-06-01")
RAMP = {"error_code": "ramp_limit_exceeded"}
SPENT = {"error_code": "enforced_spend_limit_reached"}
THINKING = {"type": "thinking", "thinking": "secret", "signature": "c2ln"}


def message(*content: dict[str, Any], stop_reason: str | None = "end_turn", **changes: Any) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m-1",
        "content": list(content),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "stop_details": None,
        "usage": {
            "input_tokens": 60,
            "cache_read_input_tokens": 30,
            "cache_creation_input_tokens": 10,
            "cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 70,
            "output_tokens_details": {"thinking_tokens": 50},
            "service_tier": "standard",
        },
        **changes,
    }


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words, "citations": None}


def read(body: dict[str, Any], status: int | None = 200) -> Reply:
    return ANTHROPIC.read(status, {}, json.dumps(body))


@pytest.mark.parametrize(
    "options",
    [{}, {"thinking": "disabled"}, {"thinking": "between_tools"}, {"thinking": "unsaid"}, {"thinking": "budget"}],
    ids=str,
)
@pytest.mark.parametrize("schema", [None, SCORE], ids=["prose", "schema"])
def test_the_official_client_would_send_the_same_body(options: dict[str, Any], schema: Any) -> None:
    check_anthropic(ANTHROPIC.body(request(options=options, schema=schema, temperature=1.5)))


def test_the_check_itself_finds_temperatures_unknown_efforts_and_mixed_thinking() -> None:
    body = ANTHROPIC.body(request())
    thinking = {"type": "adaptive", "budget_tokens": 2000}
    for wrong in ({"temperature": 1.0}, {"output_config": {"effort": "minimal"}}, {"thinking": thinking}):
        with pytest.raises(ValidationError):
            check_anthropic({**body, **wrong})


def test_a_request_is_one_turn_of_a_model_that_thinks_as_it_likes() -> None:
    assert ANTHROPIC.body(request()) == {
        "model": "m-1",
        "max_tokens": 16_000,
        "messages": [{"role": "user", "content": PROMPT}],
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": "medium"},
    }


def test_a_schema_carries_its_bounds_in_words() -> None:
    wanted = ANTHROPIC.body(request(schema=SCORE))["output_config"]["format"]
    assert wanted["type"] == "json_schema"
    score = {"type": "integer", "description": "(minimum: 1, maximum: 10)"}
    assert wanted["schema"] == {**SCORE, "properties": {"score": score}}


def test_a_budget_leaves_half_of_the_tokens_to_the_text() -> None:
    asked = request(effort="", max_output_tokens=6000, options={"thinking": "budget", "budget": 8000})
    body = ANTHROPIC.body(asked)
    # Of 6000 tokens thinking gets at most 6000 / 2 = 3000.
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 3000}
    assert "output_config" not in body


@pytest.mark.parametrize(
    ("asked_of", "thinking", "sent"),
    [
        (ANTHROPIC, "disabled", False),
        (OLDER, "adaptive", False),
        (OLDER, "budget", False),
        (OLDER, "disabled", True),
    ],
    ids=["newer version", "thinking", "budget", "older and not thinking"],
)
def test_a_temperature_goes_only_to_the_older_version_without_thinking(
    asked_of: Any, thinking: str, sent: bool
) -> None:
    options = {"thinking": thinking}
    assert asked_of.takes_temperature("medium", options) is sent
    assert ("temperature" in asked_of.body(request(temperature=1.0, options=options))) is sent


def test_every_request_names_its_key_and_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", KEY)
    assert ANTHROPIC.headers() == {"x-api-key": KEY, "anthropic-version": "2026-10-21"}
    assert OLDER.headers()["anthropic-version"] == "2023-06-01"


def test_the_answer_is_the_text_without_thoughts_as_the_official_client_reads_it() -> None:
    body = message(THINKING, text("One, "), text("two."))
    assert told(read(body)) == ("ok", "One, two.")
    blocks = official("anthropic.types", "Message").model_validate(body).content
    assert "".join(block.text for block in blocks if block.type == "text") == "One, two."


def test_usage_counts_what_was_read_from_and_written_to_the_cache_as_input() -> None:
    # 60 + 30 read + 10 written = 100.
    assert read(message(text("Yes."))).usage == Usage(
        input_tokens=100, output_tokens=70, cached_tokens=30, cache_write_tokens=10, reasoning_tokens=50
    )


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("stop_sequence", "ok"),
        ("max_tokens", "truncated"),
        ("model_context_window_exceeded", "truncated"),
        ("refusal", "refused"),
        ("pause_turn", "odd"),
        ("tool_use", "odd"),
        ("interrupted_by_the_moon", "odd"),
        (None, "odd"),
    ],
    ids=str,
)
def test_only_a_known_clean_end_is_ok(reason: str | None, outcome: str) -> None:
    assert told(read(message(text("Half an"), stop_reason=reason))) == (outcome, "Half an")


def test_a_refusal_names_its_category_and_leaves_the_models_words_in_the_body() -> None:
    details = {"type": "refusal", "category": "bio", "explanation": "Too near."}
    body = message(stop_reason="refusal", stop_details=details)
    official("anthropic.types", "Message").model_validate(body)
    assert read(body).detail == "The model declined (bio)."
    assert read(message(stop_reason="refusal")).detail == "The model declined (no category given)."


def test_a_clean_end_after_nothing_but_thought_is_empty() -> None:
    assert read(message(THINKING)).outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    ("status", "error", "outcome"),
    [
        (400, {"type": "invalid_request_error", "message": "No."}, "final_request"),
        (
            400,
            {"type": "invalid_request_error", "message": "You have reached your specified API usage limits."},
            "final_account",
        ),
        (401, {"type": "authentication_error"}, "final_account"),
        (402, {"type": "billing_error"}, "final_account"),
        (413, {"type": "request_too_large"}, "final_request"),
        (429, {"type": "rate_limit_error"}, "retryable"),
        (429, {"type": "rate_limit_error", "details": RAMP}, "retryable"),
        (429, {"type": "rate_limit_error", "details": SPENT}, "final_account"),
        (529, {"type": "overloaded_error"}, "retryable"),
        (None, {"type": "invalid_request_error"}, "final_request"),
        (None, {"type": "overloaded_error"}, "retryable"),
        (None, {"type": "an_error_of_tomorrow"}, "retryable"),
    ],
    ids=str,
)
def test_errors_are_told_apart_by_their_code_then_type_even_without_a_status(
    status: int | None, error: dict[str, Any], outcome: str
) -> None:
    reply = read({"type": "error", "error": error, "request_id": "req_1"}, status)
    assert (reply.outcome, reply.request_id) == (outcome, "req_1")
