"""A benchmark in a table of somebody's own: which of its columns holds what."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, BinaryIO, Final

from annotation.benchmarks.core.items import Question, Reading, Story
from annotation.benchmarks.core.options import (
    BY_WORDS,
    MAX_OPTIONS,
    count_from_0,
    gold_option,
    joined,
    one_text,
    option_columns,
    options_in,
    way_to_name,
    whole_number,
)
from annotation.benchmarks.core.own_rows import COLUMNS, IS_JSON, ROW, is_json, own_rows
from annotation.platform.core.cells import number, text
from annotation.platform.core.line_files import read_bytes
from annotation.platform.core.phrases import listed
from annotation.platform.core.table_import import Field, ParsedRow, Problem, Row, Table, suggest, take
from annotation.platform.core.table_import import read as read_table

MAX_BYTES: Final = 20_000_000
MAX_ROWS: Final = 50_000
_NAME: Final = text(200)


def _text(cell: str) -> str:
    return text(20_000)(one_text(cell))


FIELDS: Final = (
    Field("question", "Question", _text, is_required=True, also=("prompt",)),
    Field(
        "gold",
        "Right answer",
        _text,
        is_required=True,
        also=("answer", "label", "correct", "target", "correct answer", "answer key", "answer index", "answer idx"),
    ),
    Field("gold_index", "Right answer’s number, counted from 0", number(MAX_OPTIONS)),
    Field("story", "Story", _text, also=("context", "passage", "scenario")),
    Field("options", "Options", options_in, also=("choices", "answers")),
    Field("kind", "Kind of question", _NAME, also=("question type", "task")),
    Field("story_key", "Story’s key", _NAME, also=("story id", "context id", "group")),
    Field("story_kind", "Kind of story", _NAME, also=("story type", "type")),
    Field("source", "Source", _NAME, also=("origin", "subset")),
    Field("cluster", "Cluster", _NAME, also=("pair", "family")),
)
"""What a column can hold. Rows with the same key, or without keys the same story, are one story's questions.
Options can stand in a column each, too.
"""


def read(questions: tuple[str, BinaryIO], mapping: Mapping[str, str]) -> Reading:
    """`mapping` is field → column, for fields whose columns go by names of their own; of options several columns,
    separated by commas.
    """
    table = read_table(read_bytes(*questions), max_bytes=MAX_BYTES, max_rows=MAX_ROWS, keeps_nested=True)
    known, columns = {field.name for field in FIELDS}, table.columns
    as_they_stand = own_rows(table)
    table, mapping = _with_options(table, mapping)
    free = [column for column in table.columns if column not in mapping.values()]
    chosen = {**suggest(free, [field for field in FIELDS if field.name not in mapping]), **mapping}
    fields = _asked_for(chosen)
    problems = [*table.problems]
    if table.columns:
        problems += [
            Problem(f"nothing here is called “{name}”; columns can hold {', '.join(sorted(known))}")
            for name in mapping
            if name not in known
        ]
        missing = [field for field in fields if field.is_required and not chosen.get(field.name)]
        problems += [
            Problem(f"no column is named for the {field.label.lower()}: say which it is, as in {field.name} = …")
            for field in missing
        ]
        if missing:
            problems.append(Problem(f"the table’s columns are {listed([f'“{name}”' for name in columns])}"))
        problems += [
            Problem(f"there is no column “{column}”")
            for column in chosen.values()
            if column and column not in table.columns
        ]
    rows: list[ParsedRow] = []
    if not problems:
        rows, problems = take(table.rows, fields, chosen)
    golds = [
        (row.values["gold"], row.values["options"]) for row in rows if {"gold", "options"} <= row.values.keys()
    ]
    if golds and count_from_0(golds):
        rows = [_counted_from_0(row) for row in rows]
        problems += _no_numbers(rows)
    problems += _out_of_reach(rows)
    if problems:
        return Reading(problems=tuple(problems))
    by_story: dict[str, list[ParsedRow]] = {}
    for row in rows:
        by_story.setdefault(_key(row), []).append(row)
    has_keys = any("story_key" in row.values for row in rows)
    said = {COLUMNS: chosen, IS_JSON: is_json(table.text)}
    own = {line: {ROW: row, **said} for line, row in as_they_stand.items()}
    return Reading(
        tuple(_story(number, found, has_keys, own) for number, found in enumerate(by_story.values(), start=1))
    )


def _with_options(table: Table, mapping: Mapping[str, str]) -> tuple[Table, Mapping[str, str]]:
    """The table with one column for options that stand in a column each, and where it is."""
    named = mapping.get("options", "")
    columns = [column.strip() for column in named.split(",")] if "," in named and named not in table.columns else []
    if "options" not in mapping and "options" not in suggest(table.columns, FIELDS):
        columns = option_columns(column for column in table.columns if column not in mapping.values())
    if not columns or not set(columns) <= set(table.columns):
        return table, mapping
    together = ", ".join(columns)
    rows = tuple(Row(row.line, {**row.cells, together: joined(row.cells, columns)}) for row in table.rows)
    return replace(table, columns=(*table.columns, together), rows=rows), {**mapping, "options": together}


def _asked_for(chosen: Mapping[str, str]) -> list[Field]:
    """The fields, of which either the right answer or its number has to be there."""
    is_counted = "gold_index" in chosen
    required = {"gold": not is_counted, "gold_index": is_counted}
    return [replace(field, is_required=required.get(field.name, field.is_required)) for field in FIELDS]


def _counted_from_0(row: ParsedRow) -> ParsedRow:
    """The row with the number of its right answer instead; as it is, where that is neither number nor option."""
    if "options" not in row.values:
        return row
    index = whole_number(row.values["gold"])
    if index is None and way_to_name(row.values["gold"], row.values["options"]) == BY_WORDS:
        index = (gold_option(row.values["gold"], row.values["options"]) or 1) - 1
    if index is None:
        return row
    values = {name: value for name, value in row.values.items() if name != "gold"}
    return ParsedRow(row.line, {**values, "gold_index": index})


def _no_numbers(rows: Sequence[ParsedRow]) -> list[Problem]:
    return [
        Problem(f"the right answer is “{row.values['gold']}”, where others are numbers counted from 0", row.line)
        for row in rows
        if {"gold", "options"} <= row.values.keys()
    ]


def _out_of_reach(rows: Sequence[ParsedRow]) -> list[Problem]:
    return [
        Problem(
            f"the right answer is number {row.values['gold_index']}, counted from 0, of {len(options)}", row.line
        )
        for row in rows
        if "gold_index" in row.values and row.values["gold_index"] >= len(options := row.values.get("options", ()))
    ]


def _key(row: ParsedRow) -> str:
    return str(row.values.get("story_key") or row.values.get("story") or f"line {row.line}")


def _story(number: int, rows: Sequence[ParsedRow], has_keys: bool, own: Mapping[int, Mapping[str, Any]]) -> Story:
    """The story of these rows; where some rows name a story, the others' keys are no numbers, which could be those
    names.
    """
    values = rows[0].values
    key = str(values.get("story_key") or (f"line {rows[0].line}" if has_keys else number))
    return Story(
        key,
        values.get("story", ""),
        tuple(_question(row, own[row.line]) for row in rows),
        values.get("story_kind", ""),
        values.get("source", ""),
        values.get("cluster", key),
    )


def _question(row: ParsedRow, own: Mapping[str, Any]) -> Question:
    values = row.values
    options = values.get("options", ())
    index = values.get("gold_index")
    return Question(
        values["question"],
        values["gold"] if index is None else str(index),
        row.line,
        options,
        gold_option(values["gold"], options) if index is None else index + 1,
        values.get("kind", ""),
        {**values, "options": list(options), **own},
    )
