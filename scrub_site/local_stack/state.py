"""The state folder: everything a stack keeps between two starts, and the lock that lets one stack use it."""

import contextlib
import fcntl
import hashlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from scrub_site.local_stack import StackError
from scrub_site.local_stack.accounts import Account, private_folder

# Not the state folder: a socket's path may have no more than 107 bytes.
_SOCKETS_PARENT = Path("/tmp")  # noqa: S108
_SECONDS_UNTIL_A_PORT_IS_FREE = 2


class StateFolder:
    """The folder `path`, made when it is missing.

    Raises StackError when there cannot be such a folder or when nothing can be written into it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:8]
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise StackError(f"The state folder {self.path} cannot be made: a file is in the way.") from None
        except OSError as error:
            raise StackError(f"The state folder {self.path} cannot be made: {error.strerror}.") from None
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise StackError(f"The state folder {self.path} cannot be written to. Choose another one with --state.")

    @property
    def sockets(self) -> Path:
        """The folder for the servers' sockets, short however long the state folder's own path is."""
        return _SOCKETS_PARENT / f"scrub-{self.digest}"

    @contextlib.contextmanager
    def held(self, *, owner: Account, address: str = "") -> Iterator[None]:
        """Keeps every other stack out of this folder, and holds the sockets' folder open to `owner`.

        `address` is what a second start tells its user to open. The system drops the lock with this process,
        however it ends.
        """
        with (self.path / "running").open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                raise StackError(self._already_running(*file.read().split())) from None
            file.truncate(0)
            file.write(f"{os.getpid()} {address}")
            file.flush()
            private_folder(self.sockets, owner)
            try:
                yield
            finally:
                file.truncate(0)
                with contextlib.suppress(OSError):  # not empty: a server could not be stopped
                    self.sockets.rmdir()

    def _already_running(self, process: str = "unknown", address: str = "") -> str:
        advice = (
            f"open {address}, or stop it with Ctrl-C there"
            if address
            else "wait until its command is done, or choose another folder with --state"
        )
        return f"The stack in {self.path} is already running (process {process}): {advice}."


def require_free_port(port: int) -> None:
    """Raises StackError unless a server may listen on `port` of this machine within two seconds.

    The wait is for a web server that was killed a moment ago and whose workers still hold the port.
    """
    patience_ends = time.monotonic() + _SECONDS_UNTIL_A_PORT_IS_FREE
    while True:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except PermissionError:
                raise StackError(f"Port {port} may not be used by this account: PORT=8000 make demo") from None
            except OSError:
                if time.monotonic() > patience_ends:
                    advice = f"PORT={port + 1 if port < 65535 else 8000} make demo"
                    raise StackError(
                        f"Port {port} is taken by another program. Choose another one: {advice}"
                    ) from None
            else:
                return
        time.sleep(0.2)
