"""What a report found, in a few sentences: its sections' main figures with their intervals."""

from itertools import chain, islice
from typing import Final

from analysis.report.sections import registered
from analysis.sections.core.report import Report

MAX_HEADLINES: Final = 7


def headlines(report: Report) -> tuple[str, ...]:
    """Headlines in the order of the sections' `headlines`, at most so many; none of a section that is not there."""
    shown = (section for section in registered("headlines") if section.is_shown(report))
    return tuple(islice(chain.from_iterable(each.headlines(report[each], report) for each in shown), MAX_HEADLINES))
