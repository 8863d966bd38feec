"""What is computed of a file of constitutional trials."""

from dataclasses import replace

from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.masked.core.masked_report import prepared
from analysis.sections.core.inputs import Unblinded
from analysis.sections.core.report import Progress, Report
from analysis.trials.sections import TRIALS, found_trials


def trials_report(tables: StudyTables, *, parameters: Parameters, progress: Progress) -> Report:
    """The section of trials alone: others are of judgments asked in one way."""
    inputs, data = prepared(
        tables.judgments, parameters=parameters, scale=None, domain_of=lambda _prompt: "", progress=progress
    )
    unblinded = Unblinded(**vars(replace(inputs, parameters=parameters)), tables=tables)
    return Report(parameters, data).having(TRIALS, found_trials(unblinded))
