"""Signing in without the forms, and pages without their tokens, for tests of what comes after."""

import re

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


def without_tokens(page: str) -> str:
    """A page without its tokens against forgery and its request's id: random letters, which may spell a word."""
    particular = r'csrfmiddlewaretoken" value="\w+"|csrftoken=\w+|expires=[^;]+|\'X-Request-ID\': \'\w+\''
    return re.sub(particular, "token", page)
