"""The project's files and modules as they are written, without importing them."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
APPS = ("annotation", "generation", "analysis")
PACKAGES = (*APPS, "scrub_site")


@cache
def tracked() -> tuple[str, ...]:
    """Every file of the project that is under version control or would be, and is there."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    return tuple(sorted({path for path in listed.split("\0") if path and (PROJECT / path).is_file()}))


def read(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


@cache
def tree(path: str) -> ast.Module:
    return ast.parse(read(path), filename=path)


@cache
def modules() -> dict[str, str]:
    """The path of every module of our own by its name, but for migrations."""
    found = {}
    for path in tracked():
        name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        if path.endswith(".py") and name.split(".")[0] in PACKAGES and "/migrations/" not in path:
            found[name] = path
    return found


def imported(name: str) -> Iterator[tuple[str, str]]:
    """What a module imports anywhere in it: the name it has there, and its full name."""
    path = modules()[name]
    package = name.split(".") if path.endswith("__init__.py") else name.split(".")[:-1]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.split(".")[0], alias.name
        elif isinstance(node, ast.ImportFrom):
            above = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            start = ".".join(part for part in (above, node.module) if part)
            for alias in node.names:
                yield alias.asname or alias.name, f"{start}.{alias.name}"


def module_of(dotted: str) -> str | None:
    """The module of our own that a full name is, or is in."""
    while dotted:
        if dotted in modules():
            return dotted
        dotted = dotted.rpartition(".")[0]
    return None
