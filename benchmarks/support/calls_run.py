"""A run of panel calls whose workers are watched, and killed, and what became of it."""

import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from itertools import count

import django_rq
from django.conf import settings
from django.db.models import Count, Min
from rq import Worker

from benchmarks.support.stack import children
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import planning, runs
from generation.catalogue.services import targets
from generation.demo.core.synthetic import compose
from generation.panel.models import GivenText, PanelScore
from scrub_site.management.commands import run_loop

PERSPECTIVES, MODELS = 10, 3
PRICE = {"input": "2", "output": "10"}
MAX_SECONDS = 900.0  # seconds, after which something is stuck

_runs = count(1)


@dataclass
class Workers:
    """Processes that work on a queue, each in a process group of its own."""

    queue: str = "calls"
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        self.processes.append(managed("rqworker", self.queue, "--skip-checks", "--verbosity=0"))

    def kill_one(self, draw: random.Random) -> str:
        """SIGKILL to a worker, the process it forked for its job, or both; returns which. A worker is replaced."""
        worker = draw.choice(self.processes)
        forked = children(worker.pid)
        what = draw.choice(["worker", "job", "both"])
        with suppress(ProcessLookupError):
            for pid in forked if what != "worker" else []:
                os.kill(pid, signal.SIGKILL)
        if what != "job":
            worker.kill()
            worker.wait()
            self.processes.remove(worker)
            self.start()
        return what

    def megabytes(self) -> float:
        """Of the largest process that does a job, at present."""
        jobs = [pid for worker in self.processes for pid in children(worker.pid)]
        return max(map(_megabytes, jobs), default=0.0)


def managed(*arguments: str) -> subprocess.Popen[bytes]:
    """A command of the site, in a process group of its own, on the same database, Redis and providers."""
    return subprocess.Popen([sys.executable, "manage.py", *arguments], env=environment(), start_new_session=True)


def environment() -> dict[str, str]:
    """Of a process on the same database, Redis and providers."""
    # What it is to use is not only in the environment, where a test has set it for itself.
    database, queue = settings.DATABASES["default"], settings.RQ_QUEUES["calls"]["URL"]
    host = database["HOST"] or database["OPTIONS"].get("host", "")
    return {
        **os.environ,
        "DATABASE_URL": f"postgres://{database['USER']}@/{database['NAME']}?host={host}",
        "REDIS_URL": str(queue),
        "PROVIDERS_FILE": settings.PROVIDERS_FILE,
        "LEASE_SECONDS": str(settings.LEASE_SECONDS),
        "LOG_LEVEL": "CRITICAL",
        "DEBUG": "0",
        "SECRET_KEY": secrets.token_urlsafe(50),  # they sign nothing
    }


@contextmanager
def workers(number: int, *, queue: str = "calls") -> Iterator[Workers]:
    crew = Workers(queue)
    for _ in range(number):
        crew.start()
    try:
        yield crew
    finally:
        for worker in crew.processes:
            for pid in (*children(worker.pid), worker.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            worker.wait()


def wait_until_ready(number: int) -> None:
    """Until so many workers have loaded everything and wait for work. Raises `TimeoutError`."""
    connection = django_rq.get_connection("calls")
    began = time.monotonic()
    while Worker.count(connection=connection) < number:
        if time.monotonic() - began > MAX_SECONDS:
            raise TimeoutError(f"{number} workers have not come up")
        time.sleep(0.1)


@contextmanager
def woken_up() -> Iterator[None]:
    """The loop runs, which wakes workers up for what is due."""
    loop = managed("run_loop")
    try:
        yield
    finally:
        loop.kill()
        loop.wait()


def a_run(texts: int, *, provider: str) -> GenerationRun:
    """A planned run of texts × perspectives × models calls, about texts that no other run is about."""
    name = f"{time.time_ns()}-{next(_runs)}"
    given = [_given(compose("Who may decide for others?", seed=f"{name}-{n}", quality=0.7)) for n in range(texts)]
    models = [
        targets.add_target(
            study=None, role="panel", family=f"judge {n}", provider=provider, model_id=f"m{n}", by=None, price=PRICE
        )
        for n in range(MODELS)
    ]
    run = planning.plan_run(
        study=None,
        by=None,
        purpose="panel",
        mode="holistic",
        presentation="alone",
        targets=models,
        only={"given": [text.pk for text in given]},
    )
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def _given(text: str) -> GivenText:
    return GivenText.objects.create(
        sha256=sha256(text.encode()).hexdigest(), prompt_text="Who may decide for others?", response_text=text
    )


def work_off(
    run: GenerationRun, *, cap: Decimal, meanwhile: Callable[[float], None], longest: float = MAX_SECONDS
) -> float:
    """Start the run, wake workers up for it and call `meanwhile` with the seconds gone by until it has ended.

    Returns how many seconds it took. Raises `TimeoutError` where it does not end.
    """
    runs.start_run(run=run, spend_cap=cap, by=None)
    began = time.monotonic()
    while (seconds := time.monotonic() - began) < longest:
        run_loop.dispatch()
        meanwhile(seconds)
        run.refresh_from_db()
        if run.state != "running":
            return time.monotonic() - began
        time.sleep(0.1)
    raise TimeoutError(f"the run is still {run.state} after {longest} s")


def queued() -> int:
    """Messages that no worker has taken yet."""
    waiting: int = django_rq.get_queue("calls").count
    return waiting


def empty_redis() -> None:
    django_rq.get_connection("calls").flushdb()


@dataclass(frozen=True)
class Findings:
    """What became of a run. `made`: replies its provider made, and would charge for."""

    calls: int
    accepted: int
    scores: int
    accepted_twice: int
    attempts: int
    lost: int
    still_open: int
    still_reserved: Decimal
    made: int
    cost: Decimal
    cap: Decimal

    @property
    def paid_twice(self) -> int:
        return self.made - self.accepted

    @property
    def is_well(self) -> bool:
        whole = self.calls == self.accepted == self.scores
        closed = not self.still_open and not self.still_reserved
        return whole and closed and not self.accepted_twice and self.made <= self.attempts and self.cost <= self.cap


def findings(run: GenerationRun, *, made: int) -> Findings:
    attempts = Attempt.objects.filter(call__run=run)
    kept = attempts.filter(outcome="ok").order_by().values("call").annotate(number=Count("pk"))
    return Findings(
        calls=Call.objects.filter(run=run).count(),
        accepted=Call.objects.filter(run=run, state="accepted").count(),
        scores=PanelScore.objects.filter(call__run=run).count(),
        accepted_twice=kept.filter(number__gt=1).count(),
        attempts=attempts.count(),
        lost=attempts.filter(outcome="lost").count(),
        still_open=attempts.filter(ended_at__isnull=True).count(),
        still_reserved=run.reserved,
        made=made,
        cost=run.spent,
        cap=run.spend_cap or Decimal(0),
    )


def seconds_of_calls(run: GenerationRun) -> float:
    """From the first request to the last recorded reply."""
    attempts = Attempt.objects.filter(call__run=run)
    first: datetime = attempts.aggregate(at=Min("sent_at"))["at"]
    last = attempts.latest("ended_at").ended_at
    assert last is not None
    return (last - first).total_seconds()


def _megabytes(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            lines: Sequence[str] = status.readlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)
