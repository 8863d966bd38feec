"""Kills every process of a demonstration in turn while somebody writes, and counts what was lost.

    python -m benchmarks.kills

Starts a demonstration of its own, with its own state folder and port, and ends it. A save counts as acknowledged
when the server has answered it; afterwards the room must show the last acknowledged text.
"""

import asyncio
import time

from benchmarks.support.room_client import Outcome, Room
from benchmarks.support.stack import PROCESSES, Stack, demonstration, django_on
from benchmarks.support.wire import Connection

STEADY = 3.0  # seconds without a failure, after which the site counts as well again
MAX_OUTAGE_SECONDS = 40.0


async def longest_wait(room: Room) -> float:
    """Go on saving until that has worked for a while; the longest time without an acknowledged save, in seconds."""
    longest, saved_at, well_since = 0.0, time.monotonic(), time.monotonic()
    while time.monotonic() - well_since < STEADY:
        saved = await save_one_more(room)
        now = time.monotonic()
        longest = max(longest, now - saved_at)
        if saved:
            saved_at = now
        else:
            well_since = now
        if now - saved_at > MAX_OUTAGE_SECONDS:
            raise TimeoutError(f"No save was acknowledged for {MAX_OUTAGE_SECONDS} s.")
        await asyncio.sleep(0.1)
    return longest


async def save_one_more(room: Room) -> bool:
    """Add a sentence and save it; whether it was acknowledged."""
    text = f"{room.text}Sentence {len(room.acknowledged)} of a text that must survive. "
    try:
        return await room.save(text) is Outcome.SAVED
    except OSError:
        return False


async def kill_in_turn(stack: Stack, room: Room) -> int:
    """How many times something acknowledged was missing."""
    await room.enter()
    await longest_wait(room)
    lost = 0
    for name in PROCESSES:
        victim = stack.kill(name)
        seconds = await longest_wait(room)
        acknowledged = room.text
        kept = await room.take_pen() == acknowledged
        lost += not kept
        verdict = "kept" if kept else "LOST"
        print(f"{name:<9} killed (process {victim}); longest wait for a save {seconds:4.1f} s; text {verdict}")
    print(f"{len(room.acknowledged)} saves acknowledged, {lost} times something was missing")
    return lost


def main() -> None:
    with demonstration() as stack:
        django_on(stack)
        from benchmarks.support import writing_study  # noqa: PLC0415 - models exist only once Django is set up

        (seat,) = writing_study.prepare(writers=1, minutes=30)
        room = Room(Connection(stack.port, {"sessionid": seat.session}), seat.assignment_id)
        lost = asyncio.run(kill_in_turn(stack, room))
    if lost:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
