"""What follows when the account of somebody in office was changed, by whatever way: noticed, told, and watched for.

An office whose account is not as it was accepted does not stand, whether that was noticed or not; noticing begins
the 72 hours, and tells everybody.
"""

from datetime import timedelta
from typing import Any, Final

from allauth.account.signals import email_added, email_changed, email_removed, password_changed, password_reset
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from django.db import transaction
from django.dispatch import receiver

from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User, password_stored_anew
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from annotation.study.services import studies
from annotation.unblinders.core.offices import RESTORE
from annotation.unblinders.core.work_kinds import WATCH_UNBLINDERS
from annotation.unblinders.models import Ending, OfficeChange, Unblinder
from annotation.unblinders.policies import BLINDED
from annotation.unblinders.selectors.offices import Office, fingerprints, offices_of, restorations
from annotation.unblinders.services.notices import tell

EVERY: Final = timedelta(minutes=10)


@transaction.atomic
def notice(study: Study) -> int:
    """Suspend whose account was changed, and end what did not stand yet; returns how many offices that concerned.

    Idempotent: an account that is still as it was found is not noticed again.
    """
    studies.lock_for_update(study)
    return sum(_notice(study, office) for office in offices_of(study) if office.until is None)


def _notice(study: Study, office: Office) -> bool:
    row = office.row
    if row.is_found and not row.account_sha256:  # as it is now is as it was found
        row.account_sha256 = office.account_now
        row.save(update_fields=["account_sha256"])
        audit.record(verb=AuditVerb.UNBLINDER_FOUND, by=None, study=study, subject=row.pk, name=row.name)
        return False
    if row.accepted_at is None and not row.is_found:
        return row.user.email != row.email and _void(row)
    waiting = restorations(office)
    if waiting and waiting[-1].account_sha256 == office.account_now:
        return False
    if not waiting and office.is_intact:
        return False
    if study.state == "design" or office.never_stood:
        return _void(row)
    before = waiting[-1].email if waiting else _last_address(row)
    OfficeChange.objects.filter(pk__in=[change.pk for change in waiting]).update(withdrawn_at=database_now())
    OfficeChange.objects.create(
        unblinder=row, kind=RESTORE, email=row.user.email, account_sha256=office.account_now
    )
    audit.record(verb=AuditVerb.UNBLINDER_SUSPENDED, by=None, study=study, subject=row.pk, name=row.name)
    tell(
        study,
        f"The office of {row.name} as unblinder of “{study.title}” is suspended",
        f"Mail, password, second factor or the account of {row.name} were changed. For 72 hours at least the "
        "office cannot be used; after that it can again once another unblinder has consented, or not at all.",
        "If it was not you who changed your account, tell the other unblinders at once, and set a new password.",
        also=[before, row.email, row.user.email],
    )
    return True


def _void(row: Unblinder) -> bool:
    end(row, Ending.ACCOUNT_CHANGED, None)
    return True


def _last_address(row: Unblinder) -> str:
    """The address before the change that is noticed now."""
    restored = row.changes.filter(kind=RESTORE, consented_at__isnull=False, withdrawn_at__isnull=True)
    return restored.order_by("-id").values_list("email", flat=True).first() or row.email


def end(row: Unblinder, ending: Ending, by: User | None) -> None:
    """An office that did not stand yet is over, and what waits about it with it."""
    row.ended_at, row.ending = database_now(), ending
    row.save(update_fields=["ended_at", "ending"])
    waiting = row.changes.filter(withdrawn_at__isnull=True)
    waiting.update(withdrawn_at=row.ended_at, withdrawn_by=by)
    audit.record(
        verb=AuditVerb.UNBLINDER_ENDED,
        by=by,
        study=row.study_id,
        subject=row.pk,
        name=row.name,
        reason=row.get_ending_display(),
    )


def notice_of(user: User) -> None:
    """Look at every study in which the person holds an office."""
    rows = Unblinder.objects.filter(user=user, ended_at__isnull=True, study__state__in=BLINDED)
    for row in rows.select_related("study"):
        notice(row.study)


def watch(*, study_id: int) -> None:
    """Notice what was changed past the site's own pages, and look again later as long as the study is blinded."""
    study = Study.objects.get(pk=study_id)
    if study.state in BLINDED:
        notice(study)
        work.ask(kind=WATCH_UNBLINDERS, subject=study.pk, due=database_now() + EVERY)


def watch_from_now_on(study: Study) -> None:
    work.ask(kind=WATCH_UNBLINDERS, subject=study.pk, due=database_now() + EVERY)


# -- changes on the site's own pages are noticed at once -----------------------------------------------------


@receiver(
    [
        authenticator_added,
        authenticator_removed,
        authenticator_reset,
        email_added,
        email_changed,
        email_removed,
        password_changed,
        password_reset,
    ]
)
def account_changed(*, user: User, **_: Any) -> None:
    notice_of(user)


@receiver(password_stored_anew)
def same_password(*, user: User, before: str, **_: Any) -> None:
    """A sign-in has stored the same password in a newer form: that changes nothing about who knows it."""
    for row in Unblinder.objects.filter(user=user, ended_at__isnull=True).select_related("study"):
        was = User.objects.get(pk=user.pk)
        was.password = before
        [old], [new] = fingerprints([was], row.study).values(), fingerprints([user], row.study).values()
        Unblinder.objects.filter(pk=row.pk, account_sha256=old).update(account_sha256=new)
        OfficeChange.objects.filter(unblinder=row, account_sha256=old).update(account_sha256=new)
