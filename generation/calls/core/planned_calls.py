"""A planned call: one reply by one model about one subject."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call to be planned. Exactly one of `prompt_version_id`, `response_id`, `item_id`, `given_id`,
    `scenario_id` and `candidate_id` is set; of two candidates the one with the greater id is `beside_id`.

    `key` is what `call_key` returns; `characters` is the length of the request's text, for the estimate.
    """

    key: str
    target_id: int
    characters: int
    prompt_version_id: int | None = None
    response_id: UUID | None = None
    item_id: int | None = None
    given_id: int | None = None
    scenario_id: int | None = None
    candidate_id: int | None = None
    beside_id: int | None = None
    arm: str = ""
    perspective: str = ""
    replicate: int = 1
