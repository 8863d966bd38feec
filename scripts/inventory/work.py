"""What is kept in the database and in the queues under a name: audit verbs, kinds of tasks, paths of functions."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from django.conf import settings

from scripts.inventory.folders import differences, read_lines, write_lines
from scripts.inventory.names import resolves
from scripts.inventory.renames import Renames
from scripts.inventory.source import imported, module_of, modules, tree

_VERB = re.compile(r"[a-z]+\.[a-z_]+")
_STORED = "stored_paths.txt"


def record(folder: Path) -> None:
    """Verbs, kinds of tasks by who does them, signing salts, and dotted paths that sessions and queues may hold."""
    write_lines(folder / "verbs.txt", audit_verbs() | _mentioned())
    jobs = import_module("scrub_site.jobs")
    kinds = {queue: sorted(kinds) for queue, kinds in jobs.KINDS_BY_QUEUE.items()}
    kinds |= {"the loop": sorted(jobs.DONE_BY_THE_LOOP), "handlers": sorted(jobs.HANDLERS)}
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
def audit_verbs() -> frozenset[str]:
    """All that is passed to the audit trail as a verb; the placeholder of a composed verb is told as {}."""
    return frozenset(verb for module in modules() for verb in _passed(module))


def _mentioned() -> set[str]:
    """Every text that looks like a verb of one of the trail's kinds: verbs that are passed on have a name first."""
    kinds = {verb.partition(".")[0] for verb in audit_verbs()}
    return {
        node.value
        for path in modules().values()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _VERB.fullmatch(node.value)
        if node.value.partition(".")[0] in kinds and not resolves(node.value)
    }


def _passed(module: str) -> Iterator[str]:
    for call in _calls(module):
        if isinstance(call.func, ast.Attribute | ast.Name) and _last(call.func) == "record":
            for keyword in call.keywords:
                if keyword.arg == "verb":
                    yield from (verb for verb in _texts(keyword.value) if _VERB.fullmatch(verb.replace("{}", "x")))


def _texts(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in value.values)
    else:
        yield from (
            node.value for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )


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


def _last(function: ast.Attribute | ast.Name) -> str:
    return function.attr if isinstance(function, ast.Attribute) else function.id
