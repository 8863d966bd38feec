"""What every provider takes and gives, whatever its wire format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, Protocol

import httpx

from generation.providers.core.prices import Usage

NO_USAGE = Usage()
Client = httpx.AsyncBaseTransport  # what requests leave by


class Outcome(StrEnum):
    """How a request ended. Providers report failures as outcomes; they raise only for faults in the program."""

    OK = "ok"
    TRUNCATED = "truncated"  # the text stops at the output cap
    REFUSED = "refused"  # the model declined
    FILTERED = "filtered"  # the provider withheld the text
    EMPTY = "empty"  # a clean stop without any text
    ODD = "odd"  # an end that is unusual or not known, so that the text cannot be relied upon
    RETRYABLE = "retryable"  # the same request may succeed later
    UNREACHABLE = "unreachable"  # the request never left
    FINAL_REQUEST = "final_request"  # this request can never succeed
    FINAL_ACCOUNT = "final_account"  # no request of this account can: key, credit or permission


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier user turn of a conversation, and the model's own words in reply."""

    prompt: str
    reply: str


@dataclass(frozen=True, slots=True)
class Request:
    """The next user turn, `prompt`, for one model, after what was said `earlier`, oldest first.

    `system` is the system turn ("": none). `model` and `effort` are the provider's own names ("" to leave the
    effort unsaid), `max_output_tokens` covers visible and reasoning tokens, `temperature` is None to leave the
    provider's default. `schema` is the JSON Schema of the reply wanted, None for prose. `options` holds what only
    one provider understands. `replicate` says which repetition of the same request this is; a provider that takes a
    seed sends it.
    """

    model: str
    prompt: str
    effort: str
    max_output_tokens: int
    temperature: float | None = None
    schema: Mapping[str, Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    replicate: int = 1
    system: str = ""
    earlier: tuple[Exchange, ...] = ()

    @property
    def messages(self) -> list[tuple[Literal["user", "assistant"], str]]:
        """The conversation up to the user turn that is to be answered, each turn with who speaks."""
        said: list[tuple[Literal["user", "assistant"], str]] = []
        for exchange in self.earlier:
            said += [("user", exchange.prompt), ("assistant", exchange.reply)]
        return [*said, ("user", self.prompt)]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. No text in it holds the key, a NUL or half a surrogate pair.

    `text` is the model's answer, perhaps partial or empty, without its reasoning. `raw` is the body as it was
    received. `detail` says in a sentence why it is not ok (at most 500 characters). `model` is the model the
    provider says it used (at most 120), `request_id` its own reference for the exchange (at most 200, "" if none).
    `status` is HTTP's, None where none arrived. `retry_after` is how many seconds the provider asks to wait.
    `charged` is its own statement of the cost in US dollars, None where it makes none.
    `cost_unknown` means that the request left and nothing says what it cost: its worst case may have been paid.
    """

    outcome: Outcome
    text: str = ""
    usage: Usage = NO_USAGE
    raw: str = ""
    detail: str = ""
    request_id: str = ""
    model: str = ""
    status: int | None = None
    retry_after: float | None = None
    charged: Decimal | None = None
    cost_unknown: bool = False


class Provider(Protocol):
    """One provider: a wire format at an address."""

    name: str

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise `ValueError`, in words for a person, for options the provider does not understand."""

    def takes_temperature(self, effort: str, options: Mapping[str, Any]) -> bool:
        """Whether a temperature is sent along with this effort; elsewhere `body` leaves it out."""

    def check_request(self, request: Request) -> None:
        """Raise `ValueError`, in words for a person, for an effort, a temperature or an output cap that is known to
        be refused, and for a temperature that would not be sent.
        """

    def effort_sent(self, request: Request) -> dict[str, Any]:
        """The part of a body that says how much the model is to think; empty where nothing does."""

    def body(self, request: Request) -> dict[str, Any]:
        """What is sent for a request, without address and key. Pure: the same request gives the same body."""

    def read(self, status: int | None, headers: Mapping[str, str], text: str) -> Reply:
        """The reply in what was received. `headers` have lower-case names; `status` is None where none was kept."""

    async def answer(self, request: Request, *, client: Client) -> Reply:
        """Send the request and read the reply. Never raises for what a network or a provider can do."""
