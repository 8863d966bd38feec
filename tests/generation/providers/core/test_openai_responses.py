"""Requests and replies of OpenAI's Responses, held against the official client's types."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from tests.generation.providers.core.asking import PROMPT, SCORE, http_provider, request, told
from tests.generation.providers.core.official import check_openai, official

OPENAI = http_provider("openai_responses")


def part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": []}


def message(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": list(parts),
        **more,
    }


def response(*output: dict[str, Any], **changes: Any) -> dict[str, Any]:
    body = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_795_000_000,
        "model": "m-1-2026-11-01",
        "status": "completed",
        "output": list(output),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 100,
            "input_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 10},
            "output_tokens": 70,
            "output_tokens_details": {"reasoning_tokens": 50},
            "total_tokens": 170,
        },
        **changes,
    }
    official("openai.types.responses", "Response").model_validate(body)
    return body


def read(body: dict[str, Any], status: int = 200) -> Reply:
    return OPENAI.read(status, {}, json.dumps(body))


@pytest.mark.parametrize(
    "asked",
    [
        request(),
        request(schema=SCORE, options={"verbosity": "low"}),
        request(effort="none", temperature=1.5),
        request(effort=""),
    ],
    ids=["prose", "schema", "temperature", "no effort"],
)
def test_the_official_client_would_send_the_same_body(asked: Any) -> None:
    check_openai(OPENAI.body(asked))


def test_the_check_itself_finds_misspelt_fields_and_unknown_efforts() -> None:
    body = OPENAI.body(request())
    for wrong in ({"temprature": 1.0}, {"reasoning": {"effort": "ultra"}}, {"reasoning": {"budget": 3}}):
        with pytest.raises(ValidationError):
            check_openai({**body, **wrong})


def test_a_request_is_one_turn_that_the_provider_does_not_keep() -> None:
    assert OPENAI.body(request()) == {
        "model": "m-1",
        "input": PROMPT,
        "max_output_tokens": 16_000,
        "store": False,
        "reasoning": {"effort": "medium"},
    }


def test_a_schema_goes_flat_and_strict_beside_the_verbosity() -> None:
    text = OPENAI.body(request(schema=SCORE, options={"verbosity": "low"}))["text"]
    assert text == {
        "format": {"type": "json_schema", "name": "reply", "schema": SCORE, "strict": True},
        "verbosity": "low",
    }


@pytest.mark.parametrize(("effort", "sent"), [("none", True), ("low", False), ("max", False), ("", False)])
def test_a_temperature_goes_only_with_no_reasoning(effort: str, sent: bool) -> None:
    assert OPENAI.takes_temperature(effort, {}) is sent
    assert ("temperature" in OPENAI.body(request(effort=effort, temperature=1.5))) is sent


def test_options_of_other_providers_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match="quality is not known here"):
        OPENAI.check({"quality": 0.5})
    with pytest.raises(ValueError, match="verbosity should be 'low', 'medium' or 'high'"):
        OPENAI.check({"verbosity": "chatty"})


def test_the_answer_is_every_text_of_the_final_messages_and_nothing_else() -> None:
    thought = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "secret"}]}
    comment = message(part("Let me see. "), phase="commentary")
    body = response(thought, comment, message(part("One, "), part("two.")), message(part(" Three.")))
    assert told(read(body)) == ("ok", "One, two. Three.")


def test_the_answer_agrees_with_the_official_clients() -> None:
    body = response(message(part("One, "), part("two.")))
    assert read(body).text == official("openai.types.responses", "Response").model_validate(body).output_text


def test_usage_model_and_id_are_read() -> None:
    reply = read(response(message(part("Yes."))))
    assert reply.usage == Usage(
        input_tokens=100, output_tokens=70, cached_tokens=40, cache_write_tokens=10, reasoning_tokens=50
    )
    assert (reply.model, reply.request_id, reply.cost_unknown) == ("m-1-2026-11-01", "resp_1", False)


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "truncated"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "filtered"),
        ({"status": "incomplete", "incomplete_details": {"reason": "steered"}}, "truncated"),
        ({"status": "incomplete"}, "truncated"),
        ({"status": "in_progress"}, "odd"),
        ({"status": "cancelled"}, "odd"),
        ({"status": "failed", "error": {"code": "server_error", "message": "Oh."}}, "retryable"),
        ({"status": "failed", "error": {"code": "bio_policy", "message": "No."}}, "filtered"),
    ],
    ids=str,
)
def test_a_response_that_did_not_complete_is_never_ok_but_keeps_text_and_usage(
    changes: dict[str, Any], outcome: str
) -> None:
    reply = read(response(message(part("Half an")), **changes))
    assert reply.outcome == outcome
    assert reply.usage.output_tokens == 70
    assert reply.detail


def test_a_status_nobody_has_heard_of_is_no_clean_end() -> None:
    body = {**response(message(part("Yes."))), "status": "postponed"}
    assert (read(body).outcome, read(body).detail) == (
        Outcome.ODD,
        "The reply ended for an unusual reason: postponed.",
    )


def test_a_refusal_and_a_blank_text_are_told_from_an_answer() -> None:
    refused = read(response(message({"type": "refusal", "refusal": "I cannot."})))
    assert (refused.outcome, refused.detail) == (Outcome.REFUSED, "The model declined (no category given).")
    assert read(response(message(part(" \n")))).outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    ("status", "error", "outcome"),
    [
        (429, {"code": "rate_limit_exceeded", "type": "tokens"}, "retryable"),
        (429, {"code": None, "type": "insufficient_quota"}, "final_account"),
        (429, {"code": "project_spend_limit_exceeded", "type": "insufficient_quota"}, "final_account"),
        (400, {"code": "unsupported_value", "type": "invalid_request_error"}, "final_request"),
        (400, {"code": "invalid_prompt", "type": "invalid_request_error"}, "filtered"),
        (401, {"code": "invalid_api_key", "type": "invalid_request_error"}, "final_account"),
        (404, {"code": "model_not_found", "type": "invalid_request_error"}, "final_request"),
        (409, {"code": None, "type": None}, "retryable"),
        (500, {"code": None, "type": "server_error"}, "retryable"),
        (503, {"code": "server_is_overloaded", "type": "service_unavailable_error"}, "retryable"),
    ],
    ids=str,
)
def test_errors_are_told_apart_by_their_code_and_then_their_status(
    status: int, error: dict[str, Any], outcome: str
) -> None:
    reply = read({"error": {"message": "In its words.", "param": None, **error}}, status)
    assert reply.outcome == outcome
    assert reply.detail.startswith(f"HTTP {status}")
    assert reply.detail.endswith(": In its words.")
