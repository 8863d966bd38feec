"""Processes that tests kill: copies of their own, as a worker forks one for each job, with everything loaded."""

from collections.abc import Callable
from multiprocessing.context import ForkProcess

from django.db import connections


def forked(do: Callable[..., object], *args: object) -> ForkProcess:
    """A process that does it, on the same database, Redis and settings. Not for a test within a transaction."""
    connections.close_all()  # a connection serves one process
    process = ForkProcess(target=do, args=args, daemon=True)
    process.start()
    return process
