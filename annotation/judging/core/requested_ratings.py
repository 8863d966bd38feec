"""Which judgment counts where several judges were asked for the same rating.

A prompt asks for a number of ratings. A judge who leaves or is late is replaced by another, and so on. Where more
than one of them submits after all, the judgment submitted first counts. The others are kept as surplus: they enter
no figure. Nobody chooses.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class RatedItem:
    """A judging item. `replaces` is the item whose place it takes; `submitted_at` is set while it is submitted."""

    id: int
    prompt: str
    judge: str
    state: str
    replaces: int | None = None
    submitted_at: datetime | None = None


@dataclass(frozen=True)
class RequestedRating:
    """One of the ratings a prompt asks for: an item, and those that took its place one after the other."""

    items: tuple[RatedItem, ...]

    @property
    def prompt(self) -> str:
        return self.items[0].prompt

    @property
    def holder(self) -> RatedItem:
        """The item of the judge who is asked for this rating now."""
        return self.items[-1]

    @property
    def counted(self) -> RatedItem | None:
        """The judgment that counts; `None` as long as there is none."""
        submitted = [(item.submitted_at, item.id, item) for item in self.items if item.submitted_at]
        return min(submitted)[-1] if submitted else None

    @property
    def is_running(self) -> bool:
        """Whether somebody is at it, and nobody has submitted."""
        return self.counted is None and any(item.state == "open" for item in self.items)

    @property
    def surplus(self) -> tuple[RatedItem, ...]:
        """Judgments that are kept and do not count."""
        return tuple(item for item in self.items if item.submitted_at and item != self.counted)


def requested_ratings(items: Iterable[RatedItem]) -> list[RequestedRating]:
    """Return every requested rating among `items`, in the order of their first items' ids."""
    by_id = {item.id: item for item in items}
    successor = {item.replaces: item for item in by_id.values() if item.replaces is not None}
    found = []
    for item in sorted(by_id.values(), key=lambda item: item.id):
        if item.replaces is None:
            chain = [item]
            while later := successor.get(chain[-1].id):
                chain.append(later)
            found.append(RequestedRating(tuple(chain)))
    return found
