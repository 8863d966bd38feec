"""Mails about offices: to everybody in the study's team, and to whom else it concerns."""

from collections.abc import Iterable

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.urls import reverse

from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.platform.services.mailing import deliver
from annotation.study.models.studies import Study
from annotation.unblinders.core.work_kinds import MAIL_NOTICE
from annotation.unblinders.models import OfficeNotice
from annotation.unblinders.selectors.offices import addresses_in_office, recovery_of, team_of


def tell(study: Study, subject: str, *paragraphs: str, also: Iterable[str] = (), asked: str = "") -> None:
    """Have it mailed to the whole team, to the third person, and to the addresses in `also`, each once.

    And to whoever is or was in office: else who sends the others away would be among themselves. Whoever is `asked`
    something by a mail of their own gets that alone. Belongs in the change's transaction. Each mail names the head
    of the audit trail, so that nobody can write the trail anew without contradicting it.
    """
    third = recovery_of(study)
    addresses = [user.email for user in team_of(study)] + ([third.email] if third else [])
    addresses += [*addresses_in_office(study), *also]
    _post(study, [address for address in addresses if address != asked], subject, *paragraphs)


def ask(study: Study, email: str, subject: str, *paragraphs: str) -> None:
    """Have it mailed to whom alone something is asked of. Belongs in the transaction of what asks it."""
    _post(study, [email], subject, *paragraphs)


def _post(study: Study, addresses: Iterable[str], subject: str, *paragraphs: str) -> None:
    page = f"{settings.SITE_URL}{reverse('unblinders', args=[study.slug])}"
    head = audit.head()
    body = "\n\n".join(
        [
            *paragraphs,
            f"The study: “{study.title}”. Who unblinds it, and what waits for whom: {page}",
            "If something here surprises you, speak to the people it names, by another way than this mail.",
            *([f"Head of the audit trail: {head}"] if head else []),
        ]
    )
    for address in dict.fromkeys(addresses):
        notice = OfficeNotice.objects.create(study=study, email=address, subject=subject[:250], body=body)
        work.ask(kind=MAIL_NOTICE, subject=notice.pk)


def mail(*, notice_id: int) -> None:
    """Mail a notice. What the server refuses is tried again by the task: it may come twice, and is never lost."""
    with get_connection() as server:
        notice = OfficeNotice.objects.get(pk=notice_id)
        if notice.sent_at:
            return
        deliver(EmailMessage(subject=notice.subject, body=notice.body, to=[notice.email], connection=server).send)
        with transaction.atomic():
            notice.sent_at = database_now()
            notice.save(update_fields=["sent_at"])
