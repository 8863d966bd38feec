"""Who has shown a second factor a moment ago, for steps that an open session alone must not take."""

from datetime import timedelta
from typing import Final

from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve

from annotation.platform.services.clock import database_now
from annotation.platform.views import PersonRequest

SHOWN_AT: Final = "second_factor_shown_at"  # session key
COUNTS_FOR: Final = timedelta(minutes=5)
_OWED: Final = "owes_second_factor"  # attribute of a request


def note_second_factor(request: HttpRequest) -> None:
    """Whoever is signed in has just shown a second factor."""
    request.session[SHOWN_AT] = database_now().timestamp()


def has_fresh_second_factor(request: PersonRequest) -> bool:
    """Whether one was shown in this session within `COUNTS_FOR`. A demonstration's people have none to show."""
    if request.user.is_demo and settings.DEMO_MODE:
        return True
    shown_at = request.session.get(SHOWN_AT)
    return shown_at is not None and database_now().timestamp() - shown_at < COUNTS_FOR.total_seconds()


def owes_second_factor(request: HttpRequest) -> bool:
    """Whether what this request was about to do waits for one."""
    return getattr(request, _OWED, False)


def ask_for_second_factor(request: PersonRequest) -> HttpResponse | None:
    """Where to set up a second factor; None where one is fresh. For views, once they know that the person may.

    Raises `ReauthenticationRequired` where the person has one to show. What was posted waits meanwhile, and is done
    once a code of an authenticator, or a recovery code, was shown.
    """
    if has_fresh_second_factor(request):
        request.resolver_match = resolve(request.path_info)  # what waited comes in under another address
        return None
    if Authenticator.objects.filter(user=request.user).exists():
        messages.info(request, "Enter a code of your authenticator app: then what you were about to do is done.")
        setattr(request, _OWED, True)
        raise ReauthenticationRequired
    messages.info(request, "This takes a second factor. Set up an authenticator app, then do it again.")
    return redirect("mfa_activate_totp")
