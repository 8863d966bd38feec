"""The frameworks of values that answers are asked for under, as data: a versioned file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.core.toml_files import read_toml
from generation.catalogue.core.toml_tables import check_names, identifier, text_of, whole_number

MIN_CONDITIONS: Final = 2
MAX_CONDITIONS: Final = 8  # an item shows no more answers
MAX_CONTROLS: Final = 4
TURNS: Final = {"system": "As the system turn", "user": "At the head of the question"}
"""Where a model is told the framework."""

RESERVED: Final = frozenset(("human", "model", "unknown"))
_OF_FILE: Final = ("key", "name", "version", "conditions")


@dataclass(frozen=True)
class TrialCondition:
    """`text` is the framework in our words, "" of the one condition without any; of a positive control, whose
    answers are made to fail, what their model is told instead. `key` is published.
    """

    key: str
    name: str
    text: str


@dataclass(frozen=True)
class TrialConditions:
    """Two to eight conditions in their order, exactly one of them without a framework, and up to four controls."""

    key: str
    name: str
    version: int
    conditions: tuple[TrialCondition, ...]
    controls: tuple[TrialCondition, ...]
    sha256: str

    @property
    def baseline(self) -> TrialCondition:
        return next(each for each in self.conditions if not each.text)

    def text(self, key: str) -> str:
        """What is said of a condition or a control."""
        return next(each.text for each in (*self.conditions, *self.controls) if each.key == key)

    def name_of(self, key: str) -> str:
        return next(each.name for each in (*self.conditions, *self.controls) if each.key == key)


def read_trial_conditions(toml: str) -> TrialConditions:
    """The conditions of a file. Raises `Refused`, with what is wrong in it."""
    table = read_toml(toml)
    check_names(table, _OF_FILE, "the file", optional=("controls",))
    conditions = [_condition(row, "a condition") for row in _rows(table["conditions"], "conditions")]
    controls = [_condition(row, "a control") for row in _rows(table.get("controls", []), "controls")]
    if not MIN_CONDITIONS <= len(conditions) <= MAX_CONDITIONS or len(controls) > MAX_CONTROLS:
        raise Refused(
            f"A file has {MIN_CONDITIONS} to {MAX_CONDITIONS} conditions and at most {MAX_CONTROLS} controls."
        )
    keys = [each.key for each in (*conditions, *controls)]
    if len(set(keys)) < len(keys):
        raise Refused("Two conditions or controls have one key.")
    if taken := RESERVED.intersection(keys):
        raise Refused(f"No condition can be called “{min(taken)}”: guesses of judges say so.")
    if sum(not each.text for each in conditions) != 1:
        raise Refused("Exactly one condition is without a framework: its “text” is empty.")
    return TrialConditions(
        key=identifier(table["key"]),
        name=text_of(table, "name"),
        version=whole_number(table, "version", 9_999),
        conditions=tuple(conditions),
        controls=tuple(controls),
        sha256=sha256_hex(toml),
    )


def _rows(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise Refused(f"“{what}” is a list of tables.")
    return value


def _condition(row: Any, where: str) -> TrialCondition:
    check_names(row, ("key", "name", "text"), where)
    may_be_empty = where == "a condition"
    return TrialCondition(
        identifier(row["key"]), text_of(row, "name"), text_of(row, "text", may_be_empty=may_be_empty)
    )


_FOLDER: Final = Path(__file__).resolve().parent.parent / "data"
SHIPPED_TOML: Final = (_FOLDER / "conditions-1.toml").read_text(encoding="utf-8")
SHIPPED_CONDITIONS: Final = read_trial_conditions(SHIPPED_TOML)
"""Those that come with the site."""
