"""How django-allauth meets this site's people."""

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.urls import reverse

from annotation.models.participation import Participation
from annotation.models.people import User
from annotation.policies.participation import SUPERVISING
from annotation.views.common import is_framed


class InvitationOnlyAdapter(DefaultAccountAdapter):
    """Accounts come from personal invitations only; nobody signs up by themselves."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """A sign-in in a frame ends where the page around it is told, also after a detour that forgot `next`."""
        return reverse("signed_in") if is_framed(request) else str(super().get_login_redirect_url(request))


class PersonBackend(AuthenticationBackend):
    """allauth's sign-in. The row of the signed-in person, read on every request anyway, also tells in
    `supervises` whether they are a coordinator or researcher of any study."""

    # Built once: every request of a signed-in person evaluates it.
    PEOPLE = User.objects.annotate(
        supervises=Exists(
            Participation.objects.filter(user=OuterRef("pk"), role__in=SUPERVISING, left_at__isnull=True)
        )
    )

    def get_user(self, user_id: int) -> User | None:
        user = self.PEOPLE.filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None
