"""Folders of an inventory: an aspect, and the lines it keeps."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.inventory.renames import Renames


class NothingFoundError(Exception):
    """An aspect found nothing, so that comparing it would prove nothing."""


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write the lines sorted; raises `NothingFoundError` where there are none."""
    found = sorted(lines)
    if not found:
        raise NothingFoundError(f"Nothing was found for {path.name}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(found) + "\n", encoding="utf-8")


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def same_lines(before: Path, after: Path, renames: Renames) -> Iterator[str]:
    """Lines that only one of two folders has in a file, after what moved got its new name in the first."""
    for name in sorted({path.name for folder in (before, after) for path in folder.glob("*.txt")}):
        for file in (before / name, after / name):
            if not file.exists():
                yield f"{name} is missing in {file.parent.parent}"
        if (before / name).exists() and (after / name).exists():
            old = [renames.text(line) for line in read_lines(before / name)]
            yield from (f"{name}: {line}" for line in differences(old, read_lines(after / name)))


def differences(before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    """`- line` for what is gone, `+ line` for what came, as often as that is so."""
    old, new = Counter(before), Counter(after)
    gone = [f"- {line}" for line in (old - new).elements()]
    came = [f"+ {line}" for line in (new - old).elements()]
    yield from sorted(gone + came, key=lambda line: (line[2:], line[0]))


@dataclass(frozen=True)
class Aspect:
    """Something that a move must not change."""

    name: str
    record: Callable[[Path], None]  # into a folder of its own
    compare: Callable[[Path, Path, Renames], Iterable[str]] = same_lines
    needs: Literal["nothing", "database", "data"] = "nothing"  # the migrated one; the demonstration's data in it
