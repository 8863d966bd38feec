"""Audits of benchmarks, as a section of a report."""

from typing import Final

from analysis.benchmarks.core.audit_report import AuditReport, audit_report
from analysis.benchmarks.core.study_audits import audits_in
from analysis.benchmarks.exhibits import SECTION, audit_exhibits
from analysis.benchmarks.prose import METHODS, audit_headlines, audit_passages
from analysis.data.core.audits import ORDER
from analysis.sections.core.inputs import Unblinded
from analysis.sections.core.section import Entries, Order, Section, register


def found_audits(unblinded: Unblinded) -> AuditReport:
    return audit_report(audits_in(unblinded.tables), unblinded.parameters)


AUDITS: Final[Section[AuditReport]] = register(
    Section(
        name="audits",
        title=SECTION,
        kind=AuditReport,
        from_unblinded=found_audits,
        tables=tuple(ORDER),
        not_applicable=lambda inputs: "no benchmark was audited" * inputs.tables.audit_questions.empty,
        order=Order(file=95, page=95, text=68, differences=95, headlines=6),
        exhibits=lambda found, _report, scope: () if scope else audit_exhibits(found),
        passages=lambda found, _report: audit_passages(found),
        headlines=lambda found, _report: tuple(audit_headlines(found)),
        methods=METHODS,
        entries=(Entries(SECTION, r"audits\."),),
    )
)
