"""Who can still be invited, how long an invitation can be used, and how often it is sent."""

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from annotation.platform.core.errors import Refused
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Invitation, Role
from annotation.study.models.studies import Study

INVITATION_VALID = timedelta(days=30)
MIN_MAIL_INTERVAL = timedelta(minutes=10)


def mailable_from(invitation: Invitation) -> datetime:
    """The time from which it may be sent again. Each time it is, its link is renewed and valid for
    `INVITATION_VALID`.
    """
    return invitation.expires_at - INVITATION_VALID + MIN_MAIL_INTERVAL


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


def roles_of(study: Study) -> list[Role]:
    """Roles in which people have something to do, as the study is designed now; first whoever takes part."""
    there = {
        Role.WRITER: study.has_writing,
        Role.JUDGE: study.has_judging,
        Role.ANNOTATOR: study.audits_benchmarks,
        Role.ADJUDICATOR: study.audits_benchmarks,
    }
    return sorted((role for role in Role if there.get(role, True)), key=lambda role: role not in there)


_OVER: Final = ("closed", "unblinded", "released")


def check_is_of_use(study: Study, role: Role) -> None:
    """Raise `Refused` where whoever joins in this role now would have nothing to do, and never get anything."""
    if role == Role.WRITER and study.state in ("judging", *_OVER):
        raise Refused(
            "Writing is closed in this study: a writer who joins now would never get a prompt.", field="role"
        )
    if role in (Role.JUDGE, Role.ANNOTATOR, Role.ADJUDICATOR) and study.state in _OVER:
        raise Refused(
            f"Collection is closed in this study: whoever joins as {role.label.lower()} now never gets anything.",
            field="role",
        )
    if study.state == "design":  # which may change still
        return
    if role in (Role.ANNOTATOR, Role.ADJUDICATOR) and not study.audits_benchmarks:
        raise Refused("Only audits of benchmarks have annotators and adjudicators.", field="role")
    if role == Role.WRITER and not study.has_writing:
        raise Refused("Nobody writes in this study.", field="role")
    if role == Role.JUDGE and not study.has_judging:
        raise Refused("Nobody judges in this study.", field="role")
