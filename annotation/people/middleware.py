"""Per-request rules about the signed-in person."""

import zoneinfo
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_used
from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect

from annotation.people import known_devices
from annotation.platform.models.users import User
from annotation.platform.second_factor import note_second_factor
from annotation.platform.views import PersonRequest

Handler = Callable[[HttpRequest], HttpResponse]

SIGNED_IN = "signed_in_person"  # attribute of the request in which somebody signed in
PROVED = "second_factor_of"  # session key: the id of the person who showed a second factor in this session


class SecondFactorMiddleware:
    """Coordinators, researchers and administrators show a second factor in every session.

    A session counts once an authenticator was set up or one of its codes was accepted in it, at sign-in or
    later, which allauth's signals tell. That is stricter than asking whether the account has an authenticator:
    a session opened with the password alone, before the role was given or before the authenticator was set up
    elsewhere, has to show a code as well. Whoever removes an authenticator, to change phones for instance, is
    led to set up the next one at once.

    Nobody pays a query for this. Whether a person supervises a study comes with their own row
    (`annotation.accounts.PersonBackend`), so a role given a moment ago counts on the next request and nothing
    has to be invalidated; only the redirect itself looks for an authenticator.

    Exempt are the pages that serve to set up the second factor or to leave, and pages open to everybody; not
    those that take it away, or the password alone would be enough to replace somebody's authenticator.
    Demonstration people are exempt in demo mode alone, where anybody can be them with one click.
    """

    EXEMPT = frozenset(
        {
            "account_confirm_email",
            "account_email",  # an address that is not verified stands in the way of an authenticator
            "account_email_verification_sent",
            "account_logout",
            "account_reauthenticate",
            "demo_mail",
            "demo_people",
            "demo_sign_in",
            "health_live",
            "health_proxy",
            "health_ready",
            "mfa_activate_totp",
            "mfa_index",
            "mfa_reauthenticate",
            "public_design",
            "public_release",
            "public_study",
            "reminders_stop",
        }
    )

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: PersonRequest, *_view: Any) -> HttpResponse | None:
        name = request.resolver_match and request.resolver_match.url_name
        return None if name in self.EXEMPT or not _is_owed(request) else _ask(request)


def _is_owed(request: HttpRequest) -> bool:
    person: Any = request.user
    if not person.is_authenticated or not (person.is_staff or person.supervises):
        return False
    if person.is_demo and settings.DEMO_MODE:
        return False
    return bool(request.session.get(PROVED) != person.pk)


def _ask(request: PersonRequest) -> HttpResponse:
    """Lead to the page where a code is shown, and from there back; or to the one that sets it up."""
    if Authenticator.objects.filter(user=request.user, type=Authenticator.Type.TOTP).exists():
        messages.info(request, "Enter a code of your authenticator app to go on.")
        back = request.get_full_path() if request.method == "GET" and not request.htmx else reverse("home")
        url = f"{reverse('mfa_reauthenticate')}?{urlencode({'next': back})}"
    else:
        messages.info(
            request,
            "Coordinators, researchers and administrators see other people’s work, so a password alone is not "
            "enough. Set up an authenticator app to go on.",
        )
        url = reverse("mfa_activate_totp")
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


# Connected here rather than in the app's configuration: wherever requests are served, this module is loaded.
@receiver([authenticator_added, authenticator_used])
def remember_proof(*, request: HttpRequest, user: User, **_: Any) -> None:
    request.session[PROVED] = user.pk
    note_second_factor(request)


@receiver(authenticator_removed)
def forget_proof(*, request: HttpRequest, **_: Any) -> None:
    request.session.pop(PROVED, None)


class KnownDeviceMiddleware:
    """Whoever signs in is remembered by their device, beyond the session."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if person := getattr(request, SIGNED_IN, None):
            known_devices.remember(request, response, person)
        return response


@receiver(user_logged_in)
def note_signed_in(*, request: HttpRequest, user: User, **_: Any) -> None:
    if not user.is_demo:  # whom anybody can be
        setattr(request, SIGNED_IN, user)


class PersonTimeZoneMiddleware:
    """Times are shown in the signed-in person's zone."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = getattr(request.user, "time_zone", None)
        with timezone.override(zoneinfo.ZoneInfo(zone) if zone else None):
            return self.get_response(request)


class FramedSignInMiddleware:
    """The two rooms may frame pages of this site, and those of a sign-in may be framed by them; no others in any.

    Where a session ends while somebody writes or judges, the room shows them so: nobody leaves it to sign in again.
    """

    FRAMING = frozenset({"judging_item", "judging_submit", "writing_room"})  # a refusal to submit is the room again
    FRAMED = frozenset(
        {
            "account_confirm_login_code",
            "account_login",
            "account_request_login_code",
            "account_reset_password",
            "account_reset_password_done",
            "demo_people",
            "mfa_authenticate",
            "signed_in",
        }
    )

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        name = request.resolver_match and request.resolver_match.url_name
        if name in self.FRAMING:
            _allow_own(request, response, "frame-src")
        elif name in self.FRAMED:
            _allow_own(request, response, "frame-ancestors")
            response["X-Frame-Options"] = "SAMEORIGIN"
        return response


def _allow_own(request: HttpRequest, response: HttpResponse, directive: str) -> None:
    """Let the content security policy of one answer name this site, and nobody else, in `directive`."""
    csp_replace({directive: [SELF]})(lambda _: response)(request)
