"""Signing in by a mailed code."""

from typing import Any

from allauth.account.forms import ConfirmLoginCodeForm

from annotation.people.services.account_mail import code_from


class MailedCodeForm(ConfirmLoginCodeForm):  # type: ignore[misc] # its base is made at run time
    """Expects the code that is made from what the session keeps."""

    def __init__(self, *args: Any, code: str = "", **kwargs: Any) -> None:
        super().__init__(*args, code=code_from(code), **kwargs)
