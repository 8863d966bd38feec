"""The process in which the files of a source are read while somebody waits: without Django, settings or secrets.

What is to be read comes in pickled, and so goes out what it came to, or why it was refused.
"""

import pickle
import resource
import sys
from io import BytesIO
from typing import Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import READING_MEMORY
from annotation.platform.core.line_files import BrokenFile
from generation.sources.core.source_files import Reading, read_source

OUT_OF_MEMORY: Final = 70  # the status of a process that ended for want of memory


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (READING_MEMORY, READING_MEMORY))
    kind, files, options, seconds = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own process wrote it
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    found: Reading | tuple[object, ...]
    try:
        found = read_source(kind, [(name, BytesIO(content)) for name, content in files], **options)
    except BrokenFile as broken:
        found = (broken.file, broken.problems)
    except Refused as refusal:
        found = (str(refusal),)
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)
    pickle.dump(found, sys.stdout.buffer)


if __name__ == "__main__":
    main()
