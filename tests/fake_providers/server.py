"""One server for all wire formats: which one is meant follows from the path."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from threading import Thread
from typing import Any

from tests.fake_providers import (
    anthropic_messages,
    chat_completions,
    embeddings,
    google_generate,
    openai_responses,
    sockets,
)
from tests.fake_providers.anthropic_batches import AnthropicBatches
from tests.fake_providers.cases import Format
from tests.fake_providers.openai_batches import OpenAIBatches
from tests.fake_providers.script import Behaviour, Log, Script
from tests.fake_providers.sockets import HttpReply, HttpRequest

COUNTS, SCRIPT = "/-/counts", "/-/script"


class FakeProviders:
    """Deals with requests as `script` says and keeps a `log` of them. `url` is where it listens."""

    def __init__(self) -> None:
        self.url = ""
        self.forget()

    def forget(self) -> None:
        """Nobody has asked anything yet, and nothing was said of how to answer."""
        self.script = Script()
        self.log = Log()
        self.openai_batches = OpenAIBatches()
        self.anthropic_batches = AnthropicBatches()

    async def listen(self, port: int = 0) -> asyncio.Server:
        server = await sockets.serve(self.handle, port)
        self.url = "http://{}:{}".format(*server.sockets[0].getsockname())
        return server

    async def handle(self, request: HttpRequest) -> HttpReply:
        if request.path == COUNTS:
            return HttpReply(self.log.counts())
        if request.path == SCRIPT:
            self._direct(request.body)
            return HttpReply({})
        for wire in self._formats():
            if wire.path.fullmatch(request.path):
                return await self._answer(request, wire)
        return HttpReply({"error": {"message": f"nothing is served at {request.path}"}}, 404)

    def _formats(self) -> Iterator[Format]:
        for wire in (chat_completions, openai_responses, anthropic_messages, google_generate, embeddings):
            yield wire.FORMAT
        yield self.openai_batches.format
        yield self.anthropic_batches.format

    async def _answer(self, request: HttpRequest, wire: Format) -> HttpReply:
        behaviour = self.script.behaviour()
        self.log.came(request)
        try:
            await asyncio.sleep(behaviour.delay)
            reply = (
                self.script.instead(request) or wire.denied(request) or wire.cases[behaviour.case].reply(request)
            )
        finally:
            self.log.went(request, behaviour.case)
        return replace(
            reply, headers={**reply.headers, **behaviour.headers}, breaks=behaviour.breaks or reply.breaks
        )

    def _direct(self, wanted: dict[str, Any]) -> None:
        """Told over the socket: {"usually": {"case", "delay", "headers"}, "every": {"7": {…}}}."""
        if "usually" in wanted:
            self.script.usually = Behaviour(**wanted["usually"])
        if "every" in wanted:
            self.script.every = {int(n): Behaviour(**behaviour) for n, behaviour in wanted["every"].items()}


@contextmanager
def fake_providers() -> Iterator[FakeProviders]:
    """A server in a thread of this process, for as long as the block lasts."""
    fake = FakeProviders()
    started: Future[Callable[[], object]] = Future()

    async def run() -> None:
        ended, loop = asyncio.Event(), asyncio.get_running_loop()
        async with await fake.listen():
            started.set_result(lambda: loop.call_soon_threadsafe(ended.set))
            await ended.wait()

    thread = Thread(target=lambda: asyncio.run(run()), name="fake providers")
    thread.start()
    stop = started.result(timeout=10)
    try:
        yield fake
    finally:
        stop()
        thread.join()
