"""Who has authenticated, and who has recently: on pages of this site's own, or by a password at sign-in."""

from datetime import timedelta
from typing import Any

from allauth.account.authentication import get_authentication_records
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now

SHOWN_AT = "shown_who_they_are_at"
GIVEN_AT = "gave_the_password_at"
COUNTS_FOR = timedelta(minutes=5)  # as long as with allauth


def note_authentication(request: HttpRequest) -> None:
    """Whoever is signed in has just shown who they are."""
    request.session[SHOWN_AT] = database_now().timestamp()


def has_just_authenticated(request: HttpRequest) -> bool:
    return _is_recent(request.session.get(SHOWN_AT))


user_logged_in.disconnect(dispatch_uid="update_last_login")  # Django's goes by the host's clock


@receiver(user_logged_in)
def note_last_sign_in(*, user: User, **_: Any) -> None:
    user.last_login = database_now()
    user.save(update_fields=["last_login"])


@receiver(user_logged_in)
def note_password(*, request: HttpRequest, user: User, **_: Any) -> None:
    """A code by mail proves less than a password: whoever reads the mail has that."""
    if any(record["method"] == "password" for record in get_authentication_records(request, user)):
        request.session[GIVEN_AT] = database_now().timestamp()


def has_just_given_the_password(request: HttpRequest) -> bool:
    """Whether the session began by a password, a moment ago."""
    return _is_recent(request.session.get(GIVEN_AT))


def _is_recent(shown_at: float | None) -> bool:
    return shown_at is not None and database_now().timestamp() - shown_at < COUNTS_FOR.total_seconds()
