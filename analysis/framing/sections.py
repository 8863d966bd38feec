"""Answers under pressure, as a section of a report."""

from dataclasses import dataclass
from typing import Final

from analysis.data.core.framed import ORDER, experiments_of
from analysis.framing.core.framing_report import FramingReport, framing_report
from analysis.framing.exhibits import SECTION, framing_exhibits
from analysis.framing.prose import METHODS, framing_passages, headlines
from analysis.sections.core.inputs import Unblinded
from analysis.sections.core.section import Entries, Order, Section, register

NOTHING: Final = "no answers under pressure were scored"


@dataclass(frozen=True, slots=True)
class Framing:
    """A report for each experiment: each set, way to ask, and text that judges read above an answer."""

    experiments: tuple[FramingReport, ...]


def found_framing(unblinded: Unblinded) -> Framing:
    return Framing(tuple(framing_report(each, unblinded.parameters) for each in experiments_of(unblinded.tables)))


FRAMING: Final[Section[Framing]] = register(
    Section(
        name="framing",
        title=SECTION,
        kind=Framing,
        from_unblinded=found_framing,
        tables=tuple(ORDER),
        not_applicable=lambda inputs: NOTHING * inputs.tables.framed_scores.empty,
        order=Order(file=85, page=85, text=62, differences=80, headlines=51),
        exhibits=lambda found, report, scope: (
            () if scope else framing_exhibits(found.experiments, report.data.ends)
        ),
        passages=lambda found, _report: framing_passages(found.experiments),
        headlines=lambda found, _report: tuple(headlines(found.experiments)),
        methods=METHODS,
        entries=(Entries(SECTION, r"framing\."),),
    )
)
