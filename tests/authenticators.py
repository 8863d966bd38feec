"""Second factors as people have them, by what django-allauth publishes and RFC 4226 and 6238 say."""

import base64
import hashlib
import hmac
import secrets
import time
from functools import cache

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt

from annotation.platform.models.users import User

PERIOD = 30  # seconds for which an app shows a code
DIGITS = 6


def with_authenticator(user: User) -> str:
    """Set up an authenticator for `user`; returns its secret."""
    secret = base64.b32encode(secrets.token_bytes(20)).decode()
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": encrypt(secret)})
    return secret


def with_recovery_codes(user: User) -> list[str]:
    """Give `user` recovery codes; returns them."""
    data = {"seed": encrypt(secrets.token_hex(40)), "used_mask": 0}
    made = Authenticator.objects.create(user=user, type=Authenticator.Type.RECOVERY_CODES, data=data)
    codes: list[str] = made.wrap().get_unused_codes()
    return codes


@cache
def code_of(secret: str) -> str:
    """The code that the app showed for `secret` when it was first asked, which it goes on showing."""
    counter = int(time.time()) // PERIOD
    digest = hmac.digest(base64.b32decode(secret), counter.to_bytes(8, "big"), hashlib.sha1)
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"
