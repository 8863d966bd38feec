"""OpenAI's batches: a file of requests goes in, a file of replies and one of errors come out."""

import json
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from generation.providers.base import Reply
from generation.providers.batch_exchange import SKEW, Exchange, Progress
from generation.providers.json_access import at, count_at, items_at, text_at

ENDED = frozenset({"completed", "failed", "expired", "cancelled"})


class OpenAIBatches:
    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def send(self, name: str, bodies: Mapping[str, dict[str, Any]]) -> str:
        lines = "\n".join(map(_line, bodies.items())).encode()
        files = {"file": ("calls.jsonl", lines, "application/jsonl")}
        wanted = {
            "input_file_id": self._exchange.made("/files", data={"purpose": "batch"}, files=files),
            "endpoint": "/v1/responses",
            "completion_window": "24h",
            "metadata": {"name": name},
        }
        return self._exchange.made("/batches", json=wanted)

    def find(
        self,
        name: str,
        *,
        keys: Collection[str],  # noqa: ARG002
        since: datetime,
        until: datetime,  # noqa: ARG002
        known: Collection[str],  # noqa: ARG002
    ) -> str | None:
        for batch in self._exchange.listed("/batches", cursor="after"):
            if at(batch, "metadata", "name") == name:
                return text_at(batch, "id")
            if 0 < count_at(batch, "created_at") < (since - SKEW).timestamp():
                break
        return None

    def look(self, batch_id: str) -> Progress:
        batch = self._exchange.ask("GET", f"/batches/{batch_id}")
        status = text_at(batch, "status")
        counts = [count_at(batch, "request_counts", kind) for kind in ("completed", "failed", "total")]
        faults = " ".join(text_at(fault, "message") for fault in items_at(batch, "errors", "data"))
        detail = f"{status}: {counts[0]} answered and {counts[1]} failed of {counts[2]}. {faults}".strip()
        return Progress(status in ENDED, self._exchange.words(detail), failed=status == "failed")

    def replies(self, batch_id: str) -> Iterator[tuple[str, Reply]]:
        batch = self._exchange.ask("GET", f"/batches/{batch_id}")
        for file_id in filter(None, (text_at(batch, "output_file_id"), text_at(batch, "error_file_id"))):
            for row in self._exchange.rows(f"/files/{file_id}/content"):
                yield text_at(row, "custom_id"), self._reply(row)

    def _reply(self, row: dict[str, Any]) -> Reply:
        status = count_at(row, "response", "status_code")
        if not status:
            return self._exchange.left_out(text_at(row, "error", "message") or "no reason given")
        request_id = text_at(row, "response", "request_id")
        return self._exchange.reply(status, at(row, "response", "body"), request_id=request_id)


def _line(call: tuple[str, dict[str, Any]]) -> str:
    key, body = call
    return json.dumps({"custom_id": key, "method": "POST", "url": "/v1/responses", "body": body})
