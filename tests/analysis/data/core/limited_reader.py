"""A process that reads one table file after another, each in a copy of itself with so much memory and time and no
more, and says what came of it.
"""

import os
import pickle
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

MODULE = "tests.analysis.data.core.limited_reader"
MEMORY = 600_000_000  # bytes, beside what the libraries take
SECONDS = 20  # of a processor

Outcome = tuple[str, str]  # “read”, “refused” with the words, or “ended” with how


class LimitedReader:
    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def __call__(self, content: bytes) -> Outcome:
        assert self._process.stdin
        assert self._process.stdout
        pickle.dump(content, self._process.stdin)
        self._process.stdin.flush()
        found: Outcome = pickle.load(self._process.stdout)  # noqa: S301  # our own process wrote it
        return found


@contextmanager
def limited_reader() -> Iterator[LimitedReader]:
    command = (sys.executable, "-m", MODULE)  # our own module
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield LimitedReader(process)
        assert process.stdin
        process.stdin.close()


def _within_limits(content: bytes) -> Outcome:
    from analysis.data.core.judgment_frame import JudgmentFileError
    from analysis.data.core.table_file import read_table

    with open("/proc/self/statm") as statm:
        taken = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, taken + MEMORY))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return "read", str(read_table(content).shape)
    except JudgmentFileError as error:
        return "refused", str(error)
    except Exception as error:
        return "ended", repr(error)[:200]


def _of_a_copy(content: bytes) -> Outcome:
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        os.write(writing, pickle.dumps(_within_limits(content)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    found: Outcome = pickle.loads(said) if said else ("ended", f"status {status}")  # noqa: S301  # our own too
    return found


def main() -> None:
    import analysis.data.core.table_file  # noqa: F401  (before anybody's seconds count)

    while True:
        try:
            content = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own process wrote it
        except EOFError:
            return
        pickle.dump(_of_a_copy(content), sys.stdout.buffer)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
