"""What commands that call models share: a limit in dollars, a run worked off in this process, its interruption."""

import signal
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from threading import Event, current_thread, main_thread
from types import FrameType

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from redis.exceptions import RedisError

from annotation.platform.models.users import User
from generation.calls import jobs
from generation.calls.models import GenerationRun
from generation.calls.services import runs

MAX_DOLLARS = 1_000_000
TAKEN_UP_AGAIN = "The command was given again."
BROKEN_OFF = "The command was broken off."
DRAINING = "Waiting for what is on its way, which is paid for. Ctrl-C once more leaves it.\n"
WHAT_IS_KEPT = (
    "Broken off. Whatever came back is kept and not paid for again; what was still on its way may be asked for "
    "again. Give the command again to go on."
)
INTERRUPTED = 130  # the status of what Ctrl-C ended, as shells have it
REDIS_IS_AWAY = "Redis cannot be reached, so nothing more was sent. What came back is kept: give the command again."


def dollars(text: str) -> Decimal:
    """The type of an argument. Raises `ArgumentTypeError`."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not (amount.is_finite() and 0 <= amount <= MAX_DOLLARS):
        raise ArgumentTypeError(f"“{text}” is no amount of dollars from 0 to {MAX_DOLLARS:,}")
    return amount


def add_approval_arguments(parser: CommandParser) -> None:
    """The study, the coordinator who approves its runs, and what they may cost."""
    parser.add_argument("study", help="the study's short name")
    parser.add_argument(
        "--by", required=True, metavar="EMAIL", help="the coordinator who approves what the command has done"
    )
    parser.add_argument(
        "--at-most", type=dollars, required=True, metavar="DOLLARS", help="what this command may cost"
    )


def approval(by: User, at_most: Decimal) -> str:
    """Who approves, in words. `at_most` is in US dollars."""
    return f"{by} ({by.email}) approves the runs, for {at_most:,.2f} US dollars in all."


@contextmanager
def says_what_is_kept() -> Iterator[None]:
    """Around a command: Ctrl-C ends it with a sentence instead of a traceback."""
    try:
        yield
    except KeyboardInterrupt:
        raise CommandError(WHAT_IS_KEPT, returncode=INTERRUPTED) from None


def costs(run: GenerationRun) -> str:
    """What the run has cost, in words: what was billed, and beside it what is assumed at worst."""
    said = f"{run.spent - run.assumed:.2f} US dollars were billed"
    if run.assumed:
        said += f", and {run.assumed:.2f} more are assumed at worst, for requests of which nothing tells the price"
    return said


def work_off(
    run: GenerationRun,
    *,
    at_most: Decimal,
    by: User | None = None,
    recorded: Callable[[], None] = lambda: None,
) -> Decimal:
    """Let a run go on within this limit and work on it here until it ends; what that has cost.

    A finished one asks again for what failed. Workers elsewhere may do some of it. `recorded` is called each time
    replies were kept. Broken off by hand, the run is stopped when all that was on its way is recorded, or at once
    the second time. Raises `CommandError` where it does not finish, and `Refused` where it cannot start.
    """
    _start(run, at_most=at_most, by=by)
    spent = run.spent
    try:
        with _interruptions() as broken_off:
            while GenerationRun.objects.filter(pk=run.pk, state="running").exists():
                jobs.work_run(f"{run.pk}/0", on_recorded=recorded, goes_on=lambda: not broken_off.is_set())
                if broken_off.is_set():
                    raise KeyboardInterrupt
    except RedisError as error:
        raise CommandError(REDIS_IS_AWAY) from error
    except ExceptionGroup as faults:
        if faults.subgroup(RedisError):
            raise CommandError(REDIS_IS_AWAY) from faults
        raise
    except KeyboardInterrupt:
        runs.stop_run(run=run, reason=BROKEN_OFF, by=None)
        raise
    run.refresh_from_db()
    if run.state == "stopped":
        raise CommandError(f"{run.stopped_because} What came back is kept: give the command again to go on.")
    return run.spent - spent


@contextmanager
def _interruptions() -> Iterator[Event]:
    """Set by the first Ctrl-C; the second one interrupts whatever is being done."""
    broken_off = Event()

    def note(_number: int, _frame: FrameType | None) -> None:
        broken_off.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.stderr.write(DRAINING)

    if current_thread() is not main_thread():  # which alone hears signals
        yield broken_off
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield broken_off
    finally:
        signal.signal(signal.SIGINT, before)


@transaction.atomic
def _start(run: GenerationRun, *, at_most: Decimal, by: User | None) -> None:
    """Workers hear of it once the limit is set. A run that was left running keeps to the limit of then."""
    if run.state == "finished":
        runs.retry_failed(run=run, by=by)
    runs.stop_run(run=run, reason=TAKEN_UP_AGAIN, by=None)
    run.refresh_from_db()
    runs.start_run(run=run, spend_cap=run.spent + run.reserved + at_most, by=by)
