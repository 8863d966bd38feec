"""SocialIQA (Sap et al. 2019): questions with three options as JSON Lines, and a list of the right ones."""

import textwrap
from collections.abc import Mapping
from typing import Any, BinaryIO, Final

from annotation.benchmarks.core.items import Question, Reading, Story, more
from annotation.benchmarks.core.side_files import mismatches
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import examine_objects, read_texts
from annotation.platform.core.table_import import Problem

OPTIONS: Final = ("answerA", "answerB", "answerC")
_FIELDS: Final = ("context", "question", *OPTIONS)


def read(questions: tuple[str, BinaryIO], labels: tuple[str, BinaryIO]) -> Reading:
    """Questions about one context are a story; those that have none are each their own. A label is the number of an
    option, in the question's line.
    """
    rows, problems = examine_objects(*questions, _row)
    numbers = list(read_texts(*labels))
    if not problems:
        problems = mismatches(questions[0], [line for line, _ in rows], labels[0], numbers, "label")
    problems += [
        Problem(
            f"“{textwrap.shorten(label, 40, placeholder='…')}” is no number from 1 to {len(OPTIONS)}",
            line,
            labels[0],
        )
        for line, label in numbers
        if label not in {"1", "2", "3"}
    ]
    if problems:
        return Reading(problems=tuple(problems))
    by_context: dict[str, list[Question]] = {}
    for (line, row), (_, label) in zip(rows, numbers, strict=True):
        by_context.setdefault(row["context"] or f"line {line}", []).append(_question(line, row, label))
    return Reading(
        tuple(
            Story(str(number), asked[0].raw["context"], tuple(asked), cluster=str(number))
            for number, asked in enumerate(by_context.values(), start=1)
        )
    )


def _row(line: int, row: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    for name in _FIELDS:
        if not isinstance(row.get(name), str):
            raise Refused(f"“{name}” is {'no text' if name in row else 'missing'}")
    return line, {**{name: row[name].strip() for name in _FIELDS}, **more(row, _FIELDS)}


def _question(line: int, row: Mapping[str, Any], label: str) -> Question:
    options = tuple(row[name] for name in OPTIONS)
    return Question(row["question"], label, line, options, int(label), raw={**row, "label": label})
