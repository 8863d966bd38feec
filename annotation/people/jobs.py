"""Work on invitations: mailing them."""

from django.urls import reverse

from annotation.people.selectors.recruiting import MAIL_INVITATION
from annotation.people.services import recruiting
from annotation.platform.core.work_kinds import WorkKind, WorkRows
from annotation.study.models.participation import Invitation


def _found(invitation: Invitation) -> tuple[str, str]:
    return invitation.email, reverse("study_people", args=[invitation.study.slug])


PEOPLE_WORK = (
    WorkKind(
        MAIL_INVITATION,
        lambda subject: recruiting.mail(invitation_id=int(subject)),
        label="the invitation was not mailed",
        rows=WorkRows(Invitation, _found, related=("study",)),
    ),
)
