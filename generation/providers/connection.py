"""A connection to a server of a provider, by HTTP/1.1: one request after the other.

It stands in for httpx's own transports, which take four times as much of a processor for each request. What is
asked and answered are httpx's requests and responses, and what goes wrong are its faults.
"""

import asyncio
import ssl
import time
from typing import Final, cast

import h11
import httpx

# A server may close a connection of which nobody makes use, just as the next request leaves.
MAX_IDLE: Final = 5.0  # seconds
# The other address of a host is tried after so many seconds, while the first is waited for.
SECOND_ADDRESS_AFTER: Final = 0.25
MAX_HEAD: Final = 100 * 1024  # bytes of a response's headers
_NO_HEAD: Final = h11.Response(status_code=500, headers=[])  # before one has come
_PORTS: Final = {"http": 80, "https": 443}


class Connection(httpx.AsyncBaseTransport):
    """Requests must not overlap. The connection is kept for the next request to the same place."""

    def __init__(self, certificates: ssl.SSLContext) -> None:
        self._certificates = certificates
        self._origin: tuple[str, str, int] | None = None
        self._exchange: _Exchange | None = None
        self._used_at = 0.0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The whole response. Raises `httpx.TransportError`."""
        exchange = await self._open_for(request)
        try:
            status, headers, content = await exchange.ask(request)
        except BaseException:
            self._close()
            raise
        if exchange.goes_on():
            self._used_at = time.monotonic()
        else:
            self._close()
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(content), request=request)

    async def aclose(self) -> None:
        self._close()
        await asyncio.sleep(0)  # in which the loop does so

    async def _open_for(self, request: httpx.Request) -> "_Exchange":
        url = request.url
        origin = url.scheme, url.host, url.port or _PORTS[url.scheme]
        is_fresh = time.monotonic() - self._used_at < MAX_IDLE
        if self._exchange and origin == self._origin and self._exchange.is_open and is_fresh:
            return self._exchange
        self._close()
        self._origin = origin
        self._exchange = await self._opened(origin, seconds=request.extensions["timeout"]["connect"])
        return self._exchange

    async def _opened(self, origin: tuple[str, str, int], *, seconds: float) -> "_Exchange":
        scheme, host, port = origin
        try:
            async with asyncio.timeout(seconds):
                _, exchange = await asyncio.get_running_loop().create_connection(
                    _Exchange,
                    host,
                    port,
                    ssl=self._certificates if scheme == "https" else None,
                    happy_eyeballs_delay=SECOND_ADDRESS_AFTER,
                )
        except TimeoutError as fault:
            raise httpx.ConnectTimeout("no connection in time") from fault
        except (OSError, UnicodeError) as fault:  # a name that can be no host's is not even looked up
            raise httpx.ConnectError(str(fault)) from fault
        return exchange

    def _close(self) -> None:
        if self._exchange:
            self._exchange.close()
        self._exchange = None


class _Exchange(asyncio.Protocol):
    """What goes over one connection. `is_open` while the next request may leave by it."""

    def __init__(self) -> None:
        self.is_open = True
        self._h11 = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD)
        self._transport: asyncio.WriteTransport
        self._head = _NO_HEAD
        self._content: list[bytes] = []
        self._answered: asyncio.Future[None] | None = None

    async def ask(self, request: httpx.Request) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Status, headers and content of the answer."""
        self._head, self._content = _NO_HEAD, []
        try:
            sent = h11.Request(method=request.method, target=request.url.raw_path, headers=request.headers.raw)
            said = [self._h11.send(each) for each in (sent, h11.Data(request.content), h11.EndOfMessage())]
        except h11.LocalProtocolError as fault:
            raise httpx.LocalProtocolError(str(fault)) from fault
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(b"".join(part for part in said if part))
        await self._answered
        self._answered = None
        return self._head.status_code, list(self._head.headers), b"".join(self._content)

    def goes_on(self) -> bool:
        """Whether both sides are ready for another request, and nothing came that nobody asked for."""
        is_done = self._h11.our_state is self._h11.their_state is h11.DONE
        if self.is_open and is_done and not self._h11.trailing_data[0]:
            self._h11.start_next_cycle()
            return True
        return False

    def close(self) -> None:
        self.is_open = False
        self._transport.close()

    # -- what the loop calls ---------------------------------------------------------------------------------------
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        if self._answered is None:  # nobody has asked
            self.close()
            return
        self._h11.receive_data(data)
        self._read()

    def eof_received(self) -> None:
        self.is_open = False
        if self._answered is not None:
            self._h11.receive_data(b"")
            self._read()

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        self._fail(httpx.ReadError(str(exc or "the connection was closed")))

    def _read(self) -> None:
        try:
            while not isinstance(event := self._h11.next_event(), h11.EndOfMessage):
                if event is h11.NEED_DATA or event is h11.PAUSED:
                    return
                if isinstance(event, h11.Response):
                    self._head = event
                elif isinstance(event, h11.Data):
                    self._content.append(bytes(event.data))
                elif isinstance(event, h11.ConnectionClosed):
                    raise h11.RemoteProtocolError("the server closed the connection without an answer")
        except h11.RemoteProtocolError as fault:
            self._fail(httpx.RemoteProtocolError(str(fault)))
            return
        if self._answered and not self._answered.done():
            self._answered.set_result(None)

    def _fail(self, fault: httpx.TransportError) -> None:
        if self._answered and not self._answered.done():
            self._answered.set_exception(fault)
