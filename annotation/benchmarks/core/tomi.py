"""ToMi (Le et al. 2019): numbered statements and a question about who looks for something where.

As generated, each question stands below the statements of its story, with its answer behind a tabulator; a trace
has a line for each question. As published after an audit, each line is a JSON object.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from annotation.benchmarks.core.items import Question, Reading, Story, more
from annotation.benchmarks.core.side_files import mismatches
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import examine_objects, read_texts
from annotation.platform.core.table_import import Problem

MEMORY: Final = "memory"
REALITY: Final = "reality"
FIRST_ORDER: Final = "first-order belief"
SECOND_ORDER: Final = "second-order belief"

LACKING_WITHOUT_TRACE: Final = ("the type of each story", "the roles of those who act in it")

_FIELDS: Final = ("context", "question", "label")
_NUMBERED: Final = re.compile(r"(\d{1,4})\s{1,9}(\S.*)", re.DOTALL)
_NAME: Final = r"\S{1,80}"
_ASKED: Final = (
    (MEMORY, re.compile(rf"Where was the (?P<thing>{_NAME}) at the beginning\?")),
    (REALITY, re.compile(rf"Where is the (?P<thing>{_NAME}) really\?")),
    (FIRST_ORDER, re.compile(rf"Where will (?P<who>{_NAME}) look for the (?P<thing>{_NAME})\?")),
    (
        SECOND_ORDER,
        re.compile(
            rf"Where does (?P<who>{_NAME}) think that (?P<whom>{_NAME}) searches for the (?P<thing>{_NAME})\?"
        ),
    ),
)
_OF_TRACE: Final = re.compile(r"memory|reality|(?:first|second)_order_[01]_(?:no_)?tom")
STORY_TYPES: Final = ("true_belief", "false_belief", "second_order_false_belief")


@dataclass(frozen=True)
class _Asked:
    """A question with its story's text as it stands in the file."""

    line: int
    story: str
    question: str
    gold: str
    raw: Mapping[str, Any]


def read(questions: tuple[str, BinaryIO], trace: tuple[str, BinaryIO] | None = None) -> Reading:
    """A story is what has one text: audited files lack questions, so that no count of lines parts stories."""
    is_json = questions[0].casefold().removesuffix(".gz").endswith(".jsonl")
    rows, problems = examine_objects(*questions, _of_object) if is_json else _of_blocks(read_texts(*questions))
    traces, faults = _traces(trace) if trace else ([], [])
    problems += faults
    if trace and not problems:
        problems = mismatches(questions[0], _numbered(rows, is_json), trace[0], traces, "line")
    if problems:
        return Reading(problems=tuple(problems))
    by_story: dict[str, list[tuple[_Asked, str]]] = {}
    for question, (_, of_trace) in zip(rows, traces or [(0, "")] * len(rows), strict=True):
        by_story.setdefault(question.story, []).append((question, of_trace))
    stories = tuple(
        _story(str(number), text, found) for number, (text, found) in enumerate(by_story.items(), start=1)
    )
    return Reading(stories, () if trace else LACKING_WITHOUT_TRACE)


def asked(question: str) -> tuple[str, dict[str, str]]:
    """The kind of a question, and whom and what it names: `who`, `whom`, `thing`; empty where it has none."""
    for kind, pattern in _ASKED:
        if found := pattern.fullmatch(question.strip()):
            return kind, found.groupdict()
    return "", {}


def _of_object(line: int, row: Mapping[str, Any]) -> _Asked:
    for name in _FIELDS:
        if not isinstance(row.get(name), str):
            raise Refused(f"“{name}” is {'no text' if name in row else 'missing'}")
    question = _NUMBERED.fullmatch(row["question"].strip())
    answer, _, support = row["label"].strip().rpartition(" ")
    story = "\n".join(text for each in row["context"].splitlines() if (text := each.strip()))
    return _Asked(
        line,
        story,
        question[2] if question else row["question"].strip(),
        answer if answer and support.isdecimal() else row["label"].strip(),
        {**{name: row[name] for name in _FIELDS}, **more(row, _FIELDS)},
    )


def _of_blocks(lines: Iterator[tuple[int, str]]) -> tuple[list[_Asked], list[Problem]]:
    rows: list[_Asked] = []
    problems: list[Problem] = []
    statements: list[str] = []
    expected, is_asked, last = 1, True, 0
    for line, text in lines:
        numbered = _NUMBERED.fullmatch(text)
        if numbered is None:
            problems.append(Problem("this does not begin with a number and go on with a text", line))
            continue
        number = int(numbered[1])
        if number == 1:
            if not is_asked:
                problems.append(Problem("the story before this has no question", line))
            statements, expected, is_asked = [], 1, False
        if number != expected:
            due = f"{expected} or 1" if expected > 1 else "1"
            problems.append(Problem(f"this is number {number}, where {due} is due", line))
        expected, last = number + 1, line
        if "\t" not in numbered[2]:
            if "?" in text:
                problems.append(Problem("this asks something, and no answer follows behind a tabulator", line))
                is_asked = True
            elif is_asked and rows:
                problems.append(Problem("this goes on with a story below its question", line))
            statements.append(text)
            continue
        question, answer, *_ = map(str.strip, numbered[2].split("\t"))
        # Where a story has several questions below it, each is kept as it would stand alone.
        place = len(statements) + 1
        alone = text if number == place else f"{place} {numbered[2]}"
        rows.append(_Asked(line, "\n".join(statements), question, answer, {"line": alone}))
        is_asked = True
    if not is_asked:
        problems.append(Problem("the story that ends here has no question", last))
    return rows, problems


def _numbered(rows: Sequence[_Asked], is_json: bool) -> list[int]:
    """The lines of questions as a file with a line for each is to be held against them: of stories in many lines it
    can only be the order.
    """
    return [row.line for row in rows] if is_json else [*range(1, len(rows) + 1)]


def _traces(trace: tuple[str, BinaryIO]) -> tuple[list[tuple[int, str]], list[Problem]]:
    lines = list(read_texts(*trace))
    return lines, [
        Problem("this names no kind of question known here", line, trace[0])
        for line, text in lines
        if not _OF_TRACE.fullmatch(_last_parts(text)[0])
    ]


def _last_parts(trace: str) -> tuple[str, str]:
    """The kind of question, and the type of story where the line ends with one."""
    parts = trace.split(",")
    if parts[-1].strip() in STORY_TYPES and len(parts) > 1:
        return parts[-2].strip(), parts[-1].strip()
    return parts[-1].strip(), ""


def _story(key: str, text: str, found: Sequence[tuple[_Asked, str]]) -> Story:
    questions = tuple(
        Question(
            each.question,
            each.gold,
            each.line,
            kind=asked(each.question)[0],
            raw={**each.raw, **({"trace": trace} if trace else {})},
        )
        for each, trace in found
    )
    types = {_last_parts(trace)[1] for _, trace in found}
    return Story(key, text, questions, kind=types.pop() if len(types) == 1 else "", cluster=key)


def role_of(question: Question) -> tuple[str, str]:
    """The kind of question (such as `first_order_0_no_tom`) and the type of its story, from the trace."""
    trace = question.raw.get("trace", "")
    return _last_parts(trace) if trace else ("", "")
