"""A fault put into a clone, and the first of the tests around it that fails."""

import os
import re
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from scripts.inventory.source import PROJECT
from scripts.mutants.drawing import Mutant

MAX_SECONDS: Final = 1200  # of one batch of tests: a fault that makes them endless is noticed, too


class TrialError(Exception):
    """The tests could not be run, so that nothing is known of the fault."""


def check_tree(tree: Path) -> None:
    """Raise `TrialError` unless the tree is a clean clone of its own."""
    if tree.resolve() == PROJECT:
        raise TrialError("The tree is changed and put back: give a clone of the project.")
    if _git(tree, "status", "--porcelain"):
        raise TrialError(f"{tree} has changes that would be lost.")


def killed_by(mutant: Mutant, tree: Path) -> str | None:
    """The test that notices the fault; None where none does.

    The subject's own tests are asked first, then those of its app, then those of the whole site: tests without a
    browser before those with one, except for what only a browser reads.
    Raises `ValueError` where the code is another one by now, and `TrialError`.
    """
    path = tree / mutant.file
    try:
        path.write_bytes(mutant.applied(path.read_bytes()))
        for tests in _batches(mutant, tree):
            if failed := _first_failure(tests, tree):
                return failed
    finally:
        _git(tree, "checkout", "--quiet", "--", ".")
    return None


def _batches(mutant: Mutant, tree: Path) -> list[list[str]]:
    parts = Path(mutant.file.removeprefix("templates/").removeprefix("static/")).parts
    is_python = mutant.file.endswith(".py")
    apps = [parts[0]] if is_python else ["annotation", "generation", "analysis"]
    subject = parts[1] if is_python else parts[0]
    near = [f"tests/{app}/{subject}" for app in apps if (tree / "tests" / app / subject).is_dir()]
    whole = [f"tests/{app}" for app in apps if app != "scrub_site"]
    if mutant.file.startswith("static/"):
        return [[*near, "-m", "browser"], [*whole, "-m", "browser"], ["tests/scrub_site"]]
    without_browser = ["-m", "not browser"]
    first = [[*near, *without_browser]] if near else []
    return [*first, [*whole, *without_browser], ["tests/scrub_site"], [*whole, "-m", "browser"]]


def _first_failure(tests: Sequence[str], tree: Path) -> str | None:
    asked = f"PYTEST_ARGS=--quiet --exitfirst --no-header -rfE {_quoted(tests)}"
    command = ["make", "--silent", "test", asked]
    with subprocess.Popen(
        command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            told, _ = process.communicate(timeout=MAX_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            return f"no end within {MAX_SECONDS} s"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+::.*?|\S+\.py)(?: - .*)?$", told, re.MULTILINE)
    if failed:
        return failed[1]
    if process.returncode == 0 or re.search(r"^(?:no tests ran|\d+ deselected)", told, re.MULTILINE):
        return None
    raise TrialError(told[-500:])


def _quoted(tests: Sequence[str]) -> str:
    return " ".join(f"'{part}'" for part in tests)


def _git(tree: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=tree, capture_output=True, text=True, check=True)  # noqa: S607
    return done.stdout
