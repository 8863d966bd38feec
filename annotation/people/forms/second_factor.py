"""Setting a second factor up."""

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.utils import encrypt


class SetUpForm(ActivateTOTPForm):  # type: ignore[misc]
    """The code that sets an authenticator up is used up by it, as codes are by signing in."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        data = {"secret": encrypt(self.secret)}
        to_be = Authenticator(user=self.user, type=Authenticator.Type.TOTP, data=data)
        if not to_be.wrap().validate_code(code):
            raise get_adapter().validation_error("incorrect_code")
        return code
