"""Reading the files of a source while somebody waits: in a process of its own, within limits."""

import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from django.conf import settings

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import SOURCE_SECONDS
from annotation.platform.core.line_files import BrokenFile
from generation.sources.core.shapes import ShapeName
from generation.sources.core.source_files import Reading
from generation.sources.core.source_kinds import KindName
from generation.sources.providers.reading_child import OUT_OF_MEMORY

_COMMAND: Final = (sys.executable, "-m", "generation.sources.providers.reading_child")
_ENDED: Final = (OUT_OF_MEMORY, -signal.SIGXCPU, -signal.SIGKILL)
_TIMES_AS_LONG: Final = 4  # in all, where the machine is busy


def read_apart(
    kind: KindName,
    files: Sequence[tuple[str, bytes]],
    *,
    shape: ShapeName = "question",
    mapping: Mapping[str, str] | None = None,
    seconds: int = SOURCE_SECONDS,
) -> Reading:
    """As `read_source` does, of files by name.

    Raises `Refused` also where that takes more than so many seconds of a processor, or too much memory.
    """
    asked = pickle.dumps((kind, [*files], {"shape": shape, "mapping": dict(mapping or {})}, seconds))
    try:
        done = subprocess.run(
            _COMMAND,
            input=asked,
            stdout=subprocess.PIPE,
            cwd=settings.BASE_DIR,
            env={},
            timeout=_TIMES_AS_LONG * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as overdue:
        raise _too_much(seconds) from overdue
    if done.returncode in _ENDED:
        raise _too_much(seconds)
    done.check_returncode()
    match pickle.loads(done.stdout):  # noqa: S301  # our own process wrote it
        case Reading() as reading:
            return reading
        case (file, problems):
            raise BrokenFile(file, problems)
        case (refusal,):
            raise Refused(refusal)
    raise ValueError("what came of reading is none of these")


def _too_much(seconds: int) -> Refused:
    return Refused(
        f"Reading this takes more than {seconds} s of a processor, or too much memory. Have it read on the server, "
        "by the command import_source."
    )
