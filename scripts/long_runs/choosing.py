"""Of tests that were recorded, those that reach hardly a line which others do not reach at less cost."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from coverage import CoverageData

SHORT: Final = 0.4  # seconds of processor, while lines are recorded, under which a test is made by every run
MIN_LINES_A_SECOND: Final = 0.5  # that a dearer one adds

Line = tuple[str, int]


@dataclass(frozen=True)
class Recorded:
    """A test's seconds of processor, and the lines of code that it runs."""

    seconds: float
    lines: frozenset[Line]


def recorded(folder: Path) -> dict[str, Recorded]:
    """What `scripts.long_runs.recording` has written, by the tests' names.

    Raises `FileNotFoundError` where it has written nothing.
    """
    seconds = dict(json.loads(line) for file in folder.glob("*.jsonl") for line in file.open(encoding="utf-8"))
    if not seconds:
        raise FileNotFoundError(f"{folder} has no recorded tests")
    lines: dict[str, set[Line]] = defaultdict(set)
    for file in folder.glob("*.coverage"):
        data = CoverageData(file)
        data.read()
        for path in data.measured_files():
            for line, tests in data.contexts_by_lineno(path).items():
                for test in tests:
                    lines[test].add((path, line))
    return {test: Recorded(seconds[test], frozenset(lines[test])) for test in seconds}


def left_to_long_runs(tests: Mapping[str, Recorded], always: frozenset[str]) -> Iterator[str]:
    """The tests that add hardly a line to those that stay.

    Short ones stay, those that always do, and of each file one. Of the others the one that adds most lines a second
    comes next, as long as those are enough.
    """
    shortest = {file: min(names, key=lambda name: tests[name].seconds) for file, names in _by_file(tests).items()}
    stays = {*always, *shortest.values(), *(name for name, test in tests.items() if test.seconds < SHORT)}
    reached = frozenset[Line]().union(*(tests[name].lines for name in stays & tests.keys()))
    added = {name: test.lines - reached for name, test in tests.items() if name not in stays}

    def worth(name: str) -> tuple[float, str]:
        return len(added[name]) / tests[name].seconds, name

    while added and worth(best := max(added, key=worth))[0] >= MIN_LINES_A_SECOND:
        reached = added.pop(best)
        added = {name: lines - reached for name, lines in added.items()}
    yield from sorted(added)


def _by_file(tests: Mapping[str, Recorded]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for name in tests:
        found[name.partition("::")[0]].append(name)
    return found
