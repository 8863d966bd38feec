"""RQ's worker, whose process for a job may give way: the next job begins while it waits for what it has sent."""

import gc
import os
import signal
from contextlib import suppress
from types import FrameType
from typing import Any, Final

from rq import Queue, Worker
from rq.job import Job

from scrub_site import beats

# Processes of one worker that only wait, each of which takes memory; with more it waits for them.
MAX_WAITING: Final = 8
# In a job's process, the end of a pipe by which it reaches the worker that forked it.
_TO_PARENT: list[int] = []


def tell_parent() -> None:
    """Tell that this process only waits from now on: its worker may take another job. Elsewhere nothing happens."""
    for pipe in _TO_PARENT:
        os.write(pipe, b"!")


class ForkingWorker(Worker):
    """Forks a process for each job, which finds everything imported."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._waiting: list[int] = []
        gc.freeze()  # what all jobs share is not copied by looking for garbage in it

    def heartbeat(self, *arguments: Any, **options: Any) -> None:
        """Redis is told, and whoever watches this machine: also while Redis is away."""
        beats.beat()
        super().heartbeat(*arguments, **options)

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        self._waiting = [pid for pid in self._waiting if not _has_ended(pid)]
        self._from_child, writing = os.pipe()
        _TO_PARENT[:] = [writing]
        super().fork_work_horse(job, queue)  # in which the child stays
        _TO_PARENT.clear()
        os.close(writing)

    def wait_for_horse(self) -> tuple[int | None, int | None, Any]:
        """Wait until the job's process ends or gives way; then it counts as well ended, whatever comes of it."""
        while os.read(self._from_child, 1):  # nothing comes any more when it has ended
            if len(self._waiting) < MAX_WAITING:
                self._waiting.append(self.horse_pid)
                os.close(self._from_child)
                return self.horse_pid, os.EX_OK, None
        os.close(self._from_child)
        return super().wait_for_horse()

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        for pid in self._waiting:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
        super().request_force_stop(signum, frame)

    def teardown(self) -> None:
        """What is on its way is waited for."""
        if not self.is_horse:
            for pid in self._waiting:
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)
        # RQ says it is typed, but this method of its is not.
        super().teardown()  # type: ignore[no-untyped-call]


def _has_ended(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG) != (0, 0)
    except ChildProcessError:
        return True
