"""A lean HTTP client: hundreds of people at little cost to the machine that is being measured."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """One person's kept-alive connection to a site on this machine, with their cookies.

    `patience` is how many seconds they wait for an answer.
    """

    def __init__(self, port: int, cookies: dict[str, str], *, patience: float = 4.5) -> None:
        self.port = port
        self.cookies = cookies
        self.patience = patience
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def get(self, path: str) -> Answer:
        """Raises `OSError`, as `post` does, where no answer comes in time."""
        return await self._request("GET", path, "", b"")

    async def post(self, path: str, body: bytes, content_type: str = "application/json") -> Answer:
        token = self.cookies.get("csrftoken", "")
        origin = f"http://127.0.0.1:{self.port}"
        headers = f"Origin: {origin}\r\nX-CSRFToken: {token}\r\nContent-Type: {content_type}\r\n"
        return await self._request("POST", path, f"{headers}Content-Length: {len(body)}\r\n", body)

    def close(self) -> None:
        if self._writer:
            self._writer.close()
        self._reader = self._writer = None

    async def _request(self, method: str, path: str, headers: str, body: bytes) -> Answer:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {cookies}\r\n"
            f"Accept-Encoding: gzip\r\n{headers}\r\n"
        )
        is_kept = self._reader is not None
        try:
            async with asyncio.timeout(self.patience):
                answer = await self._exchange(head.encode() + body)
                if answer is None and is_kept:  # the server had closed it: browsers try once more
                    answer = await self._exchange(head.encode() + body)
        except BaseException:
            self.close()
            raise
        if answer is None:
            raise ConnectionResetError("The connection ended before the answer did.")
        return answer

    async def _exchange(self, request: bytes) -> Answer | None:
        """The answer; `None`, and the connection is closed, where it ends before."""
        try:
            if self._reader is None or self._writer is None:
                self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
            self._writer.write(request)
            status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()
            headers = {}
            for name, _, value in (line.partition(": ") for line in lines if line):
                headers[name.lower()] = value
                if name.lower() == "set-cookie":
                    cookie, _, content = value.partition(";")[0].partition("=")
                    self.cookies[cookie] = content
            body = await self._reader.readexactly(int(headers.get("content-length", 0)))
        except (asyncio.IncompleteReadError, ConnectionResetError, BrokenPipeError):
            self.close()
            return None
        if headers.get("connection") == "close":
            self.close()
        return Answer(int(status.split()[1]), headers, body)
