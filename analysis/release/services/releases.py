"""Data sets that a study publishes: asked for, prepared in the background, looked at, and published for good."""

import hashlib
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from analysis.blinding.services.verification import check_untouched
from analysis.data.core.archive import zipped
from analysis.release.core.building import BuiltRelease, build_release
from analysis.release.core.licences import LICENCES
from analysis.release.core.work_kinds import PREPARE_RELEASE
from analysis.release.models import Release, ReleaseArchive
from analysis.release.policies import check_may_publish, check_may_release
from analysis.release.selectors.release_facts import release_facts
from analysis.release.selectors.releases import WITHDRAWN_SINCE, next_number
from analysis.release.services.published_scan import scan_of_texts
from analysis.report.selectors.runs import withdrawn_consents
from analysis.sections.core.report import Progress
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.notifications.core.occasions import STUDY_PUBLISHED, where_data_are
from annotation.notifications.services import notifications
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.services import studies
from annotation.texts.selectors.clearances import withheld_texts

MIN_K: Final = 2  # people agreed to be told of in groups only
MAX_K: Final = 1000


@transaction.atomic
def prepare_release(*, study: Study, k: int, by: User, licence: str = "") -> Release:
    """Ask for a release in which every combination of what people say of themselves holds at least `k` of them.

    `licence` is one of LICENCES, by its SPDX identifier, or empty for none. Asked again while it
    waits, it is the same release. Raises `PermissionDenied` before the study is unblinded.
    """
    studies.lock_for_update(study)
    check_may_release(by, study)
    check_k(k)
    check_licence(licence)
    asked = {"study": study, "k": k, "licence": licence}
    waiting = Release.objects.filter(**asked, prepared_at=None, problem="").first()
    release = waiting or Release.objects.create(**asked, asked_by=by)
    work.ask(kind=PREPARE_RELEASE, subject=release.pk)  # also where it waits: it may have been given up
    if not waiting:
        audit.record(verb=AuditVerb.RELEASE_ASKED, by=by, study=study, subject=release.pk, k=k, licence=licence)
    return release


def check_k(k: int) -> None:
    """Raise `Refused` unless groups of `k` people are allowed in a release."""
    if not MIN_K <= k <= MAX_K:
        raise Refused(f"Choose a number of people from {MIN_K} to {MAX_K:,}.", field="k")


def check_licence(licence: str) -> None:
    """Raise `Refused` unless `licence` is empty or the identifier of one of LICENCES."""
    if licence and licence not in LICENCES:
        raise Refused(f"Choose one of the licences {', '.join(LICENCES)}, or none.", field="licence")


def build(release_id: int) -> None:
    """Build the files of a release, unless that is done. What stands in the way for good is noted on it."""
    release = Release.objects.select_related("study").get(pk=release_id)
    progress = Progress(partial(_tell, release))
    try:
        while not release.prepared_at:
            state = _state(release.study)
            built = _built(release, progress)
            progress.tell("Packing the files", 0, 1)
            _keep(release, built, zipped(built.files), state)
            release.refresh_from_db()
    except Refused as refusal:
        _note(release, str(refusal))


@dataclass(frozen=True)
class _State:
    """What a release depends on and can change while it is built."""

    withdrawn: frozenset[int]
    withheld: frozenset[UUID]
    number: int


def _state(study: Study) -> _State:
    return _State(withdrawn_consents(study), withheld_texts(study), next_number(study))


def _built(release: Release, progress: Progress) -> BuiltRelease:
    study = release.study
    progress.tell("Checking labels and judgments", 0, 1)
    check_untouched(study)
    progress.tell("Reading the tables", 0, 1)
    tables, facts = study_tables(study), release_facts(study, licence=release.licence)
    writing = Progress(lambda table, done, of: progress.tell(f"Writing {table}", done, of))
    built = build_release(tables, facts, k=release.k, progress=writing)
    progress.tell("Scanning the texts again", 0, 1)
    scan = scan_of_texts(study, tables.answers)
    return replace(built, report={**built.report, "scan": scan})


def _tell(release: Release, what: str, done: int, of: int) -> None:
    """Say how far it is, and keep its task's lease."""
    work.renew()
    _unprepared(release).update(progress={"what": what, "done": done, "of": of})


@transaction.atomic
def _note(release: Release, problem: str) -> None:
    if _unprepared(release).exclude(problem=problem).update(problem=problem):
        audit.record(
            verb=AuditVerb.RELEASE_NOT_PREPARED, by=None, study=release.study, subject=release.pk, problem=problem
        )


def _unprepared(release: Release) -> QuerySet[Release]:
    """The release, unless somebody else has prepared it, as a command may while a worker is at it."""
    return Release.objects.filter(pk=release.pk, prepared_at=None)


@transaction.atomic
def _keep(release: Release, built: BuiltRelease, archive: bytes, state: _State) -> None:
    """Keep the files, unless somebody has withdrawn, or another release was published, since they were begun.

    Whoever withdraws waits for the study, so that nobody can while it is locked.
    """
    manifest = {name: hashlib.sha256(content).hexdigest() for name, content in built.files.items()}
    studies.lock_for_update(release.study)
    work.renew()
    kept = Release.objects.select_for_update(of=("self",)).get(pk=release.pk)
    if _state(release.study) != state or kept.prepared_at:
        return
    kept.prepared_at, kept.problem, kept.manifest, kept.report = database_now(), "", manifest, dict(built.report)
    kept.save(update_fields=["prepared_at", "problem", "manifest", "report"])
    ReleaseArchive.objects.create(release=kept, content=archive)
    audit.record(
        verb=AuditVerb.RELEASE_PREPARED, by=None, study=release.study, subject=release.pk, manifest=manifest
    )


@transaction.atomic
def publish_release(*, release: Release, by: User) -> Release:
    """Give a prepared release the next number, for good: the same release again, where it has one already.

    Raises `PermissionDenied` before the study is unblinded, and `Refused` where the release is not prepared, or no
    more what would be prepared now.
    """
    study = release.study
    studies.lock_for_update(study)
    release = Release.objects.select_for_update(of=("self",)).get(pk=release.pk)
    check_may_publish(by, release)
    if release.number:
        return release
    if study.state == "unblinded":
        studies.move(study, "release", by=by)
        notifications.tell(study=study, occasion=STUDY_PUBLISHED, people=_taking_part(study), by=by)
    release.number, release.published_at, release.published_by = next_number(study), database_now(), by
    release.save(update_fields=["number", "published_at", "published_by"])
    audit.record(
        verb=AuditVerb.RELEASE_PUBLISHED,
        by=by,
        study=study,
        subject=release.pk,
        number=release.number,
        manifest=release.manifest,
        k=release.k,
    )
    return release


def _taking_part(study: Study) -> dict[int, dict[str, str]]:
    """Whose consent is not withdrawn, by user, each with where the data are."""
    here = Participation.objects.filter(study=study, consent__withdrawn_at=None)
    where = "Its coordinators and researchers can tell where the data are."
    if study.is_public:
        address = settings.SITE_URL + reverse("public_study", args=[study.slug])
        where = where_data_are(address)
    return {user: {"data": where} for user in here.values_list("user_id", flat=True)}


@transaction.atomic
def drop_archives(study_id: int) -> None:
    """Delete the files of releases that contain data of somebody who has withdrawn since, or a text withheld since,
    and the passages that were quoted of them. Idempotent.

    What was published stays on record, with the hashes of its files.
    """
    releases = Release.objects.filter(WITHDRAWN_SINCE, study=study_id)
    quotes = releases.filter(report__scan__has_key="found").exclude(report__scan__found=[])
    for quoting in quotes.select_for_update(of=("self",)):
        del quoting.report["scan"]["found"]
        quoting.save(update_fields=["report"])
    outdated = ReleaseArchive.objects.filter(release__in=releases)
    dropped = sorted(outdated.values_list("release", flat=True))
    outdated.delete()
    for release in dropped:
        audit.record(verb=AuditVerb.RELEASE_FILES_DELETED, by=None, study=study_id, subject=release)
