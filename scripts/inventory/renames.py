"""What moved: names of modules and paths of files, old to new."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

_DOTTED = re.compile(r"(?<![\w./-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_PATH = re.compile(r"(?<![\w./-])[\w.-]+(?:/[\w.-]+)+")


@dataclass(frozen=True)
class Renames:
    """Old names with their new ones. A module may be split into several, and several may become one."""

    modules: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    paths: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path | None) -> Self:
        """What the file says; without one nothing moved."""
        if path is None:
            return cls()
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        if unknown := data.keys() - {"modules", "paths"}:
            raise ValueError(f"{path}: unknown tables {sorted(unknown)}")
        modules = {
            old: (new,) if isinstance(new, str) else tuple(new) for old, new in data.get("modules", {}).items()
        }
        return cls(modules, data.get("paths", {}))

    @property
    def splits(self) -> dict[str, tuple[str, ...]]:
        """The modules that became several."""
        return {old: new for old, new in self.modules.items() if len(new) > 1}

    def module(self, name: str) -> tuple[str, ...]:
        """The new names of a module, or of what is in it."""
        parts = name.split(".")
        for length in range(len(parts), 0, -1):
            if new := self.modules.get(".".join(parts[:length])):
                return tuple(".".join((each, *parts[length:])) for each in new)
        return (name,)

    def path(self, path: str) -> str:
        """Where a file is now; a module's file is where its new name says."""
        if new := self.paths.get(path):
            return new
        if path.endswith(".py"):
            (name, *others) = self.module(path.removesuffix(".py").replace("/", "."))
            return path if others else name.replace(".", "/") + ".py"
        return path

    def text(self, line: str) -> str:
        """A line with every name of a module and every path in it replaced; a split module keeps its name."""
        line = _DOTTED.sub(self._new_name, line)
        return _PATH.sub(lambda found: self.path(found[0]), line)

    def _new_name(self, found: re.Match[str]) -> str:
        new = self.module(found[0])
        return new[0] if len(new) == 1 else found[0]
