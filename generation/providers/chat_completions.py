"""Chat completions, as many servers offer them after OpenAI, each with its own turns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, TypeAdapter, with_config

from generation.providers import finish_reasons
from generation.providers.base import Outcome, Reply, Request
from generation.providers.core.prices import Usage
from generation.providers.core.reasoning import without_reasoning
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
# What a chat template is told, by servers that hand it on.
TEMPLATE = "chat_template_kwargs"
SWITCH = {"on": True, "off": False}
LEVELS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
# The efforts there are, by where they go, unless a server says that it knows others.
EFFORTS: Mapping[str, Sequence[str]] = {
    "reasoning_effort": LEVELS,
    "reasoning.effort": LEVELS,
    "thinking": ("enabled", "disabled"),
    "reasoning.enabled": tuple(SWITCH),
    f"{TEMPLATE}.reasoning_effort": LEVELS,
    f"{TEMPLATE}.enable_thinking": tuple(SWITCH),
    f"{TEMPLATE}.thinking": tuple(SWITCH),
}
EffortField = Literal[
    "reasoning_effort",
    "reasoning.effort",
    "thinking",
    "reasoning.enabled",
    "chat_template_kwargs.reasoning_effort",
    "chat_template_kwargs.enable_thinking",
    "chat_template_kwargs.thinking",
    "none",
]


def _harmless(extra: Mapping[str, Any]) -> Mapping[str, Any]:
    if others := sorted(extra.keys() - HARMLESS):
        raise ValueError(f"may not hold {', '.join(others)}")
    return extra


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Turns:
    """How a server wants things said. An endpoint's settings say so, and a target's options for a single model.

    `cap_field` names the output cap; `effort_field` is where the effort goes ("thinking": as its type; "none":
    nowhere) and `efforts` are those known there (empty: the usual ones); `seed_field` where the replicate goes as a
    seed. `schema_mode` is how a reply's schema is asked for, "none" where the prompt alone must do. `extra` is sent
    as it is.
    """

    cap_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    effort_field: EffortField = "none"
    efforts: tuple[str, ...] = ()
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
        if turns.effort_field != "none":
            check_effort(request, turns.efforts or EFFORTS[turns.effort_field])
        check_temperature(request, is_taken=turns.sends_temperature)

    def effort_sent(self, request: Request) -> dict[str, Any]:
        turns = self._turns_with(request.options)
        sent = _effort(turns.effort_field, request.effort) if request.effort else {}
        if TEMPLATE in sent:  # beside what the chat template is told besides
            sent = {TEMPLATE: {**turns.extra.get(TEMPLATE, {}), **sent[TEMPLATE]}}
        return sent

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
        body |= self.effort_sent(request)
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
            request_id=text_at(body, "id"),
            model=text_at(body, "model"),
            charged=_charged(body) if self._settings.states_cost else None,
        )

    def usage(self, body: Any) -> Usage:
        """Input from a cache is named differently: by OpenAI and most, DeepSeek, and Moonshot."""
        cached = (("prompt_tokens_details", "cached_tokens"), ("prompt_cache_hit_tokens",), ("cached_tokens",))
        return Usage(
            input_tokens=count_at(body, "usage", "prompt_tokens"),
            output_tokens=count_at(body, "usage", "completion_tokens"),
            cached_tokens=max(count_at(body, "usage", *path) for path in cached),
            reasoning_tokens=count_at(body, "usage", "completion_tokens_details", "reasoning_tokens"),
        )

    def _turns_with(self, options: Mapping[str, Any]) -> Turns:
        if not options:
            return self._settings
        given, settings = read_strictly(_TURNS, options), self._settings
        if "effort_field" in options:  # another place knows other efforts
            settings = replace(settings, efforts=())
        return replace(settings, **{name: getattr(given, name) for name in options})

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


def _effort(place: EffortField, effort: str) -> dict[str, Any]:
    """The effort at its place, where "a.b" is b within a."""
    if place == "none":
        return {}
    outer, _, inner = ("thinking", ".", "type") if place == "thinking" else place.partition(".")
    said = SWITCH.get(effort, effort) if set(EFFORTS[place]) == SWITCH.keys() else effort
    return {outer: {inner: said}} if inner else {outer: said}


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
    return without_reasoning(content) if isinstance(content, str) else ""


def _charged(body: Any) -> Decimal | None:
    stated = at(body, "usage", "cost")
    if isinstance(stated, bool) or not isinstance(stated, int | float) or not 0 <= stated < 1_000_000:
        return None
    return Decimal(str(stated))
