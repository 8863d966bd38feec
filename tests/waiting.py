"""Waiting for what happens elsewhere: in another process, or behind a page."""

import time
from collections.abc import Callable


def eventually(holds: Callable[[], object], within: float = 120) -> None:
    patience_ends = time.monotonic() + within
    while not holds():
        assert time.monotonic() < patience_ends, "it did not happen in time"
        time.sleep(0.05)
