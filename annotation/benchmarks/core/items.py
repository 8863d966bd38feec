"""A benchmark as its files say it: stories, and what is asked about them."""

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from annotation.platform.core.table_import import Problem

MORE: Final = "more"


@dataclass(frozen=True)
class Question:
    """What is asked, and the answer that counts as right.

    `options` is empty where answers are free. `gold` is what the file gives, `gold_option` the number of the option
    that it means, from 1; without one the answer is free, or `gold` names no option. `kind` is empty where the file
    does not say it. `line` is where the question stands, `raw` what stands there.
    """

    text: str
    gold: str
    line: int
    options: tuple[str, ...] = ()
    gold_option: int | None = None
    kind: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        """The words of the right answer."""
        return self.options[self.gold_option - 1] if self.gold_option else self.gold


def more(row: Mapping[str, Any], known: Container[str]) -> dict[str, dict[str, Any]]:
    """What a line has beside the `known` columns, under one name: nobody reads it, and subsets have it again.

    Numbers that JSON does not know, such as NaN, are kept as words.
    """
    others = {name: value for name, value in row.items() if name not in known}
    return {MORE: json.loads(json.dumps(others), parse_constant=str)} if others else {}


@dataclass(frozen=True)
class Story:
    """A text and its questions, in the file's order.

    `key` is unique in the benchmark. `kind` and `source` are empty where the file does not say them. Stories of one
    `cluster` are variants of each other, and no independent observations.
    """

    key: str
    text: str
    questions: tuple[Question, ...]
    kind: str = ""
    source: str = ""
    cluster: str = ""


@dataclass(frozen=True)
class Reading:
    """What files come to. `lacking` says what such a benchmark can have and these files have not.

    Where there are `problems`, there are no stories: nothing is taken by halves.
    """

    stories: tuple[Story, ...] = ()
    lacking: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
