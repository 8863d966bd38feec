"""The framings that a prompt is rewritten into: a versioned file, as data."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.core.toml_files import read_toml
from generation.catalogue.core.toml_tables import check_names, identifier, text_of, whole_number

BASELINE: Final = "baseline"
"""Stands for the prompt itself wherever conditions are named."""

MAX_CONDITIONS: Final = 8
MAX_WORDS: Final = 1_000  # of a framing

_FOLDER: Final = Path(__file__).resolve().parent.parent / "data"
_RESERVED: Final = frozenset({BASELINE, f"{BASELINE}_again", "opposed"})
_OF_FILE: Final = ("key", "name", "version", "least_words", "most_words", "opposed", "conditions")


@dataclass(frozen=True)
class Condition:
    """`task` is what the rewriter does, `must_hold` what the framing has to be like. `key` is published."""

    key: str
    name: str
    task: str
    must_hold: str


@dataclass(frozen=True)
class Conditions:
    """One to eight conditions in their order; `opposed` are pairs of keys that take opposite sides.

    A framing has `least_words` to `most_words` words.
    """

    key: str
    name: str
    version: int
    least_words: int
    most_words: int
    opposed: tuple[tuple[str, str], ...]
    conditions: tuple[Condition, ...]
    sha256: str

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(condition.key for condition in self.conditions)

    @property
    def pairs(self) -> dict[str, tuple[str, str]]:
        """The opposed pairs by the name under which they are asked about."""
        return {f"{one}_against_{other}": (one, other) for one, other in self.opposed}


def read_conditions(toml: str) -> Conditions:
    """The conditions of a file. Raises `Refused`, with what is wrong in it."""
    table = read_toml(toml)
    check_names(table, _OF_FILE, "the file")
    rows = table["conditions"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_CONDITIONS:
        raise Refused(f"A file of framings has one to {MAX_CONDITIONS} conditions.")
    conditions = tuple(_condition(row) for row in rows)
    keys = [condition.key for condition in conditions]
    if len(set(keys)) < len(keys):
        raise Refused("Two conditions have one key.")
    found = Conditions(
        key=identifier(table["key"]),
        name=text_of(table, "name"),
        version=whole_number(table, "version", 9_999),
        least_words=whole_number(table, "least_words", MAX_WORDS),
        most_words=whole_number(table, "most_words", MAX_WORDS),
        opposed=_opposed(table["opposed"], keys),
        conditions=conditions,
        sha256=sha256_hex(toml),
    )
    if found.least_words > found.most_words:
        raise Refused("“least_words” is more than “most_words”.")
    return found


def _condition(row: Any) -> Condition:
    names = ("key", "name", "task", "must_hold")
    check_names(row, names, "a condition")
    key = identifier(row["key"])
    if key in _RESERVED:
        raise Refused(f"No condition can be called “{key}”.")
    return Condition(key, *(text_of(row, name) for name in names[1:]))


def _opposed(pairs: Any, keys: list[str]) -> tuple[tuple[str, str], ...]:
    if not isinstance(pairs, list):
        raise Refused("“opposed” is a list of pairs.")
    found: list[tuple[str, str]] = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or any(key not in keys for key in pair):
            raise Refused("What is “opposed” are pairs of keys of conditions.")
        if pair[0] == pair[1] or any(set(pair) == set(other) for other in found):
            raise Refused("A pair under “opposed” names one condition twice, or stands there twice.")
        found.append((pair[0], pair[1]))
    return tuple(found)


SHIPPED_TOML: Final = (_FOLDER / "conditions-1.toml").read_text(encoding="utf-8")
SHIPPED_CONDITIONS: Final = read_conditions(SHIPPED_TOML)
"""Those that come with the site."""
