"""What gunicorn does besides its arguments. It reads this file where it is started from."""

import os
from typing import Any

from prometheus_client import multiprocess

from scrub_site.environment import log_format
from scrub_site.watching.logs import JsonLines


def on_starting(server: Any) -> None:
    """What gunicorn says of itself looks like the site's own log."""
    if log_format(os.environ) == "json":
        for handler in server.log.error_log.handlers:
            handler.setFormatter(JsonLines())


def child_exit(_server: Any, worker: Any) -> None:
    """A process that has ended has no present figures any more; what it counted stays."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
