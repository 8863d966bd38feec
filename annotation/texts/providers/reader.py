"""Reading a text where it can do no harm: in a process of its own, which is ended when it takes too much."""

import atexit
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock, Timer
from typing import Any, Final

from django.conf import settings

from annotation.platform.core.limits import READING_AT_ONCE_SECONDS, READING_MEMORY, READING_SECONDS
from annotation.texts.core.leaks.scan import Finding
from annotation.texts.core.reading import Reading
from annotation.texts.providers.reading_child import OUT_OF_MEMORY


@dataclass(frozen=True)
class Limits:
    """Seconds that one text may take: of a processor, and until its reading is there."""

    processor: int
    in_all: float


STARTING_SECONDS: Final = 60
IN_THE_BACKGROUND: Final = Limits(READING_SECONDS, 60)
AT_ONCE: Final = Limits(READING_AT_ONCE_SECONDS, 10)
"""For a text that somebody waits for, or a run of calls."""


class Unreadable(Exception):
    """The process that read a text was ended, or ended itself; the message says why."""


class Reader:
    """Reads one text at a time in a process that it starts for the first and replaces when it has ended.

    The process ends with the one that started it. `module` is what it runs, `limits` are those of a text unless
    `read` is given others.
    """

    def __init__(
        self, module: str = "annotation.texts.providers.reading_child", *, limits: Limits = IN_THE_BACKGROUND
    ) -> None:
        self._module = module
        self._limits = limits
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._parent = 0

    def read(self, text: str, *, names: Sequence[str] = (), limits: Limits | None = None) -> Reading:
        """Like `read_text`, in another process. Raises `Unreadable`."""
        limits = limits or self._limits
        asked = {"text": text, "names": [*names], "seconds": limits.processor}
        with self._lock:
            child = self._running()
            overdue = Timer(limits.in_all, child.kill)
            overdue.start()
            try:
                answer = _exchange(child, json.dumps(asked).encode())
            except BaseException:  # its answer would be taken for that to the next text
                self._end()
                raise
            finally:
                overdue.cancel()
            if not answer:
                raise Unreadable(_why(child, limits))
        return _reading(json.loads(answer))

    def _running(self) -> subprocess.Popen[bytes]:
        """The process that is there, or else a new one; what a parent of this process started is not its own."""
        if self._child is None or self._parent != os.getpid() or self._child.poll() is not None:
            self._end()
            command = [sys.executable, "-m", self._module]
            self._child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=settings.BASE_DIR, env={}
            )
            self._parent = os.getpid()
            _await(self._child)
        return self._child

    def _end(self) -> None:
        if self._child and self._parent == os.getpid():
            self._child.kill()
            self._child.communicate()
        self._child = None

    def stop(self) -> None:
        """End the process, if there is one; the next text gets a new one."""
        with self._lock:
            self._end()


READER: Final = Reader()
atexit.register(READER.stop)


def _await(child: "subprocess.Popen[bytes]") -> None:
    """Wait until the process is there: that it starts slowly on a busy machine is no fault of a text."""
    overdue = Timer(STARTING_SECONDS, child.kill)
    overdue.start()
    try:
        if child.stdout is not None:
            child.stdout.readline()
    finally:
        overdue.cancel()


def _exchange(child: "subprocess.Popen[bytes]", asked: bytes) -> bytes:
    """What the process answers; nothing where it ended before it could."""
    if child.stdin is None or child.stdout is None:
        raise ValueError("a reader's process has pipes")
    try:
        child.stdin.write(asked + b"\n")
        child.stdin.flush()
    except BrokenPipeError:
        return b""
    answer = child.stdout.readline()
    return answer if answer.endswith(b"\n") else b""


def _why(child: "subprocess.Popen[bytes]", limits: Limits) -> str:
    child.communicate()
    match child.returncode:
        case status if status == -signal.SIGPROF:
            return f"it takes more than {limits.processor} s of a processor to read"
        case status if status == -signal.SIGKILL:
            return f"it takes more than {limits.in_all:g} s to read, or its process was killed"
        case status if status == OUT_OF_MEMORY:
            return f"it takes more than {READING_MEMORY // 1_000_000_000} GB of memory to read"
        case status:
            return f"reading it ended with a fault of the program (status {status}; the worker’s log says more)"


def _reading(answer: dict[str, Any]) -> Reading:
    findings = tuple(Finding(**finding) for finding in answer["findings"])
    return Reading(answer["text"], answer["words"], findings)
