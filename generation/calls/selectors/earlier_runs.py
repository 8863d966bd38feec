"""Runs that a later one builds on, while they are not done: writing comes before votes, and votes before pairs."""

from typing import Final

from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.selectors.run_concerns import NOUNS
from generation.calls.selectors.runs import runs_of

Purpose = GenerationRun.Purpose
_BEFORE: Final = {
    Purpose.PROMPTS: (Purpose.CONCEPTS,),
    Purpose.QUALITY: (Purpose.PROMPTS,),
    Purpose.PAIRS: (Purpose.PROMPTS, Purpose.QUALITY),
    Purpose.FRAMING_CHECK: (Purpose.FRAMING,),
}
_STANDS: Final = {
    "planning": "is being planned",
    "planned": "is not approved yet",
    "running": "is still under way",
    "stopped": "is stopped",
}


def earlier_runs(study: Study, purpose: str) -> list[str]:
    """How far runs of the stages before this purpose are, in a sentence each, the first run first."""
    stages = _BEFORE.get(Purpose(purpose), ())
    return [
        f"Run {run.known_as} {_STANDS[run.state]}, "
        f"with {run.accepted:,} of {counted(run.planned, NOUNS[run.purpose])}."
        for run in reversed(runs_of(study))
        if run.purpose in stages and run.state in _STANDS
    ]
