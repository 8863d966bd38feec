"""The tests, as pytest names them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.inventory.folders import differences, read_lines, write_lines
from scripts.inventory.renames import Renames
from scripts.inventory.source import PROJECT

_FILE = "tests.txt"


def record(folder: Path) -> None:
    """The id of every test with its parameters. Raises CalledProcessError where a module cannot be collected."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "--no-header", "-p", "no:cacheprovider"]
    listed = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True).stdout
    ids = [line.replace(f"{PROJECT}/", "") for line in listed.splitlines() if "::" in line]
    write_lines(folder / _FILE, ids)


def compare(before: Path, after: Path, renames: Renames) -> Iterator[str]:
    """Every old test has to be there, in the file that its file became; parameters may name what moved."""
    old = [renames.text(line) for line in read_lines(before / _FILE)]
    yield from differences(old, read_lines(after / _FILE))
