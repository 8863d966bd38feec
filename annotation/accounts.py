"""How django-allauth meets this site's people.

Every session names by its path the backend that opened it. So this stays where it is, or everybody is signed out.
"""

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse

from annotation.people.authentication import has_just_authenticated, has_just_given_the_password
from annotation.people.known_devices import known_as
from annotation.people.models import Secret
from annotation.people.services import account_mail
from annotation.platform.models.users import User
from annotation.platform.second_factor import owes_second_factor
from annotation.platform.services.rows import columns
from annotation.platform.views import is_framed
from annotation.study.policies.participation import SUPERVISING

SECOND_FACTOR = "allauth.mfa"
SHOWS_FACTOR = "mfa_reauthenticate"  # among allauth's ways of showing who one is
NO_ADDRESS = "0.0.0.0"  # noqa: S104 - of visitors over a socket: they share their limits


# The name in a mail's context, by the mail's template, of what the worker makes, and what it makes that from.
SECRETS: Final[Mapping[str, tuple[str, Secret, Callable[[str, Mapping[str, Any]], object]]]] = {
    "account/email/login_code": ("code", Secret.SIGN_IN_CODE, lambda _email, context: context["code"]),
    "account/email/password_reset_key": (
        "password_reset_url",
        Secret.NEW_PASSWORD,
        lambda _email, context: context["user"].pk,
    ),
    "account/email/email_confirmation": (
        "activate_url",
        Secret.CONFIRMATION,
        lambda email, context: EmailAddress.objects.get_for_user(context["user"], email).pk,
    ),
}


@dataclass(frozen=True)
class Site:
    """What allauth's mails call the site by."""

    name: str
    domain: str


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """A code of the app is often refused because its half minute has just ended, which the page says."""

    error_messages: ClassVar = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": "Incorrect code. One of the app holds for half a minute and works once: enter the one it "
        "shows now. A recovery code is as it was written down, and works once, too.",
    }


class InvitationOnlyAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts come from personal invitations only; nobody signs up by themselves."""

    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "cannot_remove_primary_email": "This is your main address. Make another one the main address first.",
        "duplicate_email": "Your account has this address already.",
        "email_password_mismatch": "The address or the password is not correct.",
        "enter_current_password": "This is not your present password.",
        "max_email_addresses": "An account has at most %d addresses.",
        "rate_limited": "That was asked for too often in a short time. Try again in some minutes.",
        "too_many_login_attempts": "Too many failed attempts to sign in. Try again in some minutes.",
        "unverified_primary_email": "Confirm the address before you make it the main one.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def is_reauthentication_required(self, *, app: str) -> bool:
        """Not by who chose the password of a new account a moment ago, nor by a demonstration's people.

        Nor is the password asked for again by the second factor's pages right after the sign-in that led there.
        """
        if has_just_authenticated(self.request):
            return False
        if app == SECOND_FACTOR and has_just_given_the_password(self.request):
            return False
        return bool(super().is_reauthentication_required(app=app))

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """A sign-in in a frame ends where the page around it is told, also after a detour that forgot `next`."""
        return reverse("signed_in") if is_framed(request) else str(super().get_login_redirect_url(request))

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """The second factor first, where a password alone is not enough for what was about to be done."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return sorted(
            methods, key=lambda method: owes_second_factor(self.request) != (method["id"] == SHOWS_FACTOR)
        )

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt at a password, which is taken back where it is right.

        Raises a `ValidationError` where there were too many: from a device that its person is known on, there
        alone; anywhere else from one address, or for the account.
        """
        is_allowed = self._is_known(request, **credentials) or (
            ratelimit.consume(request, action="login_unknown")
            and ratelimit.consume(request, action="login_failed_unknown", dry_run=True)
        )
        if not is_allowed:
            raise self.validation_error("too_many_login_attempts")
        super().pre_authenticate(request, **credentials)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        if not self._is_known(request, **credentials):
            ratelimit.consume(request, action="login_failed_unknown")

    def _is_known(self, request: HttpRequest, **credentials: Any) -> bool:
        return bool(known_as(request, _account(credentials)))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """The device, where its person is known on it; else the account."""
        account = _account(credentials)
        return known_as(request, account) or account

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Whoever has set a new password by a mailed link may use it at once, here and where nobody knows them."""
        super()._delete_login_attempts_cached_email(request, **credentials)
        ratelimit.clear(request, action="login_failed", key=_account(credentials))
        ratelimit.clear(request, action="login_failed_unknown")

    def get_client_ip(self, request: HttpRequest) -> str:
        """The visitor's address: who asked the first of as many proxies as are trusted, or else who asks.

        Where fewer have noted anybody, the request did not come through them all, and what it says is not believed.
        """
        noted = [part for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
        trusted = settings.ALLAUTH_TRUSTED_PROXY_COUNT
        found = noted[-trusted] if 0 < trusted <= len(noted) else ""
        return _address(found) or _address(request.META.get("REMOTE_ADDR", "")) or NO_ADDRESS

    def generate_login_code(self) -> str:
        """What the session keeps: not the code, but what the worker makes it from, and then the form again."""
        return secrets.token_hex(16)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Have a worker send it. Mails name the site as `SITE_URL` does, whatever host a request asked for."""
        host = urlsplit(settings.SITE_URL).netloc
        shown = {name: _own(value) if name.endswith("_url") else value for name, value in context.items()}
        secret, made_from = Secret.NOTHING, ""
        if template_prefix in SECRETS:
            name, secret, origin = SECRETS[template_prefix]
            shown[name], made_from = account_mail.PLACEHOLDER, str(origin(email, context))
        given = {"request": self.request, "email": email, **shown, "current_site": Site(host, host)}
        message = self.render_mail(template_prefix, email, given)
        account_mail.post(
            email=email, subject=message.subject, body=str(message.body), secret=secret, made_from=made_from
        )


def _account(credentials: Mapping[str, Any]) -> str:
    """The account as it is called; not by which name of the site, or each would allow as many attempts."""
    return str(credentials.get("email", "")).lower()


def _address(noted: str) -> str:
    """The IP address that a proxy has noted, which may have put a port behind it; empty where it is not one."""
    try:
        host = urlsplit(f"//{noted.strip()}").hostname or ""
    except ValueError:
        host = ""
    for candidate in (noted.strip(), host):
        with suppress(ValueError):
            return str(ip_address(candidate))
    return ""


def _own(url: str) -> str:
    """The address of the same page under `SITE_URL`."""
    return settings.SITE_URL + urlunsplit(urlsplit(url)._replace(scheme="", netloc=""))


class PersonBackend(AuthenticationBackend):  # type: ignore[misc]
    """allauth's sign-in. The row of the signed-in person, read on every request anyway, also tells in
    `supervises` whether they are a coordinator or researcher of any study."""

    # Written out: every request of a signed-in person asks it, and building it anew costs more than its answer.
    PERSON = f"""
        SELECT {columns(User, "person")}, EXISTS (
            SELECT FROM annotation_participation participation
            WHERE participation.user_id = person.id AND participation.left_at IS NULL
                AND participation.role = ANY (%s)
        ) AS supervises
        FROM annotation_user person WHERE person.id = %s
    """  # noqa: S608 - nothing in it comes from outside

    def get_user(self, user_id: int) -> User | None:
        found = list(User.objects.raw(self.PERSON, [list(SUPERVISING), user_id]))
        return found[0] if found and self.user_can_authenticate(found[0]) else None
