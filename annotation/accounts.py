"""How django-allauth meets this site's people."""

from allauth.account.adapter import DefaultAccountAdapter


class InvitationOnlyAdapter(DefaultAccountAdapter):
    """Accounts come from personal invitations only; nobody signs up by themselves."""

    def is_open_for_signup(self, request: object) -> bool:
        return False
