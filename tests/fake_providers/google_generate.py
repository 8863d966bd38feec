"""Google's generateContent."""

import re
from collections.abc import Mapping, Sequence
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

PATH = re.compile(r".*/models/(?P<model>[^/:]+):generateContent")
THOUGHT = {"text": "SECRET THOUGHT", "thought": True}
# What it may withhold a text for.
WITHHOLDING = "SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII LANGUAGE ESCALATION".split()
# What says nothing about the text.
UNCLEAR = "MALFORMED_RESPONSE OTHER CONTINENTAL MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL NO_IMAGE".split()


def generated(request: HttpRequest, *parts: dict[str, Any], finish: str = "STOP", **candidate: Any) -> HttpReply:
    """A reply of these parts, or of a thought and a text that fits the request."""
    body = request.body
    shown: Sequence[dict[str, Any]] = parts or (THOUGHT, {"text": _text(body)})
    output = sum(tokens_of(part["text"]) for part in shown if "thought" not in part)
    return _reply(
        request,
        {
            "candidates": [
                {
                    "content": {"role": "model", "parts": shown},
                    "finishReason": finish,
                    "index": 0,
                    **candidate,
                }
            ],
            "usageMetadata": {
                "promptTokenCount": INPUT_TOKENS,
                "cachedContentTokenCount": CACHED_TOKENS,
                "candidatesTokenCount": output,
                "thoughtsTokenCount": REASONING_TOKENS,
                "totalTokenCount": INPUT_TOKENS + output + REASONING_TOKENS,
            },
        },
    )


def denied(request: HttpRequest) -> HttpReply | None:
    return None if "x-goog-api-key" in request.headers else CASES["bad key"].reply(request)


def _reply(request: HttpRequest, body: dict[str, Any]) -> HttpReply:
    match = PATH.fullmatch(request.path)
    model = match["model"] if match else ""
    return HttpReply({**body, "modelVersion": f"{model}-2026", "responseId": "google-response"})


def _text(body: Mapping[str, Any]) -> str:
    settings = body.get("generationConfig", {})
    return text_for(
        body["contents"][-1]["parts"][0]["text"],
        settings.get("responseJsonSchema") or settings.get("responseSchema"),
    )


def _finished(outcome: Outcome, finish: str, *parts: dict[str, Any], **candidate: Any) -> Case:
    return Case(outcome, lambda request: generated(request, *parts, finish=finish, **candidate))


def _without_parts(outcome: Outcome, finish: str) -> Case:
    return _finished(outcome, finish, THOUGHT, content={"role": "model"})


def _blocked(reason: str) -> Case:
    body = {
        "promptFeedback": {"blockReason": reason},
        "usageMetadata": {"promptTokenCount": INPUT_TOKENS, "totalTokenCount": INPUT_TOKENS},
    }
    return Case(Outcome.FILTERED, lambda request: _reply(request, body))


def _error(outcome: Outcome, code: int, status: str, *details: dict[str, Any]) -> Case:
    error = {"code": code, "message": f"Told by the provider: {status}.", "status": status}
    return always(outcome, code, {"error": {**error, "details": list(details)}})


def _detail(kind: str, **fields: Any) -> dict[str, Any]:
    return {"@type": f"type.googleapis.com/google.rpc.{kind}", **fields}


def _bad_key(request: HttpRequest) -> HttpReply:
    error = {
        "code": 400,
        "message": f"API key not valid: {request.headers.get('x-goog-api-key')}",
        "status": "INVALID_ARGUMENT",
        "details": [_detail("ErrorInfo", reason="API_KEY_INVALID")],
    }
    return HttpReply({"error": error}, 400)


def _quota(limit: str) -> dict[str, Any]:
    return _detail("QuotaFailure", violations=[{"quotaId": f"GenerateRequests{limit}PerProjectPerModel-FreeTier"}])


RETRY_INFO = _detail("RetryInfo", retryDelay="55s")

CASES: Mapping[str, Case] = {
    **IN_THE_WAY,
    "answer": Case(Outcome.OK, generated),
    "two parts": _finished(Outcome.OK, "STOP", {"text": "Justice is "}, THOUGHT, {"text": "fairness."}),
    "MAX_TOKENS": _finished(Outcome.TRUNCATED, "MAX_TOKENS", {"text": PARTIAL}),
    "thoughts ate the cap": _without_parts(Outcome.TRUNCATED, "MAX_TOKENS"),
    "CONTINUATION": _finished(Outcome.TRUNCATED, "CONTINUATION", {"text": PARTIAL}, continuationToken="more"),
    "empty": _without_parts(Outcome.EMPTY, "STOP"),
    **{finish: _without_parts(Outcome.FILTERED, finish) for finish in WITHHOLDING},
    "PUP_LIMITED_DISABLED": _without_parts(Outcome.FINAL_ACCOUNT, "PUP_LIMITED_DISABLED"),
    **{finish: _finished(Outcome.ODD, finish, {"text": PARTIAL}) for finish in UNCLEAR},
    **{
        f"prompt blocked: {reason}": _blocked(reason)
        for reason in ("SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY")
    },
    "invalid": _error(Outcome.FINAL_REQUEST, 400, "INVALID_ARGUMENT"),
    "bad key": Case(Outcome.FINAL_ACCOUNT, _bad_key),
    "region": _error(Outcome.FINAL_ACCOUNT, 400, "FAILED_PRECONDITION"),
    "no credits": _error(Outcome.FINAL_ACCOUNT, 402, "RESOURCE_EXHAUSTED"),
    "permission": _error(Outcome.FINAL_ACCOUNT, 403, "PERMISSION_DENIED"),
    "no such model": _error(Outcome.FINAL_REQUEST, 404, "NOT_FOUND"),
    "rate limit": _error(Outcome.RETRYABLE, 429, "RESOURCE_EXHAUSTED", RETRY_INFO, _quota("PerMinute")),
    "day's quota": _error(Outcome.FINAL_ACCOUNT, 429, "RESOURCE_EXHAUSTED", RETRY_INFO, _quota("PerDay")),
    "internal": _error(Outcome.RETRYABLE, 500, "INTERNAL"),
    "unavailable": _error(Outcome.RETRYABLE, 503, "UNAVAILABLE"),
    "deadline": _error(Outcome.RETRYABLE, 504, "DEADLINE_EXCEEDED"),
    "error in a list": always(
        Outcome.RETRYABLE, 503, [{"error": {"code": 503, "message": "Busy.", "status": "UNAVAILABLE"}}]
    ),
}

FORMAT = Format(PATH, CASES, denied)
