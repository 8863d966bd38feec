"""Who has shown a second factor a moment ago, for steps that an open session alone must not take."""

from typing import Final

from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve

from annotation.platform.recent import is_recent, note_shown
from annotation.platform.views import PersonRequest

SHOWN_AT: Final = "second_factor_shown_at"  # session key
_OWED: Final = "owes_second_factor"  # attribute of a request


def note_second_factor(request: HttpRequest) -> None:
    """Whoever is signed in has just shown a second factor."""
    note_shown(request, SHOWN_AT)


def has_fresh_second_factor(request: PersonRequest) -> bool:
    """Whether one was shown in this session a moment ago. A demonstration's people have none to show."""
    if request.user.is_demo and settings.DEMO_MODE:
        return True
    return is_recent(request, SHOWN_AT)


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
