"""Every exhibit of a report, in the order in which they are read."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count

from analysis.data.core.parameters import WHOLE
from analysis.report.sections import registered
from analysis.sections.core.report import Report
from analysis.sections.exhibits.exhibit import Exhibit


def exhibits(report: Report) -> tuple[Exhibit, ...]:
    """All that have anything to show: those of all prompts first, then those of each domain. Names are unique."""
    shown = (exhibit for scope in scopes(report) for exhibit in _of(report, scope) if exhibit.table.rows)
    return tuple(_named_apart(shown))


def scopes(report: Report) -> list[str]:
    """All prompts, and the domains that any section is about."""
    of_sections = (section.scopes(report[section]) for section in registered("page") if section in report)
    return list(dict.fromkeys([WHOLE, *chain.from_iterable(of_sections)]))


def _of(report: Report, scope: str) -> Iterator[Exhibit]:
    for section in registered("page"):
        if section.is_shown(report) and (scope == WHOLE or scope in section.scopes(report[section])):
            yield from section.exhibits(report[section], report, scope)


def _named_apart(shown: Iterator[Exhibit]) -> Iterator[Exhibit]:
    """Domains whose names differ only in signs that no file name has would share theirs: the later has a number."""
    taken: set[str] = set()
    for exhibit in shown:
        names = chain([exhibit.name], (f"{exhibit.name}-{number}" for number in count(2)))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield replace(exhibit, name=name)
