"""The steps of answers under pressure."""

from collections.abc import Iterator

from annotation.coordination.core.checklist import Duty
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.selectors.steps import step_of_runs
from generation.framing.models import FramingSet

Purpose = GenerationRun.Purpose
STEPS = (
    (Purpose.FRAMING, "Have prompts rewritten under pressure, and check them", "rewriting"),
    (Purpose.FRAMED_ANSWER, "Have models answer under pressure", "answer"),
    (Purpose.FRAMED_SCORE, "Have answers under pressure scored", "score"),
)


def steps_under_pressure(study: Study) -> Iterator[Duty]:
    """The steps from rewritten prompts to scores; nothing where the study draws no set."""
    if not FramingSet.objects.filter(study=study).exists():
        return
    for purpose, title, noun in STEPS:
        yield step_of_runs(
            study, purpose, title=title, begins="writing", ends="released", page="framing_sets", noun=noun
        )
