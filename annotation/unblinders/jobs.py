"""Work on offices of unblinder: mailing what changed, and noticing accounts that were changed in other ways."""

from django.urls import reverse

from annotation.platform.core.work_kinds import WorkKind, WorkRows, mail_kind
from annotation.study.models.studies import Study
from annotation.unblinders.core.work_kinds import MAIL_NOTICE, MAIL_RECOVERY, WATCH_UNBLINDERS
from annotation.unblinders.models import OfficeNotice, RecoveryPerson
from annotation.unblinders.services import notices, recovery, suspensions


def _notice(notice: OfficeNotice) -> tuple[str, str]:
    return f"“{notice.subject}” to {notice.email}", reverse("unblinders", args=[notice.study.slug])


def _third(third: RecoveryPerson) -> tuple[str, str]:
    return third.email, reverse("unblinders", args=[third.study.slug])


def _study(study: Study) -> tuple[str, str]:
    return study.title, reverse("unblinders", args=[study.slug])


UNBLINDERS_WORK = (
    mail_kind(
        MAIL_RECOVERY,
        lambda subject: recovery.mail(study_id=int(subject)),
        label="the link for a recovery was not mailed",
        rows=WorkRows(RecoveryPerson, _third, related=("study",)),
    ),
    mail_kind(
        MAIL_NOTICE,
        lambda subject: notices.mail(notice_id=int(subject)),
        label="was not mailed",
        rows=WorkRows(OfficeNotice, _notice, related=("study",)),
    ),
    WorkKind(
        WATCH_UNBLINDERS,
        lambda subject: suspensions.watch(study_id=int(subject)),
        label="the accounts of its unblinders were not looked at",
        rows=WorkRows(Study, _study, study="pk"),
        queue=None,
    ),
)
