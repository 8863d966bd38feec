"""Addresses in mails are the site's own, whatever name a request called it by."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.people.services import people
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from tests.factories import a_person, a_study, coordinator_of
from tests.work import send_mails

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh_counters")]

PASSWORD = "a long enough secret"
SITE = "https://studio.example.org"
HOSTS = ("localhost", "127.0.0.1:8000", "studio.example.org:8081", "elsewhere.example.net")


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    """A site that answers to any name, as it may behind a proxy that forgets the visitor's."""
    settings.SITE_URL = SITE
    settings.ALLOWED_HOSTS = ["*"]


@pytest.fixture
def ada() -> User:
    person = a_person("Ada Example", password=PASSWORD)
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return person


def only_body() -> str:
    send_mails()
    (sent,) = mail.outbox
    return str(sent.body)


def hosts_in(body: str) -> set[str]:
    """The hosts of all addresses, and the one that the mail is signed with."""
    signature = body.strip().splitlines()[-1]
    return {*re.findall(r"\w+://[^/\s]+", body), f"https://{signature}"}


def post(host: str, name: str, data: dict[str, Any], client: Client | None = None) -> None:
    answer = (client or Client()).post(reverse(name), data, headers={"Host": host})
    assert answer.status_code == 302


@pytest.mark.parametrize("host", HOSTS)
class TestWhatAnybodyCanHaveSent:
    def test_the_link_to_a_new_password_leads_to_the_site(self, ada: User, host: str) -> None:
        post(host, "account_reset_password", {"email": ada.email})

        assert hosts_in(only_body()) == {SITE}
        assert f"{SITE}/accounts/password/reset/key/" in only_body()

    @pytest.mark.parametrize("name", ["account_reset_password", "account_request_login_code"])
    def test_a_mail_to_an_address_without_account_names_the_site(self, host: str, name: str) -> None:
        post(host, name, {"email": "nobody@example.org"})

        assert hosts_in(only_body()) == {SITE}

    def test_a_mailed_code_names_the_site(self, ada: User, host: str) -> None:
        post(host, "account_request_login_code", {"email": ada.email})

        assert hosts_in(only_body()) == {SITE}


@pytest.mark.parametrize("host", HOSTS)
class TestWhatThePersonHasSent:
    def signed_in(self, person: User) -> Client:
        client = Client()
        client.force_login(person)
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        return client

    def test_the_link_that_confirms_an_address_leads_to_the_site(self, ada: User, host: str) -> None:
        address = {"email": "second@example.org", "action_add": ""}
        post(host, "account_email", address, self.signed_in(ada))

        send_mails()
        bodies = [str(sent.body) for sent in mail.outbox]
        assert any(f"{SITE}/accounts/confirm-email/" in body for body in bodies)
        assert {name for body in bodies for name in hosts_in(body)} == {SITE}

    def test_a_notice_of_a_changed_password_names_the_site(self, ada: User, host: str) -> None:
        new = {"oldpassword": PASSWORD, "password1": "another long secret", "password2": "another long secret"}
        post(host, "account_change_password", new, self.signed_in(ada))

        assert hosts_in(only_body()) == {SITE}


def test_the_link_of_an_invitation_leads_to_the_site() -> None:
    study = a_study()
    offer = people.invite(study=study, email="w@example.org", name="W", role=Role.WRITER, by=coordinator_of(study))

    assert offer.link.startswith(f"{SITE}/invitations/")
    assert offer.link in only_body()
