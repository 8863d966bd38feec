"""What is tried more often, or at all, where the environment has THOROUGH=1.

Elsewhere a property is tried with a third of its examples, and a run of whole folders leaves out the tests of
`long_runs.txt`: the dearest of each file (`scripts/long_runs`). Asked for by its name or its file's each of them
runs.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hypothesis import settings

IS_THOROUGH: Final = os.environ.get("THOROUGH") == "1"
LONG_RUNS: Final = Path(__file__).with_name("long_runs.txt")
ALWAYS_RUN: Final = Path(__file__).with_name("always_run.txt")
_SHARE: Final = 3


def examples(most: int) -> settings:
    return settings(max_examples=most if IS_THOROUGH else -(-most // _SHARE))


def long_runs(arguments: Iterable[str]) -> frozenset[str]:
    """The tests that a run leaves out which is given these files and folders."""
    if IS_THOROUGH or not all(Path(argument).is_dir() for argument in arguments):
        return frozenset()
    return names_in(LONG_RUNS)


def names_in(file: Path) -> frozenset[str]:
    """What a list names, one a line: tests, or how their names begin. What begins with a hash is a reason."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))
