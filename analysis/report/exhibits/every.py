"""Every exhibit of a report, in the order in which they are read."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count

from analysis.data.core.parameters import WHOLE
from analysis.report.core.report import Report
from analysis.report.exhibits.agreement import agreement_exhibits
from analysis.report.exhibits.blinding import blinding_exhibits
from analysis.report.exhibits.calibration import calibration_exhibits
from analysis.report.exhibits.exhibit import Exhibit
from analysis.report.exhibits.judges import judge_exhibits
from analysis.report.exhibits.outcomes import outcome_exhibits
from analysis.report.exhibits.panel import panel_exhibits
from analysis.report.exhibits.participants import participant_exhibits
from analysis.report.exhibits.rubric import rubric_exhibits


def exhibits(report: Report) -> tuple[Exhibit, ...]:
    """All that have anything to show: those of all prompts first, then those of each domain. Names are unique."""
    scopes = [WHOLE, *(scope for scope in report.agreement if scope != WHOLE)]
    shown = (exhibit for scope in scopes for exhibit in _of(report, scope) if exhibit.table.rows)
    return tuple(_named_apart(shown))


def _of(report: Report, scope: str) -> Iterator[Exhibit]:
    if scope == WHOLE:
        yield from participant_exhibits(report)
    yield from agreement_exhibits(report, scope)
    yield from outcome_exhibits(report, scope)
    if scope == WHOLE:
        yield from rubric_exhibits(report)
        yield from judge_exhibits(report)
        yield from calibration_exhibits(report)
        yield from blinding_exhibits(report)
    yield from panel_exhibits(report, scope)


def _named_apart(shown: Iterator[Exhibit]) -> Iterator[Exhibit]:
    """Domains whose names differ only in signs that no file name has would share theirs: the later has a number."""
    taken: set[str] = set()
    for exhibit in shown:
        names = chain([exhibit.name], (f"{exhibit.name}-{number}" for number in count(2)))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield replace(exhibit, name=name)
