"""Anthropic's Messages."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, with_config

from generation.providers import finish_reasons
from generation.providers.base import Outcome, Reply, Request
from generation.providers.core.json_schemas import without_bounds
from generation.providers.core.prices import Usage
from generation.providers.core.strict_reading import read_strictly
from generation.providers.json_access import at, count_at, items_at, text_at, together
from generation.providers.request_checks import check_cap, check_effort, check_temperature
from generation.providers.server_errors import by_status, fault, is_fault, said

# From this version on a request with a temperature, whatever it is, is refused.
WITHOUT_TEMPERATURE = "2026-10-21"
EFFORTS = ("low", "medium", "high", "xhigh", "max")
MAX_TEMPERATURE = 1.0
MIN_BUDGET = 1024
MONEY_CODES = frozenset(
    {
        "enforced_spend_limit_reached",
        "contract_spend_limit_reached",
        "linked_organization_spend_limit_reached",
        "linked_organization_billing_unavailable",
    }
)
# An own limit and an empty purse are reported as faulty requests; only the message tells.
MONEY_WORDS = ("You have reached your specified API usage limits", "Your credit balance is too low")
BY_TYPE = {
    "authentication_error": Outcome.FINAL_ACCOUNT,
    "billing_error": Outcome.FINAL_ACCOUNT,
    "permission_error": Outcome.FINAL_ACCOUNT,
    "invalid_request_error": Outcome.FINAL_REQUEST,
    "not_found_error": Outcome.FINAL_REQUEST,
    "request_too_large": Outcome.FINAL_REQUEST,
    "conflict_error": Outcome.RETRYABLE,
    "rate_limit_error": Outcome.RETRYABLE,
    "api_error": Outcome.RETRYABLE,
    "timeout_error": Outcome.RETRYABLE,
    "overloaded_error": Outcome.RETRYABLE,
}


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Settings:
    """`version` is the API's, named with every request."""

    version: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")] = WITHOUT_TEMPERATURE


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Options:
    """How a model is told to think: by itself ("adaptive"), not at all ("disabled"), only between the use of tools,
    which is never here ("between_tools"), with a `budget` of tokens, or without a word about it ("unsaid").
    """

    thinking: Literal["adaptive", "disabled", "between_tools", "budget", "unsaid"] = "adaptive"
    budget: Annotated[int, Field(ge=MIN_BUDGET)] = 8000

    @property
    def is_thinking(self) -> bool:
        return self.thinking in ("adaptive", "budget")


_SETTINGS = TypeAdapter(Settings)
_OPTIONS = TypeAdapter(Options)


class AnthropicMessages:
    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._version = read_strictly(_SETTINGS, settings).version

    def check(self, options: Mapping[str, Any]) -> None:
        read_strictly(_OPTIONS, options)

    def takes_temperature(self, effort: str, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Whether a temperature is taken: only older versions take one, and only of a model that does not think."""
        return self._version < WITHOUT_TEMPERATURE and not read_strictly(_OPTIONS, options).is_thinking

    def check_request(self, request: Request) -> None:
        check_effort(request, EFFORTS)
        is_taken = self.takes_temperature(request.effort, request.options)
        check_temperature(request, is_taken=is_taken, most=MAX_TEMPERATURE)
        if read_strictly(_OPTIONS, request.options).thinking == "budget":
            check_cap(request, least=2 * MIN_BUDGET, why=" where it thinks within a budget")

    def effort_sent(self, request: Request) -> dict[str, Any]:
        options, sent = read_strictly(_OPTIONS, request.options), {}
        if options.thinking == "budget":
            # The budget is part of the tokens allowed and must leave room for the text.
            budget = max(min(options.budget, request.max_output_tokens // 2), MIN_BUDGET)
            sent["thinking"] = {"type": "enabled", "budget_tokens": budget}
        elif options.thinking != "unsaid":
            sent["thinking"] = {"type": options.thinking}
        return {**sent, "output_config": {"effort": request.effort}} if request.effort else sent

    def path(self, request: Request) -> str:  # noqa: ARG002
        return "/messages"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-api-key": key, "anthropic-version": self._version}

    def body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_output_tokens,
            "messages": [{"role": role, "content": text} for role, text in request.messages],
        }
        if request.system:
            body["system"] = request.system
        body |= self.effort_sent(request)
        if request.schema is not None:
            schema = {"type": "json_schema", "schema": without_bounds(request.schema)}
            body["output_config"] = {**body.get("output_config", {}), "format": schema}
        if request.temperature is not None and self.takes_temperature(request.effort, request.options):
            body["temperature"] = request.temperature
        return body

    def read(self, status: int | None, headers: Mapping[str, str], body: Any) -> Reply:  # noqa: ARG002
        if is_fault(status) or at(body, "type") != "message":
            return _fault(status, body)
        return replace(_ended(body), request_id=text_at(body, "id"), model=text_at(body, "model"))

    def usage(self, body: Any) -> Usage:
        read = count_at(body, "usage", "cache_read_input_tokens")
        written = count_at(body, "usage", "cache_creation_input_tokens")
        return Usage(
            input_tokens=together(count_at(body, "usage", "input_tokens"), read, written),
            output_tokens=count_at(body, "usage", "output_tokens"),
            cached_tokens=read,
            cache_write_tokens=written,
            reasoning_tokens=count_at(body, "usage", "output_tokens_details", "thinking_tokens"),
        )


def _fault(status: int | None, body: Any) -> Reply:
    kind, code = text_at(body, "error", "type"), text_at(body, "error", "details", "error_code")
    if code in MONEY_CODES or said(body).startswith(MONEY_WORDS):
        outcome = Outcome.FINAL_ACCOUNT
    else:
        outcome = BY_TYPE.get(kind, by_status(status if is_fault(status) else None))
    return replace(fault(outcome, status, code or kind, body), request_id=text_at(body, "request_id"))


def _ended(body: Any) -> Reply:
    text = _text(body)
    match at(body, "stop_reason"):
        case "end_turn" | "stop_sequence":
            return finish_reasons.clean(text)
        case "max_tokens":
            return finish_reasons.cut_off(text)
        case "model_context_window_exceeded":
            return finish_reasons.cut_off(text, "The model's context is full.")
        case "refusal":
            return finish_reasons.declined(text, text_at(body, "stop_details", "category"))
        case reason:
            return finish_reasons.odd(text, reason)


def _text(body: Any) -> str:
    blocks = items_at(body, "content")
    return "".join(text_at(block, "text") for block in blocks if text_at(block, "type") == "text")
