"""No regular expression takes longer than in proportion to a text, whatever the text."""

import re
from collections.abc import Callable, Iterable
from typing import Final

import pytest

from analysis.report.core import report_differences
from annotation.texts.core.leaks import grammar, languages
from annotation.texts.core.leaks.musings import SIGNS
from annotation.texts.core.leaks.patterns import read_rule
from annotation.texts.core.leaks.rules import GROUPS
from annotation.texts.core.leaks.signs import CONTACT, MARKUP
from generation.sources.core import hle
from tests.scrub_site.core.patterns import Found, in_data, in_module, in_source, unbounded

MADE: Final[dict[str, Callable[[], Iterable[str]]]] = {
    # Of whole cells: each place of a template ends where what is behind it first occurs; an expression is that of
    # whoever gives the command, for a file of theirs.
    "analysis.framing.core.cut_identifiers:cut_pattern": lambda: (),
    "annotation.platform.core.cells:take": lambda: (),  # `matching` is found where it is called
    "annotation.texts.core.author_names:_as_written": lambda: (r"(?<!\w)gpt\-5\s{1,9}mini(?!\w)",),
    "annotation.texts.core.leaks.grammar:_any_of": lambda: (
        pattern.pattern for pattern in (grammar._SUPPOSITION, grammar._IF, grammar._SAYS)
    ),
    "annotation.texts.core.leaks.languages:read_signs": lambda: (
        sign.pattern.pattern for sign in languages.FOREIGN_SIGNS
    ),
    "annotation.texts.core.leaks.patterns:pattern": lambda: (
        read_rule(pattern).expression for group in (*GROUPS, *SIGNS) for pattern in group.patterns
    ),
    "annotation.texts.core.leaks.scan": lambda: (*MARKUP, *CONTACT),
    "generation.demo.core.synthetic:_as_markdown": lambda: (re.escape("rule of law"),),
    "generation.sources.core.hle:_any_of": lambda: (group.pattern.pattern for group in hle.RULES.groups),
    "generation.sources.core.hle:read_rules": lambda: (rule.pattern.pattern for rule in hle.RULES.exclusions),
    "analysis.report.core.report_differences:_kinds": lambda: (
        kind.beginning.pattern for kind in report_differences._kinds()
    ),
    "analysis.report.core.report_differences:_said_elsewhere": lambda: (
        report_differences._said_elsewhere().pattern,
    ),
    "scrub_site.local_stack.supervisor:_said": lambda: (
        "already exists|still in use",
        "No space left on device|Disk quota exceeded",
    ),
}
"""Patterns that are made when the program runs, by where: all of them, or one of each form."""


@pytest.fixture(scope="module")
def all_found() -> list[Found]:
    """Read when a test asks: every process that tests collects this module, and one of them runs it."""
    return [*in_source(), *in_data()]


def test_no_pattern_takes_longer_than_in_proportion_to_a_text(all_found: list[Found]) -> None:
    refused = {
        (found.place, pattern): repeats
        for found in all_found
        for pattern in ([found.pattern] if found.pattern is not None else MADE[found.place]())
        if (repeats := unbounded(pattern, found.flags))
    }
    assert refused == {}


def test_every_place_where_patterns_are_made_is_still_there(all_found: list[Found]) -> None:
    assert {found.place for found in all_found if found.pattern is None} == set(MADE)


@pytest.mark.parametrize(
    "pattern",
    [
        r"[\w.+-]+@",  # from every character of a run of them
        r"a*b",
        r"\[[^\]]*\]",
        r"\s*<tag>",
        r"(?:ab)+c",
        r"(?<!\w)(?:a|ab)+c",
        r"(?<!a)[\w.]+@",  # the look-behind leaves some of the run out
        r"(?m:^[^x]+x)",  # a line may begin within the run
        r"\b[\w-]+@",  # there are boundaries within
        r"<a.*>",
        r"<a\s+[^<>]*>",
        r"x[^x]*?y*z",
        r"(?=[^.]*\bI\b)",
        r"(?:\w+\s*)+$",
        rb"'*=",
    ],
)
def test_a_repeat_that_can_be_entered_again_while_it_lasts_is_refused(pattern: str | bytes) -> None:
    assert unbounded(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"[\w.+-]{1,64}@",
        r"(?<![\w.+-])[\w.+-]+@",
        r"\A\s*<tag>",
        r"\[[^\[\]]*\]",  # what opens the run cannot stand in it
        r"\b\w+teenth\b",
        r"\w+",
        r"\S+\s*",
        r"^(?:[*–-] )++",
        r"(?m:^\|[^\n]*\|$)",
        r"(?<![.?!])[.?!]++[\"')]*(?=\s|$)",
        r"(?i:\bprotolog\w*)",
    ],
)
def test_a_repeat_that_is_bounded_or_entered_once_passes(pattern: str) -> None:
    assert unbounded(pattern) == []


def test_patterns_are_found_wherever_they_stand() -> None:
    source = """
WORDS = re.compile(f"{A}+b", re.I)
class Form:
    code = RegexField(regex=r"[0-9]*x")
def count(text, pattern):
    return re.findall(A + "*c", text) and [re.search(pattern, line) for line in text]
"""
    assert list(in_module("some", source, {"A": "a", "re": re})) == [
        Found("some", "a+b", re.I),
        Found("some:Form", "[0-9]*x"),
        Found("some:count", "a*c"),
        Found("some:count", None),
    ]
