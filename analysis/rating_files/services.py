"""Files of ratings: brought, explained, analysed in the background, removed."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, Final, cast

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from pydantic import TypeAdapter

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.parameters import Parameters
from analysis.rating_files.core.file_report import file_report
from analysis.rating_files.core.looking import Look, read_file
from analysis.rating_files.core.reading import FileKind, RatingOptions, in_words, other_kind
from analysis.rating_files.core.work_kinds import ANALYSE_FILE
from analysis.rating_files.models import RatingFile, RatingFileResult
from analysis.rating_files.policies import check_analyse_files, check_room_for_another
from analysis.rating_files.selectors import is_being_analysed
from analysis.report.code_version import code_version, environment
from analysis.report.core.report_files import files
from analysis.report.prose.title_block import Basis
from analysis.sections.core.report import Progress
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work

_PARAMETERS: Final = TypeAdapter(Parameters)
_OPTIONS: Final = TypeAdapter(RatingOptions)


@transaction.atomic
def bring(*, name: str, kind: str, content: bytes, look: Look, by: User) -> RatingFile:
    """Keep a file that was looked at. Raises `Refused` where its owner keeps as many as there may be."""
    check_analyse_files(by)
    check_room_for_another(by)
    sha256 = hashlib.sha256(content).hexdigest()
    file = RatingFile.objects.create(
        owner=by, name=name[:200], kind=kind, content=content, sha256=sha256, look=asdict(look)
    )
    audit.record(verb=AuditVerb.RATING_FILE_BROUGHT, by=by, subject=file.pk, sha256=sha256)
    return file


@transaction.atomic
def take_for(*, file: RatingFile, kind: FileKind, by: User) -> None:
    """Take a file that was never analysed for one of another kind, as its columns tell. Raises `Refused` where they
    do not, or it was analysed.
    """
    _check_owner(file, by)
    locked = RatingFile.objects.select_for_update().get(pk=file.pk)
    if locked.asked_at or other_kind(locked.look["columns"], cast(FileKind, locked.kind)) != kind:
        raise Refused("This file is not taken for one of that kind. Bring it again, and say what it holds.")
    RatingFile.objects.filter(pk=file.pk).update(kind=kind)
    audit.record(verb=AuditVerb.RATING_FILE_BROUGHT, by=by, subject=file.pk, sha256=file.sha256, kind=kind)


@transaction.atomic
def ask_for_analysis(*, file: RatingFile, options: RatingOptions, parameters: Parameters, by: User) -> None:
    """Have the file analysed as it was explained; what an earlier analysis found is kept no longer.

    Raises `Refused` while one is being computed.
    """
    _check_owner(file, by)
    locked = RatingFile.objects.select_for_update().get(pk=file.pk)
    if is_being_analysed(locked):
        raise Refused("This file is being analysed. Ask for another analysis when it is done.")
    locked.results.all().delete()
    asked = {
        "options": _OPTIONS.dump_python(options, mode="json"),
        "parameters": _PARAMETERS.dump_python(parameters, mode="json"),
    }
    fresh: dict[str, Any] = {"progress": {}, "problem": "", "finished_at": None, "code_version": ""}
    RatingFile.objects.filter(pk=file.pk).update(asked_at=Now(), environment={}, **asked, **fresh)
    audit.record(verb=AuditVerb.RATING_FILE_ASKED, by=by, subject=file.pk, **asked)
    work.ask(kind=ANALYSE_FILE, subject=file.pk)


@transaction.atomic
def remove(*, file: RatingFile, by: User) -> None:
    """Delete the file with all that was computed from it. Raises `Refused` while it is being analysed."""
    _check_owner(file, by)
    if is_being_analysed(RatingFile.objects.select_for_update().get(pk=file.pk)):
        raise Refused("This file is being analysed. Remove it when that is done.")
    audit.record(verb=AuditVerb.RATING_FILE_REMOVED, by=by, subject=file.pk, sha256=file.sha256)
    file.delete()


def _check_owner(file: RatingFile, by: User) -> None:
    check_analyse_files(by)
    if file.owner_id != by.pk:
        raise PermissionDenied("Only who brought a file has it analysed.")


def compute(file_id: int) -> None:
    """Analyse a file and keep the report, unless that is done or it is gone. Why it cannot be is noted on it."""
    file = RatingFile.objects.filter(pk=file_id, finished_at=None).first()
    if file is None:
        return
    try:
        options = _OPTIONS.validate_python(file.options)
        kind = cast(FileKind, file.kind)
        read = read_file(bytes(file.content), options, kind)
    except JudgmentFileError as error:
        _unfinished(file).update(problem=f"The file cannot be read so: {error}.", progress={})
        return
    parameters = replace(_PARAMETERS.validate_python(file.parameters), scale=read.scale)
    progress = Progress(lambda what, done, of: _tell(file, what, done, of))
    report = file_report(read.tables, kind, parameters=parameters, progress=progress)
    reading = (*filter(None, (in_words(options),)), *map(str, read.doubts))
    basis = Basis(file.name, file.sha256, code_version(), data="the file", reading=reading)
    _keep(file, dict(files(report, basis, progress)))


def _tell(file: RatingFile, what: str, done: int, of: int) -> None:
    work.renew()
    _unfinished(file).update(progress={"what": what, "done": done, "of": of})


@transaction.atomic
def _keep(file: RatingFile, results: Mapping[str, bytes]) -> None:
    work.renew()
    ended: dict[str, Any] = {"code_version": code_version(), "environment": environment(), "progress": {}}
    if _unfinished(file).update(finished_at=Now(), problem="", **ended):
        RatingFileResult.objects.bulk_create(
            RatingFileResult(rating_file=file, name=name, content=content) for name, content in results.items()
        )


def _unfinished(file: RatingFile) -> QuerySet[RatingFile]:
    """The file, unless it is gone, finished, or asked for otherwise meanwhile."""
    return RatingFile.objects.filter(pk=file.pk, asked_at=file.asked_at, finished_at=None)
