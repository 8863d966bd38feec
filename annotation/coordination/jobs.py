"""Work on reminders: mailing them."""

from django.urls import reverse

from annotation.coordination.core.work_kinds import MAIL_REMINDER
from annotation.coordination.models.reminders import Reminder
from annotation.coordination.services import reminders
from annotation.platform.core.work_kinds import WorkRows, mail_kind


def _found(reminder: Reminder) -> tuple[str, str]:
    member = reminder.participation
    return member.pseudonym, reverse("person", args=[member.study.slug, member.pseudonym])


COORDINATION_WORK = (
    mail_kind(
        MAIL_REMINDER,
        lambda subject: reminders.mail(reminder_id=int(subject)),
        label="a reminder was not mailed",
        rows=WorkRows(Reminder, _found, related=("participation__study",), study="participation__study"),
    ),
)
