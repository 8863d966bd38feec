"""The difference between two saves of one text, and putting it back together.

Offsets and lengths count Unicode code points, in every language: Python's `len`, PostgreSQL's `length`, and the
elements of `Array.from(text)` in JavaScript. Texts are cleaned (`annotation.platform.core.text.clean`) before that.
"""

from dataclasses import dataclass


class Mismatch(ValueError):
    """The delta does not fit the text it is applied to."""


@dataclass(frozen=True)
class Delta:
    """`delete` code points at offset `at` give way to `insert`."""

    at: int
    delete: int
    insert: str


def between(old: str, new: str) -> Delta:
    """The shortest single replacement that turns `old` into `new`. Offsets count code points."""
    shorter = min(len(old), len(new))
    at = 0
    while at < shorter and old[at] == new[at]:
        at += 1
    end = 0
    while end < shorter - at and old[-1 - end] == new[-1 - end]:
        end += 1
    return Delta(at, len(old) - at - end, new[at : len(new) - end])


def apply(text: str, delta: Delta) -> str:
    """`text` after `delta`. Raises `Mismatch` where the delta reaches beyond it."""
    if delta.at + delta.delete > len(text):
        raise Mismatch(f"A change of characters {delta.at} to {delta.at + delta.delete} in {len(text)} characters.")
    return text[: delta.at] + delta.insert + text[delta.at + delta.delete :]
