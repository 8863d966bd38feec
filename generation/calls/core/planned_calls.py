"""A planned call: one reply by one model about one subject."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call to be planned. Exactly one of `prompt_version_id`, `response_id`, `item_id`, `given_id`,
    `scenario_id`, `candidate_id` and `subject_id` is set; of two candidates the one with the greater id is
    `beside_id`.

    `key` is what `call_key` returns; `characters` is the length of the request's text, for the estimate. A call
    that goes on a conversation comes after the one with `after_key`, of this plan or an earlier one. It carries so
    many `replies` of the model, and `characters` counts all that it was told before.
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
    subject_id: int | None = None
    arm: str = ""
    perspective: str = ""
    dimension: str = ""
    replicate: int = 1
    after_key: str = ""
    replies: int = 0
