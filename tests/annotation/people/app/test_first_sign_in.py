"""Whoever has just made the site signs in, and is led to set the second factor up."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.people.authentication import GIVEN_AT
from annotation.platform.models.users import User
from annotation.platform.recent import COUNTS_FOR

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_counters")]

PASSWORD = "a long enough secret"


@pytest.fixture
def signing_in() -> dict[str, str]:
    User.objects.create_superuser(email="first@example.org", password=PASSWORD, name="First")
    return {"login": "first@example.org", "password": PASSWORD}


def test_the_first_administrator_gives_the_password_once_and_stands_before_the_code_to_scan(
    signing_in: dict[str, str], client: Client
) -> None:
    led = client.post(reverse("account_login"), signing_in, follow=True)
    assert led.redirect_chain[-1][0] == reverse("mfa_activate_totp")
    assert led.context["form"].secret


def test_a_password_given_a_while_ago_is_asked_for_again(signing_in: dict[str, str], client: Client) -> None:
    client.post(reverse("account_login"), signing_in)
    session = client.session
    session[GIVEN_AT] -= COUNTS_FOR.total_seconds()
    session.save()
    assert client.get(reverse("mfa_activate_totp"))["Location"].startswith(reverse("account_reauthenticate"))


def test_a_password_given_at_sign_in_changes_no_address(signing_in: dict[str, str], client: Client) -> None:
    client.post(reverse("account_login"), signing_in)
    asked = client.post(reverse("account_email"), {"action_add": "", "email": "other@example.org"})
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
