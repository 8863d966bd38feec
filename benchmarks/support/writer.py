"""One simulated person in the writing room, and what they noted."""

import asyncio
import itertools
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from benchmarks.support.measures import Log, Span
from benchmarks.support.room_client import Outcome, Room
from benchmarks.support.typist import Typist, an_opening

# As the page's script has them, in seconds.
PAUSE, LATEST, IDLE = 2.0, 5.0, 5.0
RETRIES = (1.0, 2.0, 4.0)
SPREAD = 0.5

TICK = 0.25  # seconds between two looks at the clock
WORDS_TO_BEGIN_WITH = 250
PATIENCE = 60.0  # seconds for coming in and for handing in


@dataclass
class Writer:
    """Somebody at one answer. `last_text` is the text they last heard to be kept or handed in."""

    room: Room
    numbers: random.Random
    log: Log = field(default_factory=Log)
    last_text: str = ""

    async def enter(self) -> Typist:
        """Come in; the text of the typist that is returned is not saved yet. Raises `TimeoutError`."""
        await self._insist(self._entered)
        return Typist(self.numbers, an_opening(WORDS_TO_BEGIN_WITH, self.numbers), time.monotonic())

    async def write(self, typist: Typist, *, until: float) -> None:
        """Type and save as somebody at the page does."""
        asked_at, failures, retry_at = time.monotonic(), 0, 0.0
        unsaved_since: float | None = None
        while (now := time.monotonic()) < until:
            typist.until(now)
            is_unsaved = typist.text != self.room.text
            unsaved_since = (unsaved_since or now) if is_unsaved else None
            if failures:
                is_due = now >= retry_at
            elif unsaved_since:
                is_due = now - typist.changed_at >= PAUSE or now - unsaved_since >= LATEST
            else:
                is_due = now - asked_at >= IDLE
            if is_due:
                succeeded = await (self._save(typist) if is_unsaved else self._exchange(self.room.check()))
                asked_at, unsaved_since = time.monotonic(), None
                failures = 0 if succeeded else failures + 1
                retry_at = asked_at + self._back_off(failures) if failures else 0
            await asyncio.sleep(TICK)

    async def write_without_thinking(self, typist: Typist, *, until: float) -> None:
        """Save five more words as soon as the last save is answered."""
        while time.monotonic() < until:
            typist.text = f"{typist.text} {an_opening(5, self.numbers)}"
            if not await self._save(typist):
                await asyncio.sleep(self._back_off(1))

    async def finish(self, text: str, *, hands_in: bool) -> None:
        """Hand `text` in, or save it for the last time and leave. Raises `TimeoutError`."""
        await self._insist(lambda: self.room.hand_in(text) if hands_in else self._saved(text))
        self.last_text = text

    async def _save(self, typist: Typist) -> bool:
        events = list(typist.activity)
        succeeded = await self._exchange(self._saved(typist.text, *events), is_save=True)
        if succeeded:
            self.last_text = self.room.text
            del typist.activity[: len(events)]
        return succeeded

    async def _saved(self, text: str, *events: list[str | int]) -> bool:
        return await self.room.save(text, list(events)) is Outcome.SAVED

    async def _entered(self) -> bool:
        await self.room.enter()
        return True

    async def _insist(self, attempt: Callable[[], Awaitable[bool]]) -> None:
        """Try again and again. Raises `TimeoutError` when nobody would wait any longer."""
        gives_up = time.monotonic() + PATIENCE
        for failures in itertools.count(1):
            if await self._exchange(attempt()):
                return
            if time.monotonic() > gives_up:
                raise TimeoutError(f"Nothing succeeded for {PATIENCE} s.")
            await asyncio.sleep(self._back_off(failures))

    async def _exchange(self, exchange: Awaitable[bool], *, is_save: bool = False) -> bool:
        began = time.monotonic()
        try:
            succeeded = await exchange
        except OSError:
            succeeded = False
        self.log.note(Span(began, time.monotonic()), succeeded=succeeded, is_save=is_save)
        return succeeded

    def _back_off(self, failures: int) -> float:
        """Seconds to wait after so many failures in a row."""
        return RETRIES[min(failures, len(RETRIES)) - 1] + self.numbers.uniform(0, SPREAD)
