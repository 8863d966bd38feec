"""The viewpoints that a panel judges from: versioned data."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).resolve().parent.parent / "data" / "perspectives-1.toml"


@dataclass(frozen=True)
class Perspective:
    """`key` is published with every score; `name` continues “that of the …”; `description` is told to the model."""

    key: str
    name: str
    description: str


def read_perspectives(toml: str) -> tuple[Perspective, ...]:
    """The perspectives of a file, in its order. Raises `ValueError` where one lacks something or repeats a key."""
    rows = tomllib.loads(toml).get("perspectives", [])
    perspectives = thawed(rows)
    keys = [perspective.key for perspective in perspectives]
    if not keys or len(set(keys)) < len(keys):
        raise ValueError("a file of perspectives needs at least one, each with a key of its own")
    return perspectives


def frozen(perspectives: Sequence[Perspective]) -> list[dict[str, str]]:
    """The perspectives as a run keeps them, in JSON."""
    return [asdict(perspective) for perspective in perspectives]


def thawed(rows: Sequence[Mapping[str, str]]) -> tuple[Perspective, ...]:
    """The reverse of `frozen`. Raises `ValueError` for a row that is not one."""
    try:
        return tuple(Perspective(**{key: text.strip() for key, text in row.items()}) for row in rows)
    except (TypeError, AttributeError) as error:
        raise ValueError("a perspective has a key, a name and a description, all of them texts") from error


PERSPECTIVES: Final = read_perspectives(_FILE.read_text(encoding="utf-8"))
"""The ten that come with the site."""
