"""What tokens cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from typing import Annotated, Any, cast

from pydantic import ConfigDict, Field, TypeAdapter, with_config

from generation.providers.core.strict_reading import read_strictly

MILLIONTH = Decimal("0.000001")
# What a provider puts around a request, such as roles and the instructions that go with a reply's schema.
FRAMING_TOKENS = 1024

Rate = Annotated[Decimal, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as billed. `input_tokens` includes `cached_tokens` (read from a cache) and `cache_write_tokens`;
    `output_tokens` includes `reasoning_tokens`.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens from a day on, until another day (both included; None: open).

    `cached` and `cache_write` are None where the provider makes no difference. Above `step_tokens` of input a
    request's input costs `step_input_factor` and its output `step_output_factor` times as much. `batch_factor`
    applies to what is sent in a provider's batch. `seen` is the day on which the price was read, `official` whether
    on the provider's own page.
    """

    input: Rate
    output: Rate
    cached: Rate | None = None
    cache_write: Rate | None = None
    since: date | None = None
    until: date | None = None
    step_tokens: Annotated[int, Field(ge=0)] | None = None
    step_input_factor: Rate = Decimal(1)
    step_output_factor: Rate = Decimal(1)
    batch_factor: Rate = Decimal("0.5")
    seen: date | None = None
    official: bool = False

    def __post_init__(self) -> None:
        if self.since and self.until and self.until < self.since:
            raise ValueError("until lies before since")


_PRICE = TypeAdapter(Price)


def price_from(row: Mapping[str, Any]) -> Price:
    """A price as a TOML table or a target's JSON gives it. Raises `ValueError` for what is not a price."""
    return read_strictly(_PRICE, row)


def price_row(price: Price) -> dict[str, Any]:
    """The price as JSON can hold it; `price_from` reads it again."""
    return cast(dict[str, Any], _PRICE.dump_python(price, mode="json", exclude_defaults=True))


def price_at(prices: Sequence[Price], day: date) -> Price | None:
    """The price in force on the day: of several the one that began last, of equal ones the last named."""
    in_force = [price for price in prices if (price.since or day) <= day <= (price.until or day)]
    return max(reversed(in_force), key=lambda price: price.since or date.min, default=None)


def cost(price: Price, usage: Usage, *, in_batch: bool = False) -> Decimal:
    """US dollars for a request with this usage, to the millionth."""
    plain = usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens
    input_cost = (
        max(plain, 0) * price.input
        + usage.cached_tokens * _or(price.cached, price.input)
        + usage.cache_write_tokens * _or(price.cache_write, price.input)
    )
    dollars = _dollars(price, usage.input_tokens, input_cost, usage.output_tokens * price.output, in_batch)
    return dollars.quantize(MILLIONTH, ROUND_HALF_UP)


def worst_cost(price: Price, *, input_bytes: int, max_output_tokens: int, in_batch: bool = False) -> Decimal:
    """US dollars a request can cost at most, rounded up to the millionth.

    `input_bytes` is the length of its body as UTF-8. A token covers at least one byte, and every token of input
    may be billed at the dearest rate there is for one.
    """
    tokens = input_bytes + FRAMING_TOKENS
    dearest = max(price.input, price.cached or Decimal(0), price.cache_write or Decimal(0))
    dollars = _dollars(price, tokens, tokens * dearest, max_output_tokens * price.output, in_batch)
    return dollars.quantize(MILLIONTH, ROUND_CEILING)


def _dollars(price: Price, input_tokens: int, input_cost: Decimal, output_cost: Decimal, in_batch: bool) -> Decimal:
    if price.step_tokens is not None and input_tokens > price.step_tokens:
        input_cost *= price.step_input_factor
        output_cost *= price.step_output_factor
    return (input_cost + output_cost) / 1_000_000 * (price.batch_factor if in_batch else 1)


def _or(rate: Decimal | None, otherwise: Decimal) -> Decimal:
    return otherwise if rate is None else rate
