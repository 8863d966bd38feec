"""Who has authenticated, and who has recently: on pages of this site's own, or by a password at sign-in."""

from typing import Any

from allauth.account.authentication import get_authentication_records
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from annotation.platform.models.users import User
from annotation.platform.recent import is_recent, note_shown
from annotation.platform.services.clock import database_now

SHOWN_AT = "shown_who_they_are_at"
GIVEN_AT = "gave_the_password_at"


def note_authentication(request: HttpRequest) -> None:
    """Whoever is signed in has just shown who they are."""
    note_shown(request, SHOWN_AT)


def has_just_authenticated(request: HttpRequest) -> bool:
    return is_recent(request, SHOWN_AT)


user_logged_in.disconnect(dispatch_uid="update_last_login")  # Django's goes by the host's clock


@receiver(user_logged_in)
def note_last_sign_in(*, user: User, **_: Any) -> None:
    user.last_login = database_now()
    user.save(update_fields=["last_login"])


@receiver(user_logged_in)
def note_password(*, request: HttpRequest, user: User, **_: Any) -> None:
    """A code by mail proves less than a password: whoever reads the mail has that."""
    if any(record["method"] == "password" for record in get_authentication_records(request, user)):
        note_shown(request, GIVEN_AT)


def has_just_given_the_password(request: HttpRequest) -> bool:
    """Whether the session began by a password, a moment ago."""
    return is_recent(request, GIVEN_AT)
