"""Many writers who arrive within ten seconds: what they wait for, what goes wrong, and whether anything is lost.

Each opens the start page, begins, opens the room, takes the pen, saves and hands in, as a browser does. Whoever is
asked for a moment waits as long as the page says. Production settings, two web processes of four threads each.
"""

import argparse
import asyncio
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import django
from django.core.management import call_command

from benchmarks.support.room_client import Outcome, Room
from benchmarks.support.server import web_server
from benchmarks.support.typist import an_opening
from benchmarks.support.wire import Connection

if TYPE_CHECKING:
    from benchmarks.support.writing_study import Seat

ARRIVING = 10.0  # seconds
PATIENCE = 30.0  # seconds for an answer
TRIES = 10
MOMENT = (4.0, 12.0)  # seconds, as the page that asks for one says
WORDS = 60


@dataclass
class Arrival:
    """One writer: seconds from arriving to the pen and to the first save, and what went wrong on the way."""

    room: Room
    numbers: random.Random
    pen: float = 0.0
    saved: float = 0.0
    problems: Counter[str] = field(default_factory=Counter)
    text: str = ""

    async def come(self) -> None:
        await asyncio.sleep(self.numbers.uniform(0, ARRIVING))
        began = time.monotonic()
        for _ in range(TRIES):
            try:
                await self.room.enter()
                self.pen = time.monotonic() - began
                self.text = an_opening(WORDS, self.numbers)
                if await self.room.save(self.text) is Outcome.SAVED:
                    self.saved = time.monotonic() - began
                    await self._hand_in()
                    return
                self.problems["save not taken"] += 1
            except OSError as error:  # also where another answer came than the one that was expected
                self.problems[str(error) or type(error).__name__] += 1
            await asyncio.sleep(self.numbers.uniform(*MOMENT))

    async def _hand_in(self) -> None:
        for _ in range(TRIES):
            try:
                if await self.room.hand_in(self.text):
                    return
            except OSError as error:
                self.problems[f"handing in: {error or type(error).__name__}"] += 1
            await asyncio.sleep(self.numbers.uniform(*MOMENT))


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.arrivals")
    arguments.add_argument("--writers", type=int, nargs="*", default=[50, 100, 200, 400])
    numbers = arguments.parse_args().writers
    from benchmarks.support import writing_study  # noqa: PLC0415 - models exist only once Django is set up

    for command in ("migrate", "createcachetable"):
        call_command(command, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    with web_server() as address:
        port = urlsplit(address).port or 80
        for number in numbers:
            seats = writing_study.prepare(writers=number, minutes=30, name=f"arrive-{os.getpid()}-{number}")
            arrivals = [arrival_at(port, seat) for seat in seats]
            asyncio.run(_all(arrivals))
            came = {seat.assignment_id: each for seat, each in zip(seats, arrivals, strict=True) if each.saved}
            found = writing_study.findings(
                {pk: each.room.acknowledged for pk, each in came.items()},
                {pk: each.text for pk, each in came.items()},
            )
            report(arrivals, lost=len(found.missing))


def arrival_at(port: int, seat: "Seat") -> Arrival:
    connection = Connection(port, {"sessionid": seat.session}, patience=PATIENCE)
    numbers = random.Random(seat.assignment_id)  # noqa: S311 - the same every time
    return Arrival(Room(connection, seat.assignment_id), numbers)


async def _all(arrivals: Sequence[Arrival]) -> None:
    await asyncio.gather(*(each.come() for each in arrivals))


def report(arrivals: Sequence[Arrival], *, lost: int) -> None:
    waits = sorted(each.saved for each in arrivals if each.saved)
    problems: Counter[str] = sum((each.problems for each in arrivals), Counter())
    middle, most = (statistics.median(waits), waits[-1]) if waits else (0.0, 0.0)
    p95 = waits[int(0.95 * (len(waits) - 1))] if waits else 0.0
    print(
        f"{len(arrivals):>4} writers   first save after p50 {middle:5.1f} s   p95 {p95:5.1f} s   "
        f"longest {most:5.1f} s   never {len(arrivals) - len(waits)}   "
        f"problems {dict(problems) or 'none'}   lost {lost}   "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    django.setup()
    main()
