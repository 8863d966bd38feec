"""The whole analysis of a study's tables, once it is known who wrote what."""

from collections.abc import Callable
from dataclasses import replace

from analysis.data.core.judgment_frame import domain_of_prompt
from analysis.data.core.parameters import DEFAULTS, Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.data.core.study_trials import with_named_sources
from analysis.masked.core.masked_report import prepared, with_masked_sections
from analysis.report.sections import registered
from analysis.sections.core.inputs import Unblinded
from analysis.sections.core.report import SILENT, Progress, Report


def analyse(tables: StudyTables, *, parameters: Parameters = DEFAULTS, progress: Progress = SILENT) -> Report:
    """Everything that the tables tell; what a table would be needed for that is empty is undefined, and says so."""
    tables = with_named_sources(tables)
    inputs, data = prepared(
        tables.judgments,
        parameters=parameters,
        scale=tables.scale,
        domain_of=_domain_of(tables),
        progress=progress,
        taken=tables.taken,
    )
    report = with_masked_sections(Report(parameters, data), inputs)
    unblinded = Unblinded(**vars(inputs), tables=tables)
    for section in registered("file"):
        if section.from_unblinded is None:
            continue
        read = unblinded.limited_to(section.tables)
        if reason := section.not_applicable(read):
            report = replace(report, not_applicable={**report.not_applicable, section.name: reason})
        else:
            report = report.having(section, section.from_unblinded(read))
    return report


def _domain_of(tables: StudyTables) -> Callable[[str], str]:
    """The domain as the prompts say, or else as their ids do."""
    domains = tables.domains
    return lambda prompt: domains.get(prompt) or domain_of_prompt(prompt)
