"""Which module imports which."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from scripts.inventory.folders import differences, read_lines, write_lines
from scripts.inventory.renames import Renames
from scripts.inventory.source import PACKAGES, imported, module_of, modules

_FILE = "imports.txt"


def record(folder: Path) -> None:
    """A line for each module, and one for each pair `module -> what it imports`.

    Packages that say nothing come and go with the folders, so they are left out.
    """
    pairs = {(name, _target(full)) for name in modules() for _, full in imported(name)}
    silent = {name for name, path in modules().items() if path.endswith("__init__.py")} - {
        name for name, _ in pairs
    }
    edges = [f"{name} -> {target}" for name, target in pairs if target not in silent | {name}]
    write_lines(folder / _FILE, [*edges, *(modules().keys() - silent)])


def _target(full: str) -> str:
    """The module of our own; of others' the one that is named, which may be a package that it comes from."""
    if full.partition(".")[0] in PACKAGES:
        return module_of(full) or full
    return full.rpartition(".")[0] or full


def compare(before: Path, after: Path, renames: Renames) -> Iterator[str]:
    """Modules that were joined or split are compared as one: what their parts import of each other is left out."""
    groups = _groups(renames)
    old = _grouped(read_lines(before / _FILE), groups, renames)
    new = _grouped(read_lines(after / _FILE), groups, Renames())
    yield from differences(old, new)


def notes(renames: Renames) -> Iterator[str]:
    """What the comparison takes together."""
    for old, new in sorted(renames.splits.items()):
        yield f"imports: {old} was split; {', '.join(new)} are compared with it together"


def _groups(renames: Renames) -> dict[str, str]:
    """New names of modules that are parts of one old module, by the name that stands for all of them."""
    groups: dict[str, str] = {}
    for parts in renames.splits.values():
        known = {groups.get(part, part) for part in parts}
        name = min(known)
        groups |= dict.fromkeys([*parts, *(part for part, group in groups.items() if group in known)], name)
    return groups


def _grouped(lines: Iterable[str], groups: Mapping[str, str], renames: Renames) -> set[str]:
    def group(module: str) -> str:
        new = renames.module(module)[0] if module.partition(".")[0] in PACKAGES else module
        return groups.get(new, new)

    found = set()
    for line in lines:
        ends = [group(module) for module in line.split(" -> ")]
        if len(ends) == 1 or ends[0] != ends[1]:
            found.add(" -> ".join(ends))
    return found
