"""Reminders: asking for them, mailing each at its time, taking them back, and people's own word on them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.urls import reverse

from annotation.coordination.core.reminders import obstacle, with_unsubscribe_link
from annotation.coordination.core.work_kinds import MAIL_REMINDER
from annotation.coordination.models.reminders import Reminder
from annotation.coordination.policies import why_not
from annotation.coordination.selectors.reminders import candidates, stop_token, written
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.platform.services.mailing import REFUSALS, deliver
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator


@dataclass(frozen=True)
class Asked:
    """Pseudonyms of the people who get a reminder, and of those who get none, with the reason as a predicate."""

    people: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]


@transaction.atomic
def ask(
    *, study: Study, people: Collection[str], subject: str, text: str, template: str, due: datetime | None, by: User
) -> Asked:
    """Want a reminder mailed to each of `people` (pseudonyms), at `due` or now; placeholders are filled in now.

    Who cannot be reminded then is left out. Raises `Refused` where that is everybody, where `due` has passed, and
    for a text that cannot be filled in. Asking again for somebody changes nothing: they are left out then.
    """
    check_coordinator(by, study)
    now = database_now()
    if due and due < now:
        raise Refused("The time to send this has passed. Nothing was sent; choose a later one.")
    # Two coordinators who ask at once come one after the other.
    list(
        Participation.objects.select_for_update(no_key=True)
        .filter(study=study, pseudonym__in=people)
        .order_by("pk")
    )
    chosen = candidates(study, only=people)
    reasons = {person.pseudonym: why_not(person.standing, at=due or now) for person in chosen}
    for person in chosen:
        if not reasons[person.pseudonym]:
            title, body = written(study, person, subject=subject, text=clean(text).strip())
            reminder = Reminder.objects.create(
                participation_id=person.participation, subject=title, body=body, due_at=due or now, asked_by=by
            )
            work.ask(kind=MAIL_REMINDER, subject=reminder.pk, due=reminder.due_at)
    asked = Asked(
        people=tuple(pseudonym for pseudonym, reason in reasons.items() if not reason),
        left_out=tuple((pseudonym, reason) for pseudonym, reason in reasons.items() if reason),
    )
    if not asked.people:
        raise Refused("Nobody is reminded. " + in_words(asked.left_out))
    audit.record(
        verb=AuditVerb.REMINDERS_ASKED,
        by=by,
        study=study,
        subject=study.slug,
        people=asked.people,
        template=template,
        due=(due or now).isoformat(),
    )
    return asked


def in_words(left_out: Collection[tuple[str, str]]) -> str:
    """A sentence for each of them: "W-0001 has left the study."."""
    return " ".join(f"{pseudonym} {reason}." for pseudonym, reason in left_out)


def mail(*, reminder_id: int) -> None:
    """Mail a reminder, at most once, unless something stands in its way by now: then it is skipped for that reason.

    It is marked as sent, and that is committed, before it goes out. Should the program end between the two, the
    reminder is lost, which the person will not mind; marked afterwards, it could come twice, which they would. That
    the server cannot be reached turns out before: then nothing is marked, the error is passed on, and the task is
    tried again. What the server refuses is skipped; what it may have taken when the connection broke stays sent, so
    that the next reminder keeps its distance.
    """
    with get_connection() as server:
        reminder = _claim(reminder_id)
        if reminder is None:
            return
        try:
            deliver(_message(reminder, server).send)
        except REFUSALS as error:
            _take_back(reminder, error)


@transaction.atomic
def _claim(reminder_id: int) -> Reminder | None:
    """The reminder, marked as sent; `None` where it is not to be sent (any more)."""
    reminder = _locked(reminder_id)
    if reminder.sent_at or reminder.skipped_at or reminder.withdrawn_at:
        return None
    now, member = database_now(), reminder.participation
    [person] = candidates(member.study, only=[member.pseudonym])
    if found := obstacle(person.standing, at=max(now, reminder.due_at)):
        _skip(reminder, found.predicate)
        return None
    reminder.sent_at = now
    reminder.save(update_fields=["sent_at"])
    audit.record(
        verb=AuditVerb.REMINDER_SENT, by=None, study=member.study, subject=member.pseudonym, reminder=reminder.pk
    )
    return reminder


@transaction.atomic
def _take_back(reminder: Reminder, error: Exception) -> None:
    reminder = _locked(reminder.pk)
    reminder.sent_at = None
    _skip(reminder, f"the mail server did not take it: {error}")


def _skip(reminder: Reminder, because: str) -> None:
    member = reminder.participation
    reminder.skipped_at, reminder.skipped_because = database_now(), because[:200]
    reminder.save(update_fields=["sent_at", "skipped_at", "skipped_because"])
    audit.record(
        verb=AuditVerb.REMINDER_SKIPPED,
        by=None,
        study=member.study,
        subject=member.pseudonym,
        reminder=reminder.pk,
        because=reminder.skipped_because,
    )


def _locked(reminder_id: int) -> Reminder:
    reminders = Reminder.objects.select_for_update(of=("self",))
    return reminders.select_related("participation__study", "participation__user", "asked_by").get(pk=reminder_id)


def _message(reminder: Reminder, server: BaseEmailBackend) -> EmailMessage:
    """The message, with the headers by which mail programs offer a button to get no more of these (RFC 2369 and RFC
    8058).
    """
    member = reminder.participation
    link = settings.SITE_URL + reverse("reminders_stop", args=[stop_token(member.pk)])
    return EmailMessage(
        subject=reminder.subject,
        body=with_unsubscribe_link(reminder.body, study=member.study.title, link=link),
        to=[member.user.email],
        reply_to=[reminder.asked_by.email],
        headers={"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
        connection=server,
    )


@transaction.atomic
def withdraw(*, reminder: Reminder, by: User) -> None:
    """Take back a reminder that still waits. Idempotent; raises `Refused` where it was sent or skipped."""
    reminder = _locked(reminder.pk)
    member = reminder.participation
    check_coordinator(by, member.study)
    if reminder.sent_at:
        raise Refused(f"The reminder to {member.pseudonym} has been sent already.")
    if reminder.skipped_at:
        raise Refused(f"The reminder to {member.pseudonym} was not sent: {reminder.skipped_because}.")
    if reminder.withdrawn_at:
        return
    reminder.withdrawn_at, reminder.withdrawn_by = database_now(), by
    reminder.save(update_fields=["withdrawn_at", "withdrawn_by"])
    work.cancel_open_tasks(kind=MAIL_REMINDER, subject=reminder.pk)
    audit.record(
        verb=AuditVerb.REMINDER_WITHDRAWN, by=by, study=member.study, subject=member.pseudonym, reminder=reminder.pk
    )


@transaction.atomic
def choose(*, participation: Participation, wanted: bool, by: User | None) -> None:
    """Keep whether a person wants reminders of a study. Idempotent.

    `by` is the person themselves, or `None` for whoever holds the link that is in each of their reminders.
    """
    if by and by.pk != participation.user_id:
        raise PermissionDenied("Only the person themselves can do this.")
    now = None if wanted else database_now()
    changed = Participation.objects.filter(pk=participation.pk, reminders_off_at__isnull=not wanted)
    if changed.update(reminders_off_at=now):
        audit.record(
            verb=AuditVerb.REMINDERS_WANTED if wanted else AuditVerb.REMINDERS_STOPPED,
            by=by,
            study=participation.study,
            subject=participation.pseudonym,
        )
