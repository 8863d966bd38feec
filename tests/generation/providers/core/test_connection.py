"""Requests leave one after the other by one connection, whatever way a server ends its answers, or breaks off."""

import asyncio
import gzip
import ssl
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress

import httpx
import pytest

from generation.providers import connection
from generation.providers.connection import Connection
from generation.providers.http import TIMEOUT, a_client

Asking = Callable[[httpx.AsyncBaseTransport, str], Awaitable[object]]
HELLO = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"
CLOSES = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 5\r\n\r\nhello"


def with_server(answers: Sequence[Sequence[bytes]], asking: Asking) -> list[list[bytes]]:
    """A server that answers as listed, by connection and request, and closes what has no answer left; what it was
    asked, by connection.
    """
    asked: list[list[bytes]] = []

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine: list[bytes] = []
        asked.append(mine)
        with closing(writer), suppress(asyncio.IncompleteReadError, ConnectionError):  # the client goes away
            for answer in answers[len(asked) - 1]:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
                mine.append(head + await reader.readexactly(length))
                for part in answer.split(b"|"):  # in several pieces
                    writer.write(part)
                    await writer.drain()
                    await asyncio.sleep(0)

    async def run() -> None:
        server = await asyncio.start_server(converse, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        client = Connection(ssl.create_default_context())
        async with server:
            await asking(client, f"http://{host}:{port}/v1/ask?key=1")
            await client.aclose()

    asyncio.run(run())
    return asked


async def ask(client: httpx.AsyncBaseTransport, address: str, content: bytes = b"{}") -> httpx.Response:
    request = httpx.Request("POST", address, content=content, extensions={"timeout": TIMEOUT.as_dict()})
    response = await client.handle_async_request(request)
    await response.aread()
    return response


@pytest.mark.parametrize(
    "answer",
    [
        HELLO,
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhe|\r\n3\r\nllo\r\n0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n|HTTP/1.1 200 |OK\r\ncontent-le|ngth: 5\r\n\r\nhel|lo",
        b"HTTP/1.0 200 OK\r\n\r\nhel|lo",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n" + gzip.compress(b"hello"),
    ],
    ids=["counted", "in chunks", "after another head", "to the end", "compressed"],
)
def test_an_answer_is_read_to_its_end_however_that_is_told(answer: bytes) -> None:
    async def asking(client: httpx.AsyncBaseTransport, address: str) -> None:
        response = await ask(client, address, b'{"q": 1}')
        assert (response.status_code, response.text) == (200, "hello")

    [[asked]] = with_server([[answer]], asking)
    assert asked.startswith(b"POST /v1/ask?key=1 HTTP/1.1\r\n")
    assert asked.endswith(b'{"q": 1}')


def test_requests_follow_each_other_on_one_connection_until_a_side_ends_it() -> None:
    async def asking(client: httpx.AsyncBaseTransport, address: str) -> None:
        for _ in range(4):
            assert (await ask(client, address)).text == "hello"
            await asyncio.sleep(0.01)

    # The first says that it closes; the second closes without a word.
    assert list(map(len, with_server([[HELLO, CLOSES], [HELLO], [HELLO]], asking))) == [2, 1, 1]


def test_a_connection_that_nobody_used_for_a_while_is_left_for_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def asking(client: httpx.AsyncBaseTransport, address: str) -> None:
        await ask(client, address)
        monkeypatch.setattr(connection, "MAX_IDLE", 0.0)
        await ask(client, address)

    assert list(map(len, with_server([[HELLO, HELLO], [HELLO]], asking))) == [1, 1]


def test_what_a_server_says_unasked_is_nobodys_answer() -> None:
    async def asking(client: httpx.AsyncBaseTransport, address: str) -> None:
        assert (await ask(client, address)).text == "hello"
        await asyncio.sleep(0.01)
        assert (await ask(client, address)).text == "right"

    twice = HELLO + HELLO
    assert len(with_server([[twice, HELLO], [HELLO.replace(b"hello", b"right")]], asking)) == 2
    later = HELLO + b"|" + HELLO
    assert len(with_server([[later, HELLO], [HELLO.replace(b"hello", b"right")]], asking)) == 2


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel", b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 2"]
)
def test_an_answer_that_breaks_off_or_is_none_is_a_fault_of_the_exchange(answer: bytes) -> None:
    async def asking(client: httpx.AsyncBaseTransport, address: str) -> None:
        with pytest.raises(httpx.TransportError) as fault:
            await ask(client, address)
        assert not isinstance(fault.value, httpx.ConnectError)
        assert (await ask(client, address)).text == "hello"

    with_server([[answer], [HELLO]], asking)


def test_what_cannot_be_sent_is_a_fault_before_anything_has_left() -> None:
    async def asking(client: httpx.AsyncBaseTransport, address: str) -> None:
        with pytest.raises(httpx.ConnectError):
            await ask(client, f"http://{'a' * 64}.example/")
        torn = httpx.Request("GET", address, headers={"key": "a\nb"}, extensions={"timeout": {"connect": 1.0}})
        with pytest.raises(httpx.LocalProtocolError):
            await client.handle_async_request(torn)
        assert (await ask(client, address)).text == "hello"

    with_server([[], [HELLO]], asking)


def test_who_gives_up_waiting_takes_nobody_elses_answer() -> None:
    async def asking(client: httpx.AsyncBaseTransport, address: str) -> None:
        waits = asyncio.create_task(ask(client, address))
        while client._exchange is None:  # type: ignore[attr-defined]
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)
        waits.cancel()
        assert (await ask(client, address)).text == "right"

    with_server([[b"HTTP/1.1 200 OK\r\n", HELLO], [HELLO.replace(b"hello", b"right")]], asking)


def test_a_proxy_that_the_environment_names_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def asking(_: httpx.AsyncBaseTransport, address: str) -> None:
        monkeypatch.setenv("HTTP_PROXY", address.partition("/v1")[0])
        client = a_client()
        assert (await ask(client, "http://provider.example/v1/ask")).text == "hello"
        await client.aclose()

    [[asked]] = with_server([[HELLO]], asking)
    assert asked.startswith(b"POST http://provider.example/v1/ask HTTP/1.1")
