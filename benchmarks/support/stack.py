"""A demonstration of our own, in a folder of its own, whose processes may be killed."""

import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import django

from benchmarks.support.server import free_port, wait_until_ready
from scrub_site.local_stack.demo import PROJECT
from scrub_site.local_stack.process import dies_with_parent

# What a child of the supervisor has in its command line.
PROCESSES = {
    "web": "gunicorn",
    "worker": "rqworker default",
    "calls": "rqworker calls",
    "loop": "run_loop",
    "postgres": "postgres",
    "redis": "redis-server",
}
# With these set, the stack would not start servers of its own, or would use another one's folders.
OF_ANOTHER_STACK = frozenset({"DATABASE_URL", "REDIS_URL", "STATE_DIR", "STATIC_ROOT", "SITE_URL", "DEBUG"})
LOG = PROJECT / ".local" / "benchmark.log"  # of the last stack
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Stack:
    """A running demonstration on port `port` of this machine."""

    port: int
    supervisor: int

    def process(self, name: str) -> int:
        """The id of one of `PROCESSES`. Raises `LookupError` while it is not running."""
        for pid in children(self.supervisor):
            if PROCESSES[name] in command_line(pid):
                return pid
        raise LookupError(f"{name} is not running")

    def kill(self, name: str, how: signal.Signals = signal.SIGKILL) -> int:
        """End one of `PROCESSES`, or one of the "web workers" that its master will replace; returns its id.

        Raises `LookupError` while it is not running.
        """
        victim = children(self.process("web"))[0] if name == "web worker" else self.process(name)
        os.kill(victim, how)
        return victim

    def seconds_of_cpu(self, name: str) -> float:
        """What one of `PROCESSES` and its present children have used until now, in all their threads."""
        pid = self.process(name)
        return sum(_seconds_of_cpu(each) for each in (pid, *children(pid)))


@contextmanager
def demonstration() -> Iterator[Stack]:
    """A stack that is ready, and ended with the block; its data go with it, and `LOG` stays."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="scrub-bench-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)  # the database's account has to get through
        command = [sys.executable, "-m", "scrub_site.local_stack", "demo", "--state", f"{folder}/state"]
        environment = {name: value for name, value in os.environ.items() if name not in OF_ANOTHER_STACK}
        LOG.parent.mkdir(exist_ok=True)
        with LOG.open("wb") as log:
            stack = subprocess.Popen(
                command,
                env={**environment, "PORT": str(port)},
                stdout=log,
                stderr=log,
                preexec_fn=dies_with_parent(signal.SIGTERM),  # noqa: PLW1509 - there are no threads yet
            )
        try:
            wait_until_ready(f"http://127.0.0.1:{port}", stack, seconds=300)
            yield Stack(port, stack.pid)
        finally:
            stack.send_signal(signal.SIGINT)
            print(f"stack ended with {stack.wait(timeout=60)}; its log is {LOG.relative_to(PROJECT)}")


def django_on(stack: Stack) -> None:
    """Set Django up in this process, on the stack's servers."""
    lines = Path(f"/proc/{stack.process('loop')}/environ").read_text().split("\0")
    for name, _, value in (line.partition("=") for line in lines if line):
        os.environ[name] = value
    os.environ["DJANGO_SETTINGS_MODULE"] = "scrub_site.settings"
    django.setup()
    logging.disable(logging.INFO)  # every request would be reported


def children(parent: int) -> list[int]:
    """The ids of a process's children."""
    found: list[int] = []
    for file in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended
            found += map(int, file.read_text().split())
    return sorted(found)


def command_line(pid: int) -> str:
    """The command line of a process; empty where it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def _seconds_of_cpu(pid: int) -> float:
    """User and system time of a process, from fields 14 and 15 of its `stat`; 0 where it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND
