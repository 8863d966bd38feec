"""Humanity's Last Exam as a source: questions of the humanities and social sciences that can be made open-ended.

Three steps: the category, then any keyword of six groups, then no pattern of those that tell questions with one
answer, to be looked up, parsed or computed. Keywords and patterns are data, in `hle_rules-2.toml`.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile, read_objects
from annotation.platform.core.table_import import Problem
from generation.sources.core.funnel import Funnel, Reduction, Scenario, each_once
from generation.sources.core.table_sources import MAX_BYTES, MAX_NAME_LENGTH, read_table

_RULES: Final = Path(__file__).resolve().parent.parent / "data" / "hle_rules-2.toml"

_ALIKE: Final = str.maketrans("‘’“”–—", "''\"\"--")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as published, without its answer: nothing here needs it, and its authors ask not to spread it."""

    id: str
    text: str
    category: str
    subject: str


@dataclass(frozen=True)
class KeywordGroup:
    """`example` is a question that it lets in, `near_miss` one that it does not."""

    name: str
    pattern: re.Pattern[str]
    example: str
    near_miss: str


@dataclass(frozen=True)
class Exclusion:
    """`kind` is what a question asks for instead of judgement; `example` is one that is taken out, `near_miss` one
    that is not.
    """

    kind: str
    name: str
    pattern: re.Pattern[str]
    example: str
    near_miss: str

    @property
    def rule(self) -> str:
        return f"{self.kind}: {self.name}"


@dataclass(frozen=True)
class Rules:
    category: str
    groups: tuple[KeywordGroup, ...]
    exclusions: tuple[Exclusion, ...]

    def admitting(self, question: Question) -> list[str]:
        """Names of the groups that have a keyword in the question."""
        text = _plain(question.text)
        return [group.name for group in self.groups if group.pattern.search(text)]

    def excluding(self, question: Question) -> str | None:
        """The first rule, in the order of the file, that takes the question out."""
        text = _plain(question.text)
        return next((one.rule for one in self.exclusions if one.pattern.search(text)), None)


def read_rules(toml: str) -> Rules:
    """The rules of a file. Raises `KeyError`, `TypeError` or `re.error` for one that is not as it should be."""
    data = tomllib.loads(toml)
    groups = (KeywordGroup(pattern=_any_of(row.pop("words")), **row) for row in data["groups"])
    exclusions = (
        Exclusion(pattern=re.compile(row.pop("pattern"), re.IGNORECASE), **row) for row in data["exclusions"]
    )
    return Rules(data["category"], tuple(groups), tuple(exclusions))


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Whole words or phrases; one that ends in an asterisk stands for every word that begins so."""
    alternatives = "|".join(re.escape(word).replace(r"\*", r"\w{0,30}") for word in words)
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)


def _plain(text: str) -> str:
    return " ".join(text.translate(_ALIKE).split())


RULES: Final = read_rules(_RULES.read_text(encoding="utf-8"))
"""Those that come with the site."""


def read_questions(name: str, stream: BinaryIO) -> Iterator[Question]:
    """The questions of one file, JSON Lines or CSV. Raises `BrokenFile` where a line is not one."""
    if not name.endswith(".csv"):
        yield from read_objects(name, stream, _question)
        return
    table = read_table(stream.read(MAX_BYTES + 1))
    if table.problems:
        raise BrokenFile(name, table.problems)
    for row in table.rows:
        try:
            yield _question(row.cells)
        except Refused as fault:
            raise BrokenFile(name, [Problem(str(fault), row.line)]) from fault


def _question(data: Mapping[str, Any]) -> Question:
    """A question; other fields, such as the answer and pictures, are left alone."""
    fields = {}
    for name in ("id", "question", "category", "raw_subject"):
        value = data.get(name)
        if not isinstance(value, str) or not value.strip():
            raise Refused(f"{name} is missing" if value is None else f"{name} is not a text that says something")
        fields[name] = value.strip()
    for name in ("id", "category", "raw_subject"):
        if len(fields[name]) > MAX_NAME_LENGTH:
            raise Refused(f"{name} has more than {MAX_NAME_LENGTH} characters")
    return Question(fields["id"], fields["question"], fields["category"], fields["raw_subject"])


def reduce(questions: Iterable[Question], rules: Rules = RULES) -> Reduction:
    """Keep the category, then what a group of keywords lets in, then what no pattern excludes.

    Scenarios are in the order of their ids. Raises `Refused` where an id occurs twice.
    """
    funnel = Funnel("all questions", each_once(questions, lambda question: question.id), _told)
    funnel.narrow(f"category = {rules.category}", partial(_other_category, rules))
    by_keyword = f"a keyword of {len(rules.groups)} groups"
    funnel.narrow(by_keyword, lambda question: None if rules.admitting(question) else "")
    admitted = Counter(group for question in funnel.items() for group in rules.admitting(question))
    funnel.narrow(f"none of {len(rules.exclusions)} exclusions", rules.excluding)
    kept = sorted(funnel.items(), key=lambda question: question.id)
    return funnel.reduction((_scenario(question, rules) for question in kept), {by_keyword: admitted})


def _told(question: Question) -> tuple[str, str]:
    return question.id, question.text


def _other_category(rules: Rules, question: Question) -> str | None:
    return None if question.category == rules.category else question.category


def _scenario(question: Question, rules: Rules) -> Scenario:
    payload = {"question": question.text, "subject": question.subject, "groups": rules.admitting(question)}
    return Scenario(question.id, question.subject, payload)
