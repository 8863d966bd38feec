"""Requests and replies of Google's generateContent, held against the official client's types."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from tests.generation.providers.core.asking import PROMPT, SCORE, http_provider, request, told
from tests.generation.providers.core.official import check_google, official

GOOGLE = http_provider("google_generate")


def generated(*parts: dict[str, Any], reason: str = "STOP", **changes: Any) -> dict[str, Any]:
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": reason, "index": 0}
    body = {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": 90,
            "cachedContentTokenCount": 40,
            "toolUsePromptTokenCount": 10,
            "candidatesTokenCount": 20,
            "thoughtsTokenCount": 50,
            "totalTokenCount": 170,
        },
        "modelVersion": "m-1-001",
        "responseId": "r-1",
        **changes,
    }
    official("google.genai.types", "GenerateContentResponse").model_validate(body)
    return body


def read(body: Any, status: int = 200) -> Reply:
    return GOOGLE.read(status, {}, json.dumps(body))


@pytest.mark.parametrize(
    "asked",
    [
        request(temperature=2.0),
        request(schema=SCORE),
        request(options={"thinking_budget": 0}),
        request(effort="", options={"safety": "BLOCK_NONE"}),
    ],
    ids=["level", "schema", "budget", "safety"],
)
def test_the_official_client_would_send_the_same_body(asked: Any) -> None:
    check_google(GOOGLE.body(asked))


def test_the_check_itself_finds_misspelt_fields() -> None:
    with pytest.raises(ValidationError):
        check_google({"contents": [], "generationConfig": {"maxTokens": 3}})


def test_a_request_is_one_turn_with_the_level_in_capitals() -> None:
    assert GOOGLE.body(request(temperature=2.0)) == {
        "contents": [{"role": "user", "parts": [{"text": PROMPT}]}],
        "generationConfig": {
            "maxOutputTokens": 16_000,
            "thinkingConfig": {"thinkingLevel": "MEDIUM"},
            "temperature": 2.0,
        },
    }


def test_a_budget_stands_instead_of_a_level_never_beside_it() -> None:
    config = GOOGLE.body(request(options={"thinking_budget": 512}))["generationConfig"]
    assert config["thinkingConfig"] == {"thinkingBudget": 512}


def test_a_model_cannot_lead_a_request_to_another_address() -> None:
    path = GOOGLE._wire.path(request(model="../../files?x="))
    assert path == "/models/..%2F..%2Ffiles%3Fx%3D:generateContent"


def test_the_answer_is_the_text_without_thoughts_as_the_official_client_reads_it() -> None:
    body = generated({"text": "secret", "thought": True}, {"text": "One, "}, {"text": "two."})
    assert told(read(body)) == ("ok", "One, two.")
    assert official("google.genai.types", "GenerateContentResponse").model_validate(body).text == "One, two."


def test_usage_adds_thoughts_to_output_and_tools_to_input() -> None:
    # Input 90 + 10 = 100; output 20 + 50 = 70.
    reply = read(generated({"text": "Yes."}))
    assert reply.usage == Usage(input_tokens=100, output_tokens=70, cached_tokens=40, reasoning_tokens=50)
    assert (reply.model, reply.request_id) == ("m-1-001", "r-1")


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("MAX_TOKENS", "truncated"),
        ("CONTINUATION", "truncated"),
        ("SAFETY", "filtered"),
        ("RECITATION", "filtered"),
        ("PUP_LIMITED_DISABLED", "final_account"),
        ("OTHER", "odd"),
        ("MALFORMED_RESPONSE", "odd"),
    ],
)
def test_only_stop_is_a_clean_end(reason: str, outcome: str) -> None:
    assert told(read(generated({"text": "Half an"}, reason=reason))) == (outcome, "Half an")


@pytest.mark.parametrize("reason", ["A_REASON_OF_TOMORROW", None], ids=str)
def test_an_unknown_or_missing_reason_is_not_taken_for_one(reason: str | None) -> None:
    body = {"candidates": [{"content": {"parts": [{"text": "Half an"}]}, "finishReason": reason}]}
    assert read(body).outcome is Outcome.ODD


def test_a_blocked_request_comes_as_a_success_without_candidates() -> None:
    body = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 9}}
    assert told(read(body)) == ("filtered", "")


def test_content_may_be_missing_altogether() -> None:
    body = {"candidates": [{"finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 9}}
    assert read(body).outcome is Outcome.EMPTY
    assert read({"candidates": []}).outcome is Outcome.ODD


def test_usage_counts_even_where_a_success_holds_nothing_else() -> None:
    reply = read({"usageMetadata": {"promptTokenCount": 9, "thoughtsTokenCount": 50}, "modelVersion": "m-1-001"})
    assert (reply.outcome, reply.detail) == (Outcome.ODD, "The reply holds no candidate, and no reason why.")
    assert reply.usage == Usage(input_tokens=9, output_tokens=50, reasoning_tokens=50)
    assert (reply.cost_unknown, reply.model) == (False, "m-1-001")


def detail(kind: str, **fields: Any) -> dict[str, Any]:
    return {"@type": f"type.googleapis.com/google.rpc.{kind}", **fields}


@pytest.mark.parametrize(
    ("status", "state", "details", "outcome", "wait"),
    [
        (400, "INVALID_ARGUMENT", [], "final_request", None),
        (400, "INVALID_ARGUMENT", [detail("ErrorInfo", reason="API_KEY_INVALID")], "final_account", None),
        (400, "FAILED_PRECONDITION", [], "final_account", None),
        (402, "RESOURCE_EXHAUSTED", [], "final_account", None),
        (403, "PERMISSION_DENIED", [], "final_account", None),
        (404, "NOT_FOUND", [], "final_request", None),
        (429, "RESOURCE_EXHAUSTED", [detail("RetryInfo", retryDelay="55s")], "retryable", 55.0),
        (429, "RESOURCE_EXHAUSTED", [detail("RetryInfo", retryDelay="1.5s")], "retryable", 1.5),
        (
            429,
            "RESOURCE_EXHAUSTED",
            [detail("QuotaFailure", violations=[{"quotaId": "GenerateRequestsPerDayPerProject"}])],
            "final_account",
            None,
        ),
        (499, "CANCELLED", [], "retryable", None),
        (503, "UNAVAILABLE", [], "retryable", None),
    ],
    ids=str,
)
def test_errors_are_told_apart_by_their_details_then_their_state(
    status: int, state: str, details: list[Any], outcome: str, wait: float | None
) -> None:
    error = {"error": {"code": status, "message": "In its words.", "status": state, "details": details}}
    for body in (error, [error]):
        reply = read(body, status)
        assert (reply.outcome, reply.retry_after) == (outcome, wait)
        assert "In its words." in reply.detail
