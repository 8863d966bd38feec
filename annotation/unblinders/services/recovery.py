"""The way back when fewer than two unblinders are left: a third person outside the team, named before the lock."""

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean, sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.platform.services.mailing import deliver
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.unblinders.core.similarity import mailbox
from annotation.unblinders.core.work_kinds import MAIL_RECOVERY
from annotation.unblinders.models import Ending, OfficeChange, RecoveryPerson
from annotation.unblinders.policies import (
    check_link_open,
    check_may_ask_recovery,
    check_may_name_recovery,
    check_recovery_may_consent,
    check_team,
)
from annotation.unblinders.selectors.offices import ADMINISTERS, addresses_by_person, offices_of
from annotation.unblinders.services import suspensions
from annotation.unblinders.services.notices import tell


@dataclass(frozen=True)
class ThirdPerson:
    name: str
    affiliation: str
    email: str


@transaction.atomic
def name_third_person(*, study: Study, third: ThirdPerson, by: User) -> RecoveryPerson:
    """Name the third person, or before the lock another one. They are outside the team, and know of it by mail.

    Raises `Refused` for an address of somebody in the study or of an administrator, and after the lock.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    check_may_name_recovery(study)
    name, affiliation = studies.one_line(clean(third.name)), studies.one_line(clean(third.affiliation))
    email = third.email.strip().lower()
    check_outside(study, email)
    named, _ = RecoveryPerson.objects.update_or_create(
        study=study,
        defaults={
            "name": name,
            "affiliation": affiliation,
            "email": email,
            "named_at": database_now(),
            "named_by": by,
            "token_sha256": None,
            "asked_at": None,
            "asked_by": None,
        },
    )
    audit.record(
        verb=AuditVerb.RECOVERY_NAMED, by=by, study=study, subject=study.slug, name=name, affiliation=affiliation
    )
    tell(
        study,
        f"{name} is named for a recovery of “{study.title}”",
        f"{by.name} ({by.email}) names {name}, {affiliation} ({email}) as the person outside the team who decides, "
        "should fewer than two unblinders be left, on who comes into office instead.",
        "Until then nothing is asked of them.",
    )
    return named


def check_outside(study: Study, email: str) -> None:
    """Raise `Refused` where the mailbox is that of somebody in the study, or of whoever administers the site."""
    members = Participation.objects.filter(study=study).values("user")
    inside = addresses_by_person(Q(pk__in=members) | ADMINISTERS).values()
    if mailbox(email) in {mailbox(address) for addresses in inside for address in addresses}:
        raise Refused(
            "This is the address of somebody in the study, or of an administrator: name somebody outside."
        )


@transaction.atomic
def ask(*, study: Study, by: User) -> None:
    """Have a link mailed to the third person under which they decide. It is in that mail alone."""
    check_team(by, study)
    studies.lock_for_update(study)
    third = check_may_ask_recovery(study, offices_of(study))
    check_outside(study, third.email)
    third.asked_at, third.asked_by = database_now(), by
    _give_token(third)
    work.ask(kind=MAIL_RECOVERY, subject=study.pk)
    audit.record(verb=AuditVerb.RECOVERY_ASKED, by=by, study=study, subject=study.slug, name=third.name)
    tell(
        study,
        f"{third.name} is asked for a recovery of “{study.title}”",
        f"{by.name} ({by.email}) has asked {third.name} ({third.email}) to decide on who comes into office, as "
        "fewer than two unblinders are left.",
    )


def _give_token(third: RecoveryPerson) -> str:
    """A new token in the place of any before: only its hash is kept."""
    token = secrets.token_urlsafe(32)
    third.token_sha256 = sha256_hex(token)
    third.save(update_fields=["token_sha256", "asked_at", "asked_by"])
    return token


def mail(*, study_id: int) -> None:
    """Mail the third person a link, made now; one that was mailed before leads nowhere any more.

    Where the mail server cannot be reached, or refuses it, the error is passed on and the task is tried again.
    """
    with get_connection() as server:
        with transaction.atomic():
            rows = RecoveryPerson.objects.select_related("study", "asked_by")
            third = rows.select_for_update(of=("self",)).get(pk=study_id)
            if third.asked_by is None:
                return  # somebody else was named meanwhile
            link = f"{settings.SITE_URL}{reverse('recovery', args=[_give_token(third)])}"
        message = _message(third, link, third.asked_by)
        message.connection = server
        deliver(message.send)


def _message(third: RecoveryPerson, link: str, by: User) -> EmailMessage:
    return EmailMessage(
        subject=f"You are asked to decide for “{third.study.title}”",
        body="\n\n".join(
            [
                f"Dear {third.name},",
                f"the protocol of the study “{third.study.title}” names you for when fewer than two of its "
                f"unblinders are left. {by.name} ({by.email}) says that this is so now. Under this link, valid for "
                "14 days, you see who should come into office, and consent or decline:",
                link,
                "Before you consent, speak to the people concerned, by another way than mail: you are asked so "
                "that nobody can be two persons. Please do not pass the link on.",
            ]
        ),
        to=[third.email],
        reply_to=[by.email],
    )


@transaction.atomic
def decide(*, token: str, change: OfficeChange, consents: bool) -> None:
    """The third person consents to a change, which takes effect after 72 hours, or declines it.

    Raises `Refused` for a link that does not count any more, and for what they have no say in.
    """
    study = change.unblinder.study
    studies.lock_for_update(study)
    third = RecoveryPerson.objects.select_for_update(of=("self",)).filter(token_sha256=sha256_hex(token)).first()
    if third is None or third.study_id != study.pk:
        raise Refused("This link was replaced by a newer one.")
    check_link_open(third)
    check_outside(study, third.email)
    rows = OfficeChange.objects.select_for_update(of=("self",))
    change = rows.select_related("unblinder__study", "unblinder__user").get(pk=change.pk)
    check_recovery_may_consent(change, offices_of(study))
    name = change.unblinder.name
    if consents:
        change.consented_at, change.by_recovery = database_now(), True
        change.save(update_fields=["consented_at", "by_recovery"])
    else:
        _decline(change)
    verb = AuditVerb.RECOVERY_CONSENTED if consents else AuditVerb.RECOVERY_DECLINED
    audit.record(
        verb=verb,
        by=None,
        study=study,
        subject=change.unblinder_id,
        name=name,
        third_person=third.name,
        about=change.kind,
    )
    tell(
        study,
        f"{third.name} has decided about {name}, “{study.title}”",
        f"{third.name}, {third.affiliation}, {'consents to' if consents else 'declines'} {name} as unblinder.",
        *(["It takes effect after 72 hours; until then anybody of the team can withdraw it."] if consents else []),
        also=[change.unblinder.email],
    )


def _decline(change: OfficeChange) -> None:
    """A proposal is over. An office that is suspended stays so, until somebody consents after all."""
    if change.kind == "appoint":
        suspensions.end(change.unblinder, Ending.WITHDRAWN, None)


def by_token(token: str) -> RecoveryPerson | None:
    """Who was mailed this link last."""
    return RecoveryPerson.objects.filter(token_sha256=sha256_hex(token)).select_related("study").first()
