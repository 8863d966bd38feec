"""Taking a person's name out of the site.

What they did stays under their pseudonym; who that was, nobody can tell any more.

The audit trail holds numbers of accounts, and names stand in accounts and invitations alone: so no seal breaks.
"""

from contextlib import suppress

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import DurationField, Exists, F, Func, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from annotation.notifications.models import Notification
from annotation.people.models import AccountMail
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Invitation, Participation, Profile
from annotation.study.models.studies import StudyStep
from annotation.study.policies.participation import STUDIED, SUPERVISING
from annotation.unblinders.models import Unblinder

NAME = "Erased person"
# Up to here a profile is no part of anything that was frozen.
BEFORE_CLOSING = ("design", "writing", "assembling", "judging")


@transaction.atomic
def erase(*, user: User, reason: str, by: User | None) -> None:
    """Erase who `user` is: name, addresses, password, devices, mails, and profiles of studies that are still open.

    Raises `Refused` for administrators, for people in office as unblinder, and for those who still take part in a
    study: somebody else has to take their place first.
    """
    reason = audit.stated(reason)
    user = User.objects.select_for_update().get(pk=user.pk)
    _check(user)
    addresses = Q(email__iexact=user.email) | Q(email__in=EmailAddress.objects.filter(user=user).values("email"))
    nobody = f"erased-{user.pk}@invalid.invalid"
    AccountMail.objects.filter(addresses).delete()
    invitations = Invitation.objects.filter(addresses | Q(accepted_by=user))
    invitations.filter(accepted_at=None, withdrawn_at=None).update(withdrawn_at=database_now())
    invitations.update(email=nobody, name=NAME, message="")
    Notification.objects.filter(user=user).update(subject="", body="")
    Profile.objects.filter(participation__user=user, participation__study__state__in=BEFORE_CLOSING).delete()
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    user.email, user.name, user.time_zone, user.is_active, user.last_login = nobody, NAME, "UTC", False, None
    user.set_unusable_password()
    user.save()
    _end_sessions(user)
    audit.record(verb=AuditVerb.PERSON_ERASED, by=by, subject=user.pk, reason=reason)


def erase_whose_time_is_over() -> int:
    """Erase everybody all of whose studies keep names for a time, were released, and are past it; returns how many.

    Who coordinates or researches anything is left alone, and so is whoever `erase` refuses.
    """
    erased = 0
    for user in _whose_time_is_over():
        with suppress(Refused):
            erase(
                user=user,
                reason="Every study that they took part in kept names for a time, which is over.",
                by=None,
            )
            erased += 1
    return erased


def _whose_time_is_over() -> QuerySet[User]:
    months = Func(
        F("study__names_kept_months"),
        function="make_interval",
        template="%(function)s(months => %(expressions)s)",
        output_field=DurationField(),
    )
    # Where a study says nothing the comparison is with nothing, and so never true.
    is_over = StudyStep.objects.filter(study=OuterRef("study"), verb="release", taken_at__lt=Now() - months)
    theirs = Participation.objects.filter(user=OuterRef("pk"), study__removed_at=None)
    others = theirs.filter(Q(role__in=SUPERVISING) | ~Exists(is_over))
    return User.objects.filter(Exists(theirs.filter(role__in=STUDIED)), ~Exists(others), is_active=True)


def _check(user: User) -> None:
    if user.is_staff or user.is_superuser:
        raise Refused("This is an administrator: take that away first.")
    if Unblinder.objects.filter(user=user, ended_at=None).exists():
        raise Refused("This person is an unblinder, by a published name: somebody else has to take the office.")
    active = Participation.objects.filter(user=user, left_at=None, study__archived_at=None, study__removed_at=None)
    if slugs := sorted(active.exclude(study__state="released").values_list("study__slug", flat=True)):
        raise Refused(f"This person still takes part in {', '.join(slugs)}: let them leave first.")


def _end_sessions(user: User) -> None:
    """Sessions say in a signed text alone whose they are."""
    theirs = [
        session.pk
        for session in Session.objects.iterator(chunk_size=1000)
        if SessionStore().decode(session.session_data).get("_auth_user_id") == str(user.pk)
    ]
    Session.objects.filter(pk__in=theirs).delete()
