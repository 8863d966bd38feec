"""Sending, for every provider that is reached by HTTP: one request, its time-outs, and what can go wrong."""

import asyncio
import functools
import json
from collections.abc import Generator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, Protocol
from urllib.request import getproxies

import httpx

from generation.providers.base import NO_USAGE, Client, Outcome, Reply, Request
from generation.providers.connection import Connection
from generation.providers.core.catalogue import Endpoint
from generation.providers.core.prices import Usage
from generation.providers.core.retry_after import seconds_to_wait
from generation.providers.json_access import parsed, stated_usage
from generation.providers.keys import NoKey, key_of, without_key
from generation.providers.server_errors import by_status, is_fault

# Long enough for a model that thinks; the official clients wait as long.
SECONDS = 600
MOVED = frozenset({301, 302, 303, 307, 308})
TIMEOUT = httpx.Timeout(SECONDS, connect=5)
_EXTENSIONS: Final = {"timeout": TIMEOUT.as_dict()}
_HEADERS: Final = {
    "Accept": "*/*",
    "Accept-Encoding": "gzip, deflate",
    "User-Agent": f"python-httpx/{httpx.__version__}",
    "Content-Type": "application/json",
}

_FAULTS: Mapping[type[Exception], str] = {
    httpx.ConnectTimeout: "The provider could not be reached within 5 seconds.",
    httpx.ConnectError: "The provider could not be reached.",
    httpx.PoolTimeout: "No connection to the provider became free.",
    httpx.TimeoutException: f"No complete answer came within {SECONDS} seconds.",
    TimeoutError: f"No complete answer came within {SECONDS} seconds.",
    httpx.HTTPError: "The connection broke before the answer was complete.",
}
trusted_certificates = functools.cache(httpx.create_ssl_context)  # reading them takes 40 ms of processor
_NEVER_LEFT = (httpx.ConnectTimeout, httpx.ConnectError, httpx.PoolTimeout)


def a_client() -> Client:
    """What requests leave by, one after the other, on a connection of its own, and by the proxy that the
    environment names. It trusts the certificates that all of this process's trust.
    """
    if getproxies().keys() & {"http", "https", "all"}:
        return _ByProxy()
    return Connection(trusted_certificates())


class _ByProxy(httpx.AsyncBaseTransport):
    """Which hosts are asked by which proxy, as httpx reads the environment."""

    def __init__(self) -> None:
        self._client = httpx.AsyncClient(verify=trusted_certificates())

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._client.send(request)

    async def aclose(self) -> None:
        await self._client.aclose()


class Wire(Protocol):
    """A wire format: what is sent and how what comes is read. Pure, and without a network."""

    def check(self, options: Mapping[str, Any]) -> None: ...

    def takes_temperature(self, effort: str, options: Mapping[str, Any]) -> bool: ...

    def check_request(self, request: Request) -> None: ...

    def effort_sent(self, request: Request) -> dict[str, Any]: ...

    def path(self, request: Request) -> str:
        """Where a request goes, below the endpoint's address."""

    def headers(self, key: str) -> dict[str, str]: ...

    def body(self, request: Request) -> dict[str, Any]: ...

    def read(self, status: int | None, headers: Mapping[str, str], body: Any) -> Reply:
        """What the JSON says, whatever it holds; its usage apart."""

    def usage(self, body: Any) -> Usage:
        """The tokens that the JSON states, whatever else it holds."""


class Authorisation(httpx.Auth):
    """What authorises a request, put on it as it leaves: the key is in no variable that a report of a fault shows.

    Sending raises `NoKey`.
    """

    def __init__(self, provider: "HttpProvider") -> None:
        self._provider = provider

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers.update(self._provider.headers())
        yield request


class HttpProvider:
    """A wire format at an address. `authorisation` goes with each request to it."""

    def __init__(self, endpoint: Endpoint, wire: Wire) -> None:
        if not endpoint.base_url:
            raise ValueError("base_url is missing")
        self.name = endpoint.name
        self.endpoint = endpoint
        self.authorisation = Authorisation(self)
        self._wire = wire

    def check(self, options: Mapping[str, Any]) -> None:
        self._wire.check(options)

    def takes_temperature(self, effort: str, options: Mapping[str, Any]) -> bool:
        return self._wire.takes_temperature(effort, options)

    def check_request(self, request: Request) -> None:
        self._wire.check_request(request)

    def effort_sent(self, request: Request) -> dict[str, Any]:
        return self._wire.effort_sent(request)

    def body(self, request: Request) -> dict[str, Any]:
        return self._wire.body(request)

    def headers(self) -> dict[str, str]:
        """What authorises a request. Raises `NoKey`."""
        return self._wire.headers(key_of(self.endpoint))

    async def answer(self, request: Request, *, client: Client) -> Reply:
        address = _address(self.endpoint.base_url + self._wire.path(request))
        content = json.dumps(self.body(request), ensure_ascii=False, separators=(",", ":")).encode()
        sent = httpx.Request("POST", address, headers=_HEADERS, content=content, extensions=_EXTENSIONS)
        try:
            next(self.authorisation.auth_flow(sent))
            async with asyncio.timeout(SECONDS):
                response = await client.handle_async_request(sent)
                await response.aread()
        except NoKey as fault:
            return Reply(Outcome.FINAL_ACCOUNT, detail=str(fault))
        except tuple(_FAULTS) as fault:
            return _never_arrived(fault)
        return self.read(response.status_code, response.headers, response.content.decode(errors="replace"))

    def read(self, status: int | None, headers: Mapping[str, str], text: str) -> Reply:
        reply = self._read(status, headers, text)
        try:
            return _kept(reply, key_of(self.endpoint))
        except NoKey:
            return _kept(reply, "")

    def _read(self, status: int | None, headers: Mapping[str, str], text: str) -> Reply:
        body = parsed(text)
        reply = _no_json(status) if body is None else self._wire.read(status, headers, body)
        usage = self._wire.usage(stated_usage(text) if body is None else body)
        if is_fault(status):
            reply = _as_told(_as_sent_on(reply, status, headers), status, headers)
        wait = seconds_to_wait(headers, now=datetime.now(UTC))
        return replace(
            reply,
            usage=usage,
            raw=text,
            request_id=_request_id(headers) or reply.request_id,
            status=status,
            retry_after=reply.retry_after if wait is None else wait,
            cost_unknown=not is_fault(status) and _says_no_cost(reply, usage),
        )


@functools.lru_cache(maxsize=256)
def _address(text: str) -> httpx.URL:
    return httpx.URL(text)


def _never_arrived(fault: Exception) -> Reply:
    what = next(words for kind, words in _FAULTS.items() if isinstance(fault, kind))
    if isinstance(fault, _NEVER_LEFT):
        return Reply(Outcome.UNREACHABLE, detail=what)
    return Reply(Outcome.RETRYABLE, detail=what, cost_unknown=True)


def _no_json(status: int | None) -> Reply:
    what = f"HTTP {status}" if is_fault(status) else "The reply"
    return Reply(by_status(status) if is_fault(status) else Outcome.RETRYABLE, detail=f"{what}: not JSON.")


def _as_sent_on(reply: Reply, status: int | None, headers: Mapping[str, str]) -> Reply:
    """A redirection, which is not followed, with the address that it names."""
    if status not in MOVED:
        return reply
    moved_to = headers.get("location", "another one")
    return replace(reply, detail=f"HTTP {status}: the address has moved to {moved_to}.")


def _as_told(reply: Reply, status: int | None, headers: Mapping[str, str]) -> Reply:
    """Some providers say themselves whether the same request may succeed later."""
    told = headers.get("x-should-retry")
    if told == "true" and reply.outcome is Outcome.FINAL_REQUEST:
        return replace(reply, outcome=Outcome.RETRYABLE)
    if told == "false" and reply.outcome is Outcome.RETRYABLE:
        # Too many requests, and waiting does not help: the account is exhausted.
        return replace(reply, outcome=Outcome.FINAL_ACCOUNT if status == 429 else Outcome.FINAL_REQUEST)
    return reply


def _says_no_cost(reply: Reply, usage: Usage) -> bool:
    return usage == NO_USAGE and reply.charged is None and reply.outcome is not Outcome.FILTERED


def _request_id(headers: Mapping[str, str]) -> str:
    return headers.get("x-request-id", "") or headers.get("request-id", "")


def _kept(reply: Reply, key: str) -> Reply:
    """The reply with texts that can be kept: without the key, of bounded length, and of characters alone."""

    def clean(text: str) -> str:
        whole = without_key(text, key).replace("\0", "\ufffd")
        if whole.isascii():  # known without a look at it
            return whole
        return whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    return replace(
        reply,
        text=clean(reply.text),
        raw=clean(reply.raw),
        detail=_short(clean(reply.detail), 500),
        request_id=clean(reply.request_id)[:200],
        model=clean(reply.model)[:120],
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
