"""Anthropic's Message Batches."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from generation.providers.base import Reply
from generation.providers.batch_exchange import SKEW, Exchange, Progress, left_out
from generation.providers.reading import at, count_at, text_at

PATH = "/messages/batches"
COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")


class AnthropicBatches:
    """They have no names: one that may have arrived unheard is known by its size and time."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def send(self, name: str, bodies: Mapping[str, dict[str, Any]]) -> str:  # noqa: ARG002
        requests = [{"custom_id": key, "params": body} for key, body in bodies.items()]
        return self._exchange.made(PATH, json={"requests": requests})

    def find(self, name: str, *, size: int, since: datetime, known: Collection[str]) -> str | None:  # noqa: ARG002
        for batch in self._exchange.listed(PATH, cursor="after_id"):
            if datetime.fromisoformat(text_at(batch, "created_at")) < since - SKEW:
                break
            if sum(_counts(batch).values()) == size and text_at(batch, "id") not in known:
                return text_at(batch, "id")
        return None

    def look(self, batch_id: str) -> Progress:
        batch = self._exchange.ask("GET", f"{PATH}/{batch_id}")
        status = text_at(batch, "processing_status")
        counts = ", ".join(f"{count} {kind}" for kind, count in _counts(batch).items() if count)
        return Progress(status == "ended", f"{status}: {counts}.")

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
                return left_out(f"The batch left it out: {kind or 'no reason given'}.")


def _counts(batch: dict[str, Any]) -> dict[str, int]:
    return {kind: count_at(batch, "request_counts", kind) for kind in COUNTS}
