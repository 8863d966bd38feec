"""Tries an update while people work: it runs, and every single one of their requests has to be answered.

    DATABASE_URL=… REDIS_URL=unix:///nowhere SECRET_KEY=… SITE_URL=http://127.0.0.1:8080 \\
        python -m scripts.try_update [--writers 50] [--judges 10] -- deploy/update

The site runs at `SITE_URL`, a proxy without TLS on this machine, and the database is its own: studies are made
there to write and to judge in, which stay. Writers save as the page does, judges score, and styles and modules of
the release that was there in the beginning are fetched all the while, as by rooms that are open. Ends with 1 where
a request failed or led to signing in, somebody gave up, the update failed, or a save that was acknowledged is not
in the database.
"""

import argparse
import asyncio
import gzip
import itertools
import os
import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

import django
from django.urls import reverse

from benchmarks.support.judge import reading, scoring
from benchmarks.support.room_client import Room
from benchmarks.support.wire import Answer, Connection
from benchmarks.support.writer import Writer

if TYPE_CHECKING:
    from benchmarks.support.judge import Desk

PATIENCE: Final = 30.0  # seconds for an answer
AROUND: Final = 10.0  # seconds of work before the update and after it
SCORES: Final = 1.0  # seconds between two of a judge's
FETCHES: Final = 0.2  # seconds between two late fetches
HASHED: Final = re.compile(r"/static/[\w./-]+\.[0-9a-f]{12}\.(?:js|css)")
IMPORTED: Final = re.compile(r'(?:from |import |import\()"(\.[^"]+)"')


@dataclass
class Seen:
    """What became of the requests: how many were answered, what failed, and how long the longest took."""

    answered: int = 0
    failed: list[str] = field(default_factory=list)
    longest: float = 0.0


class Watched(Connection):
    """A person's connection whose every answer is noted."""

    def __init__(self, port: int, session: str, seen: Seen) -> None:
        super().__init__(port, {"sessionid": session, "csrftoken": "a" * 32}, patience=PATIENCE)
        self.seen = seen

    async def _request(self, method: str, path: str, headers: str, body: bytes) -> Answer:
        began = time.monotonic()
        try:
            answer = await super()._request(method, path, headers, body)
        except OSError as error:
            self.seen.failed.append(f"{method} {path}: {error!r}")
            raise
        self.seen.longest = max(self.seen.longest, time.monotonic() - began)
        is_signed_out = answer.headers.get("location", "").startswith(reverse("account_login"))
        if answer.status < 400 and not is_signed_out:
            self.seen.answered += 1
        else:
            self.seen.failed.append(f"{method} {path}: {'signed out' if is_signed_out else answer.status}")
        return answer


async def write(writer: Writer, over: asyncio.Event) -> None:
    await asyncio.sleep(writer.numbers.uniform(0, AROUND / 2))
    typist = await writer.enter()
    while not over.is_set():
        await writer.write(typist, until=time.monotonic() + 2)
    await writer.finish(typist.text, hands_in=True)


async def judge(desk: "Desk", connection: Watched, over: asyncio.Event) -> None:
    """Ten scores, then the page anew."""
    scores, pages = scoring(desk), reading(desk)
    for number in itertools.count():
        if over.is_set():
            return
        await next(scores if number % 10 else pages)(connection)
        await asyncio.sleep(SCORES)


def text_of(answer: Answer) -> str:
    is_packed = answer.headers.get("content-encoding") == "gzip"
    return (gzip.decompress(answer.body) if is_packed else answer.body).decode()


async def names_of(pages: Sequence[tuple[Connection, str]]) -> list[str]:
    """Every style and module of these pages, and what those import."""
    found: set[str] = set()
    waiting = {name for person, page in pages for name in HASHED.findall(text_of(await person.get(page)))}
    while waiting:
        found |= (now := waiting - found)
        texts = {name: text_of(await pages[0][0].get(name)) for name in now}
        waiting = {urljoin(name, path) for name, text in texts.items() for path in IMPORTED.findall(text)} - found
    return sorted(found)


async def fetch(names: Sequence[str], connection: Watched, over: asyncio.Event) -> None:
    for name in itertools.cycle(names):
        if over.is_set():
            return
        await connection.get(name)
        await asyncio.sleep(FETCHES)


async def run(
    writers: Sequence[tuple[Writer, Watched, int]], desks: Sequence[tuple["Desk", Watched]], command: Sequence[str]
) -> int:
    """Let everybody work, and the update run meanwhile; returns its code."""
    over = asyncio.Event()
    working = [asyncio.create_task(write(writer, over)) for writer, _, _ in writers]
    working += [asyncio.create_task(judge(desk, connection, over)) for desk, connection in desks]
    await asyncio.sleep(AROUND)
    [(_, writing, answer), *_], [(desk, judging), *_] = writers, desks
    late, other = (Watched(each.port, each.cookies["sessionid"], each.seen) for each in (judging, writing))
    names = await names_of([(late, f"/judging/{desk[0].id}/"), (other, f"/writing/{answer}/")])
    working.append(asyncio.create_task(fetch(names, late, over)))
    print(f"{len(writers)} writers, {len(desks)} judges, {len(names)} files of this release", flush=True)
    began = time.monotonic()
    code = await (await asyncio.create_subprocess_exec(*command)).wait()
    print(f"the update took {time.monotonic() - began:.0f} s and ended with {code}", flush=True)
    await asyncio.sleep(AROUND)
    over.set()
    gave_up = [problem for problem in await asyncio.gather(*working, return_exceptions=True) if problem]
    writing.seen.failed += [f"gave up: {problem!r}" for problem in gave_up]
    return code


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.try_update")
    parser.add_argument("--writers", type=int, default=50)
    parser.add_argument("--judges", type=int, default=10)
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    from benchmarks.support import judging_study, writing_study  # noqa: PLC0415 - models exist only now

    port, seen, name = urlsplit(os.environ["SITE_URL"]).port or 80, Seen(), f"update-{os.getpid()}"
    seats = writing_study.prepare(writers=given.writers, minutes=60, name=f"{name}-w")
    desks = judging_study.prepare(judges=given.judges, items=6, name=f"{name}-j")
    writers = []
    for number, seat in enumerate(seats):
        connection = Watched(port, seat.session, seen)
        person = Writer(Room(connection, seat.assignment_id), random.Random(number))  # noqa: S311 - reproducible
        writers.append((person, connection, seat.assignment_id))
    judges = [(desk, Watched(port, desk[0].session, seen)) for desk in desks]
    code = asyncio.run(run(writers, judges, given.command))
    found = writing_study.findings(
        {answer: writer.room.acknowledged for writer, _, answer in writers},
        {answer: writer.last_text for writer, _, answer in writers},
    )
    print(
        f"{seen.answered} requests answered, {len(seen.failed)} failed; the longest took {seen.longest:.1f} s. "
        f"Saves found {found.found}, lost {len(found.missing)}."
    )
    for line in (seen.failed + found.missing)[:20]:
        print(f"- {line}")
    return bool(code or seen.failed or found.missing)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    django.setup()
    sys.exit(main())
