"""What a plan wants: one reply by one model about one thing."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call to be planned. Exactly one of `prompt_version_id`, `response_id`, `item_id` and `given_id` is set.

    `key` is what `call_key` returns; `characters` is the length of the request's text, for the estimate.
    """

    key: str
    target_id: int
    characters: int
    prompt_version_id: int | None = None
    response_id: UUID | None = None
    item_id: int | None = None
    given_id: int | None = None
    arm: str = ""
    perspective: str = ""
    replicate: int = 1
