"""Mails about accounts: asked for while a page is made, and sent by a worker, which makes what is secret in them.

No code and no link is kept. A code to sign in by is made from a nonce and the site's key, by the worker and again
when it is typed in: sessions and mails hold the nonce.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final

from allauth.account import app_settings
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.urls import reverse
from django.utils.crypto import salted_hmac

from annotation.people.core.work_kinds import MAIL_ACCOUNT
from annotation.people.models import AccountMail, Secret
from annotation.platform.models.users import User
from annotation.platform.services import work
from annotation.platform.services.clock import database_now
from annotation.platform.services.mailing import deliver

PLACEHOLDER: Final = "{{the worker puts it here}}"
LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"  # as RFC 8628 has it, 6.1: no words, and nothing that looks alike
CODE_LENGTH: Final = 8
# A code is good for ten minutes, counted from when it was asked for; whoever asked for a link has gone after a day.
GOOD_FOR: Final[Mapping[str, timedelta]] = {
    Secret.NOTHING: timedelta(days=7),
    Secret.SIGN_IN_CODE: timedelta(seconds=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT),
    Secret.NEW_PASSWORD: timedelta(days=1),
    Secret.CONFIRMATION: timedelta(days=1),
}


@transaction.atomic
def post(*, email: str, subject: str, body: str, secret: Secret = Secret.NOTHING, made_from: object = "") -> None:
    """Want a mail sent, with what `secret` is in the place of `PLACEHOLDER`."""
    mail = AccountMail.objects.create(
        email=email, subject=subject[:250], body=body, secret=secret, made_from=str(made_from)
    )
    work.ask(kind=MAIL_ACCOUNT, subject=mail.pk)


def send(*, mail_id: int) -> None:
    """Send a mail, unless it is too late for it or its account is gone. It may come twice, and is never lost.

    Where the mail server cannot be reached, does not answer in time or refuses it, the error is passed on.
    """
    mail = AccountMail.objects.filter(pk=mail_id).first()
    if mail is None:
        return
    if mail.asked_at + GOOD_FOR[mail.secret] > database_now() and (body := _body(mail)):
        with get_connection() as server:
            message = EmailMessage(subject=mail.subject, body=body, to=[mail.email], connection=server)
            deliver(message.send, may_come_twice=True)
    mail.delete()


def code_from(nonce: str) -> str:
    """The code that a nonce stands for: two groups of four letters; empty for no nonce."""
    if not nonce:
        return ""
    number = int(salted_hmac("a code to sign in by", nonce, algorithm="sha256").hexdigest(), 16)
    drawn = [LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(CODE_LENGTH)]
    return f"{''.join(drawn[:4])}-{''.join(drawn[4:])}"


def _body(mail: AccountMail) -> str:
    """The mail with its secret; empty where the account is gone."""
    if mail.secret == Secret.NOTHING:
        return mail.body
    made = MAKERS[mail.secret](mail.made_from)
    return mail.body.replace(PLACEHOLDER, made) if made else ""


def _password_link(pk: str) -> str:
    user = User.objects.filter(pk=pk, is_active=True).first()
    if user is None:
        return ""
    token = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    return settings.SITE_URL + reverse(
        "account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": token}
    )


def _confirmation_link(pk: str) -> str:
    address = EmailAddress.objects.filter(pk=pk, verified=False).first()
    if address is None:
        return ""
    return settings.SITE_URL + reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])


MAKERS: Final[Mapping[str, Callable[[str], str]]] = {
    Secret.SIGN_IN_CODE: code_from,
    Secret.NEW_PASSWORD: _password_link,
    Secret.CONFIRMATION: _confirmation_link,
}
