"""What every provider takes and gives, whatever its wire format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class Outcome(StrEnum):
    """How a request ended. Providers report failures as outcomes; they raise only for faults in the program."""

    OK = "ok"
    TRUNCATED = "truncated"  # the text stops at the output cap
    REFUSED = "refused"  # the model declined
    FILTERED = "filtered"  # the provider withheld the text
    EMPTY = "empty"  # a clean stop without any text
    RETRYABLE = "retryable"  # the same request may succeed later
    FINAL_REQUEST = "final_request"  # this request can never succeed
    FINAL_ACCOUNT = "final_account"  # no request of this account can: key, credit or permission


@dataclass(frozen=True, slots=True)
class Request:
    """One user turn for one model.

    `model` and `effort` are the provider's own names, `max_output_tokens` covers visible and reasoning tokens,
    `temperature` is None to leave the provider's default, `options` holds what only one provider understands.
    """

    model: str
    prompt: str
    effort: str
    max_output_tokens: int
    temperature: float | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as billed. `output_tokens` includes `reasoning_tokens`."""

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the text (perhaps partial or empty), the raw body as received, and who answered.

    `model` is the model the provider says it used, `request_id` its own reference for the exchange ("" if none).
    """

    outcome: Outcome
    text: str
    usage: Usage
    raw: dict[str, object]
    request_id: str
    model: str


class Provider(Protocol):
    """One wire format. `name` is the key it is registered under."""

    name: str

    async def answer(self, request: Request) -> Reply: ...
