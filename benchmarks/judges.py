"""What judges wait for: an item's page, one score, and a whole item submitted with its thirty scores.

Clients on keep-alive connections of this machine ask a real server; PostgreSQL writes to the disk before it says
that something is committed. Each figure is the median of three runs.
"""

import argparse
import asyncio
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import django
from django.core.management import call_command

from benchmarks.support.judge import CSRF, Desk, Request, reading, scoring, submitting
from benchmarks.support.server import web_server
from benchmarks.support.wire import Connection

RUNS = 3
JUDGES = 16
WARMTH = 20  # requests of each client before it counts


@dataclass(frozen=True)
class Figures:
    """One run: milliseconds at the 50th and the 95th percentile, and requests a second."""

    p50: float
    p95: float
    rate: float

    def __str__(self) -> str:
        return f"p50 {self.p50:6.2f} ms   p95 {self.p95:6.2f} ms   {self.rate:7.1f}/s"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=30, help="items of each judge (default: 30)")
    items = arguments.parse_args().items
    from benchmarks.support import judging_study  # noqa: PLC0415 - models exist only once Django is set up

    for command in ("migrate", "createcachetable"):
        call_command(command, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    started = time.perf_counter()
    desks = judging_study.prepare(judges=JUDGES, items=items, name=f"load-{os.getpid()}")
    print(f"{JUDGES} judges, {items} items each, made in {time.perf_counter() - started:.0f} s")
    print(
        f"{os.cpu_count()} cores, Python {platform.python_version()}; the client is one process beside the server"
    )
    print(f"PostgreSQL waits for the disk: {'yes' if judging_study.has_fsync() else 'NO'}")
    with web_server() as address:
        port = urlsplit(address).port or 80
        everything = [item for desk in desks for item in desk]
        for clients in (1, JUDGES):
            some = desks[:clients]
            for name, requests_of, requests in (
                ("item page", reading, 200),
                ("one score", scoring, 300),
                ("thirty scores submitted", submitting, items),
            ):
                runs = []
                for _ in range(RUNS):
                    judging_study.begin_anew(everything)
                    runs.append(asyncio.run(run(requests, port, some, requests_of)))
                print(f"{name:<24} {clients:>2} clients   {median(runs)}", flush=True)


def median(runs: Sequence[Figures]) -> Figures:
    """The median of each figure."""
    return Figures(
        statistics.median(run.p50 for run in runs),
        statistics.median(run.p95 for run in runs),
        statistics.median(run.rate for run in runs),
    )


async def run(
    requests: int,
    port: int,
    desks: Sequence[Desk],
    requests_of: Callable[[Desk], Iterator[Request]],
) -> Figures:
    """Every client asks one thing after the other, all clients at once."""
    connections = [
        Connection(port, {"sessionid": desk[0].session, "csrftoken": CSRF}, patience=30) for desk in desks
    ]
    for connection, desk in zip(connections, desks, strict=True):
        for _ in range(WARMTH):
            await connection.get(f"/judging/{desk[-1].id}/state/")
    times: list[float] = []
    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for connection, desk in zip(connections, desks, strict=True):
            group.create_task(_ask(connection, requests_of(desk), requests, times))
    seconds = time.perf_counter() - started
    for connection in connections:
        connection.close()
    return Figures(statistics.median(times), statistics.quantiles(times, n=20)[-1], len(times) / seconds)


async def _ask(connection: Connection, requests: Iterator[Request], number: int, times: list[float]) -> None:
    for request, _ in zip(requests, range(number), strict=False):
        began = time.perf_counter()
        answer = await request(connection)
        times.append(1000 * (time.perf_counter() - began))
        if answer.status not in (HTTPStatus.OK, HTTPStatus.FOUND) or b"error" in answer.body[:20]:
            raise RuntimeError(f"The server answered {answer.status}: {answer.body[:200]!r}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    django.setup()
    main()
