"""What keeps a study's runs from going on."""

from collections.abc import Iterator

from django.urls import reverse

from annotation.coordination.selectors.concerns import Concern, Concerns, concerns
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from annotation.texts.policies import takes_texts
from generation.calls.models import GenerationRun
from generation.calls.selectors.runs import RunLine, runs_of

NOUNS = {
    "answers": "answer",
    "panel": "score",
    "concepts": "document",
    "prompts": "bundle",
    "quality": "vote",
    "pairs": "comparison",
    "reading": "reading",
    "framing": "prompt",
    "framing_check": "check",
    "framed_answer": "answer",
    "framed_score": "score",
    "trial_answer": "answer",
    "trial_score": "evaluation",
    "trial_code": "conclusion",
}
# What comes of them can enter a study until it is released.
ALWAYS = (
    GenerationRun.Purpose.PANEL,
    GenerationRun.Purpose.FRAMED_ANSWER,
    GenerationRun.Purpose.FRAMED_SCORE,
    GenerationRun.Purpose.TRIAL_SCORE,
)
# What judges are shown, or what is read of it.
UNTIL_JUDGED = (
    GenerationRun.Purpose.ANSWERS,
    GenerationRun.Purpose.READING,
    GenerationRun.Purpose.TRIAL_ANSWER,
)


def run_concerns(study: Study) -> list[Concerns]:
    """Runs that wait for somebody, or whose calls failed, as long as what comes can still enter the study."""
    return concerns("Calls to models", "warning", _found(study))


def _found(study: Study) -> Iterator[Concern]:
    for run in runs_of(study):
        if _matters(run, study) and (says := _says(run)):
            yield Concern(f"Run {run.known_as}", says, reverse("run", args=[run.id]))


def _matters(run: RunLine, study: Study) -> bool:
    """Answers and readings matter until texts are complete, prompts until the design is locked, scores always."""
    if run.purpose in UNTIL_JUDGED:
        return takes_texts(study)
    return run.purpose in ALWAYS or study.state == "design"


def _says(run: RunLine) -> str:
    missing = counted(run.waiting, NOUNS.get(run.purpose, "call"))
    if run.state == "planned":
        return f"is planned and not started, {missing} missing"
    if run.state == "stopped":
        return f"is stopped, {missing} missing"
    return f"{run.failed} of {counted(run.planned, 'call')} failed" if run.failed else ""
