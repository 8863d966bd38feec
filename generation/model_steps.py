"""What models do in a study, as steps of its checklist, whatever they are asked for."""

from annotation.coordination.core.checklist import Duty
from annotation.study.models.studies import Study
from generation.benchmarks.selectors.steps import steps_of_audits
from generation.calls.selectors.steps import step_of_naming
from generation.framing.selectors.steps import steps_under_pressure
from generation.panel.selectors.steps import steps_of_panel
from generation.trials.selectors.steps import steps_of_trials


def model_steps(study: Study) -> list[Duty]:
    """The steps in the order in which they are taken."""
    kinds = (step_of_naming, steps_of_trials, steps_of_audits, steps_of_panel, steps_under_pressure)
    return [step for steps in kinds for step in steps(study)]
