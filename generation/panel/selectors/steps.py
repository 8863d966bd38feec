"""The panel's step in a study."""

from collections.abc import Iterator

from annotation.coordination.core.checklist import Duty
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.selectors.steps import step_of_runs


def steps_of_panel(study: Study) -> Iterator[Duty]:
    """The step in which judge models score what people judge; nothing where a study has none, or has evaluators of
    trials.
    """
    if study.panel_judge_models and not (study.is_trial or study.audits_benchmarks):
        yield step_of_runs(
            study,
            GenerationRun.Purpose.PANEL,
            title="Have the panel of models score the answers",
            begins="judging",
            ends="released",
            page="study_runs",
            noun="assessment",
        )
