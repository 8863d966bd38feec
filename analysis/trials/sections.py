"""Constitutional trials, as a section of a report."""

from typing import Final

from analysis.data.core.study_trials import COLUMNS, trials_in
from analysis.sections.core.inputs import Unblinded
from analysis.sections.core.section import Entries, Order, Section, register
from analysis.trials.core.trial_report import TrialReport, trial_report
from analysis.trials.exhibits import trial_exhibits
from analysis.trials.prose import METHODS, rests_on, trial_passages


def found_trials(unblinded: Unblinded) -> TrialReport:
    trials = trials_in(unblinded.tables)
    if trials is None:
        raise ValueError("no trials are known")
    return trial_report(trials, unblinded.parameters)


TRIALS: Final[Section[TrialReport]] = register(
    Section(
        name="trials",
        title="Constitutional trials",
        kind=TrialReport,
        from_unblinded=found_trials,
        tables=("trials", "guesses", *COLUMNS),
        not_applicable=lambda inputs: "these are no constitutional trials" * (trials_in(inputs.tables) is None),
        order=Order(file=90, page=90, text=65, differences=90, headlines=5),
        exhibits=lambda found, _report, _scope: trial_exhibits(found),
        passages=lambda found, _report: trial_passages(found),
        headlines=lambda found, _report: (found.verdict.sentence,),
        methods=METHODS,
        data=rests_on,
        entries=(Entries("Constitutional trials", r"trials\."),),
    )
)
