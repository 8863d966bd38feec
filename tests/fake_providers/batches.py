"""What the batches of all providers have in common: requests taken now, answered later."""

import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.fake_providers.cases import Case
from tests.fake_providers.script import ANSWER
from tests.fake_providers.sockets import HttpReply, HttpRequest


@dataclass
class Batch:
    """Replies by the requests' own ids, None for what is left out. `more` is what its provider keeps besides."""

    id: str
    replies: dict[str, HttpReply | None]
    looks_missing: int
    more: Mapping[str, Any] = field(default_factory=dict)
    made_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def has_ended(self) -> bool:
        return self.looks_missing <= 0


class Batches:
    """`items` are the cases of the next requests within batches, one each; all others are answered.

    A batch ends when it is looked at for the `looks_needed`-th time. The last `left_out` requests of each are never
    answered.
    """

    def __init__(self, cases: Mapping[str, Case]) -> None:
        self.items: deque[str] = deque()
        self.looks_needed = 1
        self.left_out = 0
        self.taken: dict[str, Batch] = {}
        self._cases = cases

    def take(self, prefix: str, bodies: Mapping[str, dict[str, Any]], **more: Any) -> Batch:
        """A new batch of these requests' bodies, by their own ids."""
        kept = len(bodies) - self.left_out
        replies = {
            key: self._reply(body) if place < kept else None for place, (key, body) in enumerate(bodies.items())
        }
        batch = Batch(f"{prefix}_{len(self.taken) + 1}", replies, self.looks_needed, more)
        self.taken[batch.id] = batch
        return batch

    def _reply(self, body: dict[str, Any]) -> HttpReply:
        case = self.items.popleft() if self.items else ANSWER
        return self._cases[case].reply(HttpRequest("POST", "", {}, json.dumps(body).encode()))


def json_lines(rows: Iterable[Any]) -> str:
    """Only what JSON must escape is escaped, as some providers write it."""
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
