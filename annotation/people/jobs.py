"""Work on people: mailing invitations, and what concerns accounts."""

from django.urls import reverse

from annotation.people.core.work_kinds import MAIL_ACCOUNT, MAIL_INVITATION
from annotation.people.services import account_mail, recruiting
from annotation.platform.core.work_kinds import WorkRows, mail_kind
from annotation.study.models.participation import Invitation


def _found(invitation: Invitation) -> tuple[str, str]:
    return invitation.email, reverse("study_people", args=[invitation.study.slug])


PEOPLE_WORK = (
    mail_kind(
        MAIL_ACCOUNT,
        lambda subject: account_mail.send(mail_id=int(subject)),
        label="was not mailed",
        rows=None,
    ),
    mail_kind(
        MAIL_INVITATION,
        lambda subject: recruiting.mail(invitation_id=int(subject)),
        label="the invitation was not mailed",
        rows=WorkRows(Invitation, _found, related=("study",)),
    ),
)
