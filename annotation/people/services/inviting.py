"""The mail that invites somebody: who asks, for what, and what it would take."""

from datetime import date
from decimal import Decimal

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from annotation.people.policies import INVITATION_VALID
from annotation.platform.core.phrases import counted, in_words, with_article
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Invitation, Role
from annotation.study.models.studies import Study


def mail_invitation(invitation: Invitation, link: str, *, server: BaseEmailBackend) -> None:
    """Mail the link over `server`, to which a connection is open. Answers go to whoever invites."""
    EmailMessage(
        subject=f"Invitation to take part in “{invitation.study.title}”",
        body=text_of(invitation, link),
        to=[invitation.email],
        reply_to=[invitation.invited_by.email],
        connection=server,
    ).send()


def text_of(invitation: Invitation, link: str) -> str:
    """The mail's text. The invitation need not be saved, but for when it ends."""
    study, host = invitation.study, invitation.invited_by
    paragraphs = [
        f"Dear {invitation.name},",
        f"{host.name} ({host.email}) invites you to the study “{study.title}” "
        f"as {with_article(invitation.get_role_display().lower())}.",
        invitation.message.strip(),
        study.description.strip(),
        _task(study, Role(invitation.role)),
        f"Your personal link, valid until {in_words(invitation.expires_at.date())}:",
        link,
        "Please do not pass it on: it lets one person in.",
        f"Questions? Answer this mail; it reaches {host.name}.",
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _task(study: Study, role: Role) -> str:
    match role:
        case Role.WRITER:
            limit = study.writing_minutes
            minutes = f"within {counted(limit, 'minute')} each" if limit else "without a time limit"
            task = f"You would write answers of about {study.target_words} words, {minutes}."
            return task + _terms("answer", study.fee_per_answer, study.currency, study.writing_due_on)
        case Role.JUDGE:
            minutes = counted(study.minutes_per_item, "minute")
            task = f"You would read answers and judge them; plan about {minutes} for an item."
            return task + _terms("item", study.fee_per_item, study.currency, study.judging_due_on)
        case Role.ANNOTATOR:
            task = "You would read questions of a benchmark and flag those that are flawed."
            return task + _terms("question", study.fee_per_item, study.currency, study.judging_due_on)
        case Role.ADJUDICATOR:
            task = "You would rule on questions of a benchmark that two annotators have read."
            return task + _terms("question", study.fee_per_item, study.currency, study.judging_due_on)
        case Role.COORDINATOR:
            return "You would set up the study, invite people and follow their progress."
        case Role.RESEARCHER:
            return "You would unblind the study once it is closed, and analyse it."


def _terms(piece: str, fee: Decimal, currency: str, due: date | None) -> str:
    """What each piece is paid and by when all should be done, as far as that is set."""
    paid = f" Each {piece} is paid {fee:.2f} {currency}." if fee else ""
    by_when = f" All of them should be done by {in_words(due)}." if due else ""
    return paid + by_when


def preview(*, study: Study, email: str, name: str, role: str, message: str, by: User) -> str:
    """The text of a mail that would invite somebody today, with a stand-in for the link."""
    invitation = Invitation(study=study, email=email, name=name, role=role, message=message, invited_by=by)
    invitation.expires_at = database_now() + INVITATION_VALID
    return text_of(invitation, "[the personal link]")
