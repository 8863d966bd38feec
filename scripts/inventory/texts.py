"""Names of modules in texts, which no import finds wrong: settings, TOML, documentation, patches in tests."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from django.apps import apps

from annotation.platform.models.audit_verbs import AuditVerb
from scripts.inventory.folders import read_lines, write_lines
from scripts.inventory.names import resolves
from scripts.inventory.renames import Renames
from scripts.inventory.source import PACKAGES, read, tracked, tree
from scripts.inventory.work import salts

_NAME = re.compile(rf"(?<![\w./-])(?:{'|'.join(PACKAGES)})(?:\.[A-Za-z_]\w*)+(?![/(]?\w*[{{-])")
_READ = frozenset({".html", ".md", ".toml", ".txt", ".yml", ".yaml", ".js", ".css", ".sh", ""})  # and modules
_LEFT_OUT = ("requirements/",)
_PLANTING = "test_structure.py"  # plants modules that are not there, to see that contracts hold for them too
_FILES = frozenset(
    {
        "csv",
        "db",
        "html",
        "jpg",
        "json",
        "jsonl",
        "log",
        "md",
        "parquet",
        "pdf",
        "png",
        "py",
        "svg",
        "toml",
        "txt",
        "zip",
    }
)
_CHECK = re.compile(r"[EWI]\d{3}")  # Django's system checks have such names
_UNRESOLVED = "unresolved.txt"


def record(folder: Path) -> None:
    """All names of modules in texts, and those among them that are the name of nothing."""
    found = list(named())
    write_lines(folder / "names.txt", {f"{path}: {name}" for path, name in found})
    lines = {f"{path}: {name}" for path, name in found if not is_meant(name)}
    write_lines(folder / _UNRESOLVED, lines or {"none"})


def compare(_before: Path, after: Path, _renames: Renames) -> Iterator[str]:
    """What is the name of nothing now, whatever it was before."""
    yield from (line for line in read_lines(after / _UNRESOLVED) if line != "none")


def named() -> Iterator[tuple[str, str]]:
    """The file and the name of everything in a text that may be a module of our own, or in one."""
    for path in tracked():
        if path.startswith(_LEFT_OUT) or path.endswith(_PLANTING):
            continue
        if path.endswith(".py"):
            texts = _strings(tree(path))
        elif PurePath(path).suffix in _READ:
            texts = iter([read(path)])
        else:
            continue
        yield from ((path, name) for text in texts for name in _NAME.findall(text))


def is_meant(name: str) -> bool:
    """Whether the name is that of something: of a module or what is in one, of a model, or of no module plainly."""
    return (
        resolves(name)
        or name.rpartition(".")[2] in _FILES
        or bool(_CHECK.fullmatch(name.rpartition(".")[2]))
        or name in AuditVerb.values
        or name in salts()
        or _is_model(name)
    )


def _is_model(name: str) -> bool:
    label, _, model = name.partition(".")
    try:
        apps.get_model(label, model)
    except LookupError:
        return False
    return True


def _strings(module: ast.Module) -> Iterator[str]:
    """All texts of a module but those with placeholders."""
    composed = {id(part) for node in ast.walk(module) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in composed:
            yield node.value
