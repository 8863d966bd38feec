"""The rules of the leak scan, as they stand in `annotation/texts/data/`."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from annotation.texts.core.leaks.grammar import Group
from annotation.texts.core.leaks.signs import PERHAPS, PROBABLY, SURELY, Severity

_FOLDER: Final = Path(__file__).resolve().parents[2] / "data"
_SEVERITIES: Final[dict[str, Severity]] = {"surely": SURELY, "probably": PROBABLY, "perhaps": PERHAPS}


def read_groups(toml: str) -> Iterator[Group]:
    """The groups of one file. Raises `KeyError` where one lacks something."""
    for group in tomllib.loads(toml)["group"]:
        yield _group(group)


def read_fields(toml: str) -> Iterator[Group]:
    """A group for each field of words: its own frames or those of the file, and if it says so those on texts,
    filled with the field's class."""
    read = tomllib.loads(toml)
    for name, field in read["field"].items():
        frames = [
            *field.get("frames", read["frames"]),
            *(read["frames_of_text"] if field.get("is_of_text") else ()),
        ]
        patterns = [frame.replace("{field}", f"{{{name}}}") for frame in frames]
        yield _group({"severity": "perhaps", "is_real": True, **field, "patterns": patterns})


def _group(group: dict[str, Any]) -> Group:
    return Group(
        kind=group["kind"],
        severity=_SEVERITIES[group["severity"]],
        meaning=group["meaning"],
        patterns=tuple(group["patterns"]),
        is_real=group.get("is_real", False),
        is_weighed=group.get("is_weighed", True),
    )


GROUPS: Final = (
    *(
        group
        for path in sorted(_FOLDER.glob("leak_rules_*.toml"))
        for group in read_groups(path.read_text("utf-8"))
    ),
    *read_fields((_FOLDER / "leak_fields.toml").read_text("utf-8")),
)
