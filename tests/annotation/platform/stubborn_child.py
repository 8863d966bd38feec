"""The process of a reading that ends as it is told."""

import os
import signal

from annotation.platform.core.errors import Refused
from annotation.platform.providers.reading_child import serve

MODULE = "tests.annotation.platform.stubborn_child"


def read(ends: str) -> str:
    if ends == "refuses":
        raise Refused("No, thank you.", field="file")
    if ends == "fails":
        raise RuntimeError("nobody thought of this")
    if ends == "exits":
        os._exit(3)
    if ends == "takes all memory":
        bytearray(2_000_000_000)
    if ends.startswith("SIG"):
        os.kill(os.getpid(), signal.Signals[ends])
    while ends == "counts for ever":
        pass
    return "\ud800" if ends == "says what nobody can write" else "done"


if __name__ == "__main__":
    serve(read)
