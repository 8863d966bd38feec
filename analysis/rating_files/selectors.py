"""A researcher's own files, how far each is, and what its analysis found."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from analysis.data.core.parameters import WHOLE
from analysis.rating_files.core.work_kinds import ANALYSE_FILE
from analysis.rating_files.models import RatingFile, RatingFileResult
from analysis.report.sections import registered
from analysis.report.selectors.attempts import Trouble, trouble_with
from analysis.report.selectors.runs import (
    WRITING,
    Findings,
    StageNow,
    content_of,
    contents_of,
    findings_in,
    stage_now,
)
from annotation.platform.models.users import User


@dataclass(frozen=True)
class FileLine:
    """A line of the list. `state` is in words."""

    pk: int
    name: str
    brought_at: datetime
    rows: int
    state: str


def files_of(user: User) -> list[FileLine]:
    """A person's files, newest first, without what is in them."""
    found = RatingFile.objects.filter(owner=user).defer("content")
    return [FileLine(each.pk, each.name, each.brought_at, each.look["rows"], _state(each)) for each in found]


def own_files(user: User) -> QuerySet[RatingFile]:
    """The files that this person may open: nobody else knows that they exist."""
    return RatingFile.objects.filter(owner=user).defer("content")


def _state(file: RatingFile) -> str:
    if file.finished_at:
        return "analysed"
    if file.problem:
        return "not analysed"
    return "being analysed" if file.asked_at else "columns to be confirmed"


def trouble_of(file: RatingFile) -> Trouble:
    """What happened to the work on a file that is not finished."""
    return trouble_with(kind=ANALYSE_FILE, subject=file.pk)


def is_being_analysed(file: RatingFile) -> bool:
    """Whether it was asked for and will still come about."""
    waits = bool(file.asked_at and not file.finished_at and not file.problem)
    return waits and trouble_of(file) is not Trouble.GIVEN_UP


def stage_of(file: RatingFile) -> StageNow | None:
    """How far the analysis is; None while it waits for a worker."""
    return stage_now(file.progress, [*(each.stage for each in registered("file") if each.stage), WRITING])


def step_of(file: RatingFile) -> str:
    """What is being done, told apart from the step before."""
    return " ".join([*(str(file.progress.get(part, "")) for part in ("what", "done")), trouble_of(file)])


def findings_of(file: RatingFile, scope: str = WHOLE) -> Findings | None:
    """Findings as of a study's run. Raises LookupError for a scope that it does not have."""
    return findings_in(_results(file), scope)


def result_of(file: RatingFile, name: str) -> bytes | None:
    """The file of that name among the results, if there is one."""
    return content_of(_results(file), name)


def results_of(file: RatingFile) -> dict[str, bytes]:
    """All results by their names."""
    return contents_of(_results(file))


def _results(file: RatingFile) -> QuerySet[RatingFileResult]:
    return RatingFileResult.objects.filter(rating_file=file)
