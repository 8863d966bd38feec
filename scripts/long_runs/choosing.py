"""Of tests that were timed, the dearest of each file."""

import json
from collections.abc import Iterator, Mapping
from itertools import accumulate, groupby
from pathlib import Path
from typing import Final

SHORT: Final = 0.05  # seconds of processor, up to which a test is made by every run
SHARE: Final = 0.1  # of what a file's dearer tests take, each with the first of its examples


def timed(folder: Path) -> dict[str, float]:
    """What `scripts.long_runs.timing` has written: seconds of processor, by the tests' names.

    Raises `FileNotFoundError` where it has written nothing.
    """
    seconds = dict(json.loads(line) for file in folder.glob("*.jsonl") for line in file.open(encoding="utf-8"))
    if not seconds:
        raise FileNotFoundError(f"{folder} has no timed tests")
    return seconds


def left_to_long_runs(seconds: Mapping[str, float], always: frozenset[str]) -> Iterator[str]:
    """The tests that the others of their file have to do without, in the order of their names.

    Short ones stay, and those that always do. Of each dearer test with several examples the shortest may stay. Of
    those the shortest stay, one a file at least, as long as they take no more than their share of all of them.
    """
    dear = sorted(name for name in seconds.keys() - always if seconds[name] > SHORT)
    for _, of_a_file in groupby(dear, key=lambda name: name.partition("::")[0]):
        names = list(of_a_file)
        examples = groupby(names, key=lambda name: name.partition("[")[0])
        shortest = sorted((min(alike, key=seconds.__getitem__) for _, alike in examples), key=seconds.__getitem__)
        stay = _within_their_share({name: seconds[name] for name in shortest})
        yield from (name for name in names if name not in stay)


def _within_their_share(shortest: Mapping[str, float]) -> frozenset[str]:
    """Of tests in the order of their seconds."""
    most = max(SHARE * sum(shortest.values()), min(shortest.values()))
    so_far = accumulate(shortest.values())
    return frozenset(name for name, taken in zip(shortest, so_far, strict=True) if taken <= most)
