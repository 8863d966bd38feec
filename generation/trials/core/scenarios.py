"""Scenarios with established facts: what belongs to one, and how files that bring some are read."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import as_text
from annotation.platform.core.table_import import Field as Column
from annotation.platform.core.table_import import Problem, Row, Table, read, suggest
from annotation.platform.core.text import clean
from annotation.platform.core.toml_files import read_toml
from generation.catalogue.core.toml_tables import TEXT_LENGTH, check_names, identifier, text_of

MAX_SCENARIOS: Final = 500  # of a study
MAX_FACTS: Final = 20
MAX_TENSIONS: Final = 10
MAX_TITLE: Final = 160  # characters

_NAMES: Final = ("key", "title", "situation", "facts", "question")
_OPTIONAL: Final = ("tensions", "is_new")
_TEXTS: Final = ("key", "title", "situation", "question")
_TRUE: Final = frozenset(("1", "true", "yes", "new"))
_FALSE: Final = frozenset(("", "0", "false", "no"))
_NUMBERED: Final = re.compile(r"\(?(\d{1,2})[.):]\s+(\S.*)")
_TOML: Final = re.compile(
    rb"^[ \t]{0,99}(\[\[[ \t]{0,99}scenarios[ \t]{0,99}\]\]|scenarios[ \t]{0,99}=)", re.MULTILINE
)


@dataclass(frozen=True)
class NewScenario:
    """`situation` says who decides and where, `facts` are true for the purpose of the trial, `question` is what is
    to be decided. `tensions` are for those who code conclusions, and are sent to nobody. `is_new`: written for this
    study, where others are known from elsewhere.
    """

    key: str
    title: str
    situation: str
    facts: tuple[str, ...]
    question: str
    tensions: tuple[str, ...] = ()
    is_new: bool = False

    @property
    def text(self) -> str:
        """The scenario as models and evaluators read it."""
        return scenario_text(self.situation, self.facts, self.question)


def scenario_text(situation: str, facts: Sequence[str], question: str) -> str:
    """The scenario in one text, its facts numbered from 1."""
    numbered = "\n".join(f"{number}. {fact}" for number, fact in enumerate(facts, start=1))
    return f"{situation}\n\nEstablished facts:\n{numbered}\n\nQuestion: {question}"


def checked_scenario(table: Mapping[str, Any]) -> NewScenario:
    """Raises `Refused`, with what is wrong."""
    check_names(table, _NAMES, "a scenario", optional=_OPTIONAL)
    is_new = table.get("is_new", False)
    if not isinstance(is_new, bool):
        raise Refused("“is_new” is true or false.")
    title = text_of(table, "title")
    if len(title) > MAX_TITLE:
        raise Refused(f"A title has up to {MAX_TITLE} characters.")
    return NewScenario(
        key=identifier(table["key"]),
        title=title,
        situation=text_of(table, "situation"),
        facts=_without_numbers(_statements(table["facts"], "facts", 1, MAX_FACTS)),
        question=text_of(table, "question"),
        tensions=_statements(table.get("tensions", []), "tensions", 0, MAX_TENSIONS),
        is_new=is_new,
    )


def _statements(value: Any, name: str, least: int, most: int) -> tuple[str, ...]:
    rows = [clean(each).strip() for each in value] if _is_list_of_texts(value) else None
    if rows is None or not least <= len(rows) <= most or any(not 0 < len(each) <= TEXT_LENGTH for each in rows):
        raise Refused(f"“{name}” are {least} to {most} texts of up to {TEXT_LENGTH:,} characters.")
    if any("\n" in each for each in rows):
        raise Refused(f"Each of the “{name}” stands in one line.")
    return tuple(rows)


def _without_numbers(statements: tuple[str, ...]) -> tuple[str, ...]:
    """Facts without the numbers that they brought along, which they are given again wherever they are read."""
    found = [_NUMBERED.match(each) for each in statements]
    if all(each and int(each[1]) == number for number, each in enumerate(found, start=1)):
        return tuple(each[2] for each in found if each)
    return statements


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


def read_scenarios(content: bytes) -> list[NewScenario]:
    """The scenarios of a file: CSV, JSON Lines or TOML, told apart by what it holds.

    In a cell, facts and tensions stand each in a line of their own, or separated by semicolons; in JSON Lines they
    may be a list, whose texts may have semicolons. Raises `Refused`, with what is wrong and where.
    """
    if _TOML.search(content):
        found = _of_toml(as_text(content))
    else:
        table = read(content, keeps_nested=True)
        if table.problems:
            raise Refused(f"Nothing was imported: {str(table.problems[0]).rstrip('.')}.")
        found = _of_table(table)
    keys = [each.key for each in found]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise Refused(f"Nothing was imported: “{twice}” stands in the file twice.")
    return found


def _of_toml(text: str) -> list[NewScenario]:
    table = read_toml(text)
    check_names(table, ("scenarios",), "the file", optional=("key", "name", "version"))
    rows = table["scenarios"]
    if not isinstance(rows, list) or not rows:
        raise Refused("Nothing was imported: “scenarios” is a list of tables.")
    found = []
    for number, row in enumerate(rows, start=1):
        try:
            found.append(checked_scenario(row))
        except Refused as refusal:
            raise Refused(f"Nothing was imported: scenario {number}: {refusal}") from None
    return found


COLUMNS: Final = tuple(
    Column(name, name.replace("_", " "), str, name in _NAMES, also)
    for name, also in {
        **dict.fromkeys(_NAMES, ()),
        **dict.fromkeys(_OPTIONAL, ()),
        "facts": ("established facts",),
        "question": ("decision question",),
        "is_new": ("new",),
    }.items()
)


def _of_table(table: Table) -> list[NewScenario]:
    columns = suggest(table.columns, COLUMNS)
    if missing := [name for name in _NAMES if name not in columns]:
        raise Refused(f"Nothing was imported: the table has no column “{missing[0]}”.")
    found = []
    for row in table.rows:
        try:
            found.append(checked_scenario(_row(row, columns)))
        except Refused as refusal:
            raise Refused(f"Nothing was imported: {Problem(str(refusal).rstrip('.'), row.line)}.") from None
    return found


def _row(row: Row, columns: Mapping[str, str]) -> dict[str, Any]:
    cells = {name: row.cells.get(column, "") for name, column in columns.items()}
    is_new = cells.get("is_new", "").casefold()
    if is_new not in _TRUE | _FALSE:
        raise Refused("“is new” is yes or no")
    if nested := next((name for name in _TEXTS if _nested(cells.get(name, "")) is not None), None):
        raise Refused(f"“{nested}” is a text")
    return {
        **cells,
        "facts": _statements_of(cells["facts"]),
        "tensions": _statements_of(cells.get("tensions", "")),
        "is_new": is_new in _TRUE,
    }


def _statements_of(cell: str) -> Any:
    nested = _nested(cell)
    return statements_in(cell) if nested is None else nested


def _nested(cell: str) -> Any:
    """The list or object that a cell of JSON Lines was; None of any other."""
    if cell[:1] not in "[{":
        return None
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return None


def statements_in(text: str) -> list[str]:
    """The statements of a cell or field: a line each, or, in one line, separated by semicolons."""
    parts = text.splitlines() if "\n" in text.strip() else text.split(";")
    return [part.strip() for part in parts if part.strip()]


_FOLDER: Final = Path(__file__).resolve().parent.parent / "data"
EXAMPLES_TOML: Final = (_FOLDER / "scenarios-1.toml").read_text(encoding="utf-8")
EXAMPLES: Final = tuple(_of_toml(EXAMPLES_TOML))
"""Those that come with the site."""
