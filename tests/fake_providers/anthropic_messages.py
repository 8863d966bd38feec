"""Anthropic's Messages, as of the API version that knows no temperature."""

import re
from collections.abc import Mapping
from typing import Any

from generation.providers.base import Outcome
from tests.fake_providers.cases import (
    CACHED_TOKENS,
    IN_THE_WAY,
    INPUT_TOKENS,
    PARTIAL,
    REASONING_TOKENS,
    Case,
    Format,
    always,
    text_for,
    tokens_of,
)
from tests.fake_providers.sockets import HttpReply, HttpRequest

THINKING = {"type": "thinking", "thinking": "SECRET THOUGHT", "signature": "c2ln"}
CACHE_WRITE_TOKENS = 10


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": None}


def message(body: Mapping[str, Any], *blocks: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A Message of these blocks, or of thinking and a text that fits the request's body."""
    content = blocks or (THINKING, text_block(_text(body)))
    return {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": f"{body['model']}-2026",
        "content": content,
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "stop_details": None,
        "usage": {
            "input_tokens": INPUT_TOKENS - CACHED_TOKENS - CACHE_WRITE_TOKENS,
            "cache_read_input_tokens": CACHED_TOKENS,
            "cache_creation_input_tokens": CACHE_WRITE_TOKENS,
            "cache_creation": {
                "ephemeral_5m_input_tokens": CACHE_WRITE_TOKENS,
                "ephemeral_1h_input_tokens": 0,
            },
            "output_tokens": REASONING_TOKENS + sum(tokens_of(block.get("text", "")) for block in content),
            "output_tokens_details": {"thinking_tokens": REASONING_TOKENS},
            "service_tier": "standard",
        },
        **changes,
    }


def error(kind: str, text: str = "", code: str = "") -> dict[str, Any]:
    """The body of an error."""
    details = {"details": {"error_code": code}} if code else {}
    return {
        "type": "error",
        "error": {"type": kind, "message": text or f"Told by the provider: {kind}.", **details},
        "request_id": "req_anthropic",
    }


def denied(request: HttpRequest) -> HttpReply | None:
    """A key and a version are required; the newer version takes no temperature at all."""
    if not {"x-api-key", "authorization"} & request.headers.keys():
        return CASES["bad key"].reply(request)
    version = request.headers.get("anthropic-version")
    if version is None:
        return HttpReply(error("invalid_request_error", "anthropic-version: header is required"), 400)
    if "temperature" in request.body and version >= "2026-10-21":
        return HttpReply(error("invalid_request_error", "temperature: Extra inputs are not permitted"), 400)
    return None


def _text(body: Mapping[str, Any]) -> str:
    schema = body.get("output_config", {}).get("format", {}).get("schema")
    return text_for(str(body["messages"][-1]["content"]), schema)


def _bad_key(request: HttpRequest) -> HttpReply:
    return HttpReply(error("authentication_error", f"invalid x-api-key {request.headers.get('x-api-key')}"), 401)


def _stopped(outcome: Outcome, reason: str, *blocks: dict[str, Any], **changes: Any) -> Case:
    def reply(request: HttpRequest) -> HttpReply:
        body = message(request.body, *blocks, stop_reason=reason, **changes)
        return HttpReply(body, headers={"request-id": "req_anthropic"})

    return Case(outcome, reply)


def _refused(category: str | None, *blocks: dict[str, Any]) -> Case:
    details = {"type": "refusal", "category": category, "explanation": None}
    return _stopped(Outcome.REFUSED, "refusal", *blocks, stop_details=details)


def _error(outcome: Outcome, status: int, kind: str, text: str = "", code: str = "", **headers: str) -> Case:
    return always(outcome, status, error(kind, text, code), request_id="req_anthropic", **headers)


CASES: Mapping[str, Case] = {
    **IN_THE_WAY,
    "answer": _stopped(Outcome.OK, "end_turn"),
    "line separator": _stopped(Outcome.OK, "end_turn", text_block("Justice\u2028is fairness.")),
    "stop_sequence": _stopped(Outcome.OK, "stop_sequence", text_block("Justice is fairness.")),
    "two texts": _stopped(Outcome.OK, "end_turn", THINKING, text_block("Justice is "), text_block("fairness.")),
    "redacted thinking": _stopped(
        Outcome.OK, "end_turn", {"type": "redacted_thinking", "data": "SECRET"}, text_block("Justice is fairness.")
    ),
    "max_tokens": _stopped(Outcome.TRUNCATED, "max_tokens", text_block(PARTIAL)),
    "thinking ate the cap": _stopped(Outcome.TRUNCATED, "max_tokens", THINKING),
    "context window": _stopped(Outcome.TRUNCATED, "model_context_window_exceeded", text_block(PARTIAL)),
    "refusal": _refused("cyber", text_block("")),
    "refusal midway": _refused(None, text_block(PARTIAL)),
    "empty": _stopped(Outcome.EMPTY, "end_turn", text_block("")),
    "only thinking": _stopped(Outcome.EMPTY, "end_turn", THINKING),
    "pause_turn": _stopped(Outcome.ODD, "pause_turn", text_block(PARTIAL)),
    "unknown stop": _stopped(Outcome.ODD, "meditation", text_block(PARTIAL)),
    "invalid request": _error(Outcome.FINAL_REQUEST, 400, "invalid_request_error"),
    "own spend limit": _error(
        Outcome.FINAL_ACCOUNT,
        400,
        "invalid_request_error",
        "You have reached your specified API usage limits. You will regain access on 2026-12-01.",
    ),
    "bad key": Case(Outcome.FINAL_ACCOUNT, _bad_key),
    "billing": _error(Outcome.FINAL_ACCOUNT, 402, "billing_error"),
    "organisation's spend limit": _error(
        Outcome.FINAL_ACCOUNT, 402, "billing_error", code="linked_organization_spend_limit_reached"
    ),
    "permission": _error(Outcome.FINAL_ACCOUNT, 403, "permission_error"),
    "no such model": _error(Outcome.FINAL_REQUEST, 404, "not_found_error"),
    "too large": _error(Outcome.FINAL_REQUEST, 413, "request_too_large"),
    "conflict": _error(Outcome.RETRYABLE, 409, "conflict_error"),
    "rate limit": _error(Outcome.RETRYABLE, 429, "rate_limit_error", retry_after="3"),
    "ramp limit": _error(Outcome.RETRYABLE, 429, "rate_limit_error", code="ramp_limit_exceeded", retry_after="3"),
    "enforced spend limit": _error(
        Outcome.FINAL_ACCOUNT, 429, "rate_limit_error", code="enforced_spend_limit_reached"
    ),
    "contract's spend limit": _error(
        Outcome.FINAL_ACCOUNT, 429, "rate_limit_error", code="contract_spend_limit_reached"
    ),
    "api error": _error(Outcome.RETRYABLE, 500, "api_error"),
    "unavailable": _error(Outcome.RETRYABLE, 503, "api_error", code="cmek_unavailable"),
    "timeout": _error(Outcome.RETRYABLE, 504, "timeout_error"),
    "overloaded": _error(Outcome.RETRYABLE, 529, "overloaded_error"),
    "told not to retry": _error(Outcome.FINAL_REQUEST, 529, "overloaded_error", x_should_retry="false"),
}

FORMAT = Format(re.compile(r".*/messages"), CASES, denied)
