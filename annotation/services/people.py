"""How people enter a study: invitation, account, consent, profile."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotation.core.text import sha256_hex
from annotation.models.participation import Consent, Invitation, Participation, Profile, Role
from annotation.models.people import User
from annotation.models.studies import Study
from annotation.policies.roles import can_administer, can_coordinate
from annotation.services import audit
from annotation.core.errors import Refused

INVITATION_VALID = timedelta(days=30)
# Letters and digits that are not taken for one another; 4 of them make about a million pseudonyms a role.
PSEUDONYM_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
PSEUDONYM_LETTER = {Role.WRITER: "W", Role.JUDGE: "J", Role.COORDINATOR: "C", Role.RESEARCHER: "R"}


@dataclass(frozen=True)
class Invited:
    """An invitation and its link, which is shown or mailed once and not kept."""

    invitation: Invitation
    link: str


@transaction.atomic
def invite(*, study: Study, email: str, name: str, role: Role, by: User) -> Invited:
    """Mail a personal link. Coordinators invite; an administrator may, so that a study gets its coordinator.

    Raises `Refused` where the address already takes part or holds an open invitation.
    """
    if not (can_coordinate(by, study) or can_administer(by)):
        raise PermissionDenied("Only a coordinator of this study may invite people.")
    email = email.strip().lower()
    if Participation.objects.filter(study=study, user__email=email).exists():
        raise Refused(f"{email} takes part in this study already; a person has one role in a study.")
    if Invitation.objects.filter(
        study=study, email=email, accepted_at__isnull=True, withdrawn_at__isnull=True
    ).exists():
        raise Refused(f"{email} holds an open invitation already.")
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        study=study,
        role=role,
        email=email,
        name=name,
        token_sha256=sha256_hex(token),
        invited_by=by,
        expires_at=timezone.now() + INVITATION_VALID,
    )
    link = settings.SITE_URL + reverse("invitation", args=[token])
    transaction.on_commit(lambda: _mail_invitation(invitation, link))
    audit.record(verb="person.invited", by=by, study=study, subject=invitation.pk, role=role)
    return Invited(invitation, link)


def _mail_invitation(invitation: Invitation, link: str) -> None:
    send_mail(
        subject=f"Invitation to take part in “{invitation.study.title}”",
        message=(
            f"Dear {invitation.name},\n\n"
            f"you are invited to the study “{invitation.study.title}” as a {invitation.get_role_display().lower()}.\n\n"
            f"Your personal link, valid until {invitation.expires_at:%-d %B %Y}:\n\n{link}\n\n"
            "Please do not pass it on: it lets one person in."
        ),
        from_email=None,
        recipient_list=[invitation.email],
    )


def find_invitation(token: str) -> Invitation | None:
    """The open invitation behind a link, or `None` when it was used, withdrawn, or has expired."""
    return (
        Invitation.objects.filter(
            token_sha256=sha256_hex(token),
            accepted_at__isnull=True,
            withdrawn_at__isnull=True,
            expires_at__gt=timezone.now(),
        )
        .select_related("study")
        .first()
    )


@transaction.atomic
def open_account(*, invitation: Invitation, name: str, password: str, time_zone: str = "UTC") -> User:
    """Make the account an invitation is for. The link has proved the address."""
    if User.objects.filter(email=invitation.email).exists():
        raise Refused("There is an account for this address already: sign in to accept the invitation.")
    user = User.objects.create_user(invitation.email, password, name=name, time_zone=time_zone)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    audit.record(verb="person.account_opened", by=user, subject=user.pk)
    return user


@transaction.atomic
def accept_invitation(*, invitation: Invitation, user: User) -> Participation:
    """Take the role an invitation offers. Raises `Refused` for another person's or a used invitation."""
    invitation = Invitation.objects.select_for_update().select_related("study").get(pk=invitation.pk)
    if invitation.accepted_at or invitation.withdrawn_at or invitation.expires_at <= timezone.now():
        raise Refused("This invitation has been used, withdrawn, or has expired. Ask for a new one.")
    if user.email != invitation.email:
        raise Refused(f"This invitation is for {invitation.email}. Sign in with that address to accept it.")
    invitation.accepted_at, invitation.accepted_by = timezone.now(), user
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    return join(study=invitation.study, user=user, role=Role(invitation.role), by=user)


@transaction.atomic
def join(*, study: Study, user: User, role: Role, by: User, pseudonym: str | None = None) -> Participation:
    """Make `user` take part in `study` as `role`, under a pseudonym drawn at random unless one is given."""
    participation = Participation.objects.create(
        study=study, user=user, role=role, pseudonym=pseudonym or _new_pseudonym(study, role)
    )
    audit.record(verb="person.joined", by=by, study=study, subject=participation.pseudonym, role=role)
    return participation


def _new_pseudonym(study: Study, role: Role) -> str:
    taken = set(Participation.objects.filter(study=study).values_list("pseudonym", flat=True))
    while True:
        drawn = "".join(secrets.choice(PSEUDONYM_ALPHABET) for _ in range(4))
        if (pseudonym := f"{PSEUDONYM_LETTER[role]}-{drawn}") not in taken:
            return pseudonym


@transaction.atomic
def give_consent(*, participation: Participation, by: User) -> None:
    """Record agreement to the study's consent text as it is now. Idempotent."""
    _check_self(participation, by)
    study = participation.study
    _, created = Consent.objects.get_or_create(
        participation=participation,
        defaults={"version": study.consent_version, "text_sha256": sha256_hex(study.consent_text)},
    )
    if created:
        audit.record(verb="consent.given", by=by, study=study, subject=participation.pseudonym)


@transaction.atomic
def complete_profile(*, participation: Participation, answers: dict[str, Any], by: User) -> Profile:
    """Keep the intake form's answers; answering again replaces them."""
    _check_self(participation, by)
    profile, _ = Profile.objects.update_or_create(participation=participation, defaults=answers)
    audit.record(
        verb="profile.completed", by=by, study=participation.study, subject=participation.pseudonym
    )
    return profile


def _check_self(participation: Participation, by: User) -> None:
    if participation.user_id != by.pk:
        raise PermissionDenied("Only the person themselves can do this.")
