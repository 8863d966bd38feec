"""HTTP/1.1 over a real socket, as little of it as clients of model providers speak."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl


class Break(Enum):
    """How an exchange may break off."""

    BEFORE_THE_REPLY = "before"
    WITHIN_THE_REPLY = "within"
    NEVER_REPLIES = "never"


@dataclass(frozen=True)
class HttpRequest:
    """Names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    content: bytes = b""
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def body(self) -> Any:
        """The JSON that was sent, {} for no content."""
        return json.loads(self.content or b"{}")


@dataclass(frozen=True)
class HttpReply:
    """`body` is sent as it is where it is text, as JSON otherwise."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    breaks: Break | None = None

    def content(self) -> bytes:
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


Handler = Callable[[HttpRequest], Awaitable[HttpReply]]


async def serve(handler: Handler, port: int) -> asyncio.Server:
    """Listen on the port of 127.0.0.1 (0: any free one)."""

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                reply = await handler(await _read(reader))
                await _write(reply, reader, writer)
                if reply.breaks:
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away
        finally:
            writer.close()

    return await asyncio.start_server(converse, "127.0.0.1", port, limit=1 << 20)


async def _read(reader: asyncio.StreamReader) -> HttpRequest:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").rstrip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    content = await reader.readexactly(int(headers.get("content-length", 0)))
    path, _, query = target.partition("?")
    return HttpRequest(method, path, headers, content, dict(parse_qsl(query)))


async def _write(reply: HttpReply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if reply.breaks is Break.NEVER_REPLIES:
        await reader.read()  # until the client has had enough
    if reply.breaks in {Break.NEVER_REPLIES, Break.BEFORE_THE_REPLY}:
        return
    content = reply.content()
    kind = "text/html" if isinstance(reply.body, str) else "application/json"
    headers = {"content-type": kind, "content-length": str(len(content)), **reply.headers}
    head = [
        f"HTTP/1.1 {reply.status} {_phrase(reply.status)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    shown = content[: len(content) // 2] if reply.breaks is Break.WITHIN_THE_REPLY else content
    writer.write("\r\n".join([*head, "", ""]).encode("latin-1") + shown)
    await writer.drain()


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Of the provider's own"
