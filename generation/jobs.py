"""Work done by the worker: it takes ids, sends, and records. No transaction is open while a request is away."""

import asyncio
from collections.abc import Iterator, Sequence
from queue import SimpleQueue
from threading import Thread

from generation.providers import provider
from generation.providers.base import Outcome, Reply, Usage
from generation.services import answers
from generation.services.answers import Outgoing

BATCH = 32


def collect_answers(run_id: str) -> None:
    """Send one batch of a run's calls and ask for the next."""
    batch = answers.begin_batch(run_id=int(run_id), limit=BATCH)
    failures = []
    for outgoing, reply in _replies(batch):
        try:
            answers.record_reply(attempt_id=outgoing.attempt_id, reply=reply)
        except Exception as error:
            failures.append(error)
    if failures:
        raise ExceptionGroup(f"{len(failures)} of {len(batch)} replies could not be recorded", failures)
    answers.go_on(run_id=int(run_id))


def _replies(batch: Sequence[Outgoing]) -> Iterator[tuple[Outgoing, Reply]]:
    """Replies as they arrive. Requests run in an event loop of their own thread; the caller keeps the database."""
    arrived: SimpleQueue[tuple[Outgoing, Reply] | None] = SimpleQueue()

    async def ask(outgoing: Outgoing) -> None:
        try:
            reply = await provider(outgoing.provider).answer(outgoing.request)
        except Exception as error:
            reply = Reply(Outcome.RETRYABLE, "", Usage(0, 0), {"error": repr(error)}, "", outgoing.request.model)
        arrived.put((outgoing, reply))

    async def ask_all() -> None:
        await asyncio.gather(*(ask(outgoing) for outgoing in batch))

    def run() -> None:
        try:
            asyncio.run(ask_all())
        finally:
            arrived.put(None)  # also where the loop itself fails: nobody waits for what cannot come

    thread = Thread(target=run, name="requests")
    thread.start()
    while (pair := arrived.get()) is not None:
        yield pair
    thread.join()
