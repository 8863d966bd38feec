"""Invitations after they were made: withdrawing them, mailing them again, and many of them at once from a table.

Every mail is sent by a worker, which makes the link at that moment: it is not kept.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.core.mail import get_connection
from django.db import transaction
from django.db.models.functions import Now

from annotation.people.core.limits import columns_of
from annotation.people.core.people_import import Arrival, examine
from annotation.people.core.work_kinds import MAIL_INVITATION
from annotation.people.policies import INVITATION_VALID, check_is_of_use, check_mailable, check_pending
from annotation.people.selectors.recruiting import pending, standing
from annotation.people.selectors.unentered import is_unentered
from annotation.people.services.inviting import mail_invitation
from annotation.people.services.members import change_limits_of_many
from annotation.people.services.people import Invited, give_link, has_link, link_of
from annotation.platform.core.errors import Refused
from annotation.platform.core.table_import import ParsedRow
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.platform.services.mailing import REFUSALS, deliver
from annotation.study.models.participation import Invitation, Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_administer, check_coordinator
from annotation.study.selectors.prompts import topics_of
from annotation.study.services import studies

LOOK_AGAIN = timedelta(days=1)  # whether a study is archived still


@dataclass(frozen=True)
class Imported:
    """Counts of people invited, of members and invitees whose limits changed, and of lines without news."""

    invited: int
    changed: int
    invited_changed: int
    known: int


# -- one invitation ------------------------------------------------------------------------------------------


@transaction.atomic
def withdraw(*, invitation: Invitation, by: User) -> None:
    """Let an invitation's link lead nowhere. Idempotent; raises `Refused` where it has been accepted."""
    _check_may_recruit(by, invitation.study)
    locked = _locked(invitation.pk)
    if locked.withdrawn_at:
        return
    check_pending(locked)
    locked.withdrawn_at = database_now()
    locked.save(update_fields=["withdrawn_at"])
    work.cancel_open_tasks(kind=MAIL_INVITATION, subject=locked.pk)
    audit.record(verb=AuditVerb.INVITATION_WITHDRAWN, by=by, study=locked.study, subject=locked.pk)


@transaction.atomic
def resend(*, invitation: Invitation, by: User) -> Invited:
    """Mail it again with a new link, valid as long as the first; the old link stops working.

    Raises `Refused` where it has been accepted or withdrawn, where it was sent a moment ago, and where the study
    has nothing left to do in its role.
    """
    _check_may_recruit(by, invitation.study)
    locked = _locked(invitation.pk)
    check_is_of_use(locked.study, Role(locked.role))
    check_mailable(locked)
    link = _given_anew(locked)
    work.ask(kind=MAIL_INVITATION, subject=locked.pk)
    audit.record(verb=AuditVerb.INVITATION_RENEWED, by=by, study=locked.study, subject=locked.pk)
    return Invited(locked, link)


def mail(*, invitation_id: int) -> None:
    """Mail an invitation with its link, once, unless that has been sent or it is over.

    It is noted as sent, and that is committed, before it goes out: sent a second time, the link in the first mail
    would be dead. So a mail that the server may have taken when the connection broke counts as sent. Where nothing
    can have arrived, because the server cannot be reached or refuses the mail, the error is passed on and the task
    is tried again. While its study is archived the invitation waits.
    """
    with get_connection() as server:
        if link := _claim(invitation_id):
            invitation = Invitation.objects.select_related("study", "invited_by").get(pk=invitation_id)
            try:
                deliver(lambda: mail_invitation(invitation, link, server=server))
            except REFUSALS as error:
                _take_back(invitation_id, error)
                raise


@transaction.atomic
def _claim(invitation_id: int) -> str:
    """The link, noted as sent and valid from now on; empty where it is not to be mailed (any more, or now)."""
    invitation = _locked(invitation_id)
    if invitation.accepted_at or invitation.withdrawn_at or invitation.sent_at:
        return ""
    if invitation.study.archived_at:
        work.ask(kind=MAIL_INVITATION, subject=invitation.pk, due=database_now() + LOOK_AGAIN)
        return ""
    now = database_now()
    link = link_of(invitation) if has_link(invitation) else give_link(invitation)
    invitation.sent_at, invitation.expires_at = now, now + INVITATION_VALID
    invitation.save(update_fields=["link_nonce", "token_sha256", "expires_at", "sent_at"])
    audit.record(
        verb=AuditVerb.INVITATION_SENT,
        by=None,
        study=invitation.study,
        subject=invitation.pk,
        link=invitation.token_sha256[:16],
    )
    return link


@transaction.atomic
def _take_back(invitation_id: int, error: Exception) -> None:
    """The mail did not go out: the invitation still has to be sent."""
    invitation = _locked(invitation_id)
    invitation.sent_at = None
    invitation.save(update_fields=["sent_at"])
    audit.record(
        verb=AuditVerb.INVITATION_REFUSED,
        by=None,
        study=invitation.study,
        subject=invitation.pk,
        because=str(error)[:200],
    )


def _check_may_recruit(person: User, study: Study) -> None:
    """Coordinators; and administrators, until somebody has entered the study."""
    if not (can_administer(person) and is_unentered(study)):
        check_coordinator(person, study)


def _locked(invitation_id: int) -> Invitation:
    return Invitation.objects.select_for_update(of=("self",)).select_related("study").get(pk=invitation_id)


def _given_anew(invitation: Invitation) -> str:
    link = give_link(invitation)
    invitation.save(update_fields=["link_nonce", "token_sha256", "expires_at", "sent_at"])
    return link


# -- a table of people ---------------------------------------------------------------------------------------


@transaction.atomic
def import_people(*, study: Study, lines: Collection[ParsedRow], by: User, message: str = "") -> Imported:
    """Invite whom the lines name, by mails with `message` that workers send; members get the limits they name, and
    whoever is invited gets them on joining.

    Raises `Refused` where anything is wrong with a line, or the study has nothing left to do for whom one names;
    then nobody is invited and nothing is changed.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)  # invitations of one address come one after the other
    examined = examine(lines, standing=standing(study), topics=topics_of(study))
    if examined.problems:
        raise Refused(f"Nobody was invited: {examined.problems[0]}.")
    new = [arrival for arrival in examined.found if not (arrival.is_member or arrival.is_invited)]
    for role in {arrival.role for arrival in new}:
        check_is_of_use(study, Role(role))
    members = [arrival for arrival in examined.found if arrival.is_member]
    invited = [arrival for arrival in examined.found if arrival.is_invited]
    _invite(study, new, by, message)
    _change_limits(study, members, by)
    _change_limits_of_invited(study, invited, by)
    return Imported(len(new), len(members), len(invited), examined.known)


def _invite(study: Study, arrivals: Sequence[Arrival], by: User, message: str) -> None:
    expired = pending(study).filter(email__in=[arrival.email for arrival in arrivals])
    expired.update(withdrawn_at=Now())
    invitations = [
        Invitation(
            study=study,
            role=arrival.role,
            email=arrival.email,
            name=arrival.name,
            message=message,
            invited_by=by,
            **columns_of(arrival.limits),
        )
        for arrival in arrivals
    ]
    for invitation in invitations:
        give_link(invitation)
    for invitation in Invitation.objects.bulk_create(invitations):
        work.ask(kind=MAIL_INVITATION, subject=invitation.pk)
        audit.record(verb=AuditVerb.PERSON_INVITED, by=by, study=study, subject=invitation.pk, role=invitation.role)


def _change_limits(study: Study, arrivals: Iterable[Arrival], by: User) -> None:
    limits = {arrival.email: arrival.limits for arrival in arrivals}
    members = Participation.objects.filter(study=study, user__email__in=limits)
    pseudonyms = dict(members.values_list("user__email", "pseudonym"))
    change_limits_of_many(study=study, limits={pseudonyms[email]: limits[email] for email in limits}, by=by)


def _change_limits_of_invited(study: Study, arrivals: Iterable[Arrival], by: User) -> None:
    for arrival in arrivals:
        invitation = pending(study).select_for_update(of=("self",)).get(email=arrival.email)
        for name, value in columns_of(arrival.limits).items():
            setattr(invitation, name, value)
        invitation.save(update_fields=list(columns_of(arrival.limits)))
        audit.record(verb=AuditVerb.INVITATION_LIMITED, by=by, study=study, subject=invitation.pk)
