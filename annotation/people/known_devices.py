"""The devices that people have signed in on, each told by a signed cookie.

Whoever guesses at an account uses up what it allows to strangers. A device that its person has signed in on has
attempts of its own, so that nobody can lock them out from elsewhere.
"""

import secrets
from typing import Any, Final

from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from annotation.platform.models.users import User

COOKIE: Final = "known_device"
VALID_FOR: Final = 365 * 24 * 3600  # seconds since the last sign-in on the device
MAX_PEOPLE: Final = 10  # on one device: those who signed in last
_SALT: Final = "annotation.people.known_devices"


def remember(request: HttpRequest, response: HttpResponse, person: User) -> None:
    """Let `response` mark the device as one that `person` has signed in on just now."""
    others = [entry for entry in _entries(request) if entry[0] != person.pk]
    entries = [(person.pk, secrets.token_urlsafe(16)), *others][:MAX_PEOPLE]
    response.set_cookie(
        COOKIE,
        signing.dumps(entries, salt=_SALT),
        max_age=VALID_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_as(request: HttpRequest, email: str) -> str:
    """What the device is known as, where the person of this address has signed in on it; empty elsewhere."""
    entries = dict(_entries(request))
    if not entries:
        return ""
    people = filter_users_by_email(email, is_active=True)
    return next((entries[person.pk] for person in people if person.pk in entries), "")


def _entries(request: HttpRequest) -> list[tuple[int, str]]:
    """Who has signed in on the device, the last one first, and what it is known as to them; none if forged."""
    try:
        found: Any = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=VALID_FOR)
    except signing.BadSignature:
        return []
    return [(pk, name) for pk, name in found]
