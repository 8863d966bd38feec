"""Anthropic's Message Batches."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from generation.providers.base import Outcome, Reply
from generation.providers.batch_exchange import SKEW, BatchFault, Exchange, Progress
from generation.providers.json_access import at, count_at, text_at

PATH = "/messages/batches"
COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")


class AnthropicBatches:
    """Batches have no names: one that may have arrived unheard is known by its results' keys, once it has them."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def send(self, name: str, bodies: Mapping[str, dict[str, Any]]) -> str:  # noqa: ARG002
        requests = [{"custom_id": key, "params": body} for key, body in bodies.items()]
        return self._exchange.made(PATH, json={"requests": requests})

    def find(
        self,
        name: str,  # noqa: ARG002
        *,
        keys: Collection[str],
        since: datetime,
        until: datetime,
        known: Collection[str],
    ) -> str | None:
        alike = []
        for batch in self._exchange.listed(PATH, cursor="after_id"):
            made_at = _made_at(batch)
            if made_at and made_at < since - SKEW:
                break
            is_too_late = made_at and made_at > until + SKEW
            if not is_too_late and sum(_counts(batch).values()) == len(keys) and text_at(batch, "id") not in known:
                alike.append(batch)
        told = {text_at(batch, "id"): self._a_key_of(batch) for batch in alike}
        for batch_id, key in told.items():
            if key in keys:
                return batch_id
        if "" in told.values():
            raise BatchFault(Outcome.RETRYABLE, "Whether it has arrived shows once a batch of its size has ended.")
        return None

    def _a_key_of(self, batch: dict[str, Any]) -> str:
        """One is enough to tell whose the batch is; "" while it has no results."""
        if not _has_ended(batch):
            return ""
        return next((key for key, _ in self.replies(text_at(batch, "id"))), "")

    def look(self, batch_id: str) -> Progress:
        batch = self._exchange.ask("GET", f"{PATH}/{batch_id}")
        status = text_at(batch, "processing_status")
        counts = ", ".join(f"{count} {kind}" for kind, count in _counts(batch).items() if count)
        return Progress(_has_ended(batch), self._exchange.words(f"{status}: {counts}."))

    def replies(self, batch_id: str) -> Iterator[tuple[str, Reply]]:
        # Not at the `results_url` it names: the key goes only to the address an operator has configured.
        for row in self._exchange.rows(f"{PATH}/{batch_id}/results"):
            yield text_at(row, "custom_id"), self._reply(row)

    def _reply(self, row: dict[str, Any]) -> Reply:
        match text_at(row, "result", "type"):
            case "succeeded":
                return self._exchange.reply(200, at(row, "result", "message"))
            case "errored":
                return self._exchange.reply(None, at(row, "result", "error"))
            case kind:
                return self._exchange.left_out(f"{kind or 'no reason given'}.")


def _has_ended(batch: dict[str, Any]) -> bool:
    return text_at(batch, "processing_status") == "ended"


def _made_at(batch: dict[str, Any]) -> datetime | None:
    """None where it cannot be told."""
    try:
        made_at = datetime.fromisoformat(text_at(batch, "created_at"))
    except ValueError:
        return None
    return made_at if made_at.tzinfo else None


def _counts(batch: dict[str, Any]) -> dict[str, int]:
    return {kind: count_at(batch, "request_counts", kind) for kind in COUNTS}
