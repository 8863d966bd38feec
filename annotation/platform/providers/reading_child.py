"""The process in which uploaded files are read while somebody waits: without Django, settings or secrets.

What is to be read comes in pickled, and so goes out what it came to, or why it was refused.
"""

import pickle
import resource
import sys
from collections.abc import Callable
from typing import Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import READING_MEMORY
from annotation.platform.core.line_files import BrokenFile

OUT_OF_MEMORY: Final = 70  # the status of a process that ended for want of memory


def serve(read: Callable[..., object]) -> None:
    """Call `read` once with the arguments that come in, within limits of memory and processor time."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (READING_MEMORY, READING_MEMORY))
    arguments, seconds = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own process wrote it
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    found: tuple[str, *tuple[object, ...]]
    try:
        found = ("read", read(**arguments))
    except BrokenFile as broken:
        found = ("broken", broken.file, broken.problems)
    except Refused as refusal:
        found = ("refused", str(refusal), refusal.field)
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)
    pickle.dump(found, sys.stdout.buffer)
