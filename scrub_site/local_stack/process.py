"""Starting, hearing, stopping and burying one process."""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, cast

from scrub_site.local_stack import StackError
from scrub_site.local_stack.accounts import Account

_PR_SET_PDEATHSIG = 1
_MAX_LINE_BYTES = 65536
_SECONDS_FOR_LAST_WORDS = 0.3
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(frozen=True, kw_only=True)
class Child:
    """A program the supervisor runs.

    `ready` says whether it does its work by now; None means as soon as it runs. `stop_signal` asks it to end
    within `seconds_to_stop`; `orphan_signal` reaches it when the supervisor itself is killed.

    After `tries` short runs in a row the supervisor gives up. It gives up at once when a child that was never
    ready ends by itself and its last lines hold no match of the regular expression `passing_trouble`. Runs whose
    last lines hold a match of `lasting_trouble` do not use up the tries: somebody else has to end that, however
    long it takes.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path | None = None
    account: Account | None = None
    ready: Callable[[], bool] | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    orphan_signal: signal.Signals = signal.SIGKILL
    seconds_to_stop: float = 10
    tries: int = 6
    passing_trouble: str = ""
    lasting_trouble: str = "No space left on device|Disk quota exceeded"


class Process(asyncio.SubprocessProtocol):
    """One run of a child, in a session of its own: Ctrl-C at the terminal reaches only the supervisor."""

    def __init__(self, on_line: Callable[[str], None] | None) -> None:
        loop = asyncio.get_running_loop()
        self._on_line = on_line
        self._unfinished = b""
        self._ended: asyncio.Future[int] = loop.create_future()
        self._closed: asyncio.Future[None] = loop.create_future()

    @classmethod
    async def start(cls, child: Child, on_line: Callable[[str], None] | None = None) -> Self:
        """Starts `child`. Without `on_line` it uses the supervisor's own terminal.

        Raises StackError when the program cannot be started at all.
        """
        heard = on_line is not None
        try:
            _, process = await asyncio.get_running_loop().subprocess_exec(
                lambda: cls(on_line),
                *child.command,
                env=dict(child.environment),
                cwd=child.folder,
                stdin=asyncio.subprocess.DEVNULL if heard else None,
                stdout=asyncio.subprocess.PIPE if heard else None,
                stderr=asyncio.subprocess.STDOUT if heard else None,
                start_new_session=True,
                preexec_fn=dies_with_parent(child.orphan_signal),
                **(child.account.spawn_options() if child.account else {}),
            )
        except OSError as error:
            raise StackError(f"{child.name} cannot be started: {error.strerror} ({child.command[0]}).") from None
        return process

    async def wait(self) -> int:
        """Waits for the end: the exit code, or minus the number of the signal that ended it.

        What is left of its group then goes too, for example web workers that still hold the port.
        """
        code = await asyncio.shield(self._ended)
        # The pipe can stay open longer, in processes the child has left behind.
        await asyncio.wait({self._closed}, timeout=_SECONDS_FOR_LAST_WORDS)
        self._signal_group(signal.SIGKILL)
        self._transport.close()
        return code

    async def stop(self, how: signal.Signals, within: float) -> None:
        """Asks the process to end, and kills it `within` seconds if it has not."""
        if not self._ended.done():
            self._signal_group(how)
            await asyncio.wait({self._ended}, timeout=within)
        if not self._ended.done():
            self.kill()
        await self.wait()

    def kill(self) -> None:
        """Kills the process and everything it has started, also in groups of their own."""
        if self._ended.done():
            return
        descendants = _descendants(self.pid)
        self._signal_group(signal.SIGKILL)
        for pid in descendants:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _signal_group(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    # -- called by asyncio ---------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self.pid = self._transport.get_pid()

    def pipe_data_received(self, _fd: int, data: bytes) -> None:
        *lines, self._unfinished = (self._unfinished + data).split(b"\n")
        if len(self._unfinished) > _MAX_LINE_BYTES:
            lines.append(self._unfinished)
            self._unfinished = b""
        for line in lines:
            self._tell(line)

    def pipe_connection_lost(self, _fd: int, _exc: Exception | None) -> None:
        if self._unfinished:
            self._tell(self._unfinished)

    def process_exited(self) -> None:
        self._ended.set_result(cast(int, self._transport.get_returncode()))

    def connection_lost(self, _exc: Exception | None) -> None:
        self._closed.set_result(None)

    def _tell(self, line: bytes) -> None:
        if self._on_line:
            self._on_line(line.decode(errors="replace").rstrip())


def dies_with_parent(number: signal.Signals) -> Callable[[], None] | None:
    """What a new process has to call so that Linux sends it `number` when its parent is gone.

    A change of account undoes the request; `subprocess` calls this after the change.
    """
    if _libc is None:
        return None
    libc, parent = _libc, os.getpid()

    def ask_the_kernel() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:  # gone before the request was made
            os._exit(1)

    return ask_the_kernel


def how_it_ended(code: int) -> str:
    """An exit code in words, to follow a program's name."""
    if code >= 0:
        return f"ended by itself (exit code {code})"
    name = signal.Signals(-code).name
    return f"was killed ({name})" if name == "SIGKILL" else f"was ended by {name}"


def stop_leftover(*, name: str, pid_file: Path, mark: str, how: signal.Signals, within: float) -> None:
    """Stops a server that has outlived its supervisor, known by its pid file.

    Only a process whose command line shows `mark` is ours; the number in an old file may be anybody's by now.
    """
    try:
        pid = int(pid_file.read_text().split()[0])
    except (FileNotFoundError, IndexError, ValueError):
        return
    patience_ends = time.monotonic() + within
    asked = False
    while mark in _command_line(pid):
        if not asked:
            os.kill(pid, how)
            asked = True
        if time.monotonic() > patience_ends:
            raise StackError(f"{name} is left over from an earlier start and does not end: kill process {pid}.")
        time.sleep(0.05)


def _command_line(pid: int) -> str:
    """The command line of a process; empty when it is gone, or dead and not yet buried."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # gone in the meantime
            for child in map(int, children.read_text().split()):
                found += [child, *_descendants(child)]
    return found
