"""SocialIQA (Sap et al. 2019): questions with three options as JSON Lines, and a list of the right ones."""

from collections.abc import Mapping
from typing import Any, BinaryIO, Final

from annotation.benchmarks.core.items import Question, Reading, Story
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import examine_objects, read_texts
from annotation.platform.core.phrases import counted
from annotation.platform.core.table_import import Problem

OPTIONS: Final = ("answerA", "answerB", "answerC")
_FIELDS: Final = ("context", "question", *OPTIONS)


def read(questions: tuple[str, BinaryIO], labels: tuple[str, BinaryIO]) -> Reading:
    """Questions about one context are a story. A label is the number of an option, in the question's line."""
    rows, problems = examine_objects(*questions, _row)
    numbers = list(read_texts(*labels))
    problems += [
        Problem(f"{labels[0]}: “{label}” is no number from 1 to {len(OPTIONS)}", line)
        for line, label in numbers
        if label not in {"1", "2", "3"}
    ]
    if len(numbers) != len(rows) and not problems:
        problems.append(
            Problem(f"{questions[0]} has {counted(len(rows), 'question')}, {labels[0]} has {len(numbers)} labels")
        )
    if problems:
        return Reading(problems=tuple(problems))
    by_context: dict[str, list[Question]] = {}
    for (line, row), (_, label) in zip(rows, numbers, strict=True):
        by_context.setdefault(row["context"], []).append(_question(line, row, label))
    return Reading(
        tuple(
            Story(str(number), context, tuple(asked), cluster=str(number))
            for number, (context, asked) in enumerate(by_context.items(), start=1)
        )
    )


def _row(line: int, row: Mapping[str, Any]) -> tuple[int, dict[str, str]]:
    for name in _FIELDS:
        if not isinstance(row.get(name), str):
            raise Refused(f"“{name}” is {'no text' if name in row else 'missing'}")
    return line, {name: row[name].strip() for name in _FIELDS}


def _question(line: int, row: Mapping[str, str], label: str) -> Question:
    options = tuple(row[name] for name in OPTIONS)
    return Question(row["question"], label, line, options, int(label), raw={**row, "label": label})
