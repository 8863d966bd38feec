"""Which faults are tried: drawn from all of a group's files by a seed."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scripts.inventory.source import PROJECT, tracked
from scripts.mutants.faults import (
    SCRIPT_FAULTS,
    STYLE_FAULTS,
    TEMPLATE_FAULTS,
    Faults,
    constraint_faults,
    python_faults,
    text_faults,
)

APPS: Final = ("annotation", "generation", "analysis", "scrub_site")


@dataclass(frozen=True)
class Mutant:
    """A fault of a file: what stands at this byte, and what is put in its place."""

    group: str
    file: str
    start: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.group} {self.file}: {self.old[:60]!r} -> {self.new[:60]!r}"

    def position(self, content: bytes) -> int:
        """Where the replaced text stands in a file, of another state of the code as near as possible to this one's.

        Raises `ValueError` where it stands there no more.
        """
        found = [hit.start() for hit in re.finditer(re.escape(self.old.encode()), content)]
        if not found:
            raise ValueError(f"{self.file} has no {self.old!r} any more")
        return min(found, key=lambda at: abs(at - self.start))

    def applied(self, content: bytes) -> bytes:
        at = self.position(content)
        return content[:at] + self.new.encode() + content[at + len(self.old.encode()) :]


@dataclass(frozen=True)
class Group:
    name: str
    size: int
    parts: Sequence[tuple[str, Faults]]  # what files, and their faults

    def draw(self, random_numbers: random.Random) -> list[Mutant]:
        """Each part gives as many, and each file of it is as likely."""
        drawn: list[Mutant] = []
        files = tracked()
        while len(drawn) < self.size:
            pattern, faults = self.parts[len(drawn) % len(self.parts)]
            file = random_numbers.choice([path for path in files if re.fullmatch(pattern, path)])
            found = sorted(faults((PROJECT / file).read_text(encoding="utf-8")))
            mutant = Mutant(self.name, file, *random_numbers.choice(found)) if found else None
            if mutant and mutant not in drawn:
                drawn.append(mutant)
        return drawn


IN_APPS: Final = rf"(?:{'|'.join(APPS)})/(?:.*/)?"
GROUPS: Final = (
    Group("core", 20, [(IN_APPS + r"core/(?:.*/)?(?!__init__)\w+\.py", python_faults)]),
    Group(
        "rules",
        20,
        [
            (IN_APPS + r"services(?:/.*)?(?<!__init__)\.py", python_faults),
            (IN_APPS + r"policies(?:/.*)?(?<!__init__)\.py", python_faults),
            (IN_APPS + r"selectors(?:/.*)?(?<!__init__)\.py", python_faults),
            (IN_APPS + r"migrations/\w+\.py", constraint_faults),
        ],
    ),
    Group(
        "pages",
        10,
        [
            (IN_APPS + r"views(?:/.*)?(?<!__init__)\.py", python_faults),
            (r"templates/.*\.html", text_faults(TEMPLATE_FAULTS)),
        ],
    ),
    Group(
        "static",
        10,
        [
            (r"static/.*\.js", text_faults(SCRIPT_FAULTS)),
            (r"static/.*\.css", text_faults(STYLE_FAULTS)),
        ],
    ),
)


def draw(seed: int) -> list[Mutant]:
    """The mutants of every group. The same seed and the same files give the same ones."""
    random_numbers = random.Random(seed)  # noqa: S311
    return [mutant for group in GROUPS for mutant in group.draw(random_numbers)]
