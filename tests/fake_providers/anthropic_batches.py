"""Anthropic's Message Batches."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from generation.providers.base import Outcome
from tests.fake_providers import anthropic_messages
from tests.fake_providers.batches import Batch, Batches, json_lines
from tests.fake_providers.cases import Case, Format
from tests.fake_providers.sockets import HttpReply, HttpRequest

NOT_FOUND = HttpReply(anthropic_messages.error("not_found_error"), 404)


class AnthropicBatches(Batches):
    def __init__(self) -> None:
        super().__init__(anthropic_messages.CASES)
        self.format = Format(
            re.compile(r".*/messages/batches(/.*)?"),
            {**anthropic_messages.CASES, "answer": Case(Outcome.OK, self.answer)},
            lambda request: None if "anthropic-version" in request.headers else NOT_FOUND,
        )

    def answer(self, request: HttpRequest) -> HttpReply:
        match request.method, request.path.partition("/batches")[2].split("/")[1:]:
            case "POST", []:
                bodies = {item["custom_id"]: item["params"] for item in request.body["requests"]}
                return HttpReply(_shown(self.take("msgbatch", bodies, host=request.headers["host"])))
            case "GET", []:
                newest_first = [_shown(batch) for batch in reversed(self.taken.values())]
                return HttpReply({"data": newest_first, "has_more": False, "first_id": None, "last_id": None})
            case "GET", [batch_id] if batch_id in self.taken:
                self.taken[batch_id].looks_missing -= 1
                return HttpReply(_shown(self.taken[batch_id]))
            case "GET", [batch_id, "results"] if batch_id in self.taken:
                return HttpReply(json_lines(_results(self.taken[batch_id])))
        return NOT_FOUND


def _shown(batch: Batch) -> dict[str, Any]:
    ended = batch.has_ended
    results = [line["result"]["type"] for line in _results(batch)] if ended else []
    counts = {kind: results.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
    return {
        "id": batch.id,
        "type": "message_batch",
        "processing_status": "ended" if ended else "in_progress",
        "request_counts": {"processing": 0 if ended else len(batch.replies), **counts},
        "results_url": f"http://{batch.more['host']}/v1/messages/batches/{batch.id}/results" if ended else None,
        "created_at": batch.made_at.isoformat(),
        "expires_at": (batch.made_at + timedelta(days=1)).isoformat(),
        "ended_at": (batch.made_at + timedelta(hours=1)).isoformat() if ended else None,
        "archived_at": None,
        "cancel_initiated_at": None,
    }


def _results(batch: Batch) -> Iterator[dict[str, Any]]:
    """The last request first: nothing may depend on the order."""
    for key, reply in reversed(batch.replies.items()):
        if reply is None:
            result = {"type": "expired"}
        elif reply.status == 200:
            result = {"type": "succeeded", "message": reply.body}
        else:
            result = {"type": "errored", "error": reply.body}
        yield {"custom_id": key, "result": result}
