"""Signing in inside a frame: without the site's own furniture, and to an end that the page around it can read."""

import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.platform.models.users import User
from tests.clients import signed_in
from tests.factories import a_person
from tests.work import send_mails

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough secret"
FURNITURE = ("site-header", "site-footer", "demo-banner", "skip-link")


@pytest.fixture
def person() -> User:
    return a_person(password=PASSWORD)


@pytest.fixture
def frame() -> Client:
    return Client(headers={"Sec-Fetch-Dest": "iframe"})


def furniture_of(client: Client, address: str) -> list[str]:
    page = client.get(address).content.decode()
    assert "</main>" in page
    return [part for part in FURNITURE if part in page]


def enter(client: Client, person: User, **more: str) -> str:
    """Where signing in by password leads."""
    answer = client.post(reverse("account_login"), {"login": person.email, "password": PASSWORD, **more})
    assert answer.status_code == 302
    return answer["Location"]


def test_a_framed_page_has_no_header_and_no_footer(
    settings: Settings, frame: Client, client: Client, person: User
) -> None:
    settings.DEMO_MODE = True
    login, signed = reverse("account_login"), reverse("signed_in")

    assert furniture_of(client, login) == list(FURNITURE)
    assert furniture_of(frame, login) == []
    assert furniture_of(signed_in(person, frame), signed) == []


def test_a_sign_in_in_a_frame_ends_on_the_page_that_names_who_has_signed_in(frame: Client, person: User) -> None:
    location = enter(frame, person)

    assert location == reverse("signed_in")
    assert f'data-person="{person.pk}"' in frame.get(location).content.decode()


def test_a_mailed_code_ends_on_the_page_that_names_who_has_signed_in_after_a_detour_too(
    frame: Client, person: User
) -> None:
    frame.post(reverse("account_request_login_code"), {"email": person.email})
    send_mails()
    code = re.search(r"^\s*(\S{3,5}-\S{3,5})\s*$", str(mail.outbox[0].body), re.MULTILINE)
    assert code

    answer = frame.post(reverse("account_confirm_login_code"), {"code": code[1]})

    assert answer["Location"] == reverse("signed_in")


def test_outside_a_frame_a_sign_in_leads_home_or_where_it_was_asked_to(client: Client, person: User) -> None:
    assert enter(client, person) == reverse("home")
    assert enter(Client(), person, next=reverse("person_settings")) == reverse("person_settings")


def test_who_is_not_signed_in_signs_in_first(client: Client) -> None:
    address = reverse("signed_in")

    assert client.get(address)["Location"] == f"{reverse('account_login')}?next={address}"


def test_a_demonstration_person_comes_back_to_where_they_were_going_if_that_is_here(settings: Settings) -> None:
    settings.DEMO_MODE = True
    address = reverse("demo_sign_in", args=[a_person("Demo Person", is_demo=True).pk])
    leads_to = {
        reverse("signed_in"): reverse("signed_in"),
        "https://elsewhere.example/": reverse("home"),
        "//elsewhere.example/": reverse("home"),
    }

    assert {wanted: Client().post(address, {"next": wanted})["Location"] for wanted in leads_to} == leads_to


def test_the_list_of_demonstration_people_passes_on_where_they_were_going(
    settings: Settings, client: Client
) -> None:
    settings.DEMO_MODE = True
    person = a_person("Demo Person", is_demo=True)

    page = client.get(reverse("demo_people"), {"next": '/a/?b="><i>'}).content.decode()

    assert f'<tr data-person="{person.pk}">' in page
    assert 'name="next" value="/a/?b=&quot;&gt;&lt;i&gt;"' in page


def test_leaving_can_be_asked_about_wherever_a_form_signs_out(client: Client, person: User) -> None:
    signed_in(person, client)
    for name in ("person_settings", "account_logout", "signed_in"):
        page = client.get(reverse(name)).content.decode()
        assert page.count(f'action="{reverse("account_logout")}"') == page.count("data-sign-out>") > 0
        assert page.count('id="sign-out-dialog"') == 1
