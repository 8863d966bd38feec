"""Files that have a line for each question of another one: labels, traces."""

from collections.abc import Sequence

from annotation.platform.core.phrases import counted
from annotation.platform.core.table_import import Problem

Lines = Sequence[tuple[int, str]]
"""Lines that are not blank, each with its number."""


def mismatches(asked: str, questions: Sequence[int], beside: str, lines: Lines, noun: str) -> list[Problem]:
    """Why the lines of the file `beside` cannot each be told to belong to a question; empty where they can.

    `questions` are the lines in which `asked` has its own. The n-th line belongs to the n-th question. Where one is
    blank on the way that is named, and so are blank lines in both files but not in the same places: then a line may
    belong to the question before or to the one after.
    """
    numbers = [line for line, _ in lines]
    gaps = _gaps(numbers)
    if len(lines) != len(questions):
        told = f"{asked} has {counted(len(questions), 'question')}, {beside} has {counted(len(lines), noun)}"
        return [Problem(told), *(Problem("this line is empty", line, beside) for line in gaps)]
    if gaps and _gaps(questions) and numbers != [*questions]:
        return [
            Problem(f"{asked} has no question in this line", line, beside)
            for line in sorted(set(numbers) - set(questions))
        ]
    return []


def _gaps(numbers: Sequence[int]) -> list[int]:
    """Blank lines that others follow."""
    return sorted(set(range(1, max(numbers, default=0))) - set(numbers))
