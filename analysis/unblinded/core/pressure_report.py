"""The report of answers under pressure alone, of studies in which nobody judges and of files."""

from dataclasses import replace

from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.framing.sections import FRAMING, found_framing
from analysis.masked.core.masked_report import prepared
from analysis.report.sections import registered
from analysis.sections.core.inputs import NOBODY, Unblinded
from analysis.sections.core.report import SILENT, Progress, Report


def pressure_report(tables: StudyTables, *, parameters: Parameters, progress: Progress = SILENT) -> Report:
    """A report of one section; the data described are the panel's replies. Raises ValueError where there are
    none.
    """
    scores = tables.framed_scores
    if scores.empty:
        raise ValueError("no answers under pressure were scored")
    inputs, data = prepared(
        tables.judgments,
        parameters=parameters,
        scale=tables.scale,
        domain_of=lambda _prompt: "",
        progress=progress,
        taken=tables.taken,
    )
    unblinded = Unblinded(**vars(inputs), tables=tables)
    others = {section.name: NOBODY for section in registered("file") if section is not FRAMING}
    answers = scores["response_id"].nunique()
    data = replace(data, rows=len(scores), prompts=scores["prompt_id"].nunique(), answers=answers)
    return Report(parameters, data, not_applicable=others).having(FRAMING, found_framing(unblinded))
