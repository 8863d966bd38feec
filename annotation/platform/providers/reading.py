"""Reading uploaded files while somebody waits: in a process of its own, within limits."""

import logging
import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping
from threading import Lock
from typing import Any, Final

from django.conf import settings

from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile
from annotation.platform.providers.reading_child import OUT_OF_MEMORY

log = logging.getLogger(__name__)

_ENDED: Final = (OUT_OF_MEMORY, -signal.SIGXCPU, -signal.SIGKILL)
_TIMES_AS_LONG: Final = 4  # seconds of wall clock to one of a processor, for a busy machine
ONE_AT_A_TIME: Final = Lock()  # in each server process: its other threads stay free for everybody else


def read_in_child(module: str, arguments: Mapping[str, object], *, seconds: int, command: str) -> Any:
    """What `module`, run as a program that serves one reading, makes of the arguments.

    Raises `Refused` as it does there, also where that takes more than so many seconds of a processor, or too much
    memory (the server's `command` then reads such files), or ends in any other way before it is done, and at once
    where this server process is reading others for somebody.
    """
    if not ONE_AT_A_TIME.acquire(blocking=False):
        raise Refused("Other files are being read just now. Send these again in a minute.")
    try:
        return _read(module, arguments, seconds, command)
    finally:
        ONE_AT_A_TIME.release()


def _read(module: str, arguments: Mapping[str, object], seconds: int, command: str) -> Any:
    too_much = Refused(
        f"Reading this takes more than {seconds} s of a processor, or too much memory. Have it read on the server, "
        f"by the command {command}."
    )
    try:
        done = subprocess.run(  # our own module
            (sys.executable, "-m", module),
            input=pickle.dumps((dict(arguments), seconds)),
            stdout=subprocess.PIPE,
            cwd=settings.BASE_DIR,
            env={},
            timeout=_TIMES_AS_LONG * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as overdue:
        raise too_much from overdue
    if done.returncode in _ENDED:
        raise too_much
    if done.returncode:
        log.error("reading by %s ended with %s", module, done.returncode)
        raise Refused(
            "Reading this ended before it was done, and nobody knows why. Have it read on the server, by the "
            f"command {command}, which says where it ends."
        )
    match pickle.loads(done.stdout):  # noqa: S301  # our own process wrote it
        case ("read", found):
            return found
        case ("broken", file, problems):
            raise BrokenFile(file, problems)
        case ("refused", words, field):
            raise Refused(words, field=field)
    raise ValueError("what came of reading is none of these")
