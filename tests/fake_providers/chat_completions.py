"""What speaks OpenAI's older format: vLLM, Ollama, OpenRouter, Mistral, Kimi and many more."""

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


def completion(request: HttpRequest, *, finish: str = "stop", text: Any = None, **message: Any) -> HttpReply:
    """A reply with the text, or one that fits the request; `message` adds to or replaces the message's fields."""
    body = request.body
    if text is None:
        text = text_for(body["messages"][-1]["content"], _schema(body))
    shown = message.get("content", text)
    output = REASONING_TOKENS + tokens_of(str(shown or ""))
    return HttpReply(
        {
            "id": "chatcmpl-fake",
            "object": "chat.completion",
            "created": 1_795_000_000,
            "model": f"{body['model']}-2026",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": text, "refusal": None, **message},
                }
            ],
            "usage": {
                "prompt_tokens": INPUT_TOKENS,
                "completion_tokens": output,
                "total_tokens": INPUT_TOKENS + output,
                "prompt_tokens_details": {"cached_tokens": CACHED_TOKENS},
                "completion_tokens_details": {"reasoning_tokens": REASONING_TOKENS},
            },
        },
        headers={"x-request-id": "req-chat"},
    )


def charged(request: HttpRequest) -> HttpReply:
    """OpenRouter says what it charges."""
    reply = completion(request)
    reply.body["usage"]["cost"] = 0.00125
    return reply


def _schema(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    schema: Mapping[str, Any] | None = body.get("response_format", {}).get("json_schema", {}).get("schema")
    return schema


def _error(outcome: Outcome, status: int, message: str, **more: Any) -> Case:
    headers = more.pop("headers", {})
    return always(outcome, status, {"error": {"message": message, **more}}, **headers)


def _thoughts(request: HttpRequest) -> HttpReply:
    text = text_for(request.body["messages"][-1]["content"], None)
    thought = [{"type": "text", "text": "SECRET THOUGHT"}]
    return completion(
        request, text=[{"type": "thinking", "thinking": thought, "closed": True}, {"type": "text", "text": text}]
    )


def _bad_key(request: HttpRequest) -> HttpReply:
    return HttpReply({"error": {"message": f"Invalid API key: {request.headers.get('authorization')}"}}, 401)


CASES: Mapping[str, Case] = {
    **IN_THE_WAY,
    "answer": Case(Outcome.OK, completion),
    "charged": Case(Outcome.OK, charged),
    "reasoning": Case(Outcome.OK, lambda request: completion(request, reasoning="SECRET THOUGHT")),
    "reasoning_content": Case(Outcome.OK, lambda request: completion(request, reasoning_content="SECRET THOUGHT")),
    "content in parts": Case(Outcome.OK, _thoughts),
    "length": Case(Outcome.TRUNCATED, lambda request: completion(request, finish="length", text=PARTIAL)),
    "reasoning ate the cap": Case(
        Outcome.TRUNCATED, lambda request: completion(request, finish="length", text="", reasoning="SECRET THOUGHT")
    ),
    "model_length": Case(
        Outcome.TRUNCATED, lambda request: completion(request, finish="model_length", text=PARTIAL)
    ),
    "refusal": Case(Outcome.REFUSED, lambda request: completion(request, content=None, refusal=REFUSAL)),
    "content_filter": Case(
        Outcome.FILTERED, lambda request: completion(request, finish="content_filter", text=PARTIAL)
    ),
    "empty": Case(Outcome.EMPTY, lambda request: completion(request, text="")),
    "null": Case(Outcome.EMPTY, lambda request: completion(request, content=None)),
    "unknown finish": Case(Outcome.ODD, lambda request: completion(request, finish="eager", text=PARTIAL)),
    "abort": Case(Outcome.ODD, lambda request: completion(request, finish="abort", text=PARTIAL)),
    "tool_calls": Case(Outcome.ODD, lambda request: completion(request, finish="tool_calls", text="")),
    "error within success": _error(Outcome.RETRYABLE, 200, "Provider disconnected", code=502),
    "bad request": _error(Outcome.FINAL_REQUEST, 400, "max_tokens is too large", type="BadRequestError", code=400),
    "filtered request": _error(
        Outcome.FILTERED, 400, "The request was considered high risk", type="content_filter"
    ),
    "bad key": Case(Outcome.FINAL_ACCOUNT, _bad_key),
    "no credits": _error(Outcome.FINAL_ACCOUNT, 402, "Insufficient credits", code=402),
    "moderated": _error(
        Outcome.FILTERED, 403, "Flagged by moderation", code=403, metadata={"reasons": ["violence"]}
    ),
    "no such model": _error(Outcome.FINAL_REQUEST, 404, "model not found", code=404),
    "unprocessable": always(Outcome.FINAL_REQUEST, 422, {"detail": [{"loc": ["body"], "msg": "extra field"}]}),
    "timeout": _error(Outcome.RETRYABLE, 408, "Request timed out", code=408),
    "rate limit": _error(Outcome.RETRYABLE, 429, "Rate limit exceeded", code=429, headers={"retry_after": "3"}),
    "Mistral's rate limit": always(
        Outcome.RETRYABLE,
        429,
        {
            "object": "error",
            "message": "Rate limit exceeded",
            "type": "rate_limited",
            "param": None,
            "code": "1300",
        },
    ),
    "quota": _error(Outcome.FINAL_ACCOUNT, 429, "You exceeded your quota", type="exceeded_current_quota_error"),
    "server error": _error(Outcome.RETRYABLE, 500, "Internal error"),
    "overloaded": _error(Outcome.RETRYABLE, 503, "No provider available", code=503, headers={"retry_after": "9"}),
    "origin timeout": always(Outcome.RETRYABLE, 524, "<html>A timeout occurred</html>"),
}

# Many of these servers ask for no key.
FORMAT = Format(re.compile(r".*/chat/completions"), CASES)
