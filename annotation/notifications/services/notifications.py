"""Mails at changes of phase: asked for in the change's transaction, mailed by a worker; and a study's own words."""

from collections.abc import Mapping

from django.core.mail import EmailMessage, get_connection
from django.db import transaction

from annotation.notifications.core.occasions import OCCASIONS, Wording, filled_in
from annotation.notifications.core.work_kinds import MAIL_NOTIFICATION
from annotation.notifications.models import Notification, NotificationWording
from annotation.notifications.selectors.wordings import always, example, wording_of
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.platform.services.mailing import deliver
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies


def tell(*, study: Study, occasion: str, people: Mapping[int, Mapping[str, str]], by: User) -> int:
    """Have the occasion's mail sent to these people (users by id, with their values for its placeholders).

    Belongs in the change's transaction. Who has left the study, or whose account is closed, gets none; returns how
    many mails there are, 0 where the study has switched the occasion off. Answers go to whoever made the change.
    """
    wording = wording_of(study, occasion)
    if not wording.is_on:
        return 0
    here = Participation.objects.filter(study=study, user__in=people, left_at=None).values("user")
    users = User.objects.filter(pk__in=here, is_active=True).order_by("pk")
    mails = []
    for user in users:
        subject, body = filled_in(OCCASIONS[occasion], wording, {**always(study, user), **people[user.pk]})
        mails.append(
            Notification(study=study, user=user, occasion=occasion, subject=subject, body=body, reply_to=by)
        )
    for mail in Notification.objects.bulk_create(mails):
        work.ask(kind=MAIL_NOTIFICATION, subject=mail.pk)
    return len(mails)


def send(*, notification_id: int) -> None:
    """Mail a notification. What the server refuses is tried again: it may come twice, and is never lost."""
    with get_connection() as server:
        mail = Notification.objects.select_related("user", "reply_to").get(pk=notification_id)
        if mail.sent_at:
            return
        message = EmailMessage(
            subject=mail.subject,
            body=mail.body,
            to=[mail.user.email],
            reply_to=[mail.reply_to.email],
            connection=server,
        )
        deliver(message.send)
        mail.sent_at = database_now()
        mail.save(update_fields=["sent_at"])


@transaction.atomic
def word(*, study: Study, occasion: str, wording: Wording, by: User) -> None:
    """Let the study say this on the occasion, or nothing. Idempotent.

    Raises `Refused` for words in braces that stand for nothing.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    wording = Wording(wording.is_on, clean(wording.subject).strip(), clean(wording.text).strip())
    if not (wording.subject and wording.text):
        raise Refused("A mail needs a subject and a text.")
    example(study, occasion, wording, reader=by)
    if wording == wording_of(study, occasion):
        return
    kept = {"is_on": wording.is_on, "subject": wording.subject, "text": wording.text}
    NotificationWording.objects.update_or_create(study=study, occasion=occasion, defaults=kept)
    audit.record(
        verb=AuditVerb.NOTIFICATION_WORDED,
        by=by,
        study=study,
        subject=occasion,
        is_on=wording.is_on,
        mail={"subject": wording.subject, "text": wording.text},
    )


def copy_wordings(study: Study, copy: Study) -> None:
    """Let `copy`, a new study, mail what `study` does; belongs in the transaction that makes it."""
    own = list(NotificationWording.objects.filter(study=study))
    for row in own:
        row.pk, row.study = None, copy
    NotificationWording.objects.bulk_create(own)
