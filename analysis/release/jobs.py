"""Work on releases: preparing their files, and deleting those in which are data of somebody who has withdrawn."""

from django.urls import reverse

from analysis.release.core.work_kinds import PREPARE_RELEASE
from analysis.release.models import Release
from analysis.release.services import releases, withdrawal
from annotation.platform.core.work_kinds import WorkKind, WorkRows
from annotation.study.models.studies import Study
from annotation.texts.core.work_kinds import AFTER_WITHDRAWAL


def _release_found(release: Release) -> tuple[str, str]:
    return "A release", reverse("study", args=[release.study.slug])


def _study_found(study: Study) -> tuple[str, str]:
    return "Somebody who withdrew", reverse("study", args=[study.slug])


RELEASE_WORK = (
    WorkKind(
        PREPARE_RELEASE,
        lambda subject: releases.build(int(subject)),
        label="was not prepared",
        rows=WorkRows(Release, _release_found, related=("study",)),
    ),
    WorkKind(
        AFTER_WITHDRAWAL,
        lambda subject: withdrawal.forget(int(subject)),
        label="is still in files of releases",
        rows=WorkRows(Study, _study_found, study="pk"),
    ),
)
