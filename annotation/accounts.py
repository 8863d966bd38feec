"""How django-allauth meets this site's people."""

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from annotation.models.participation import Participation
from annotation.models.people import User
from annotation.policies.participation import SUPERVISING


class InvitationOnlyAdapter(DefaultAccountAdapter):
    """Accounts come from personal invitations only; nobody signs up by themselves."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False


class PersonBackend(AuthenticationBackend):
    """allauth's sign-in. The row of the signed-in person, read on every request anyway, also tells in
    `supervises` whether they are a coordinator or researcher of any study."""

    def get_user(self, user_id: int) -> User | None:
        supervising = Participation.objects.filter(user=OuterRef("pk"), role__in=SUPERVISING, left_at__isnull=True)
        user = User.objects.annotate(supervises=Exists(supervising)).filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None
