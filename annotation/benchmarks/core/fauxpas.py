"""FauxPas-EAI (Shapira et al. 2023): four questions about each story, in a table."""

import re
from collections.abc import Mapping
from typing import Any, BinaryIO, Final

from annotation.benchmarks.core.items import Question, Reading, Story
from annotation.benchmarks.core.own_rows import COLUMNS, ROW, own_rows
from annotation.platform.core.cells import text
from annotation.platform.core.line_files import read_bytes
from annotation.platform.core.table_import import Field, ParsedRow, Problem, suggest, take
from annotation.platform.core.table_import import read as read_table

MAX_BYTES: Final = 20_000_000
MAX_ROWS: Final = 50_000
_TEXT: Final = text(20_000)
_NAME: Final = text(200)

KINDS: Final = {"1": "detection", "2": "identification", "3": "comprehension", "4": "false belief"}
"""What is asked, by the question's number."""
_ID: Final = re.compile(r"q?(?:uestion)?\s{0,3}(\d)(?:\.0)?", re.IGNORECASE | re.ASCII)

_FIELDS: Final = (
    Field("story_id", "Story ID", _NAME, is_required=True),
    Field("question_id", "Question ID", _NAME, is_required=True),
    Field("story", "Story", _TEXT, is_required=True),
    Field("question", "Question", _TEXT, is_required=True),
    Field("answer", "Answer", _TEXT, is_required=True),
    Field("source", "Source", _NAME),
    Field("created_by", "Created by", _NAME),
    Field("type", "Type", _NAME),
)


def read(questions: tuple[str, BinaryIO]) -> Reading:
    """A story is what has one id; its text is that of its first question, and what others have is kept with them.

    The id without the letter at its end, `f` or `c`, is the pair of a story with and one without a faux pas.
    """
    table = read_table(read_bytes(*questions), max_bytes=MAX_BYTES, max_rows=MAX_ROWS)
    mapping = suggest(table.columns, _FIELDS)
    problems = [*table.problems]
    if table.columns:
        problems += [
            Problem(f"there is no column “{field.label}”")
            for field in _FIELDS
            if field.is_required and field.name not in mapping
        ]
    if problems:
        return Reading(problems=tuple(problems))
    rows, problems = take(table.rows, _FIELDS, mapping)
    own = {line: {ROW: row, COLUMNS: mapping} for line, row in own_rows(table).items()}
    problems += _repeated(rows)
    if problems:
        return Reading(problems=tuple(problems))
    by_story: dict[str, list[ParsedRow]] = {}
    for row in rows:
        by_story.setdefault(row.values["story_id"], []).append(row)
    lacking = tuple(
        f"{field.label.lower()} of the stories"
        for field in _FIELDS
        if not field.is_required and field.name not in mapping
    )
    return Reading(tuple(_story(key, found, own) for key, found in by_story.items()), lacking)


def _repeated(rows: list[ParsedRow]) -> list[Problem]:
    first: dict[tuple[str, str], int] = {}
    return [
        Problem(f"question {key[1]} of story {key[0]} is in line {first[key]} already", row.line)
        for row in rows
        if first.setdefault(key := (row.values["story_id"], row.values["question_id"]), row.line) != row.line
    ]


def _story(key: str, rows: list[ParsedRow], own: Mapping[int, Mapping[str, Any]]) -> Story:
    values = rows[0].values
    return Story(
        key,
        values["story"],
        tuple(
            Question(
                row.values["question"],
                row.values["answer"],
                row.line,
                kind=_kind(row.values["question_id"]),
                raw={**row.values, **own[row.line]},
            )
            for row in rows
        ),
        kind=values.get("type", ""),
        source=", ".join(filter(None, (values.get("source", ""), values.get("created_by", "")))),
        cluster=key[:-1] if key[:-1].isdecimal() and key[-1].isalpha() else key,
    )


def _kind(question_id: str) -> str:
    """The kind, whose number may be written as data frames do, 1.0, or as Q1."""
    found = _ID.fullmatch(question_id)
    return KINDS.get(found[1], "") if found else ""
