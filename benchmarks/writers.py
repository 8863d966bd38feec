"""Many people write at once while processes of the site are killed: what was lost, and how long a save took.

    python -m benchmarks.writers [--writers 200] [--minutes 5]
    python -m benchmarks.writers --flat-out [--writers 200] [--minutes 0.5]

Starts a demonstration of its own, with its own state folder and port, and ends it. Writers save as the page does:
two seconds after a pause, at the latest every five, and they ask for the state when idle. With `--flat-out` they do
not think and nothing is killed: how many saves does the site take? Ends with 1 where anything acknowledged is lost.
"""

import argparse
import asyncio
import itertools
import math
import os
import random
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.support.measures import Span, away_from, disturbed, in_milliseconds
from benchmarks.support.room_client import Room
from benchmarks.support.stack import Stack, demonstration, django_on
from benchmarks.support.wire import Connection
from benchmarks.support.writer import Writer

if TYPE_CHECKING:
    from benchmarks.support.writing_study import Findings, Seat

ENTERING = 10.0  # seconds in which writers come in, and in which they hand in
TO_SPARE = 30.0  # seconds between the last of them and the end of anybody's time
LEAVES = 10  # every tenth writer just leaves: the clock hands in for them
SECONDS_FOR_THE_CLOCK = 150  # until it has
PATIENCE_FLAT_OUT = 30.0  # seconds for an answer: everybody waits for everybody

# Ended in turn, one after the other.
FAULTS = (
    ("web worker", signal.SIGKILL),
    ("postgres", signal.SIGKILL),
    ("web worker", signal.SIGKILL),
    ("web", signal.SIGKILL),
    ("web worker", signal.SIGKILL),
    ("postgres", signal.SIGINT),  # its fast shutdown
)
SECONDS_BETWEEN_FAULTS = 60.0


@dataclass(frozen=True)
class Fault:
    name: str
    moment: float


async def attend(number: int, writer: Writer, *, until: float, flat_out: bool) -> None:
    """One writer's time in the room, from the start page to the receipt."""
    await asyncio.sleep(writer.numbers.uniform(0, ENTERING))
    typist = await writer.enter()
    await (writer.write_without_thinking if flat_out else writer.write)(typist, until=until)
    await asyncio.sleep(writer.numbers.uniform(0, ENTERING))
    await writer.finish(typist.text, hands_in=flat_out or number % LEAVES != 0)


async def break_things(stack: Stack, writing: Span) -> list[Fault]:
    """End one process after the other, in even steps."""
    step = min(SECONDS_BETWEEN_FAULTS, writing.seconds / (len(FAULTS) + 1))
    faults = []
    for number, (name, how) in zip(range(1, int(writing.seconds / step)), itertools.cycle(FAULTS), strict=False):
        await asyncio.sleep(writing.began + number * step - time.monotonic())
        with suppress(LookupError):  # not back from the fault before
            stack.kill(name, how)
            faults.append(Fault(f"{name} ended by {how.name}", time.monotonic()))
    return faults


async def watch(stack: Stack, servers: Sequence[str], writing: Span) -> None:
    """Print what this process and the `servers`, which live through it, used of a core in that time."""

    def used() -> dict[str, float]:
        return {"this client": time.process_time(), **{name: stack.seconds_of_cpu(name) for name in servers}}

    await asyncio.sleep(writing.began - time.monotonic())
    before = used()
    await asyncio.sleep(writing.ended - time.monotonic())
    shares = {name: (seconds - before[name]) / writing.seconds for name, seconds in used().items()}
    print("of one core: " + ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items()))


async def run(stack: Stack, writers: Sequence[Writer], writing: Span, *, flat_out: bool) -> list[Fault]:
    """Everybody comes in, writes and hands in; whoever cannot is told of. Returns the faults there were."""
    attending = [
        asyncio.create_task(attend(number, each, until=writing.ended, flat_out=flat_out))
        for number, each in enumerate(writers, start=1)
    ]
    watching = asyncio.create_task(watch(stack, ("web", "postgres") if flat_out else (), writing))
    faults = [] if flat_out else await break_things(stack, writing)
    for problem in await asyncio.gather(*attending, watching, return_exceptions=True):
        if problem:
            print(f"a writer gave up: {problem!r}")
    return faults


def report(writers: Sequence[Writer], writing: Span, faults: Sequence[Fault], found: "Findings") -> None:
    logs = [writer.log for writer in writers]
    saves = [save for log in logs for save in log.saves]
    spans = disturbed([fault.moment for fault in faults], logs)
    for fault, span in zip(faults, spans, strict=True):
        outages = [each.seconds for log in logs for each in log.outages if each.meets(span)]
        longest = max([*outages, *(save.seconds for save in saves if save.meets(span))], default=0)
        print(
            f"{fault.moment - writing.began:6.0f} s  {fault.name:<28} longest wait of a writer {longest:4.1f} s, "
            f"{len(outages)} had to try again"
        )
    in_time = sum(save.meets(writing) for save in saves)
    acknowledged = sum(len(writer.room.acknowledged) for writer in writers)
    print(f"saves acknowledged {acknowledged}, found {found.found}; {in_time / writing.seconds:.1f} a second")
    print(f"answers: {', '.join(f'{count} {state}' for state, count in sorted(found.states.items()))}")
    print(f"a save, overall              {in_milliseconds(saves)}")
    if faults:
        away = away_from(spans, saves)
        print(f"a save, away from outages    {in_milliseconds(away)} ({100 * len(away) / len(saves):.0f} % of all)")
    for line in found.missing[:20]:
        print(f"LOST  {line}")
    print(f"{len(found.missing)} lost")


def options_given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.writers")
    parser.add_argument("--writers", type=int, default=200)
    parser.add_argument("--minutes", type=float, help="time to write: 5, or half a minute with --flat-out")
    parser.add_argument("--flat-out", action="store_true", help="as many saves as the site takes, and no faults")
    options = parser.parse_args()
    options.minutes = options.minutes or (0.5 if options.flat_out else 5)
    return options


def writer_at(stack: Stack, seat: "Seat", number: int, *, flat_out: bool) -> Writer:
    patience = {"patience": PATIENCE_FLAT_OUT} if flat_out else {}
    connection = Connection(stack.port, {"sessionid": seat.session}, **patience)
    return Writer(Room(connection, seat.assignment_id), random.Random(number))  # noqa: S311 - the same every time


def main() -> None:
    options = options_given()
    with demonstration() as stack:
        django_on(stack)
        from benchmarks.support import writing_study  # noqa: PLC0415 - models exist only once Django is set up

        limit = math.ceil(options.minutes + (2 * ENTERING + TO_SPARE) / 60)
        seats = writing_study.prepare(writers=options.writers, minutes=limit)
        writers = [writer_at(stack, seat, number, flat_out=options.flat_out) for number, seat in enumerate(seats)]
        print(f"{len(seats)} writers for {options.minutes:g} min; load average {os.getloadavg()[0]:.2f}")
        began = time.monotonic() + ENTERING
        writing = Span(began, began + 60 * options.minutes)
        faults = asyncio.run(run(stack, writers, writing, flat_out=options.flat_out))
        writing_study.wait_for_the_clock(seats, seconds=SECONDS_FOR_THE_CLOCK)
        found = writing_study.findings(
            {seat.assignment_id: writer.room.acknowledged for seat, writer in zip(seats, writers, strict=True)},
            {seat.assignment_id: writer.last_text for seat, writer in zip(seats, writers, strict=True)},
        )
        report(writers, writing, faults, found)
    if found.missing:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
