"""Sends requests from a thread with an event loop, so that the thread it works for keeps the database to itself."""

import asyncio
import logging
import time
from collections import defaultdict, deque
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Generic, Self, TypeVar

from generation.providers import provider
from generation.providers.base import Client, Outcome, Reply, Request
from generation.providers.http import a_client

log = logging.getLogger(__name__)
T = TypeVar("T")
SECONDS_TO_START = 60


@dataclass(frozen=True, slots=True)
class Delivery(Generic[T]):
    """A reply to the request that was handed over with a `ticket`."""

    ticket: T
    provider: str
    reply: Reply
    milliseconds: int


@dataclass
class _Desk(Generic[T]):
    """The requests to one provider. Only the loop's thread lets them leave and counts them.

    Each request on its way has a client of its own, and so a connection: a client with 64 of them looks at every
    one several times for each request, which takes nine times as long as the request itself.
    """

    slots: int = 0
    on_their_way: int = 0
    waiting: deque[tuple[T, Request]] = field(default_factory=deque)
    idle: list[Client] = field(default_factory=list)


class AsyncSender(Generic[T]):
    """A context: the thread lives as long as the block. Leaving it gives up what is still on its way.

    All methods are for the thread that opened it.
    """

    def __init__(self) -> None:
        self._desks: defaultdict[str, _Desk[T]] = defaultdict(_Desk)
        self._delivered: SimpleQueue[Delivery[T]] = SimpleQueue()
        self._errands: set[asyncio.Task[None]] = set()
        self._started: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = Thread(target=lambda: asyncio.run(self._run()), name="sender", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._loop = self._started.result(timeout=SECONDS_TO_START)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()

    def send(self, provider_name: str, ticket: T, request: Request) -> None:
        """Let the request leave as soon as there is a slot."""
        desk = self._desks[provider_name]
        desk.waiting.append((ticket, request))
        self._loop.call_soon_threadsafe(self._let_leave, provider_name, desk)

    def allow(self, slots: Mapping[str, int]) -> None:
        """How many requests to each provider may be on their way at once. More already are: no more leave."""
        for name, number in slots.items():
            desk = self._desks[name]
            desk.slots = number
            self._loop.call_soon_threadsafe(self._let_leave, name, desk)

    def on_their_way(self, provider_name: str) -> int:
        return self._desks[provider_name].on_their_way

    def waiting(self, provider_name: str) -> int:
        """Requests that have not left yet."""
        return len(self._desks[provider_name].waiting)

    def take_back(self) -> list[T]:
        """The tickets of what has not left; it will not any more."""
        tickets = []
        for desk in self._desks.values():
            with suppress(IndexError):  # the loop's thread may take the last one
                while True:
                    tickets.append(desk.waiting.pop()[0])
        return tickets

    def deliveries(self, *, patience: float, gather: float) -> list[Delivery[T]]:
        """What has come back: waits up to `patience` seconds for the first, and `gather` seconds for more."""
        try:
            found = [self._delivered.get(timeout=patience)]
        except Empty:
            return []
        time.sleep(gather)
        with suppress(Empty):
            while True:
                found.append(self._delivered.get_nowait())
        return found

    async def _run(self) -> None:
        self._ended = asyncio.Event()
        self._started.set_result(asyncio.get_running_loop())
        await self._ended.wait()
        for errand in self._errands:
            errand.cancel()
        await asyncio.gather(*self._errands, return_exceptions=True)
        for desk in self._desks.values():
            for client in desk.idle:
                await client.aclose()

    def _let_leave(self, name: str, desk: _Desk[T]) -> None:
        with suppress(IndexError):
            while desk.on_their_way < desk.slots:
                ticket, request = desk.waiting.popleft()
                desk.on_their_way += 1
                errand = self._loop.create_task(self._ask(name, desk, ticket, request))
                self._errands.add(errand)
                errand.add_done_callback(self._errands.discard)

    async def _ask(self, name: str, desk: _Desk[T], ticket: T, request: Request) -> None:
        client = desk.idle.pop() if desk.idle else a_client()
        began = time.monotonic()
        try:
            reply = await provider(name).answer(request, client=client)
        except asyncio.CancelledError:
            await client.aclose()
            raise
        except Exception as error:
            log.exception("a fault of ours while %s was asked", name)
            reply = Reply(
                Outcome.RETRYABLE, detail=f"The program failed: {type(error).__name__}.", cost_unknown=True
            )
        self._delivered.put(Delivery(ticket, name, reply, round(1000 * (time.monotonic() - began))))
        desk.idle.append(client)
        desk.on_their_way -= 1
        self._let_leave(name, desk)
