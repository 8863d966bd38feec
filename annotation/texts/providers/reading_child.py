"""The process in which people's texts are read: a fresh interpreter without Django, settings or secrets.

It says with an empty line that it is there. Then a line of JSON comes in, with the arguments of `read_text` and the
seconds of a processor that it may take; a line of JSON goes out, with the reading. A process that takes longer is
ended by the system, and one that runs out of memory ends itself: whoever asked finds out from its status.
"""

import json
import math
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from annotation.platform.core.limits import READING_MEMORY
from annotation.texts.core.reading import Reading, read_text

OUT_OF_MEMORY: Final = 70  # the status of a process that ended for want of memory


def serve(read: Callable[..., Reading] = read_text) -> None:
    """Read text after text until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for those who asked
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (READING_MEMORY, READING_MEMORY))
    sys.stdout.write("\n")
    sys.stdout.flush()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        _allow(asked.pop("seconds"))
        try:
            reading = json.dumps(asdict(read(**asked)))
        except MemoryError:
            sys.exit(OUT_OF_MEMORY)
        sys.stdout.write(f"{reading}\n")
        sys.stdout.flush()


def _allow(seconds: int) -> None:
    """From now on at least `seconds` of a processor, and less than one more; then comes SIGXCPU."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used.ru_utime + used.ru_stime) + seconds, hard))


if __name__ == "__main__":
    serve()
