"""What is kept in the database and in the queues under a name: audit verbs, kinds of tasks, paths of functions."""

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from django.conf import settings

from annotation.platform.models.audit_verbs import AuditVerb
from scripts.inventory.folders import differences, read_lines, write_lines
from scripts.inventory.names import resolves
from scripts.inventory.renames import Renames
from scripts.inventory.source import imported, module_of, modules, tree

_STORED = "stored_paths.txt"


def record(folder: Path) -> None:
    """Verbs, kinds of tasks by who does them, signing salts, and dotted paths that sessions and queues may hold."""
    write_lines(folder / "verbs.txt", AuditVerb.values)
    jobs = import_module("scrub_site.jobs")
    kinds = {queue: sorted(kinds) for queue, kinds in jobs.KINDS_BY_QUEUE.items()}
    kinds |= {"the loop": sorted(jobs.DONE_BY_THE_LOOP), "handlers": sorted(jobs.KINDS)}
    write_lines(folder / "kinds.txt", [f"{queue}: {kind}" for queue, those in kinds.items() for kind in those])
    write_lines(folder / "salts.txt", salts())
    queued = [f"queue: {path}" for path in _queued()]
    sessions = [f"session: {path}" for path in settings.AUTHENTICATION_BACKENDS]
    write_lines(folder / "queued.txt", queued)
    write_lines(folder / _STORED, [*queued, *sessions])


def compare(before: Path, after: Path, renames: Renames) -> Iterator[str]:
    """Names have to be the same ones. Of the paths every old one has to be importable still."""
    for name in ("verbs.txt", "kinds.txt", "salts.txt"):
        found = differences(read_lines(before / name), read_lines(after / name))
        yield from (f"{name}: {line}" for line in found)
    del renames  # what is stored keeps its old name
    for line in read_lines(before / _STORED):
        where, _, path = line.partition(": ")
        if not resolves(path):
            yield f"{_STORED}: {path} may lie in a {where} and cannot be imported any more"
        elif where == "session" and path not in settings.AUTHENTICATION_BACKENDS:
            yield f"{_STORED}: the settings no longer name {path}, which signs everybody out"


@cache
def salts() -> frozenset[str]:
    """What signatures are bound to: links in mails that are on their way carry it."""
    return frozenset(
        keyword.value.value
        for module in modules()
        for call in _calls(module)
        for keyword in call.keywords
        if keyword.arg == "salt"
        and isinstance(keyword.value, ast.Constant)
        and isinstance(keyword.value.value, str)
    )


def _queued() -> set[str]:
    """The full names of all functions that are put into a queue."""
    found = set()
    for module in modules():
        known = dict(imported(module))
        for call in _calls(module):
            if isinstance(call.func, ast.Attribute) and call.func.attr.startswith("enqueue") and call.args:
                start, _, rest = ast.unparse(call.args[0]).partition(".")
                full = known.get(start, f"{module}.{start}")
                found.add(f"{full}.{rest}" if rest else full)
    assert all(module_of(path) for path in found)  # noqa: S101
    return found


def _calls(module: str) -> Iterator[ast.Call]:
    yield from (node for node in ast.walk(tree(modules()[module])) if isinstance(node, ast.Call))
