"""What batches of every provider have in common: handed over whole, answered within a day, at half price."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Protocol

import httpx

from generation.providers.base import Outcome, Reply
from generation.providers.http import TIMEOUT, HttpProvider, trusted_certificates
from generation.providers.json_access import at, items_at, parsed, text_at
from generation.providers.keys import NoKey
from generation.providers.server_errors import is_fault

# By how much the clocks of a provider and of this site may differ.
SKEW = timedelta(minutes=5)
MAX_MESSAGE_LENGTH = 500  # in characters


@dataclass(frozen=True)
class Progress:
    """What a provider says of a batch, `detail` in words. One that `failed` was given up before any work on it."""

    has_ended: bool
    detail: str
    failed: bool = False


class BatchFault(Exception):
    """A provider did not do what it was asked. `outcome` tells whether it may later."""

    def __init__(self, outcome: Outcome, detail: str) -> None:
        super().__init__(detail)
        self.outcome = outcome


class Batches(Protocol):
    """A provider's batches. Every method may raise `BatchFault`."""

    def send(self, name: str, bodies: Mapping[str, dict[str, Any]]) -> str:
        """Hand over requests' bodies, by keys of at most 64 characters; the provider's id of the batch."""

    def find(
        self, name: str, *, keys: Collection[str], since: datetime, until: datetime, known: Collection[str]
    ) -> str | None:
        """The id of the batch with these keys, which may have arrived although nothing was heard of it.

        It was handed over between `since` and `until`, and is not among the `known` ids. A `BatchFault` may say
        that it cannot be told yet.
        """

    def look(self, batch_id: str) -> Progress:
        """How far it is."""

    def replies(self, batch_id: str) -> Iterator[tuple[str, Reply]]:
        """What came of the requests of a batch that has ended, by their keys, in any order. Some may be missing."""


class Exchange:
    """Requests to one provider, one after the other. All of them may raise `BatchFault`."""

    def __init__(self, provider: HttpProvider) -> None:
        self._provider = provider

    def ask(self, method: str, path: str, **content: Any) -> dict[str, Any]:
        """The JSON object that is answered; `content` as httpx takes it."""
        with self._open(method, path, **content) as response:
            body = parsed(response.read().decode(errors="replace"))
        if not isinstance(body, dict):
            raise BatchFault(Outcome.RETRYABLE, "The provider's answer was not a JSON object.")
        return body

    def made(self, path: str, **content: Any) -> str:
        """The id of what a request has made."""
        if made := text_at(self.ask("POST", path, **content), "id"):
            return made
        raise BatchFault(Outcome.RETRYABLE, "The provider's answer names nothing that was made.")

    def listed(self, path: str, *, cursor: str) -> Iterator[dict[str, Any]]:
        """The objects of a list, the newest first. `cursor` is the parameter that names the last one seen."""
        after: dict[str, str] = {}
        while True:
            page = self.ask("GET", path, params={"limit": "100", **after})
            objects = items_at(page, "data")
            yield from objects
            if not (objects and at(page, "has_more")):
                return
            last = {cursor: text_at(objects[-1], "id")}
            if last in ({cursor: ""}, after):
                raise BatchFault(Outcome.RETRYABLE, "The provider's list of batches cannot be read to its end.")
            after = last

    def rows(self, path: str) -> Iterator[dict[str, Any]]:
        """The JSON objects of a file of lines, as they arrive."""
        with self._open("GET", path) as response:
            for line in _lines(response.iter_bytes()):
                row = parsed(line.decode(errors="replace"))
                if isinstance(row, dict):
                    yield row

    def reply(self, status: int | None, body: Any, *, request_id: str = "") -> Reply:
        """What one of a batch's replies says. Without a status it is an error, and nobody pays for those."""
        reply = self._provider.read(status, {"x-request-id": request_id}, json.dumps(body))
        return reply if status else replace(reply, charged=Decimal(0), cost_unknown=False)

    def left_out(self, why: str) -> Reply:
        """What is known of a request that its provider never worked on."""
        return Reply(Outcome.RETRYABLE, detail=self.words(f"The batch left it out: {why}"), charged=Decimal(0))

    def words(self, text: str) -> str:
        """The provider's words as they may be kept: cleaned as `read` cleans what it keeps, and short."""
        return self._provider.read(None, {}, text).raw[:MAX_MESSAGE_LENGTH]

    @contextmanager
    def _open(self, method: str, path: str, **content: Any) -> Iterator[httpx.Response]:
        address = self._provider.endpoint.base_url + path
        try:
            with httpx.stream(
                method,
                address,
                auth=self._provider.authorisation,
                timeout=TIMEOUT,
                verify=trusted_certificates(),
                **content,
            ) as response:
                if is_fault(response.status_code):
                    text = response.read().decode(errors="replace")
                    reply = self._provider.read(response.status_code, response.headers, text)
                    raise BatchFault(reply.outcome, reply.detail)
                yield response
        except NoKey as fault:
            raise BatchFault(Outcome.FINAL_ACCOUNT, str(fault)) from None
        except httpx.HTTPError:
            raise BatchFault(
                Outcome.RETRYABLE, "The provider could not be reached, or the connection broke."
            ) from None


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines; only line feeds end one: JSON may hold other separators as they are."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
    yield rest
