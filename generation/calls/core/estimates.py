"""What a call will probably take, and what it may take at most."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import ceil, expm1, log1p, sqrt
from typing import Final

from generation.providers.core.prices import Price, Usage, cost, worst_cost

CHARACTERS_PER_TOKEN = 4  # of English prose
# At most, so that what is reserved when a call leaves is never more than its plan said.
BYTES_PER_CHARACTER = 4
BYTES_AROUND = 8_192  # parameters and the schema of the reply
MIN_REPLIES: Final = 50  # replies, of which mean and spread tell something, and nothing of a single one
NORMAL_95: Final = 1.645  # standard errors above the mean, which 95 of 100 do not exceed
# Tokens that a model which reasons may think before it answers, by effort, until replies have been seen.
THOUGHT: Final[Mapping[str, int]] = {
    "none": 0,
    "off": 0,
    "disabled": 0,
    "minimal": 100,
    "low": 400,
    "medium": 1_500,
    "high": 5_000,
    "xhigh": 10_000,
    "max": 10_000,
}
THOUGHT_UNTOLD: Final = THOUGHT["medium"]  # where it is only switched on, or not told how much to think


@dataclass(frozen=True, slots=True)
class Expected:
    """Output tokens of a reply: their mean over so many `replies`, with the standard deviations of the tokens and
    of their logarithms; with no replies it is a first guess. Its input has a token for so many characters.
    """

    tokens: int
    deviation: float = 0.0
    log_deviation: float = 0.0
    replies: int = 0
    characters_per_token: float = CHARACTERS_PER_TOKEN


def first_guess(usual: int, *, most: int, effort: str | None) -> Expected:
    """`usual` tokens of a reply, and what a model thinks at this effort (`None`: it does not reason)."""
    thought = 0 if effort is None else THOUGHT.get(effort.lower(), THOUGHT_UNTOLD)
    return Expected(min(usual + thought, most))


def margin(price: Price, expected: Expected, *, calls: int, in_batch: bool) -> Decimal | None:
    """Dollars above the expected that 95 of 100 sums of so many calls do not exceed, asked once each; None where
    too few replies were seen.

    Lengths of replies are skewed, and so is the mean of those seen: it is taken as Cox does that of a lognormal
    (Zhou and Gao 1997), with the greater of two estimates of the spread, and the calls' own chance comes to it.
    """
    if not calls:
        return Decimal(0)
    if expected.replies < MIN_REPLIES:
        return None
    n, spread = expected.replies, max(expected.log_deviation**2, log1p((expected.deviation / expected.tokens) ** 2))
    error = sqrt(spread / n + spread**2 / (2 * (n - 1)) + expm1(spread) / calls)
    tokens = expected.tokens * calls * expm1(NORMAL_95 * error)
    return cost(price, Usage(output_tokens=round(tokens)), in_batch=in_batch)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens, and US dollars: as expected, and if the call takes all it may."""

    input_tokens: int
    output_tokens: int
    cost: Decimal
    worst_cost: Decimal


def estimator(price: Price, expected: Expected, *, most: int, in_batch: bool) -> Callable[[int, int], Estimate]:
    """Estimates by a request's number of characters, and how many replies, of at `most` so many tokens, it carries
    besides.
    """

    @lru_cache(maxsize=4096)  # many requests of a run are of the same length
    def estimate(characters: int, replies: int) -> Estimate:
        input_tokens = ceil(characters / expected.characters_per_token) + replies * expected.tokens
        usage = Usage(input_tokens=input_tokens, output_tokens=expected.tokens)
        max_characters = characters + replies * most * CHARACTERS_PER_TOKEN
        max_bytes = max_characters * BYTES_PER_CHARACTER + BYTES_AROUND
        return Estimate(
            usage.input_tokens,
            usage.output_tokens,
            cost(price, usage, in_batch=in_batch),
            worst_cost(price, input_bytes=max_bytes, max_output_tokens=most, in_batch=in_batch),
        )

    return estimate
