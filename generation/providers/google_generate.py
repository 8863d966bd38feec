"""Google's generateContent."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import ConfigDict, Field, TypeAdapter, with_config

from generation.providers import finish_reasons
from generation.providers.base import Outcome, Reply, Request
from generation.providers.core.prices import Usage
from generation.providers.core.strict_reading import read_strictly
from generation.providers.json_access import at, count_at, items_at, text_at, together
from generation.providers.request_checks import check_effort, check_temperature
from generation.providers.server_errors import by_status, fault, is_fault

# A long text is handed out in stretches; the next ones are not asked for.
CUT_OFF = frozenset({"MAX_TOKENS", "CONTINUATION"})
WITHHELD = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "ESCALATION"})
BY_STATE = {
    "FAILED_PRECONDITION": Outcome.FINAL_ACCOUNT,
    "PERMISSION_DENIED": Outcome.FINAL_ACCOUNT,
    "UNAUTHENTICATED": Outcome.FINAL_ACCOUNT,
    "CANCELLED": Outcome.RETRYABLE,
}
EFFORTS = ("minimal", "low", "medium", "high", "xhigh")
NOTHING = Reply(Outcome.ODD, detail="The reply holds no candidate, and no reason why.")
# Where a reply is one, even if there is nothing in it; any of these may come alone.
ANSWERS = ("candidates", "promptFeedback", "usageMetadata")
ROLES = {"user": "user", "assistant": "model"}
HARMS = ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT")


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Options:
    """`thinking_budget` in tokens, instead of an effort, for models that know no levels (0: none, -1: as the model
    likes); `safety` is the threshold of Google's filters, theirs where it is not given.
    """

    thinking_budget: Annotated[int, Field(ge=-1, le=32768)] | None = None
    safety: Literal["OFF", "BLOCK_NONE", "BLOCK_ONLY_HIGH", "BLOCK_MEDIUM_AND_ABOVE"] | None = None


_OPTIONS = TypeAdapter(Options)


class GoogleGenerate:
    def check(self, options: Mapping[str, Any]) -> None:
        read_strictly(_OPTIONS, options)

    def takes_temperature(self, effort: str, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        return True

    def check_request(self, request: Request) -> None:
        has_budget = read_strictly(_OPTIONS, request.options).thinking_budget is not None
        known = ("none", *EFFORTS) if has_budget else EFFORTS
        check_effort(replace(request, effort=request.effort.lower()), known)
        check_temperature(request, is_taken=True)

    def effort_sent(self, request: Request) -> dict[str, Any]:
        budget = read_strictly(_OPTIONS, request.options).thinking_budget
        if budget is not None:
            return {"thinkingConfig": {"thinkingBudget": budget}}
        return {"thinkingConfig": {"thinkingLevel": request.effort.upper()}} if request.effort else {}

    def path(self, request: Request) -> str:
        return f"/models/{quote(request.model, safe='')}:generateContent"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key}

    def body(self, request: Request) -> dict[str, Any]:
        options = read_strictly(_OPTIONS, request.options)
        config: dict[str, Any] = {"maxOutputTokens": request.max_output_tokens, **self.effort_sent(request)}
        if request.temperature is not None:
            config["temperature"] = request.temperature
        if request.schema is not None:
            config |= {"responseMimeType": "application/json", "responseJsonSchema": request.schema}
        body: dict[str, Any] = {
            "contents": [{"role": ROLES[role], "parts": [{"text": text}]} for role, text in request.messages],
            "generationConfig": config,
        }
        if request.system:
            body["systemInstruction"] = {"parts": [{"text": request.system}]}
        if options.safety:
            body["safetySettings"] = [
                {"category": f"HARM_CATEGORY_{harm}", "threshold": options.safety} for harm in HARMS
            ]
        return body

    def read(self, status: int | None, headers: Mapping[str, str], body: Any) -> Reply:  # noqa: ARG002
        is_answer = any(at(body, part) is not None for part in ANSWERS)
        if is_fault(status) or at(body, "error") is not None or not is_answer:
            return _fault(status, body[0] if isinstance(body, list) and body else body)
        return replace(_ended(body), request_id=text_at(body, "responseId"), model=text_at(body, "modelVersion"))

    def usage(self, body: Any) -> Usage:
        thoughts = count_at(body, "usageMetadata", "thoughtsTokenCount")
        return Usage(
            input_tokens=together(
                count_at(body, "usageMetadata", "promptTokenCount"),
                count_at(body, "usageMetadata", "toolUsePromptTokenCount"),
            ),
            output_tokens=together(count_at(body, "usageMetadata", "candidatesTokenCount"), thoughts),
            cached_tokens=count_at(body, "usageMetadata", "cachedContentTokenCount"),
            reasoning_tokens=thoughts,
        )


def _fault(status: int | None, body: Any) -> Reply:
    details = items_at(body, "error", "details")
    state = text_at(body, "error", "status")
    status_told = status if is_fault(status) else count_at(body, "error", "code") or None
    quotas = [text_at(quota, "quotaId") for detail in details for quota in items_at(detail, "violations")]
    is_bad_key = any(text_at(detail, "reason") == "API_KEY_INVALID" for detail in details)
    is_spent_for_today = any("PerDay" in quota for quota in quotas)
    if is_bad_key or is_spent_for_today:
        outcome = Outcome.FINAL_ACCOUNT
    else:
        outcome = BY_STATE.get(state, by_status(status_told))
    waits = (_seconds(text_at(detail, "retryDelay")) for detail in details)
    reply = fault(outcome, status, ", ".join(filter(None, (state, *quotas))), body)
    return replace(reply, retry_after=next((wait for wait in waits if wait is not None), None))


def _ended(body: Any) -> Reply:
    text = _text(body)
    if blocked := text_at(body, "promptFeedback", "blockReason"):
        return finish_reasons.withheld(text, f"the request was blocked ({blocked}).")
    return _by_reason(body, text) if items_at(body, "candidates") else NOTHING


def _by_reason(body: Any, text: str) -> Reply:
    reason = text_at(body, "candidates", 0, "finishReason")
    told = " ".join(filter(None, (reason, text_at(body, "candidates", 0, "finishMessage"))))
    if reason == "STOP":
        return finish_reasons.clean(text)
    if reason in CUT_OFF:
        return finish_reasons.cut_off(text)
    if reason in WITHHELD:
        return finish_reasons.withheld(text, told)
    if reason == "PUP_LIMITED_DISABLED":
        return Reply(Outcome.FINAL_ACCOUNT, text, detail=f"The account may not ask this: {told}")
    return finish_reasons.odd(text, told)


def _text(body: Any) -> str:
    """The text of the first candidate, without its thoughts."""
    parts = items_at(body, "candidates", 0, "content", "parts")
    return "".join(text_at(part, "text") for part in parts if at(part, "thought") is not True)


def _seconds(duration: str) -> float | None:
    """Google's durations: "55s", "1.5s"."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)s", duration)
    return float(match[1]) if match else None
