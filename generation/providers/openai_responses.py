"""OpenAI's Responses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter, with_config

from generation.providers import finish_reasons
from generation.providers.base import Outcome, Reply, Request
from generation.providers.core.prices import Usage
from generation.providers.core.strict_reading import read_strictly
from generation.providers.json_access import at, count_at, items_at, text_at
from generation.providers.request_checks import check_cap, check_effort, check_temperature
from generation.providers.server_errors import by_status, code_at, fault, is_fault

# What a model's policy forbids; the request is one no repetition makes acceptable.
POLICY_CODES = frozenset(
    {"invalid_prompt", "bio_policy", "misalignment_policy_violation", "content_policy_violation", "content_filter"}
)
MONEY_CODES = frozenset(
    {
        "insufficient_quota",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded",
        "organization_usage_limit_exceeded",
        "billing_hard_limit_reached",
    }
)
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
MIN_CAP = 16
PASSING_CODES = frozenset({"server_error", "rate_limit_exceeded", "vector_store_timeout"})


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Options:
    """`verbosity` of the text, the provider's own (medium) where it is not given."""

    verbosity: Literal["low", "medium", "high"] | None = None


_OPTIONS = TypeAdapter(Options)


class OpenAIResponses:
    def check(self, options: Mapping[str, Any]) -> None:
        read_strictly(_OPTIONS, options)

    def takes_temperature(self, effort: str, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """A model that reasons refuses any temperature."""
        return effort == "none"

    def check_request(self, request: Request) -> None:
        check_effort(request, EFFORTS)
        check_temperature(request, is_taken=self.takes_temperature(request.effort, request.options))
        check_cap(request, least=MIN_CAP)

    def effort_sent(self, request: Request) -> dict[str, Any]:
        return {"reasoning": {"effort": request.effort}} if request.effort else {}

    def path(self, request: Request) -> str:  # noqa: ARG002
        return "/responses"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"}

    def body(self, request: Request) -> dict[str, Any]:
        options = read_strictly(_OPTIONS, request.options)
        body: dict[str, Any] = {
            "model": request.model,
            "input": _input(request),
            "max_output_tokens": request.max_output_tokens,
            "store": False,
        }
        if request.system:
            body["instructions"] = request.system
        body |= self.effort_sent(request)
        if request.temperature is not None and self.takes_temperature(request.effort, request.options):
            body["temperature"] = request.temperature
        text: dict[str, Any] = {}
        if request.schema is not None:
            text["format"] = {"type": "json_schema", "name": "reply", "schema": request.schema, "strict": True}
        if options.verbosity:
            text["verbosity"] = options.verbosity
        return {**body, "text": text} if text else body

    def read(self, status: int | None, headers: Mapping[str, str], body: Any) -> Reply:  # noqa: ARG002
        if is_fault(status) or at(body, "object") != "response":
            return _fault(status, body)
        return replace(_ended(body), request_id=text_at(body, "id"), model=text_at(body, "model"))

    def usage(self, body: Any) -> Usage:
        return Usage(
            input_tokens=count_at(body, "usage", "input_tokens"),
            output_tokens=count_at(body, "usage", "output_tokens"),
            cached_tokens=count_at(body, "usage", "input_tokens_details", "cached_tokens"),
            cache_write_tokens=count_at(body, "usage", "input_tokens_details", "cache_write_tokens"),
            reasoning_tokens=count_at(body, "usage", "output_tokens_details", "reasoning_tokens"),
        )


def _input(request: Request) -> str | list[dict[str, str]]:
    """A single turn as it is; turns of a conversation with who speaks."""
    if not request.earlier:
        return request.prompt
    return [{"role": role, "content": text} for role, text in request.messages]


def _fault(status: int | None, body: Any) -> Reply:
    code, kind = code_at(body, "error", "code"), text_at(body, "error", "type")
    if {code, kind} & MONEY_CODES:
        outcome = Outcome.FINAL_ACCOUNT
    elif code in POLICY_CODES:
        outcome = Outcome.FILTERED
    elif code in PASSING_CODES:
        outcome = Outcome.RETRYABLE
    else:
        outcome = by_status(status if is_fault(status) else None)
    return fault(outcome, status, code or kind, body)


def _ended(body: Any) -> Reply:
    text, state = _text(body), text_at(body, "status")
    if state == "completed":
        is_refusal = any(text_at(part, "type") == "refusal" for part in _parts(body))
        return finish_reasons.declined(text) if is_refusal else finish_reasons.clean(text)
    if state == "incomplete":
        return _incomplete(text, text_at(body, "incomplete_details", "reason"))
    if state == "failed":
        return _fault(None, body)
    return finish_reasons.odd(text, state)


def _incomplete(text: str, reason: str) -> Reply:
    if reason == "max_output_tokens":
        return finish_reasons.cut_off(text)
    if reason == "content_filter":
        return finish_reasons.withheld(text, reason)
    return finish_reasons.cut_off(text, f"The response is incomplete: {reason or 'no reason given'}.")


def _text(body: Any) -> str:
    return "".join(text_at(part, "text") for part in _parts(body) if text_at(part, "type") == "output_text")


def _parts(body: Any) -> list[dict[str, Any]]:
    """The parts of the final messages; commentary on the way there is left out."""
    messages = [item for item in items_at(body, "output") if text_at(item, "type") == "message"]
    final = [message for message in messages if at(message, "phase") != "commentary"]
    return [part for message in final for part in items_at(message, "content")]
