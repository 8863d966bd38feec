"""Analyses of a study: asked for by its researchers, computed in the background, kept with what they rest on."""

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from pydantic import TypeAdapter

from analysis.data.core.parameters import Parameters
from analysis.report.code_version import code_version, environment
from analysis.report.core.report_files import files
from analysis.report.models import AnalysisRun, RunFile
from analysis.report.policies import kind_of
from analysis.report.prose.title_block import Basis
from analysis.report.selectors.attempts import Trouble
from analysis.report.selectors.runs import RESULTS, WORK, trouble_of, withdrawn_consents
from analysis.sections.core.report import Progress, Report
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_researcher
from annotation.study.services import studies

_PARAMETERS: Final = TypeAdapter(Parameters)

# Reads a study and analyses it: the SHA-256 of what was read, and the report.
Analysis = Callable[[Study, Parameters, Progress], tuple[str, Report]]


@transaction.atomic
def ask_for_run(*, study: Study, parameters: Parameters, by: User) -> AnalysisRun:
    """Have the study analysed: agreement alone while it is closed, everything once it is unblinded.

    Asked again while it waits, it is the same run. Raises `Refused` before the study is closed, and while another
    one of its kind is being computed.
    """
    check_researcher(by, study)
    studies.lock_for_update(study)
    return _asked(study, by, kind=kind_of(study), parameters=_PARAMETERS.dump_python(parameters, mode="json"))


@transaction.atomic
def compute_again(*, run: AnalysisRun, by: User) -> AnalysisRun:
    """Have a run computed once more: the same kind, the same parameters, the data as they are now.

    Raises `Refused` while another one of its kind is being computed.
    """
    check_researcher(by, run.study)
    studies.lock_for_update(run.study)
    return _asked(run.study, by, kind=run.kind, parameters=run.parameters, repeats=run)


def _asked(study: Study, by: User, *, kind: str, **wanted: Any) -> AnalysisRun:
    of_kind = AnalysisRun.objects.filter(study=study, kind=kind)
    unfinished = of_kind.filter(finished_at=None, problem="")
    run = unfinished.filter(**{"repeats": None, **wanted}).first()
    if run is None:
        _check_none_computed(unfinished)
        run = _numbered(study, by, kind=kind, **wanted)
    work.ask(kind=WORK[run.kind], subject=run.pk)  # also where it waits: it may have been given up
    return run


def _check_none_computed(unfinished: QuerySet[AnalysisRun]) -> None:
    for run in unfinished:
        if trouble_of(run) is not Trouble.GIVEN_UP:
            raise Refused(f"Run {run.number} is being computed. Ask for another one when it is done.")


def _numbered(study: Study, by: User, **wanted: Any) -> AnalysisRun:
    number = max(AnalysisRun.objects.filter(study=study).values_list("number", flat=True), default=0) + 1
    run = AnalysisRun.objects.create(study=study, number=number, asked_by=by, **wanted)
    audit.record(
        verb=AuditVerb.ANALYSIS_ASKED,
        by=by,
        study=study,
        subject=number,
        kind=run.kind,
        parameters=run.parameters,
        repeats=run.repeats and run.repeats.number,
    )
    return run


def compute(run_id: int, analysis: Analysis) -> None:
    """Compute a run and keep its files, unless it is finished. What stands in the way for good is noted on it."""
    run = AnalysisRun.objects.select_related("study").get(pk=run_id)
    progress = Progress(partial(_tell, run))
    try:
        while not run.finished_at:
            withdrawn = withdrawn_consents(run.study)
            data_sha256, report = analysis(run.study, _PARAMETERS.validate_python(run.parameters), progress)
            basis = Basis(run.study.title, data_sha256, code_version(), is_synthetic=run.study.is_synthetic)
            content = dict(files(report, basis, progress))
            _keep(run, data_sha256, content, withdrawn)
            run.refresh_from_db()
    except (Refused, PermissionDenied) as refusal:
        _note(run, str(refusal))


def _tell(run: AnalysisRun, what: str, done: int, of: int) -> None:
    work.renew()
    _unfinished(run).update(progress={"what": what, "done": done, "of": of})


@transaction.atomic
def _note(run: AnalysisRun, problem: str) -> None:
    if _unfinished(run).exclude(problem=problem).update(problem=problem, progress={}):
        audit.record(
            verb=AuditVerb.ANALYSIS_NOT_FINISHED, by=None, study=run.study, subject=run.number, problem=problem
        )


@transaction.atomic
def _keep(run: AnalysisRun, data_sha256: str, content: Mapping[str, bytes], withdrawn: frozenset[int]) -> None:
    """Keep the files, unless somebody has withdrawn since they were begun.

    Whoever withdraws waits for the study, so that nobody can while it is locked.
    """
    studies.lock_for_update(run.study)
    work.renew()
    if withdrawn_consents(run.study) != withdrawn:
        return
    found = {
        "data_sha256": data_sha256,
        "code_version": code_version(),
        "results_sha256": hashlib.sha256(content[RESULTS]).hexdigest(),
    }
    ended = {"environment": environment(), "finished_at": database_now(), "problem": "", "progress": {}}
    if not _unfinished(run).update(**found, **ended):
        return
    RunFile.objects.bulk_create(RunFile(run=run, name=name, content=file) for name, file in content.items())
    audit.record(verb=AuditVerb.ANALYSIS_FINISHED, by=None, study=run.study, subject=run.number, **found)


def _unfinished(run: AnalysisRun) -> QuerySet[AnalysisRun]:
    return AnalysisRun.objects.filter(pk=run.pk, finished_at=None)
