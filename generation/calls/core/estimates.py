"""What a call will probably take, and what it may take at most."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from generation.providers.core.prices import Price, Usage, cost, worst_cost

CHARACTERS_PER_TOKEN = 4  # of English prose
# At most, so that what is reserved when a call leaves is never more than its plan said.
BYTES_PER_CHARACTER = 4
BYTES_AROUND = 8_192  # parameters and the schema of the reply


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens, and US dollars: as expected, and if the call takes all it may."""

    input_tokens: int
    output_tokens: int
    cost: Decimal
    worst_cost: Decimal


def estimator(price: Price, *, expected: int, most: int, in_batch: bool) -> Callable[[int, int], Estimate]:
    """Estimates by a request's number of characters, and how many replies it carries besides. A reply takes
    `expected` tokens, at `most` so many.
    """

    @lru_cache(maxsize=4096)  # many requests of a run are of the same length
    def estimate(characters: int, replies: int) -> Estimate:
        input_tokens = -(-characters // CHARACTERS_PER_TOKEN) + replies * expected
        usage = Usage(input_tokens=input_tokens, output_tokens=expected)
        max_characters = characters + replies * most * CHARACTERS_PER_TOKEN
        max_bytes = max_characters * BYTES_PER_CHARACTER + BYTES_AROUND
        return Estimate(
            usage.input_tokens,
            usage.output_tokens,
            cost(price, usage, in_batch=in_batch),
            worst_cost(price, input_bytes=max_bytes, max_output_tokens=most, in_batch=in_batch),
        )

    return estimate
