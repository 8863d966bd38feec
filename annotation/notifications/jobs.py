"""Work on mails at changes of phase: mailing them."""

from django.urls import reverse

from annotation.notifications.core.work_kinds import MAIL_NOTIFICATION
from annotation.notifications.models import Notification
from annotation.notifications.services import notifications
from annotation.platform.core.work_kinds import WorkRows, mail_kind


def _found(mail: Notification) -> tuple[str, str]:
    return f"“{mail.subject}” to {mail.user.email}", reverse("notifications", args=[mail.study.slug])


NOTIFICATIONS_WORK = (
    mail_kind(
        MAIL_NOTIFICATION,
        lambda subject: notifications.send(notification_id=int(subject)),
        label="was not mailed",
        rows=WorkRows(Notification, _found, related=("study", "user")),
    ),
)
