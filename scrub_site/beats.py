"""Signs of life of processes that nobody asks over a network: workers and the loop.

    python -m scrub_site.beats FILE SECONDS [--end]

is what a container's runtime asks. It ends with 0 where the file was touched within so many seconds. With `--end` a
process that has been silent for longer is killed, so that the container ends and is started anew: being called
unhealthy alone makes Docker do nothing. Before the first sign nothing is killed, for starting may take its time.
systemd is told each sign, where a unit's `WatchdogSec` waits for them.

A file's time is seconds since the machine started here, not since 1970: a clock that is set right kills nobody.

Nothing of Django's is loaded here: it is asked often.
"""

import os
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

NAME: Final = "BEAT_FILE"


def beat() -> None:
    """Give a sign of life, where the environment names a file for it, or systemd waits for one."""
    if file := os.environ.get(NAME):
        note(Path(file))
    if watchdog := os.environ.get("NOTIFY_SOCKET"):
        address = f"\0{watchdog[1:]}" if watchdog.startswith("@") else watchdog
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as telling, suppress(OSError):
            telling.sendto(b"WATCHDOG=1", address)


def note(file: Path, *, seconds_ago: float = 0) -> None:
    """Leave a sign of life there."""
    file.open("a").close()  # which leaves an older sign as it is
    os.utime(file, (time.monotonic() - seconds_ago,) * 2)


def seconds_silent(file: Path) -> float | None:
    """Seconds since the last sign; `None` before the first. A sign from before the machine started does not
    count.
    """
    try:
        silent = time.monotonic() - file.stat().st_mtime
    except FileNotFoundError:
        return None
    return silent if silent >= 0 else None


def end_everything_else() -> None:
    """Kill every other process that this account may, but for the first, which Linux protects: as it is in a
    container, where the first one then ends and is started again.
    """
    os.kill(-1, signal.SIGKILL)


def main(file: Path, limit: float, *, is_to_end: bool) -> int:
    """An exit code: 0 where the process is well."""
    silent = seconds_silent(file)
    if silent is not None and silent <= limit:
        return 0
    print("no sign of life yet" if silent is None else f"no sign of life for {silent:.0f} s")
    if silent is not None and is_to_end:
        end_everything_else()
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), float(sys.argv[2]), is_to_end="--end" in sys.argv[3:]))
