"""Mails about accounts: no request waits for the mail server, and no code or link is kept."""

import re
import socket
import time
from collections.abc import Iterator
from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db.models import F
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.people.models import AccountMail
from annotation.people.services.account_mail import code_from
from annotation.platform.models.users import User
from annotation.platform.models.work import Task
from scrub_site.watching.selectors import site_health
from tests.factories import a_person
from tests.mail_server import nobody_listens, sending_meets
from tests.work import send_mails

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh_counters")]

CODE = re.compile(r"^([A-Z]{4}-[A-Z]{4})$", re.MULTILINE)
ASKING = ("account_request_login_code", "account_reset_password")


@pytest.fixture
def ada() -> User:
    person = a_person("Ada Example", password="a long enough secret")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return person


@pytest.fixture
def hanging(settings: Settings) -> Iterator[None]:
    """A mail server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        settings.EMAIL_TIMEOUT = 1
        yield


def ask(name: str, email: str, client: Client | None = None) -> None:
    answer = (client or Client()).post(reverse(name), {"email": email})
    assert answer.status_code == 302


def sent() -> str:
    send_mails()
    [message] = mail.outbox
    return str(message.body)


@pytest.mark.usefixtures("hanging")
@pytest.mark.parametrize("name", ASKING)
def test_no_request_waits_for_a_mail_server_that_hangs(ada: User, name: str) -> None:
    began = time.monotonic()
    ask(name, ada.email)
    assert time.monotonic() - began < 1
    send_mails()
    [task] = Task.objects.filter(kind="mail_account")
    assert "timed out" in task.last_error
    assert task.gave_up_at is None


@pytest.mark.parametrize("name", ASKING)
def test_a_mail_server_that_is_away_fails_no_request_and_is_tried_again(ada: User, name: str) -> None:
    with nobody_listens():
        ask(name, ada.email)
        send_mails()
    assert mail.outbox == []
    Task.objects.update(due_at=F("asked_at"))
    assert sent()
    assert not AccountMail.objects.exists()


def test_a_mailed_code_lets_its_person_in_and_is_kept_nowhere(ada: User) -> None:
    client = Client()
    ask("account_request_login_code", ada.email, client)
    [row] = AccountMail.objects.values()
    found = CODE.search(sent())
    assert found
    held = str(row) + str(dict(client.session))
    assert found[1] not in held
    client.post(reverse("account_confirm_login_code"), {"code": found[1].lower()})
    assert client.session["_auth_user_id"] == str(ada.pk)


def test_nothing_typed_in_is_the_code_of_an_account_that_there_is_not() -> None:
    client = Client()
    ask("account_request_login_code", "nobody@example.org", client)
    client.post(reverse("account_confirm_login_code"), {"code": code_from("")})
    client.post(reverse("account_confirm_login_code"), {"code": code_from("0")})
    assert "_auth_user_id" not in client.session


def test_a_code_that_is_over_before_it_could_be_sent_is_dropped(ada: User) -> None:
    ask("account_request_login_code", ada.email)
    AccountMail.objects.update(asked_at=F("asked_at") - timedelta(minutes=10))
    send_mails()
    assert mail.outbox == []
    assert not AccountMail.objects.exists()
    assert Task.objects.get(kind="mail_account").done_at


def test_a_link_to_a_new_password_is_made_when_it_is_sent_and_works(ada: User) -> None:
    ask("account_reset_password", ada.email)
    assert "/password/reset/key/" not in AccountMail.objects.get().body
    [link] = re.findall(r"https?://[^/]+(/accounts/password/reset/key/\S+)", sent())
    page = Client().get(link, follow=True).content.decode()
    assert 'name="password1"' in page


def test_no_link_to_a_new_password_is_made_for_an_account_that_was_closed_meanwhile(ada: User) -> None:
    ask("account_reset_password", ada.email)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    send_mails()
    assert mail.outbox == []


def test_a_mail_to_an_address_that_the_server_refuses_for_good_is_given_up_with_the_server_s_words_alone(
    ada: User,
) -> None:
    ask("account_reset_password", ada.email)
    with sending_meets(SMTPRecipientsRefused({ada.email: (550, b"5.1.1 There is no such\n5.1.1 user here.")})):
        send_mails()
    task = Task.objects.get(kind="mail_account")
    assert task.gave_up_at
    said = f"The mail server refuses the address: {ada.email} (550 5.1.1 There is no such 5.1.1 user here.)"
    assert task.last_error == said
    assert [failing.error for failing in site_health().failing_tasks] == [said]
