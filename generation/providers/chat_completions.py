"""Chat completions, as many servers offer them after OpenAI, each with its own turns."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, TypeAdapter, with_config

from generation.providers import finish_reasons
from generation.providers.base import Outcome, Reply, Request
from generation.providers.core.prices import Usage
from generation.providers.core.strict_reading import read_strictly
from generation.providers.json_access import at, count_at, items_at, text_at
from generation.providers.request_checks import check_effort, check_temperature
from generation.providers.server_errors import by_status, code_at, fault, is_fault, said

# None of these changes what is asked, who answers, how it comes back or what it may cost.
HARMLESS = frozenset(
    "chat_template_kwargs top_p top_k top_a min_p frequency_penalty presence_penalty repetition_penalty logit_bias"
    " include_reasoning separate_reasoning prompt_mode safe_prompt keep_alive verbosity".split()
)
MONEY_CODE = re.compile(r"quota|credit|balance|billing", re.IGNORECASE)
MONEY_WORDS = re.compile(r"\b(quota|credits?|balance|billing)\b", re.IGNORECASE)
# Efforts that go out as the type of thinking.
THINKING = ("enabled", "disabled")
# A reasoning that a server left in the text, because it knows no better; some even leave out where it begins.
THINKS, HAS_THOUGHT = "<think>", "</think>"


def _harmless(extra: Mapping[str, Any]) -> Mapping[str, Any]:
    if others := sorted(extra.keys() - HARMLESS):
        raise ValueError(f"may not hold {', '.join(others)}")
    return extra


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Turns:
    """How a server wants things said. An endpoint's settings say so, and a target's options for a single model.

    `cap_field` names the output cap; `effort_field` is where the effort goes ("thinking": as its type; "none":
    nowhere); `seed_field` where the replicate goes as a seed. `schema_mode` is how a reply's schema is asked for,
    "none" where the prompt alone must do. `extra` is sent as it is.
    """

    cap_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    effort_field: Literal["reasoning_effort", "reasoning.effort", "thinking", "none"] = "none"
    seed_field: Literal["seed", "random_seed", "none"] = "none"
    schema_mode: Literal["json_schema", "json_object", "none"] = "json_schema"
    sends_temperature: bool = True
    extra: Annotated[Mapping[str, Any], AfterValidator(_harmless)] = field(default_factory=dict)


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Settings(Turns):
    """What is the same for all models of a server: `forbids` says whom HTTP 403 means there. `states_cost`:
    `usage.cost` is the charge in US dollars.
    """

    forbids: Literal["account", "request"] = "account"
    states_cost: bool = False


_TURNS = TypeAdapter(Turns)
_SETTINGS = TypeAdapter(Settings)


class ChatCompletions:
    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._settings = read_strictly(_SETTINGS, settings)

    def check(self, options: Mapping[str, Any]) -> None:
        read_strictly(_TURNS, options)

    def takes_temperature(self, effort: str, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        return self._turns_with(options).sends_temperature

    def check_request(self, request: Request) -> None:
        turns = self._turns_with(request.options)
        if turns.effort_field == "thinking":
            check_effort(request, THINKING)
        check_temperature(request, is_taken=turns.sends_temperature)

    def path(self, request: Request) -> str:  # noqa: ARG002
        return "/chat/completions"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, request: Request) -> dict[str, Any]:
        turns = self._turns_with(request.options)
        system = [("system", request.system)] if request.system else []
        body: dict[str, Any] = {
            **turns.extra,
            "model": request.model,
            "messages": [{"role": role, "content": text} for role, text in [*system, *request.messages]],
            turns.cap_field: request.max_output_tokens,
        }
        if request.temperature is not None and turns.sends_temperature:
            body["temperature"] = request.temperature
        if turns.seed_field != "none":
            body[turns.seed_field] = request.replicate
        if request.effort:
            body |= _effort(turns.effort_field, request.effort)
        if request.schema is not None:
            body |= _format(turns.schema_mode, request.schema)
        return body

    def read(self, status: int | None, headers: Mapping[str, str], body: Any) -> Reply:
        choice = at(body, "choices", 0)
        # An error may come after the status was sent, in the body alone or in the answer begun.
        if is_fault(status) or at(body, "error") is not None or choice is None:
            reply = self._fault(status, headers, body)
        elif at(choice, "error") is not None:
            reply = self._fault(status, headers, choice)
        else:
            reply = _ended(choice)
        return replace(
            reply,
            usage=_usage(body),
            request_id=text_at(body, "id"),
            model=text_at(body, "model"),
            charged=_charged(body) if self._settings.states_cost else None,
        )

    def _turns_with(self, options: Mapping[str, Any]) -> Turns:
        given = read_strictly(_TURNS, options)
        return replace(self._settings, **{name: getattr(given, name) for name in options})

    def _fault(self, status: int | None, headers: Mapping[str, str], body: Any) -> Reply:
        code, kind = code_at(body, "error", "code") or code_at(body, "code"), text_at(body, "error", "type")
        told = status if is_fault(status) else int(code) if re.fullmatch(r"[45]\d\d", code) else None
        is_spent = MONEY_CODE.search(f"{code} {kind}") is not None
        # In words a limit of a minute may sound the same, but then the server says when to come back.
        sounds_spent = MONEY_WORDS.search(said(body)) is not None and "retry-after" not in headers
        if "content_filter" in (code, kind) or at(body, "error", "metadata", "reasons"):
            outcome = Outcome.FILTERED
        elif "in_flight_budget_exhausted" in (code, kind, text_at(body, "error", "metadata", "error_type")):
            outcome = Outcome.RETRYABLE
        elif told == 403 and self._settings.forbids == "request":
            outcome = Outcome.FINAL_REQUEST
        elif told == 429 and (is_spent or sounds_spent):
            outcome = Outcome.FINAL_ACCOUNT
        else:
            outcome = by_status(told)
        return fault(outcome, status, code or kind, body)


def _effort(place: str, effort: str) -> dict[str, Any]:
    match place:
        case "reasoning_effort":
            return {"reasoning_effort": effort}
        case "reasoning.effort":
            return {"reasoning": {"effort": effort}}
        case "thinking":
            return {"thinking": {"type": effort}}
    return {}


def _format(mode: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    match mode:
        case "json_schema":
            named = {"name": "reply", "schema": schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case "json_object":
            return {"response_format": {"type": "json_object"}}
    return {}


def _ended(choice: Any) -> Reply:
    text = _text(choice)
    if text_at(choice, "message", "refusal"):
        return finish_reasons.declined(text)
    match at(choice, "finish_reason"):
        case "stop":
            return finish_reasons.clean(text)
        case "length" | "model_length":
            return finish_reasons.cut_off(text)
        case "content_filter":
            return finish_reasons.withheld(text)
        case reason:
            return finish_reasons.odd(text, reason)


def _text(choice: Any) -> str:
    """The text without any reasoning, which servers put elsewhere, into parts of its own, or in front."""
    content = at(choice, "message", "content")
    if isinstance(content, list):
        content = "".join(text_at(part, "text") for part in items_at(content) if text_at(part, "type") == "text")
    return _without_reasoning(content) if isinstance(content, str) else ""


def _without_reasoning(text: str) -> str:
    """What comes after reasoning in tags, of which the first may be missing, as may the last."""
    if text.lstrip().startswith(THINKS):
        return text.partition(HAS_THOUGHT)[2].lstrip()
    end = text.rfind(HAS_THOUGHT, 0, text.find(THINKS) if THINKS in text else len(text))
    return text[end + len(HAS_THOUGHT) :].lstrip() if end >= 0 else text


def _usage(body: Any) -> Usage:
    return Usage(
        input_tokens=count_at(body, "usage", "prompt_tokens"),
        output_tokens=count_at(body, "usage", "completion_tokens"),
        cached_tokens=count_at(body, "usage", "prompt_tokens_details", "cached_tokens"),
        reasoning_tokens=count_at(body, "usage", "completion_tokens_details", "reasoning_tokens"),
    )


def _charged(body: Any) -> Decimal | None:
    stated = at(body, "usage", "cost")
    if isinstance(stated, bool) or not isinstance(stated, int | float) or not 0 <= stated < 1_000_000:
        return None
    return Decimal(str(stated))
