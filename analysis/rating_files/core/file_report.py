"""What is computed of a file of any kind."""

from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.rating_files.core.reading import FileKind
from analysis.rating_files.core.trial_report import trials_report
from analysis.sections.core.report import Progress, Report
from analysis.unblinded.core.full_report import analyse
from analysis.unblinded.core.pressure_report import pressure_report


def file_report(tables: StudyTables, kind: FileKind, *, parameters: Parameters, progress: Progress) -> Report:
    """Every section that applies to it; of trials and of answers under pressure theirs alone."""
    report = trials_report if kind == "trials" else pressure_report if kind == "framings" else analyse
    return report(tables, parameters=parameters, progress=progress)
