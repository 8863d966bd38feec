"""How many calls a second two workers make of replies that come at once, and what processor each takes.

    python -m benchmarks.rate [--texts 100] [--delay 0.03]

On the database of `DATABASE_URL` and the Redis of `REDIS_URL`, with two workers and a provider of its own. A text
makes 30 calls. Processor seconds are those of workers with their jobs, and of the database; on a machine that has
other work they say more than the clock.
"""

import argparse
import os
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import django

from benchmarks.calls import CONCURRENCY, fake_provider
from benchmarks.support.stack import TICKS_PER_SECOND, children

WORKERS = 2


def processor(pid: int) -> float:
    """Seconds of the process, those of its children that ended, and of those that run."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS_PER_SECOND + sum(map(processor, children(pid)))
    return 0.0


def rate(*, texts: int, delay: float) -> None:
    from django.db import connection  # noqa: PLC0415 - a database is known only once Django is set up

    from benchmarks.support import calls_run  # noqa: PLC0415 - likewise models

    run = calls_run.a_run(texts, provider="fake")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [backend] = cursor.fetchone()
    server = int(Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()[1])
    seen: list[tuple[float, float]] = []
    with calls_run.workers(WORKERS) as crew:
        calls_run.wait_until_ready(WORKERS)
        pids = [server, *(each.pid for each in crew.processes)]
        begun = {pid: processor(pid) for pid in pids}

        def look(_: float) -> None:
            of_database, *of_workers = (processor(pid) - begun[pid] for pid in pids)
            seen.append((sum(of_workers), of_database))

        calls_run.work_off(run, cap=Decimal(10_000), meanwhile=look)
        look(0)
    calls = sum(share.accepted for share in run.shares.all())
    seconds = calls_run.seconds_of_calls(run)
    of_workers, of_database = (max(each) for each in zip(*seen, strict=True))
    print(
        f"{calls} calls, {WORKERS} workers, replies after {delay * 1000:.0f} ms: {calls / seconds:.0f} a second,"
        f" {seconds / (calls / CONCURRENCY * delay):.2f} × the ideal;"
        f" processor {1000 * of_workers / calls:.2f} ms a call in workers,"
        f" {1000 * of_database / calls:.2f} in the database"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=100, help="30 calls each")
    parser.add_argument("--delay", type=float, default=0.03, help="seconds until a reply")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    with fake_provider(delay=arguments.delay):
        django.setup()
        rate(texts=arguments.texts, delay=arguments.delay)


if __name__ == "__main__":
    main()
