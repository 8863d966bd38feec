"""Signing in without the forms, for tests of what comes after."""

from django.test import Client

from annotation.people.middleware import PROVED
from annotation.platform.models.users import User
from annotation.platform.second_factor import SHOWN_AT
from annotation.platform.services.clock import database_now


def signed_in(user: User, client: Client | None = None) -> Client:
    """A client in which `user` has signed in and shown a second factor, which stays fresh for a day."""
    client = client or Client()
    client.force_login(user)
    session = client.session
    session[PROVED] = user.pk
    session[SHOWN_AT] = database_now().timestamp() + 86_400
    session.save()
    return client
