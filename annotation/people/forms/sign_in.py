"""Signing in, by password or by a mailed code."""

from typing import Any

from allauth.account.forms import ConfirmLoginCodeForm, LoginForm

from annotation.people.services.account_mail import code_from


class SignInForm(LoginForm):  # type: ignore[misc] # its base is made at run time
    """Has the focus where one begins; the way out for a forgotten password comes after what everybody needs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autofocus"] = True
        self.fields["password"].help_text = ""


class MailedCodeForm(ConfirmLoginCodeForm):  # type: ignore[misc] # its base is made at run time
    """Expects the code that is made from what the session keeps."""

    def __init__(self, *args: Any, code: str = "", **kwargs: Any) -> None:
        super().__init__(*args, code=code_from(code), **kwargs)
