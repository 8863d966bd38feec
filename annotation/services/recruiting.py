"""Invitations after they were made: withdrawing them, mailing them again, and many of them at once from a table.

Only the hash of a link is kept, so a mail that a worker sends gets a link at the moment it is sent. Until then the
invitation has one that nobody knows.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from annotation.core.errors import Refused
from annotation.core.people_import import LIMITS, Arrival, examine
from annotation.core.table_import import Line
from annotation.models.audit import AuditEvent
from annotation.models.participation import Invitation, Participation
from annotation.models.people import User
from annotation.models.studies import Study
from annotation.policies.recruiting import check_mailable, check_pending
from annotation.policies.roles import check_coordinator
from annotation.selectors.prompts import topics_of
from annotation.selectors.recruiting import MAIL_INVITATION, pending, standing
from annotation.services import audit, studies, work
from annotation.services.members import Limits, change_limits
from annotation.services.people import Invited, give_link, mail_invitation

SENT = "invitation.sent"


@dataclass(frozen=True)
class Imported:
    """How many were invited, how many members got other limits, and how many lines said nothing new."""

    invited: int
    changed: int
    known: int


# -- one invitation ------------------------------------------------------------------------------------------


@transaction.atomic
def withdraw(*, invitation: Invitation, by: User) -> None:
    """Let an invitation's link lead nowhere. Idempotent; raises `Refused` where it has been accepted."""
    check_coordinator(by, invitation.study)
    locked = _locked(invitation.pk)
    if locked.withdrawn_at:
        return
    check_pending(locked)
    locked.withdrawn_at = timezone.now()
    locked.save(update_fields=["withdrawn_at"])
    work.settle(kind=MAIL_INVITATION, subject=locked.pk)
    audit.record(verb="invitation.withdrawn", by=by, study=locked.study, subject=locked.pk)


@transaction.atomic
def resend(*, invitation: Invitation, by: User) -> Invited:
    """Mail an invitation with a new link, valid for as long as the first one was; the link before leads nowhere.

    Raises `Refused` where it has been accepted or withdrawn, and where it was sent a moment ago.
    """
    check_coordinator(by, invitation.study)
    locked = _locked(invitation.pk)
    check_mailable(locked)
    link = _given_anew(locked)
    work.settle(kind=MAIL_INVITATION, subject=locked.pk)
    _note_sent(locked, by)
    # Robust: where the mail server is away, the coordinator passes the link on.
    transaction.on_commit(lambda: mail_invitation(locked, link), robust=True)
    return Invited(locked, link)


def mail(*, invitation_id: int) -> None:
    """Mail an invitation with a new link, unless its present one has been sent or it is over.

    Where the mail server cannot be reached, its error is passed on. The link that nobody got is replaced next time.
    """
    with transaction.atomic():
        invitation = _locked(invitation_id)
        if invitation.accepted_at or invitation.withdrawn_at or _is_sent(invitation):
            return
        link = _given_anew(invitation)
    mail_invitation(invitation, link)
    _note_sent(invitation, None)


def _locked(invitation_id: int) -> Invitation:
    return Invitation.objects.select_for_update(of=("self",)).select_related("study").get(pk=invitation_id)


def _given_anew(invitation: Invitation) -> str:
    link = give_link(invitation)
    invitation.save(update_fields=["token_sha256", "expires_at"])
    return link


def _note_sent(invitation: Invitation, by: User | None) -> None:
    audit.record(verb=SENT, by=by, study=invitation.study, subject=invitation.pk, link=invitation.token_sha256[:16])


def _is_sent(invitation: Invitation) -> bool:
    """Whether the present link, and not only an earlier one, has been sent."""
    sent = AuditEvent.objects.filter(study=invitation.study, verb=SENT, subject=str(invitation.pk))
    return sent.filter(detail__link=invitation.token_sha256[:16]).exists()


# -- a table of people ---------------------------------------------------------------------------------------


@transaction.atomic
def import_people(*, study: Study, lines: Collection[Line], by: User) -> Imported:
    """Invite whom the lines name, by mails that workers send; those who are members get the limits they name.

    Raises `Refused` where anything is wrong with a line; then nobody is invited and nothing is changed.
    """
    check_coordinator(by, study)
    studies.hold(study)  # invitations of one address come one after the other
    examined = examine(lines, standing=standing(study), topics=topics_of(study))
    if examined.problems:
        raise Refused(f"Nobody was invited: {examined.problems[0]}.")
    new = [arrival for arrival in examined.found if not arrival.is_member]
    members = [arrival for arrival in examined.found if arrival.is_member]
    _invite(study, new, by)
    _change_limits(study, members, by)
    return Imported(len(new), len(members), examined.known)


def _invite(study: Study, arrivals: Sequence[Arrival], by: User) -> None:
    expired = pending(study).filter(email__in=[arrival.email for arrival in arrivals])
    expired.update(withdrawn_at=timezone.now())
    invitations = [
        Invitation(study=study, role=arrival.role, email=arrival.email, name=arrival.name, invited_by=by)
        for arrival in arrivals
    ]
    for invitation in invitations:
        give_link(invitation)
    for invitation in Invitation.objects.bulk_create(invitations):
        work.ask(kind=MAIL_INVITATION, subject=invitation.pk)
        audit.record(verb="person.invited", by=by, study=study, subject=invitation.pk, role=invitation.role)


def _change_limits(study: Study, arrivals: Iterable[Arrival], by: User) -> None:
    """Each member gets the limits that their line names and keeps the others."""
    members = Participation.objects.filter(study=study).select_related("user", "study")
    by_email = {member.user.email: member for member in members}
    for arrival in arrivals:
        member = by_email[arrival.email]
        present = {name: getattr(member, name) for name in LIMITS}
        try:
            change_limits(participation=member, limits=Limits(**{**present, **arrival.limits}), by=by)
        except Refused as refusal:
            raise Refused(f"Nobody was invited: line {arrival.line}: {refusal}") from refusal
