"""The process of a reader in which a text does what it says."""

import os
import signal
import time
from collections.abc import Sequence

from annotation.texts.core.leaks.scan import prepare
from annotation.texts.core.reading import Reading, read_text
from annotation.texts.providers.reading_child import serve

MODULE = "tests.annotation.texts.stubborn_reader"


def read(text: str, *, names: Sequence[str] = ()) -> Reading:
    while "counts for ever" in text:
        pass
    if "sleeps" in text:
        time.sleep(600)
    if "takes all memory" in text:
        bytearray(2_000_000_000)
    if "is at fault" in text:
        os._exit(1)
    if "is killed" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    return read_text(text, names=names)


if __name__ == "__main__":
    prepare()  # as the real one does, or the first text would pay for it
    serve(read)
