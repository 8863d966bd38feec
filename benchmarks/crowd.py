"""Eight runs of slow replies at once: how many slots of their provider stay empty, and how long the queue is.

    python -m benchmarks.crowd [--texts 20] [--delay 15]

On the database of `DATABASE_URL` and the Redis of `REDIS_URL`, with two workers and a provider of its own. A text
makes 30 calls. Slots are looked at while there are calls enough to fill them. Ends with 1 where more than 5 % stay
empty, or the queue was ever longer than the number of lanes.
"""

import argparse
import os
import statistics
import time
from dataclasses import dataclass, field
from decimal import Decimal

import django
import httpx
from django.conf import settings

from benchmarks.calls import CONCURRENCY, fake_provider

RUNS, WORKERS = 8, 2
MAX_IDLE = 0.05
LOOK_EVERY = 0.25  # seconds


@dataclass
class Seen:
    """What was seen at each look: slots that were empty while there was enough to ask, and messages that waited."""

    empty: list[int] = field(default_factory=list)
    queued: list[int] = field(default_factory=list)

    def look(self, address: str, *, queued: int, is_enough: bool) -> None:
        self.queued.append(queued)
        if is_enough:
            on_their_way = httpx.get(f"{address}/-/counts").json()["on_their_way"]
            self.empty.append(max(0, CONCURRENCY - on_their_way))

    @property
    def idle(self) -> float:
        return statistics.fmean(self.empty) / CONCURRENCY


def crowd(address: str, *, texts: int) -> bool:
    """Whether hardly a slot stayed empty, and no lane was queued twice."""
    from benchmarks.support import calls_run  # noqa: PLC0415 - models exist only once Django is set up
    from generation.calls.models import Call  # noqa: PLC0415
    from generation.calls.services import runs  # noqa: PLC0415

    planned = [calls_run.a_run(texts, provider="fake") for _ in range(RUNS)]
    of_runs = Call.objects.filter(run__in=planned)
    total = of_runs.count()
    seen = Seen()
    with calls_run.workers(WORKERS), calls_run.woken_up():
        for run in planned:
            runs.start_run(run=run, spend_cap=Decimal(10_000), by=None)
        while httpx.get(f"{address}/-/counts").json()["on_their_way"] < CONCURRENCY:
            time.sleep(LOOK_EVERY)
        began = time.monotonic()
        while left := of_runs.filter(state="pending").count():
            unclaimed = of_runs.filter(state="pending", leased_until=None).count()
            seen.look(address, queued=calls_run.queued(), is_enough=unclaimed > CONCURRENCY)
            if left == total and time.monotonic() - began > calls_run.MAX_SECONDS:
                raise TimeoutError("nothing came back")
            time.sleep(LOOK_EVERY)
        seconds = time.monotonic() - began
    lanes = RUNS * settings.LANES
    print(
        f"{total} calls of {RUNS} runs, {WORKERS} workers, {seconds:.0f} s: of {CONCURRENCY} slots {seen.idle:.1%}"
        f" empty on average, at worst {max(seen.empty)}; at most {max(seen.queued)} messages waited, {lanes} lanes"
    )
    return seen.idle <= MAX_IDLE and max(seen.queued) <= lanes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=20, help="of each run; 30 calls each")
    parser.add_argument("--delay", type=float, default=15.0, help="seconds until a reply")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    with fake_provider(delay=arguments.delay) as address:
        django.setup()
        if not crowd(address, texts=arguments.texts):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
