"""How long an invitation can be used, and how often it is sent."""

from datetime import datetime, timedelta

from django.utils import timezone

from annotation.platform.core.errors import Refused
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Invitation

INVITATION_VALID = timedelta(days=30)
MAILED_AT_MOST_EVERY = timedelta(minutes=10)


def mailable_from(invitation: Invitation) -> datetime:
    """From when on it may be sent again. Each time it is, its link is renewed and valid for `INVITATION_VALID`."""
    return invitation.expires_at - INVITATION_VALID + MAILED_AT_MOST_EVERY


def check_pending(invitation: Invitation) -> None:
    """Raise `Refused` where the invitation was used or withdrawn."""
    if invitation.accepted_at:
        raise Refused(f"{invitation.email} has accepted this invitation already.")
    if invitation.withdrawn_at:
        raise Refused("This invitation was withdrawn, or replaced by a newer one.")


def check_mailable(invitation: Invitation) -> None:
    """Raise `Refused` where the invitation is over, or was sent a moment ago."""
    check_pending(invitation)
    if (again := mailable_from(invitation)) > database_now():
        raise Refused(
            f"{invitation.email} was written to a moment ago. You can send the invitation again from "
            f"{timezone.localtime(again):%H:%M} on."
        )
