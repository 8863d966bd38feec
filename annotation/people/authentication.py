"""Who has authenticated recently, other than through django-allauth's own pages."""

from datetime import timedelta

from django.http import HttpRequest

from annotation.platform.services.clock import database_now

SHOWN_AT = "shown_who_they_are_at"
COUNTS_FOR = timedelta(minutes=5)  # as long as with allauth


def note_authentication(request: HttpRequest) -> None:
    """Whoever is signed in has just shown who they are."""
    request.session[SHOWN_AT] = database_now().timestamp()


def has_just_authenticated(request: HttpRequest) -> bool:
    shown_at = request.session.get(SHOWN_AT)
    return shown_at is not None and database_now().timestamp() - shown_at < COUNTS_FOR.total_seconds()
