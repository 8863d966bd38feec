"""The process in which people's texts are read: a fresh interpreter without Django, settings or secrets.

It says with an empty line that it is there. Then a line of JSON comes in, with the arguments of `read_text` and the
seconds of a processor that it may take; a line of JSON goes out, with the reading. A process that takes longer is
ended by the system, and one that runs out of memory ends itself: whoever asked finds out from its status.
"""

import json
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from annotation.platform.core.limits import READING_MEMORY
from annotation.texts.core.leaks.scan import prepare
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
        # Counted from here: a limit on all that the process uses is compared with a coarser sum than can be read.
        signal.setitimer(signal.ITIMER_PROF, asked.pop("seconds"))
        try:
            reading = json.dumps(asdict(read(**asked)))
        except MemoryError:
            sys.exit(OUT_OF_MEMORY)
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdout.write(f"{reading}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    prepare()  # before anybody's seconds count
    serve()
