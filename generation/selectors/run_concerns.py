"""What keeps a study's runs of model answers from going on."""

from collections.abc import Iterator

from django.urls import reverse

from annotation.core.phrases import counted
from annotation.models.studies import Study
from annotation.policies.texts import takes_texts
from annotation.selectors.concerns import Concern, Concerns, concerns
from generation.selectors.runs import RunLine, runs_of


def run_concerns(study: Study) -> list[Concerns]:
    """Runs that wait for somebody, or whose requests failed; none once texts are complete."""
    return concerns("Answers of models", "warning", _found(study)) if takes_texts(study) else []


def _found(study: Study) -> Iterator[Concern]:
    for run in runs_of(study):
        if says := _says(run):
            yield Concern(f"Run {run.id}", says, reverse("run", args=[run.id]))


def _says(run: RunLine) -> str:
    missing = counted(run.total - run.settled, "answer")
    if run.state == "planned":
        return f"is planned and not started, {missing} missing"
    if run.state == "stopped":
        return f"is stopped, {missing} missing"
    return f"{run.failed} of {counted(run.total, 'request')} failed" if run.failed else ""
