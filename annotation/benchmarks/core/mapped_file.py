"""A benchmark in a table of somebody's own: which of its columns holds what."""

import re
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final

from annotation.benchmarks.core.items import Question, Reading, Story
from annotation.platform.core.cells import text
from annotation.platform.core.line_files import read_bytes
from annotation.platform.core.table_import import Field, ParsedRow, Problem, suggest, take
from annotation.platform.core.table_import import read as read_table

MAX_BYTES: Final = 20_000_000
MAX_ROWS: Final = 50_000
_TEXT: Final = text(20_000)
_NAME: Final = text(200)


def _options(cell: str) -> tuple[str, ...]:
    """On lines of their own or, in one line, parted by semicolons. Empty ones count: others keep their number."""
    return tuple(part.strip() for part in cell.split("\n" if "\n" in cell else ";"))


FIELDS: Final = (
    Field("question", "Question", _TEXT, is_required=True, also=("prompt",)),
    Field("gold", "Right answer", _TEXT, is_required=True, also=("answer", "label", "correct", "target")),
    Field("story", "Story", _TEXT, also=("context", "passage", "scenario")),
    Field("options", "Options", _options, also=("choices", "answers")),
    Field("kind", "Kind of question", _NAME, also=("question type", "task")),
    Field("story_key", "Story’s key", _NAME, also=("story id", "context id", "group")),
    Field("story_kind", "Kind of story", _NAME, also=("story type", "type")),
    Field("source", "Source", _NAME, also=("origin", "subset")),
    Field("cluster", "Cluster", _NAME, also=("pair", "family")),
)
"""What a column can hold. Rows with the same key, or without keys the same story, are one story's questions."""


def read(questions: tuple[str, BinaryIO], mapping: Mapping[str, str]) -> Reading:
    """`mapping` is field → column, for fields whose columns go by names of their own."""
    table = read_table(read_bytes(*questions), max_bytes=MAX_BYTES, max_rows=MAX_ROWS)
    known = {field.name for field in FIELDS}
    free = [column for column in table.columns if column not in mapping.values()]
    chosen = {**suggest(free, [field for field in FIELDS if field.name not in mapping]), **mapping}
    problems = [*table.problems]
    if table.columns:
        problems += [
            Problem(f"nothing here is called “{name}”; columns can hold {', '.join(sorted(known))}")
            for name in mapping
            if name not in known
        ]
        problems += [
            Problem(f"no column is named for the {field.label.lower()}")
            for field in FIELDS
            if field.is_required and not chosen.get(field.name)
        ]
        problems += [
            Problem(f"there is no column “{column}”")
            for column in chosen.values()
            if column and column not in table.columns
        ]
    rows: list[ParsedRow] = []
    if not problems:
        rows, problems = take(table.rows, FIELDS, chosen)
    if problems:
        return Reading(problems=tuple(problems))
    by_story: dict[str, list[ParsedRow]] = {}
    for row in rows:
        by_story.setdefault(_key(row), []).append(row)
    return Reading(tuple(_story(number, found) for number, found in enumerate(by_story.values(), start=1)))


def gold_option(gold: str, options: Sequence[str]) -> int | None:
    """The number of the option that `gold` means, from 1: by its words, else its letter, else its number."""
    plain = [" ".join(option.casefold().split()) for option in options]
    if (words := " ".join(gold.casefold().split())) in plain:
        return plain.index(words) + 1
    mark = re.fullmatch(r"\(?(?:([A-Za-z])|(\d{1,2}))[).]?", gold.strip())
    if mark is None:
        return None
    number = ord(mark[1].upper()) - ord("A") + 1 if mark[1] else int(mark[2])
    return number if 1 <= number <= len(options) else None


def _key(row: ParsedRow) -> str:
    return str(row.values.get("story_key") or row.values.get("story") or f"line {row.line}")


def _story(number: int, rows: Sequence[ParsedRow]) -> Story:
    values = rows[0].values
    key = str(values.get("story_key") or number)
    return Story(
        key,
        values.get("story", ""),
        tuple(_question(row) for row in rows),
        values.get("story_kind", ""),
        values.get("source", ""),
        values.get("cluster", key),
    )


def _question(row: ParsedRow) -> Question:
    values = row.values
    options = values.get("options", ())
    return Question(
        values["question"],
        values["gold"],
        row.line,
        options,
        gold_option(values["gold"], options),
        values.get("kind", ""),
        {**values, "options": list(options)},
    )
