"""How people enter a study: invitation, account, consent, profile; and what they change about themselves."""

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.crypto import salted_hmac

from annotation.people.core.limits import columns_of
from annotation.people.core.work_kinds import MAIL_INVITATION
from annotation.people.policies import INVITATION_VALID, check_is_of_use
from annotation.people.selectors.recruiting import limits_of, pending, usable
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.study.core.consent import blanks
from annotation.study.models.participation import (
    Consent,
    EligibilityChange,
    Invitation,
    Participation,
    Profile,
    Role,
)
from annotation.study.models.studies import Study
from annotation.study.policies.participation import (
    check_invitation_open,
    check_studied,
    eligibility_answers,
    is_profile_fixed,
)
from annotation.study.policies.roles import can_administer, can_coordinate, check_coordinator
from annotation.study.services import studies
from annotation.unblinders.services.suspensions import notice_of

# Letters and digits that are not taken for one another; 4 of them make about a million pseudonyms a role.
PSEUDONYM_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
PSEUDONYM_LETTER = {
    Role.WRITER: "W",
    Role.JUDGE: "J",
    Role.COORDINATOR: "C",
    Role.RESEARCHER: "R",
    Role.ANNOTATOR: "A",
    Role.ADJUDICATOR: "D",
}


@dataclass(frozen=True)
class Invited:
    """An invitation and its link, which is shown once; a worker makes it again to mail it."""

    invitation: Invitation
    link: str


@transaction.atomic
def invite(*, study: Study, email: str, name: str, role: Role, by: User, message: str = "") -> Invited:
    """Have a personal link mailed, with `message` in the mail. Coordinators invite; an administrator may, so that a
    study gets its coordinator.

    An expired invitation of the same address is withdrawn in favour of the new one. Raises `Refused` where the
    address already takes part or holds an invitation that can still be used, and where the study has nothing left
    to do in this role.
    """
    if not (can_coordinate(by, study) or can_administer(by)):
        raise PermissionDenied("Only a coordinator of this study may invite people.")
    studies.lock_for_update(study)  # two invitations of one address come one after the other
    check_is_of_use(study, role)
    email = email.strip().lower()
    if Participation.objects.filter(study=study, user__email=email).exists():
        raise Refused(f"{email} takes part in this study already; a person has one role in a study.")
    if usable(study).filter(email=email).exists():
        raise Refused(f"{email} holds an open invitation already.")
    pending(study).filter(email=email).update(withdrawn_at=Now())
    invitation = Invitation(study=study, role=role, email=email, name=name, message=message, invited_by=by)
    link = give_link(invitation)
    invitation.save()
    work.ask(kind=MAIL_INVITATION, subject=invitation.pk)
    audit.record(verb=AuditVerb.PERSON_INVITED, by=by, study=study, subject=invitation.pk, role=role)
    return Invited(invitation, link)


def give_link(invitation: Invitation) -> str:
    """A new link, not yet sent, valid for `INVITATION_VALID`, in the place of any before. The caller saves it."""
    invitation.link_nonce = secrets.token_hex(16)
    invitation.token_sha256 = sha256_hex(_token(invitation))
    invitation.expires_at = database_now() + INVITATION_VALID
    invitation.sent_at = None
    return link_of(invitation)


def link_of(invitation: Invitation) -> str:
    """The invitation's link, made again; another one after a change of the site's key: see `has_link`."""
    return f"{settings.SITE_URL}{reverse('invitation', args=[_token(invitation)])}"


def has_link(invitation: Invitation) -> bool:
    """Whether `link_of` is the link that leads to the invitation."""
    return sha256_hex(_token(invitation)) == invitation.token_sha256


def _token(invitation: Invitation) -> str:
    digest = salted_hmac("the link of an invitation", invitation.link_nonce, algorithm="sha256").digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")


@transaction.atomic
def open_account(*, invitation: Invitation, name: str, password: str, time_zone: str = "UTC") -> Participation:
    """Make the account an invitation is for and accept the invitation with it. The link has proved the address.

    In a demonstration it is one of the people whom anybody can be.
    Raises `Refused` where the invitation cannot be used or its address has an account.
    """
    _lock_open(invitation)
    if User.objects.filter(email=invitation.email).exists():
        raise Refused("There is an account for this address already: sign in to accept the invitation.")
    user = User.objects.create_user(
        invitation.email, password, name=name, time_zone=time_zone, is_demo=settings.DEMO_MODE
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    audit.record(verb=AuditVerb.PERSON_ACCOUNT_OPENED, by=user, subject=user.pk)
    return accept_invitation(invitation=invitation, user=user)


@transaction.atomic
def accept_invitation(*, invitation: Invitation, user: User) -> Participation:
    """Take the role an invitation offers.

    Raises `Refused` for another person's invitation, one that cannot be used any more, where the study has nothing
    left to do in its role, and where the person has a role in the study already.
    """
    invitation = _lock_open(invitation)
    study = invitation.study
    if user.email != invitation.email:
        raise Refused(f"This invitation is for {invitation.email}. Sign in with that address to accept it.")
    if Participation.objects.filter(study=study, user=user).exists():
        raise Refused("You take part in this study already; a person has one role in a study.")
    invitation.accepted_at, invitation.accepted_by = database_now(), user
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    limits = columns_of(limits_of(invitation))
    return join(study=study, user=user, role=Role(invitation.role), by=user, limits=limits)


def _lock_open(invitation: Invitation) -> Invitation:
    """Read the invitation again and hold it, so that a link opened twice at once lets one person in once."""
    locked = Invitation.objects.select_for_update(of=("self",)).select_related("study").get(pk=invitation.pk)
    check_invitation_open(locked)
    check_is_of_use(locked.study, Role(locked.role))
    return locked


@transaction.atomic
def join(
    *,
    study: Study,
    user: User,
    role: Role,
    by: User,
    pseudonym: str | None = None,
    limits: Mapping[str, Any] = MappingProxyType({}),
) -> Participation:
    """Make `user` take part in `study` as `role`, under a pseudonym drawn at random unless one is given.

    `limits` are columns of `LimitedWork`.
    """
    participation = Participation.objects.create(
        study=study, user=user, role=role, pseudonym=pseudonym or _new_pseudonym(study, role), **limits
    )
    audit.record(verb=AuditVerb.PERSON_JOINED, by=by, study=study, subject=participation.pseudonym, role=role)
    return participation


def _new_pseudonym(study: Study, role: Role) -> str:
    taken = set(Participation.objects.filter(study=study).values_list("pseudonym", flat=True))
    while True:
        drawn = "".join(secrets.choice(PSEUDONYM_ALPHABET) for _ in range(4))
        if (pseudonym := f"{PSEUDONYM_LETTER[role]}-{drawn}") not in taken:
            return pseudonym


@transaction.atomic
def give_consent(*, participation: Participation, text_sha256: str, by: User) -> None:
    """Record agreement to the study's consent text, whose hash the person was shown. Idempotent.

    Raises `Refused` where the study has no text to agree to, one that is not filled in, or another one by now, and
    after a withdrawal: what the person contributed is on its way out of the data then, and only the coordinator can
    sort that out with them.
    """
    _check_self(participation, by)
    study = participation.study
    studies.lock_shared(study)  # a new text comes before this agreement, or asks this person again
    study.refresh_from_db(fields=["consent_text", "consent_version"])
    if not study.consent_text:
        raise Refused("This study has no consent text yet. Its coordinator has to add one first.")
    if blanks(study.consent_text):
        raise Refused("The coordinator has not filled in all of this text yet. Come back a little later.")
    if text_sha256 != sha256_hex(study.consent_text):
        raise Refused("The text has changed since you opened this page. Please read it again.")
    consent, created = Consent.objects.get_or_create(
        participation=participation,
        defaults={"version": study.consent_version, "text_sha256": text_sha256},
    )
    if consent.withdrawn_at:
        raise Refused("You have withdrawn your consent. Write to the coordinator if you want to take part again.")
    if created:
        audit.record(verb=AuditVerb.CONSENT_GIVEN, by=by, study=study, subject=participation.pseudonym)


@transaction.atomic
def complete_profile(*, participation: Participation, answers: dict[str, Any], by: User) -> Profile:
    """Keep the intake form's answers; answering again replaces them.

    Of a question that decides about eligibility both answers are kept, for the coordinator to see.
    Raises `Refused` once collection is closed: what was said is part of what was frozen then.
    """
    _check_self(participation, by)
    studies.lock_shared(participation.study)  # it is not closed in between
    if is_profile_fixed(participation.study):
        raise Refused("Collection is closed, and your profile stays as it was then.")
    saved = Profile.objects.select_for_update().filter(participation=participation).first()
    before = eligibility_answers(saved) if saved else {}
    profile, _ = Profile.objects.update_or_create(participation=participation, defaults=answers)
    EligibilityChange.objects.bulk_create(
        EligibilityChange(participation=participation, question=question, before=before[question], after=answer)
        for question, answer in eligibility_answers(profile).items()
        if before.get(question, answer) != answer
    )
    audit.record(
        verb=AuditVerb.PROFILE_COMPLETED, by=by, study=participation.study, subject=participation.pseudonym
    )
    return profile


@transaction.atomic
def leave(*, participation: Participation, reason: str, by: User) -> None:
    """End a person's part in the study at once: they see and change nothing of it any more, and what is done stays.

    An answer they are writing is handed in by its clock as it was last saved, or taken back on the desk; other work
    that is not done goes to others by a repair. Leaving twice changes nothing. Raises `Refused` for the last
    coordinator.
    """
    participation = _locked_member(participation, by)
    reason = audit.stated(reason)
    coordinators = Participation.objects.filter(
        study=participation.study, role=Role.COORDINATOR, left_at__isnull=True
    )
    is_last = participation.role == Role.COORDINATOR and not coordinators.exclude(pk=participation.pk).exists()
    if is_last and not participation.left_at:
        raise Refused("This is the study's last coordinator. Let somebody else join as one first.")
    _end(participation, reason, by)


def _end(participation: Participation, reason: str, by: User) -> None:
    """The end of a part in a study, which nobody else changes now; nothing where it has ended."""
    if participation.left_at:
        return
    participation.left_at = database_now()
    participation.save(update_fields=["left_at"])
    _record_about(AuditVerb.PERSON_LEFT, participation, reason, by)
    notice_of(participation.user)


@transaction.atomic
def decline(*, participation: Participation, by: User) -> None:
    """End one's own part in a study before one has agreed to anything, as `leave` does. Idempotent.

    Raises `PermissionDenied` for whoever is not asked for consent, as coordinators, and `Refused` where the person
    has agreed: then there is a consent to withdraw.
    """
    _check_self(participation, by)
    check_studied(participation)
    studies.lock_for_update(participation.study)
    own = Participation.objects.select_for_update(of=("self",)).get(pk=participation.pk)  # no consent is added now
    if Consent.objects.filter(participation=own).exists():
        raise Refused("You have agreed already. You can withdraw your consent here, at any time.")
    _end(own, "Declined to take part, before any consent.", by)


@transaction.atomic
def come_back(*, participation: Participation, reason: str, by: User) -> None:
    """Let somebody who has left take part again. Work that went to others meanwhile stays with them.

    For somebody who is there it changes nothing.
    """
    participation = _locked_member(participation, by)
    reason = audit.stated(reason)
    if not participation.left_at:
        return
    participation.left_at = None
    participation.save(update_fields=["left_at"])
    _record_about(AuditVerb.PERSON_CAME_BACK, participation, reason, by)
    notice_of(participation.user)


def _locked_member(participation: Participation, by: User) -> Participation:
    """The member as they are. The study is locked: two coordinators do not let each other leave at once."""
    check_coordinator(by, participation.study)
    studies.lock_for_update(participation.study)
    members = Participation.objects.select_for_update(of=("self",), no_key=True).select_related("study")
    return members.get(pk=participation.pk)


def _record_about(verb: AuditVerb, participation: Participation, reason: str, by: User) -> None:
    audit.record(verb=verb, by=by, study=participation.study, subject=participation.pseudonym, reason=reason)


@transaction.atomic
def change_settings(*, user: User, name: str, time_zone: str, by: User) -> None:
    """Change how a person is addressed and in which zone times are shown to them."""
    if user.pk != by.pk:
        raise PermissionDenied("Only the person themselves can do this.")
    user.name, user.time_zone = name, time_zone
    user.save(update_fields=["name", "time_zone"])
    audit.record(verb=AuditVerb.PERSON_SETTINGS_CHANGED, by=by, subject=user.pk)


def _check_self(participation: Participation, by: User) -> None:
    if participation.user_id != by.pk:
        raise PermissionDenied("Only the person themselves can do this.")
