"""Sessions: what a key opens, and when it opens nothing any more."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth import get_backends
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.platform.models.users import User
from scrub_site.database.sessions import SessionStore
from tests.clients import signed_in
from tests.factories import a_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return signed_in(a_person())


def key_of(client: Client) -> str:
    return client.cookies["sessionid"].value


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("person_settings")).status_code == 200


def test_a_session_is_read_again_in_one_query() -> None:
    session = SessionStore()
    session["place"] = "A"
    session.save()
    with CaptureQueriesContext(connection) as captured:
        assert SessionStore(session.session_key)["place"] == "A"
    assert len(captured) == 1


def test_a_session_past_its_time_opens_nothing(client: Client) -> None:
    assert is_signed_in(client)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not is_signed_in(client)


@pytest.mark.parametrize("content", ["", "tampered", "e30:1tX5q9:forged-signature"])
def test_content_that_this_site_did_not_sign_opens_nothing(client: Client, content: str) -> None:
    Session.objects.update(session_data=content)
    assert not is_signed_in(client)


@pytest.mark.parametrize("key", ["", "no-such-session", "x" * 500, "'; DROP TABLE django_session; --"])
def test_an_unknown_key_is_never_taken_over(key: str) -> None:
    session = SessionStore(key)
    assert dict(session.items()) == {}
    session["place"] = "A"
    session.save()
    assert session.session_key != key


def test_somebody_who_may_not_sign_in_any_more_is_out_at_once(client: Client) -> None:
    User.objects.update(is_active=False)
    assert not is_signed_in(client)


def test_signing_out_ends_the_session_on_the_server(client: Client) -> None:
    key = key_of(client)
    client.post(reverse("account_logout"))
    assert dict(SessionStore(key).items()) == {}


def test_only_signing_out_takes_the_cookie_away(client: Client) -> None:
    """A request under way while somebody signs in carries the key of the session that this replaces."""
    Session.objects.all().delete()
    late = client.get(reverse("person_settings"))
    assert late.status_code == 302
    assert "sessionid" not in late.cookies
    out = signed_in(a_person()).post(reverse("account_logout"))
    assert out.cookies["sessionid"].value == ""


def test_the_backend_that_sessions_name_is_where_they_look_for_it() -> None:
    """allauth writes a backend's own path into a session; Django takes only those that the settings name.

    Sessions of earlier versions name it, too: another path would sign everybody out.
    """
    paths = [f"{type(backend).__module__}.{type(backend).__qualname__}" for backend in get_backends()]
    assert paths == settings.AUTHENTICATION_BACKENDS == ["annotation.accounts.PersonBackend"]
