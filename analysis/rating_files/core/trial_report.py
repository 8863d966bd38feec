"""What is computed of a file of constitutional trials."""

from dataclasses import replace
from typing import Final

from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.masked.core.masked_report import prepared
from analysis.report.sections import registered
from analysis.sections.core.inputs import Unblinded
from analysis.sections.core.report import Progress, Report
from analysis.trials.sections import TRIALS, found_trials

OTHER_APPROACHES: Final = "a file of trials has scores of several approaches, and no judgments asked in one way"


def trials_report(tables: StudyTables, *, parameters: Parameters, progress: Progress) -> Report:
    """The section of trials alone; no other applies, and the data told of are the scores. Raises ValueError where
    there are no trials.
    """
    inputs, data = prepared(
        tables.judgments, parameters=parameters, scale=None, domain_of=lambda _prompt: "", progress=progress
    )
    unblinded = Unblinded(**vars(replace(inputs, parameters=parameters)), tables=tables)
    found = found_trials(unblinded)
    data = replace(
        data,
        rows=sum(each.failed.n for each in found.replies),
        prompts=found.scenarios,
        judges=len({each.evaluator for each in found.replies}),
        answers=found.answers,
    )
    others = {section.name: OTHER_APPROACHES for section in registered("file") if section is not TRIALS}
    return Report(parameters, data, not_applicable=others).having(TRIALS, found)
