"""What models do in a study, as steps of its checklist, whatever they are asked for."""

from annotation.coordination.core.checklist import Duty
from annotation.study.models.studies import Study
from generation.benchmarks.selectors.steps import steps_of_audits
from generation.framing.selectors.steps import steps_under_pressure
from generation.panel.selectors.steps import steps_of_panel
from generation.trials.selectors.steps import steps_of_trials


def model_steps(study: Study) -> list[Duty]:
    """In the order in which they are taken."""
    return [*steps_of_trials(study), *steps_of_audits(study), *steps_of_panel(study), *steps_under_pressure(study)]
