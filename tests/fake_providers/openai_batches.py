"""OpenAI's batches: a file of requests goes in, a file of replies and one of errors come out."""

import json
import re
from email import message_from_bytes
from email.message import Message
from typing import Any, cast

from generation.providers.base import Outcome
from tests.fake_providers import openai_responses
from tests.fake_providers.batches import Batch, Batches, json_lines
from tests.fake_providers.cases import Case, Format
from tests.fake_providers.sockets import HttpReply, HttpRequest

NOT_FOUND = HttpReply({"error": {"message": "No such object", "type": "invalid_request_error"}}, 404)


class OpenAIBatches(Batches):
    """Batches that fail as a whole do so for `refuses_for`, a code."""

    def __init__(self) -> None:
        super().__init__(openai_responses.CASES)
        self.refuses_for = ""
        self._files: dict[str, bytes] = {}
        self.format = Format(
            re.compile(r".*/v1/(files|batches)(/.*)?"),
            {**openai_responses.CASES, "answer": Case(Outcome.OK, self.answer)},
            lambda request: None if "authorization" in request.headers else openai_responses.denied(request),
        )

    def answer(self, request: HttpRequest) -> HttpReply:
        match request.method, request.path.partition("/v1/")[2].split("/"):
            case "POST", ["files"]:
                return self._keep_file(request)
            case "GET", ["files", file_id, "content"] if file_id in self._files:
                return HttpReply(self._files[file_id].decode())
            case "POST", ["batches"]:
                return self._take(request.body)
            case "GET", ["batches"]:
                newest_first = [self._shown(batch) for batch in reversed(self.taken.values())]
                return HttpReply({"object": "list", "data": newest_first, "has_more": False})
            case "GET", ["batches", batch_id] if batch_id in self.taken:
                self.taken[batch_id].looks_missing -= 1
                return HttpReply(self._shown(self.taken[batch_id]))
        return NOT_FOUND

    def _keep_file(self, request: HttpRequest) -> HttpReply:
        parts = _parts(request)
        content = parts["file"]
        file_id = f"file-{len(self._files) + 1}"
        self._files[file_id] = content
        return HttpReply(
            {
                "id": file_id,
                "object": "file",
                "bytes": len(content),
                "created_at": 1_795_000_000,
                "filename": "calls.jsonl",
                "purpose": parts["purpose"].decode(),
                "status": "processed",
            }
        )

    def _take(self, wanted: dict[str, Any]) -> HttpReply:
        lines = map(json.loads, self._files[wanted["input_file_id"]].splitlines())
        bodies = {line["custom_id"]: line["body"] for line in lines}
        return HttpReply(self._shown(self.take("batch", bodies, **wanted)))

    def _shown(self, batch: Batch) -> dict[str, Any]:
        shown = {
            **batch.more,
            "id": batch.id,
            "object": "batch",
            "created_at": int(batch.made_at.timestamp()),
            "status": "in_progress",
            "request_counts": {"total": len(batch.replies), "completed": 0, "failed": 0},
        }
        if not batch.has_ended:
            return shown
        if self.refuses_for:
            error = {"code": self.refuses_for, "message": f"Told by the provider: {self.refuses_for}."}
            return {**shown, "status": "failed", "errors": {"object": "list", "data": [error]}}
        return {
            **shown,
            **self._files_of(batch),
            "status": "expired" if None in batch.replies.values() else "completed",
        }

    def _files_of(self, batch: Batch) -> dict[str, str]:
        """The two files, the last request first: nothing may depend on the order. An empty one does not exist."""
        lines = [_line(key, reply) for key, reply in reversed(batch.replies.items())]
        good = [line for line in lines if line["response"] and line["response"]["status_code"] == 200]
        bad = [line for line in lines if line not in good]
        files = {"output_file_id": good, "error_file_id": bad}
        for name, content in files.items():
            self._files[f"{name}-{batch.id}"] = json_lines(content).encode()
        return {name: f"{name}-{batch.id}" for name, content in files.items() if content}


def _line(key: str, reply: HttpReply | None) -> dict[str, Any]:
    line = {"id": f"batch_req_{key}", "custom_id": key, "response": None, "error": None}
    if reply is None:
        return {
            **line,
            "error": {"code": "batch_expired", "message": "This request could not be executed in time."},
        }
    return {**line, "response": {"status_code": reply.status, "request_id": "req_openai", "body": reply.body}}


def _parts(request: HttpRequest) -> dict[str, bytes]:
    """The fields of a form with files."""
    kind = f"content-type: {request.headers['content-type']}\r\n\r\n".encode()
    parts = cast(list[Message], message_from_bytes(kind + request.content).get_payload())
    return {
        str(part.get_param("name", header="content-disposition")): cast(bytes, part.get_payload(decode=True))
        for part in parts
    }
