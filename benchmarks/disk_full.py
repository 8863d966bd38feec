"""The database's disk is full for a while: what both rooms say, what is lost, how soon all is well again.

    python -m benchmarks.disk_full [--megabytes 600] [--seconds 40]

Puts a local stack's state on a small file system in memory, for which it has to be root. One person writes, one
judges, each in a browser, and a writer without one counts what is acknowledged. Then what is left of the disk is
filled, for so many seconds, and freed. Nobody does anything else: the page goes on typing, the stack is left alone.
Ends with 1 where something acknowledged is missing, a room says nothing, or something has not come back by itself.
"""

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import django
import httpx
from django.core.management import call_command
from django.db import connection
from playwright.async_api import Page, async_playwright, expect

from benchmarks.support.room_client import Outcome, Room
from benchmarks.support.server import web_server
from benchmarks.support.wire import Connection
from tests.chromium import launch_options

if TYPE_CHECKING:
    from benchmarks.support.disk_study import Seats

    Shown = tuple[str, list[tuple[str, int]]]

SAVED: Final = re.compile("^Saved")
NOTICE: Final = "[data-notice=unreachable]"
GIVEN: Final = (
    "() => [...document.querySelectorAll('.scale :checked')].map(({ name, value }) => [name, Number(value)])"
)
PATIENCE: Final = 300.0  # seconds after which what has not come back counts as lost
STEP: Final = 0.2  # seconds between two saves
PAUSE: Final = 12.0  # seconds that a room may take to say that a change is not saved
TYPED: Final = 400  # characters a second, some thousands in all
LONG: Final = 20_000  # characters that a save changes: the disk is full for all of them at once


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.disk_full")
    arguments.add_argument("--megabytes", type=int, default=600)
    arguments.add_argument("--seconds", type=float, default=40.0, help="for which the disk is full")
    arguments.add_argument("--on", type=Path, help=argparse.SUPPRESS)  # in the stack: the file system
    asked = arguments.parse_args()
    if asked.on:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
        os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        django.setup()
        sys.exit(_inside(asked.on, asked.seconds))
    with small_file_system(asked.megabytes) as folder:
        stack = ["scrub_site.local_stack", "run", "--state", f"{folder}/state", "--"]
        this = ["benchmarks.disk_full", "--on", str(folder), "--seconds", str(asked.seconds)]
        sys.exit(subprocess.call([sys.executable, "-m", *stack, sys.executable, "-m", *this]))


@contextmanager
def small_file_system(megabytes: int) -> Iterator[Path]:
    """A folder that holds so much and no more, gone with the block."""
    with tempfile.TemporaryDirectory(prefix="scrub-disk-", dir="/var/tmp") as parent:
        Path(parent).chmod(0o755)  # the database's account has to get through
        folder = Path(parent) / "disk"
        folder.mkdir()
        subprocess.run(
            ["/bin/mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "none", folder], check=True
        )
        try:
            yield folder
        finally:
            subprocess.run(["/bin/umount", "--lazy", folder], check=True)


@dataclass
class Course:
    """What was acknowledged and refused, by seconds since the disk was filled."""

    full_at: float = 0.0
    free_at: float = 0.0
    refused: int = 0
    first_refused: float = 0.0
    first_saved_again: float = 0.0
    said_after: dict[str, float] = field(default_factory=dict)  # by room
    back_after: dict[str, float] = field(default_factory=dict)
    silent: list[str] = field(default_factory=list)
    ready_said_no: int = 0
    pages: list[int] = field(default_factory=list)

    def note(self, *, is_saved: bool) -> None:
        now = time.monotonic()
        if not is_saved and self.full_at:
            self.refused += 1
            self.first_refused = self.first_refused or now
        if is_saved and self.free_at:
            self.first_saved_again = self.first_saved_again or now


def _inside(folder: Path, seconds: float) -> int:
    from benchmarks.support import disk_study, writing_study  # noqa: PLC0415 - models exist once Django is set up

    for command in ("migrate", "createcachetable"):
        call_command(command, verbosity=0)
    if not os.environ.get("DEBUG"):
        call_command("collectstatic", interactive=False, verbosity=0)
    seats = disk_study.prepare()
    with web_server() as address, the_loop(address) as loop:
        course, room, shown = asyncio.run(_course(address, seats, folder / "ballast", seconds))
        connection.close()  # the server that it led to has ended
        writer = seats.writer.assignment_id
        found = writing_study.findings({writer: room.acknowledged}, {writer: room.text})
        problems = [f"lost: {each}" for each in found.missing]
        problems += [f"{name} has changes that are not saved, and does not say so" for name in course.silent]
        problems += disk_study.problems(seats, *shown, loop)
    print(
        f"full for {course.free_at - course.full_at:.0f} s; {course.refused} saves were refused, the first after "
        f"{_after(course.first_refused - course.full_at)}; readiness said no {course.ready_said_no} times; pages "
        f"answered {sorted(set(course.pages))}"
    )
    for name in ("writing", "judging"):
        said = course.said_after.get(name)
        print(
            f"{name}: {'never refused' if said is None else f'said so after {_after(said)}'}; all saved "
            f"{_after(course.back_after[name])} after there was space again"
        )
    print(f"{len(room.acknowledged)} long saves acknowledged, {found.found} found; {len(problems)} problems")
    for problem in problems:
        print(problem)
    return bool(problems)


@contextmanager
def the_loop(address: str) -> Iterator[subprocess.Popen[bytes]]:
    """The loop beside the web server, which it asks whether the site answers; it ends with the block."""
    environment = {**os.environ, "PROBE_URL": f"{address}/health/ready/"}
    command = [sys.executable, "manage.py", "run_loop"]
    loop = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        yield loop
    finally:
        loop.terminate()
        loop.wait(timeout=60)


def _after(seconds: float) -> str:
    return f"{seconds:.1f} s"


async def _course(address: str, seats: "Seats", ballast: Path, seconds: float) -> tuple[Course, Room, "Shown"]:
    port = urlsplit(address).port or 80
    room = Room(Connection(port, {"sessionid": seats.writer.session}, patience=10.0), seats.writer.assignment_id)
    await room.enter()
    course = Course()
    async with a_page(address, seats.typist.session) as writing, a_page(address, seats.judge_session) as judging:
        await writing.goto(f"{address}/writing/{seats.typist.assignment_id}/")
        await writing.locator("#answer").press_sequentially("Before. ")
        await judging.goto(f"{address}/judging/{seats.item_id}/")
        # Its script begins once the text was painted: a key before that scores nothing.
        await expect(judging.locator("[data-save-state]")).not_to_have_attribute(
            "data-save-state", "", timeout=30_000
        )
        await judging.keyboard.press("7")
        states = {"writing": writing.locator("#status"), "judging": judging.locator("[data-save-state]")}
        notices = {"writing": writing.locator(NOTICE), "judging": judging.locator(NOTICE)}
        for state in states.values():
            await expect(state).to_have_text(SAVED, timeout=30_000)
        clients = [
            asyncio.create_task(_go_on_saving(room, course)),
            asyncio.create_task(_watch(address, seats, course)),
        ]
        _fill(ballast)
        course.full_at = time.monotonic()
        while time.monotonic() - course.full_at < seconds:
            await writing.locator("#answer").focus()
            await writing.keyboard.insert_text(f"{os.urandom(TYPED // 2).hex(' ', 4)} ")
            await judging.keyboard.press(random.choice("123456789"))  # noqa: S311 - any score will do
            await asyncio.sleep(1)
            for name, notice in notices.items():
                if await notice.is_visible():
                    course.said_after.setdefault(name, time.monotonic() - course.full_at)
        await asyncio.sleep(PAUSE)
        for name, notice in notices.items():
            if not await notice.is_visible() and not SAVED.match(await states[name].inner_text()):
                course.silent.append(name)
        ballast.unlink()
        course.free_at = time.monotonic()
        for name, notice in notices.items():
            await expect(notice).to_be_hidden(timeout=PATIENCE * 1000)
            await expect(states[name]).to_have_text(SAVED, timeout=PATIENCE * 1000)
            course.back_after[name] = time.monotonic() - course.free_at
        while not (course.first_saved_again or clients[0].done()):
            await asyncio.sleep(STEP)
        for client in clients:
            client.cancel()
        for ended in await asyncio.gather(*clients, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError):
                raise RuntimeError("A client of the benchmark ended by itself.") from ended
        if not await room.hand_in(room.text):
            raise RuntimeError("The writer could not hand in.")
        shown = await writing.locator("#answer").input_value(), await judging.evaluate(GIVEN)
    return course, room, shown


@asynccontextmanager
async def a_page(address: str, session: str) -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launch_options())
        context = await browser.new_context()
        await context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
        yield await context.new_page()
        await browser.close()


async def _go_on_saving(room: Room, course: Course) -> None:
    """Save texts that share nothing, so that each needs space of its own."""
    while True:
        try:
            outcome = await room.save(os.urandom(LONG // 2).hex(" ", 4))
        except OSError:
            outcome = Outcome.FAILED
        course.note(is_saved=outcome is Outcome.SAVED)
        await asyncio.sleep(STEP)


async def _watch(address: str, seats: "Seats", course: Course) -> None:
    """Ask for readiness and for a page, as a proxy and a person do."""
    async with httpx.AsyncClient(
        base_url=address, timeout=10, cookies={"sessionid": seats.writer.session}
    ) as client:
        while True:
            for path in ("/health/ready/", f"/writing/{seats.writer.assignment_id}/"):
                try:
                    status = (await client.get(path)).status_code
                except httpx.TransportError:
                    status = 0
                if path.startswith("/health"):
                    course.ready_said_no += status == httpx.codes.SERVICE_UNAVAILABLE
                else:
                    course.pages.append(status)
            await asyncio.sleep(1)


def _fill(ballast: Path) -> None:
    """Take all that is left of the file system."""
    with ballast.open("wb", buffering=0) as file:  # or closing it would write once more
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            return


if __name__ == "__main__":
    main()
