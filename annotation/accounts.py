"""How django-allauth meets this site's people.

Every session names by its path the backend that opened it. So this stays where it is, or everybody is signed out.
"""

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest
from django.urls import reverse

from annotation.people.authentication import has_just_authenticated
from annotation.platform.models.users import User
from annotation.platform.views import is_framed
from annotation.study.policies.participation import SUPERVISING


class InvitationOnlyAdapter(DefaultAccountAdapter):
    """Accounts come from personal invitations only; nobody signs up by themselves."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def is_reauthentication_required(self, *, app: str) -> bool:
        """Not by who chose the password of a new account a moment ago, nor by a demonstration's people."""
        if has_just_authenticated(self.request):
            return False
        return bool(super().is_reauthentication_required(app=app))

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """A sign-in in a frame ends where the page around it is told, also after a detour that forgot `next`."""
        return reverse("signed_in") if is_framed(request) else str(super().get_login_redirect_url(request))


class PersonBackend(AuthenticationBackend):
    """allauth's sign-in. The row of the signed-in person, read on every request anyway, also tells in
    `supervises` whether they are a coordinator or researcher of any study."""

    # Written out: every request of a signed-in person asks it, and building it anew costs more than its answer.
    # Columns by name: a prepared `*` fails once a migration adds one.
    COLUMNS = ", ".join(f'person."{field.column}"' for field in User._meta.concrete_fields)
    PERSON = f"""
        SELECT {COLUMNS}, EXISTS (
            SELECT FROM annotation_participation participation
            WHERE participation.user_id = person.id AND participation.left_at IS NULL
                AND participation.role = ANY (%s)
        ) AS supervises
        FROM annotation_user person WHERE person.id = %s
    """  # noqa: S608 - nothing in it comes from outside

    def get_user(self, user_id: int) -> User | None:
        found = list(User.objects.raw(self.PERSON, [list(SUPERVISING), user_id]))
        return found[0] if found and self.user_can_authenticate(found[0]) else None
