"""A window in the writing room without a browser: the pen, saves of changes, the form at the end."""

import json
import secrets
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from urllib.parse import urlencode

from annotation.platform.core.text import sha256_hex
from annotation.writing.core import deltas
from annotation.writing.core.activity import Event
from benchmarks.support.wire import Answer, Connection


@dataclass(frozen=True)
class Acknowledged:
    """What the server has said it holds."""

    epoch: int
    seq: int
    sha256: str


class Outcome(StrEnum):
    """What the page learns from an exchange; "failed" covers all that a later attempt may put right."""

    SAVED = "saved"
    FULL = "full"
    ELSEWHERE = "elsewhere"
    LATE = "late"
    CLOSED = "closed"
    SIGNED_OUT = "signed-out"
    FAILED = "failed"


class Room:
    """One answer in one window, used by one task at a time. `text` is the newest acknowledged text.

    Where nobody answers, methods raise `OSError`; saving again is then always safe.
    """

    def __init__(self, connection: Connection, assignment_id: int) -> None:
        self.acknowledged: list[Acknowledged] = []
        self.text = ""
        self._connection = connection
        self._path = f"/writing/{assignment_id}/"
        self._window = secrets.token_hex(8)
        self._epoch = self._seq = self._held_seq = 0
        self._sent: str | None = None
        self._is_whole_text_due = True

    async def enter(self) -> None:
        """Begin the answer, unless it has begun, load the room and take the pen."""
        _expect(await self._connection.get(f"{self._path}start/"), HTTPStatus.OK, HTTPStatus.FOUND)
        _expect(await self._post_form("begin/", attested="on"), HTTPStatus.FOUND)
        _expect(await self._connection.get(self._path), HTTPStatus.OK)
        await self.take_pen()

    async def take_pen(self) -> str:
        """Begin an epoch of saves; returns the text as it is held."""
        wanted = {"window": self._window, "take_over": False}
        answer = _expect(
            await self._connection.post(f"{self._path}pen/", json.dumps(wanted).encode()), HTTPStatus.OK
        )
        held = answer.json()
        if not held["pen"]:
            raise PermissionError("Another window has the pen.")
        self._epoch, self._seq, self._held_seq = held["epoch"], 0, 0
        self._sent, self._is_whole_text_due = None, False
        self.text = held["text"]
        return self.text

    async def save(self, text: str, activity: list[Event] | None = None) -> Outcome:
        """Save as a change to what is held, or whole where the server asks for that. `text` is clean."""
        if text != self._sent:
            self._seq, self._sent = self._seq + 1, text
        outcome = await self._send(text, activity or [])
        return await self._send(text, activity or []) if outcome is Outcome.FULL else outcome

    async def check(self) -> bool:
        """Ask for what is held, as an idle page does; whether it is what this window saved last."""
        answer = await self._connection.get(f"{self._path}state/")
        if answer.status != HTTPStatus.OK:
            return False
        held = answer.json()
        return (held["epoch"], held["sha256"]) == (self._epoch, sha256_hex(self.text))

    async def hand_in(self, text: str) -> bool:
        """Post the room's form; whether the receipt follows. Browsers send line ends as CRLF."""
        form = {"text": text.replace("\n", "\r\n"), "epoch": str(self._epoch), "confirmed": "on"}
        answer = await self._post_form("submit/", **form)
        return answer.headers.get("location") == f"{self._path}receipt/"

    async def _send(self, text: str, activity: list[Event]) -> Outcome:
        message = {"epoch": self._epoch, "seq": self._seq, "activity": activity, **self._content(text)}
        answer = await self._connection.post(f"{self._path}save/", json.dumps(message).encode())
        if answer.status in (HTTPStatus.FOUND, HTTPStatus.FORBIDDEN):
            return Outcome.SIGNED_OUT
        if answer.status not in (HTTPStatus.OK, HTTPStatus.CONFLICT):
            return Outcome.FAILED
        reply = answer.json()
        outcome = Outcome(reply["status"])
        self._is_whole_text_due = outcome is not Outcome.SAVED
        if outcome is Outcome.SAVED:
            self.acknowledged.append(Acknowledged(reply["epoch"], reply["seq"], reply["sha256"]))
            if reply["sha256"] != sha256_hex(text):
                self._is_whole_text_due = True
                return Outcome.FAILED
            self.text, self._held_seq = text, reply["seq"]
        return outcome

    def _content(self, text: str) -> dict[str, object]:
        """What has changed since the newest acknowledged text, or all of it."""
        if self._is_whole_text_due:
            return {"text": text}
        change = deltas.between(self.text, text)
        base = {"base_seq": self._held_seq, "base_sha": sha256_hex(self.text)}
        return {**base, "at": change.at, "delete": change.delete, "insert": change.insert}

    async def _post_form(self, path: str, **fields: str) -> Answer:
        body = urlencode(fields).encode()
        return await self._connection.post(self._path + path, body, "application/x-www-form-urlencoded")


def _expect(answer: Answer, *statuses: HTTPStatus) -> Answer:
    if answer.status not in statuses:
        raise ConnectionError(f"answered {answer.status} instead of {statuses[0].value}")
    return answer
