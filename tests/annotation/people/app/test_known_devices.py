"""A device that somebody has signed in on: strangers cannot lock them out there."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.people import known_devices
from annotation.people.known_devices import COOKIE, VALID_FOR
from annotation.platform.models.users import User
from tests.authenticators import with_authenticator
from tests.factories import a_person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_counters")]

PASSWORD = "a long enough secret"
WRONG = "not the right secret"
ALLOWED = 5  # wrong passwords in five minutes


@pytest.fixture
def ada() -> User:
    return a_person("Ada Example", password=PASSWORD)


def sign_in(client: Client, email: str, password: str = PASSWORD, **headers: str) -> Any:
    return client.post(reverse("account_login"), {"login": email, "password": password}, headers=headers)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def known_to(*people: User) -> Client:
    """A device on which they have signed in and out, one after the other."""
    client = Client()
    for person in people:
        sign_in(client, person.email)
        client.post(reverse("account_logout"))
    return client


def strangers_guess(email: str, attempts: int = 40, **headers: str) -> Any:
    """As many as the site takes from anybody, and more; returns the last answer."""
    return [sign_in(Client(), email, WRONG, **headers) for _ in range(attempts)][-1]


def test_strangers_who_guess_lock_out_whoever_comes_on_an_unknown_device(ada: User) -> None:
    strangers_guess(ada.email)

    client = Client()
    assert "Too many failed attempts to sign in" in sign_in(client, ada.email).content.decode()
    assert not is_in(client)


@pytest.mark.parametrize("spelling", [str.lower, str.upper, " {} ".format])
def test_strangers_who_guess_from_the_same_address_never_lock_out_a_known_device(ada: User, spelling: Any) -> None:
    device = known_to(ada)
    strangers_guess(ada.email)

    sign_in(device, spelling(ada.email))
    assert is_in(device)


def test_strangers_who_guess_never_stand_in_the_way_of_the_second_factor_on_a_known_device(ada: User) -> None:
    device = known_to(ada)
    with_authenticator(ada)
    strangers_guess(ada.email)

    assert sign_in(device, ada.email)["Location"] == reverse("mfa_authenticate")
    answer = device.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert "Incorrect code" in answer.content.decode()


def test_a_known_device_has_a_budget_of_its_own(ada: User) -> None:
    device = known_to(ada)
    answers = [sign_in(device, ada.email, WRONG).content.decode() for _ in range(ALLOWED + 1)]

    assert ["is not correct" in answer for answer in answers] == [True] * ALLOWED + [False]
    sign_in(device, ada.email)
    assert not is_in(device)
    other = Client()
    sign_in(other, ada.email)
    assert is_in(other), "what fails there counts nowhere else"


def test_a_known_device_is_a_stranger_to_other_accounts(ada: User) -> None:
    other = a_person("Other Person", password=PASSWORD)
    device = known_to(ada)
    strangers_guess(other.email)

    sign_in(device, other.email)
    assert not is_in(device)


def test_a_device_that_two_people_share_is_known_for_both(ada: User) -> None:
    other = a_person("Other Person", password=PASSWORD)
    device = known_to(ada, other)
    strangers_guess(ada.email)

    sign_in(device, ada.email)
    assert is_in(device)


def test_a_device_is_known_by_every_address_of_the_account(ada: User) -> None:
    EmailAddress.objects.create(user=ada, email="second@example.org", verified=True)
    device = known_to(ada)
    strangers_guess("second@example.org")

    sign_in(device, "second@example.org")
    assert is_in(device)


@pytest.mark.parametrize("cookie", ["", "nonsense", "W1sxLCAieCJdXQ:1tTTTT:c2lnbmF0dXJl"])
def test_a_forged_cookie_makes_no_device_known(ada: User, cookie: str) -> None:
    strangers_guess(ada.email)

    client = Client()
    client.cookies[COOKIE] = cookie
    sign_in(client, ada.email)
    assert not is_in(client)


def test_a_device_is_forgotten_after_a_year(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    device = known_to(ada)
    monkeypatch.setattr(known_devices, "VALID_FOR", -1)
    strangers_guess(ada.email)

    sign_in(device, ada.email)
    assert not is_in(device)


def test_only_a_sign_in_that_succeeds_makes_a_device_known(ada: User) -> None:
    client = Client()
    sign_in(client, ada.email, WRONG)
    assert COOKIE not in client.cookies
    with_authenticator(ada)
    sign_in(client, ada.email)
    assert COOKIE not in client.cookies, "the second factor is still to come"


def test_the_cookie_of_a_known_device_is_long_lived_and_out_of_reach_of_scripts(
    ada: User, settings: Settings
) -> None:
    settings.SESSION_COOKIE_SECURE = True
    cookie = sign_in(Client(), ada.email).cookies[COOKIE]

    assert (cookie["max-age"], cookie["httponly"], cookie["secure"], cookie["samesite"]) == (
        VALID_FOR,
        True,
        True,
        "Lax",
    )
    assert ada.email not in cookie.value


def test_an_account_is_tried_as_seldom_under_every_name_of_the_site(ada: User, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    hosts = [f"studio.example.org:{port}" for port in range(8000, 8000 + ALLOWED + 1)]
    answers = [sign_in(Client(), ada.email, WRONG, Host=host).content.decode() for host in hosts]

    assert ["is not correct" in answer for answer in answers] == [True] * ALLOWED + [False]
