"""OpenAI's Responses."""

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
    REFUSAL,
    Case,
    Format,
    always,
    text_for,
    tokens_of,
)
from tests.fake_providers.sockets import HttpReply, HttpRequest

REASONING = {"type": "reasoning", "id": "rs_fake", "summary": [{"type": "summary_text", "text": "SECRET THOUGHT"}]}


def text_part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": []}


def message(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An item of the output."""
    return {
        "type": "message",
        "id": "msg_fake",
        "role": "assistant",
        "status": "completed",
        "content": parts,
        **more,
    }


def response(request: HttpRequest, *output: dict[str, Any], **changes: Any) -> HttpReply:
    """A reply of reasoning and these items, or of one message that fits the request."""
    body = request.body
    items = output or (message(text_part(_text(body))),)
    texts = (part.get("text", "") for item in items for part in item.get("content", ()))
    output_tokens = REASONING_TOKENS + sum(map(tokens_of, texts))
    return HttpReply(
        {
            "id": "resp_fake",
            "object": "response",
            "created_at": 1_795_000_000,
            "model": f"{body['model']}-2026",
            "status": "completed",
            "error": None,
            "incomplete_details": None,
            "output": [REASONING, *items],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": INPUT_TOKENS,
                "input_tokens_details": {"cached_tokens": CACHED_TOKENS, "cache_write_tokens": 0},
                "output_tokens": output_tokens,
                "output_tokens_details": {"reasoning_tokens": REASONING_TOKENS},
                "total_tokens": INPUT_TOKENS + output_tokens,
            },
            **changes,
        },
        headers={"x-request-id": "req_openai"},
    )


def denied(request: HttpRequest) -> HttpReply | None:
    """A temperature goes only with no reasoning at all."""
    if "authorization" not in request.headers:
        return CASES["bad key"].reply(request)
    body = request.body
    if "temperature" in body and body.get("reasoning", {}).get("effort") != "none":
        return CASES["unsupported value"].reply(request)
    return None


def _text(body: Mapping[str, Any]) -> str:
    prompt = body["input"] if isinstance(body["input"], str) else body["input"][-1]["content"]
    return text_for(str(prompt), body.get("text", {}).get("format", {}).get("schema"))


def _incomplete(outcome: Outcome, reason: str, *output: dict[str, Any]) -> Case:
    details = {"reason": reason}
    items = output or (message(text_part(PARTIAL), status="incomplete"),)
    return Case(outcome, lambda request: response(request, *items, status="incomplete", incomplete_details=details))


def _failed(outcome: Outcome, code: str) -> Case:
    error = {"code": code, "message": f"It failed: {code}."}
    return Case(outcome, lambda request: response(request, REASONING, status="failed", error=error))


def _error(
    outcome: Outcome, status: int, code: str | None, kind: str = "invalid_request_error", **headers: str
) -> Case:
    error = {"message": f"Told by the provider: {code}.", "type": kind, "param": None, "code": code}
    return always(outcome, status, {"error": error}, x_request_id="req_openai", **headers)


def _bad_key(request: HttpRequest) -> HttpReply:
    message = f"Incorrect API key provided: {request.headers.get('authorization')}."
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": "invalid_api_key"}
    return HttpReply({"error": error}, 401)


def _commented(request: HttpRequest) -> HttpReply:
    comment = message(text_part("SECRET COMMENT"), phase="commentary")
    return response(request, comment, message(text_part(_text(request.body)), phase="final_answer"))


def _of_two_parts(request: HttpRequest) -> HttpReply:
    words = _text(request.body)
    half = len(words) // 2
    return response(request, message(text_part(words[:half]), text_part(words[half:])))


CASES: Mapping[str, Case] = {
    **IN_THE_WAY,
    "answer": Case(Outcome.OK, response),
    "line separator": Case(
        Outcome.OK, lambda request: response(request, message(text_part("Justice\u2028is fairness.")))
    ),
    "two parts": Case(Outcome.OK, _of_two_parts),
    "commentary": Case(Outcome.OK, _commented),
    "max_output_tokens": _incomplete(Outcome.TRUNCATED, "max_output_tokens"),
    "reasoning ate the cap": _incomplete(Outcome.TRUNCATED, "max_output_tokens", REASONING),
    "content_filter": _incomplete(Outcome.FILTERED, "content_filter"),
    "unknown reason": _incomplete(Outcome.TRUNCATED, "steered"),
    "unknown status": Case(Outcome.ODD, lambda request: response(request, status="postponed")),
    "cancelled": Case(Outcome.ODD, lambda request: response(request, status="cancelled")),
    "refusal": Case(
        Outcome.REFUSED, lambda request: response(request, message({"type": "refusal", "refusal": REFUSAL}))
    ),
    "empty": Case(Outcome.EMPTY, lambda request: response(request, message(text_part(" \n")))),
    "no message": Case(Outcome.EMPTY, lambda request: response(request, REASONING)),
    "failed: server_error": _failed(Outcome.RETRYABLE, "server_error"),
    "failed: rate_limit_exceeded": _failed(Outcome.RETRYABLE, "rate_limit_exceeded"),
    "failed: vector_store_timeout": _failed(Outcome.RETRYABLE, "vector_store_timeout"),
    "failed: invalid_prompt": _failed(Outcome.FILTERED, "invalid_prompt"),
    "failed: bio_policy": _failed(Outcome.FILTERED, "bio_policy"),
    "failed: misalignment_policy_violation": _failed(Outcome.FILTERED, "misalignment_policy_violation"),
    "unsupported value": _error(Outcome.FINAL_REQUEST, 400, "unsupported_value"),
    "invalid_prompt": _error(Outcome.FILTERED, 400, "invalid_prompt"),
    "bad key": Case(Outcome.FINAL_ACCOUNT, _bad_key),
    "country": _error(Outcome.FINAL_ACCOUNT, 403, "unsupported_country_region_territory", "request_forbidden"),
    "no such model": _error(Outcome.FINAL_REQUEST, 404, "model_not_found"),
    "unprocessable": _error(Outcome.FINAL_REQUEST, 422, None),
    "timeout": _error(Outcome.RETRYABLE, 408, None, "timeout"),
    "conflict": _error(Outcome.RETRYABLE, 409, None, "conflict"),
    "rate limit": _error(Outcome.RETRYABLE, 429, "rate_limit_exceeded", "tokens", retry_after="3"),
    "slow down": _error(Outcome.RETRYABLE, 429, "slow_down", "rate_limit_error", retry_after="20"),
    **{
        code: _error(Outcome.FINAL_ACCOUNT, 429, code, "insufficient_quota")
        for code in (
            "insufficient_quota",
            "credit_balance_exhausted",
            "organization_spend_limit_exceeded",
            "project_spend_limit_exceeded",
            "organization_usage_limit_exceeded",
        )
    },
    "server error": _error(Outcome.RETRYABLE, 500, None, "server_error"),
    "bad gateway": _error(Outcome.RETRYABLE, 502, None, "server_error"),
    "overloaded": _error(Outcome.RETRYABLE, 503, "server_is_overloaded", "service_unavailable_error"),
    "gateway timeout": _error(Outcome.RETRYABLE, 504, None, "server_error"),
    "told not to retry": _error(Outcome.FINAL_REQUEST, 500, None, "server_error", x_should_retry="false"),
    "told to retry": _error(Outcome.RETRYABLE, 400, None, x_should_retry="true"),
}

FORMAT = Format(re.compile(r".*/responses"), CASES, denied)
