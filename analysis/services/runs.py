"""Analyses of a study: asked for by its researchers, computed in the background, kept with what they rest on."""

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from pydantic import TypeAdapter

from analysis.code_version import code_version, environment
from analysis.core.report import Parameters, Progress, Report
from analysis.core.report_files import files
from analysis.core.work_kinds import COMPUTE_FULL, COMPUTE_MASKED
from analysis.models.ceremony import Freeze
from analysis.models.runs import AnalysisRun, RunFile
from analysis.policies.ceremony import check_researcher
from analysis.policies.runs import kind_of
from analysis.selectors.runs import RESULTS
from annotation.core.errors import Refused
from annotation.models.people import User
from annotation.models.studies import Study
from annotation.services import audit, studies, work

WORK: Final[Mapping[str, str]] = {
    AnalysisRun.Kind.MASKED: COMPUTE_MASKED,
    AnalysisRun.Kind.FULL: COMPUTE_FULL,
}
BROKE_OFF: Final = (
    "The computation broke off, and nothing of it was kept. The site tries again by itself; if this stays here, "
    "its administrator finds the reason in the log."
)
_PARAMETERS: Final = TypeAdapter(Parameters)

# Reads a study and analyses it: the SHA-256 of what was read, and the report.
Analysis = Callable[[Study, Parameters, Progress], tuple[str, Report]]


@transaction.atomic
def ask_for_run(*, study: Study, parameters: Parameters, by: User) -> AnalysisRun:
    """Have the study analysed: agreement alone while it is closed, everything once it is unblinded.

    Asked again while it waits, it is the same run. Raises `Refused` before the study is closed.
    """
    check_researcher(by, study)
    studies.hold(study)
    return _asked(study, by, kind=kind_of(study), parameters=_PARAMETERS.dump_python(parameters, mode="json"))


@transaction.atomic
def compute_again(*, run: AnalysisRun, by: User) -> AnalysisRun:
    """Have a run computed once more: the same kind, the same parameters, the data as they are now."""
    check_researcher(by, run.study)
    studies.hold(run.study)
    return _asked(run.study, by, kind=run.kind, parameters=run.parameters, repeats=run)


def _asked(study: Study, by: User, **wanted: Any) -> AnalysisRun:
    runs = AnalysisRun.objects.filter(study=study)
    waiting = runs.filter(finished_at=None, problem="", **{"repeats": None, **wanted}).first()
    if waiting:
        return waiting
    number = max(runs.values_list("number", flat=True), default=0) + 1
    run = AnalysisRun.objects.create(study=study, number=number, asked_by=by, **wanted)
    work.ask(kind=WORK[run.kind], subject=run.pk)
    audit.record(
        verb="analysis.asked",
        by=by,
        study=study,
        subject=number,
        kind=run.kind,
        parameters=run.parameters,
        repeats=run.repeats and run.repeats.number,
    )
    return run


def compute(run_id: int, analysis: Analysis) -> None:
    """Compute a run and keep its files, unless it is finished.

    What stands in the way is noted; what may pass is raised too, to be tried again.
    """
    run = AnalysisRun.objects.select_related("study").get(pk=run_id)
    if run.finished_at:
        return
    progress = Progress(partial(_tell, run))
    try:
        data_sha256, report = analysis(run.study, _PARAMETERS.validate_python(run.parameters), progress)
        content = dict(files(report, progress))
    except (Refused, PermissionDenied) as refusal:
        _note(run, str(refusal))
    except Exception:
        _note(run, BROKE_OFF)
        raise
    else:
        _keep(run, data_sha256, content)


def check_frozen(study: Study, sha256: str) -> None:
    """Raise `Refused` unless this is the hash under which the study's judgments were frozen."""
    if Freeze.objects.get(study=study).sha256 != sha256:
        raise Refused(
            "These are not the judgments that were frozen when collection was closed: their hash differs. Nothing "
            "was computed. Find out what was changed before anything is published."
        )


def _tell(run: AnalysisRun, what: str, done: int, of: int) -> None:
    _unfinished(run).update(progress={"what": what, "done": done, "of": of}, problem="")
    work.renew(kind=WORK[run.kind], subject=run.pk)


def _note(run: AnalysisRun, problem: str) -> None:
    _unfinished(run).update(problem=problem, progress={})


@transaction.atomic
def _keep(run: AnalysisRun, data_sha256: str, content: Mapping[str, bytes]) -> None:
    found = {
        "data_sha256": data_sha256,
        "code_version": code_version(),
        "results_sha256": hashlib.sha256(content[RESULTS]).hexdigest(),
    }
    if not _unfinished(run).update(
        **found, environment=environment(), finished_at=timezone.now(), progress={}, problem=""
    ):
        return
    RunFile.objects.bulk_create(RunFile(run=run, name=name, content=file) for name, file in content.items())
    audit.record(verb="analysis.finished", by=None, study=run.study, subject=run.number, **found)


def _unfinished(run: AnalysisRun) -> QuerySet[AnalysisRun]:
    return AnalysisRun.objects.filter(pk=run.pk, finished_at=None)
