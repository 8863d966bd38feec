"""Signing in, by password or by a mailed code, and choosing another password."""

from typing import Any

from allauth.account.forms import (
    ChangePasswordForm,
    ConfirmLoginCodeForm,
    LoginForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
)
from django import forms

from annotation.people.services.account_mail import code_from


class SignInForm(LoginForm):  # type: ignore[misc] # its base is made at run time
    """Has the focus where one begins; the way out for a forgotten password comes after what everybody needs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autofocus"] = True
        self.fields["password"].help_text = ""
        self.fields["remember"].label = "Stay signed in on this device"


class MailedCodeForm(ConfirmLoginCodeForm):  # type: ignore[misc] # its base is made at run time
    """Expects the code that is made from what the session keeps."""

    def __init__(self, *args: Any, code: str = "", **kwargs: Any) -> None:
        super().__init__(*args, code=code_from(code), **kwargs)


class NewPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc] # its base is made at run time
    """Choosing a password under a mailed link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_passwords(self)


class FirstPasswordForm(SetPasswordForm):  # type: ignore[misc] # its base is made at run time
    """Choosing a password for an account that has none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_passwords(self)


class OtherPasswordForm(ChangePasswordForm):  # type: ignore[misc] # its base is made at run time
    """Changing a password one knows; the page has the way out for one that is forgotten."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_passwords(self)
        self.fields["oldpassword"].label = "Present password"
        self.fields["oldpassword"].help_text = ""


def _name_passwords(form: forms.Form) -> None:
    form.fields["password1"].label = "New password"
    form.fields["password2"].label = "New password once more"
