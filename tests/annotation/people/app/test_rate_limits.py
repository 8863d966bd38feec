"""Guessing is slow: the counters are in PostgreSQL, where all processes share them, and hold under a crowd."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.people.services import people
from annotation.people.services.account_mail import code_from
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from tests.authenticators import with_authenticator
from tests.factories import a_person, a_study, coordinator_of
from tests.work import send_mails

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_counters")]

PASSWORD = "a long enough secret"
WRONG = "not the right secret"
# allauth's limits: for one account 5 failures in 5 minutes, for one address 10 in a minute.
PER_ACCOUNT, PER_ADDRESS = 5, 10


@pytest.fixture
def ada() -> User:
    return a_person("Ada Example", password=PASSWORD)


def sign_in(email: str, password: str, *, ip: str = "192.0.2.1", forwarded: str = "") -> Any:
    """One attempt in a browser of its own."""
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    credentials = {"login": email, "password": password}
    return Client(REMOTE_ADDR=ip).post(reverse("account_login"), credentials, headers=headers)


def is_in(response: HttpResponseBase) -> bool:
    return response.status_code == 302


def is_held_back(response: Any) -> bool:
    return "Too many failed attempts to sign in" in response.content.decode()


class TestPasswords:
    def test_passwords_of_one_account_may_be_wrong_five_times_from_anywhere(self, ada: User) -> None:
        for number in range(PER_ACCOUNT):
            attempt = sign_in(ada.email, WRONG, ip=f"192.0.2.{number}")
            assert "is not correct" in attempt.content.decode()

        assert is_held_back(sign_in(ada.email, PASSWORD, ip="198.51.100.7"))

    def test_passwords_of_another_account_can_still_be_used_after_wrong_ones(self, ada: User) -> None:
        other = a_person("Other Person", password=PASSWORD)
        for _ in range(PER_ACCOUNT + 1):
            sign_in(ada.email, WRONG)

        assert is_in(sign_in(other.email, PASSWORD))

    def test_passwords_that_are_right_do_not_count_as_attempts(self, ada: User) -> None:
        for _ in range(PER_ADDRESS + 1):
            assert is_in(sign_in(ada.email, PASSWORD))

    @pytest.mark.django_db(transaction=True)
    def test_passwords_guessed_by_a_crowd_at_once_are_still_tried_five_times_at_most(self) -> None:
        email = a_person("Ada Example", password=PASSWORD).email

        def guess(number: int) -> bool:
            try:
                return not is_held_back(sign_in(email, WRONG, ip=f"192.0.2.{number}"))
            finally:
                connection.close()

        with ThreadPoolExecutor(8) as crowd:
            tried = sum(crowd.map(guess, range(24)))

        assert 1 <= tried <= PER_ACCOUNT

    def test_an_account_held_back_cannot_be_freed_by_a_flood_of_other_counters(self, ada: User) -> None:
        for _ in range(PER_ACCOUNT):
            sign_in(ada.email, WRONG)
        for number in range(400):  # the cache backend's own limit is 300 entries
            cache.set(f"zzz-{number}", 1)

        assert is_held_back(sign_in(ada.email, PASSWORD))

    def test_wrong_passwords_are_counted_where_every_process_looks(self, ada: User) -> None:
        sign_in(ada.email, WRONG)

        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM scrub_cache WHERE cache_key LIKE '%login_failed%'")
            assert cursor.fetchone()[0] == 2, "one counter for the account and one for the address"


class TestAddresses:
    def guess_from(self, **origin: str) -> None:
        for number in range(PER_ADDRESS):
            sign_in(f"nobody-{number}@example.org", WRONG, **origin)

    def test_addresses_may_fail_ten_times_a_minute_over_all_accounts(self, ada: User) -> None:
        self.guess_from(ip="192.0.2.1")

        assert is_held_back(sign_in(ada.email, PASSWORD, ip="192.0.2.1"))
        assert is_in(sign_in(ada.email, PASSWORD, ip="192.0.2.2"))

    def test_addresses_cannot_be_made_up_where_there_is_no_proxy(self, ada: User, settings: Settings) -> None:
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 0
        self.guess_from(ip="192.0.2.1")

        assert is_held_back(sign_in(ada.email, PASSWORD, ip="192.0.2.1", forwarded="203.0.113.9"))

    def test_addresses_behind_a_proxy_are_those_it_saw_and_not_what_the_visitor_claims(
        self, ada: User, settings: Settings
    ) -> None:
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
        self.guess_from(ip="10.0.0.1", forwarded="203.0.113.9")

        assert is_held_back(sign_in(ada.email, PASSWORD, ip="10.0.0.1", forwarded="192.0.2.77, 203.0.113.9"))
        assert is_in(sign_in(ada.email, PASSWORD, ip="10.0.0.1", forwarded="203.0.113.10"))

    @pytest.mark.parametrize("forwarded", ["", "203.0.113.9", "not an address, 203.0.113.9", " , ,203.0.113.9"])
    def test_addresses_are_those_of_whoever_asks_where_fewer_proxies_have_noted_them_than_are_trusted(
        self, ada: User, settings: Settings, forwarded: str
    ) -> None:
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
        self.guess_from(ip="192.0.2.1", forwarded=forwarded)

        assert is_held_back(sign_in(ada.email, PASSWORD, ip="192.0.2.1", forwarded="203.0.113.77"))
        assert is_in(sign_in(ada.email, PASSWORD, ip="192.0.2.2", forwarded=forwarded))

    def test_addresses_behind_two_proxies_are_those_that_the_first_of_them_saw(
        self, ada: User, settings: Settings
    ) -> None:
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
        self.guess_from(ip="10.0.0.1", forwarded="198.51.100.1, 203.0.113.9:4711, 10.0.0.2")

        assert is_held_back(sign_in(ada.email, PASSWORD, ip="10.0.0.1", forwarded="203.0.113.9, 10.0.0.2"))
        assert is_in(sign_in(ada.email, PASSWORD, ip="10.0.0.1", forwarded="203.0.113.9, 203.0.113.8, 10.0.0.2"))


class TestCodes:
    def test_codes_to_sign_in_are_mailed_three_times_a_minute(self, ada: User) -> None:
        for _ in range(5):
            Client().post(reverse("account_request_login_code"), {"email": ada.email})

        send_mails()
        assert len(mail.outbox) == 3

    def test_codes_that_were_mailed_may_be_wrong_three_times(self, ada: User) -> None:
        client = Client()
        client.post(reverse("account_request_login_code"), {"email": ada.email})
        code = code_from(client.session["account_login"]["state"]["stages"]["login_by_code"]["data"]["code"])
        for _ in range(3):
            client.post(reverse("account_confirm_login_code"), {"code": "WRONG1"})

        client.post(reverse("account_confirm_login_code"), {"code": code})
        assert "_auth_user_id" not in client.session

    def test_codes_of_an_authenticator_may_be_wrong_five_times(self, ada: User) -> None:
        with_authenticator(ada)
        client = Client()
        client.post(reverse("account_login"), {"login": ada.email, "password": PASSWORD})
        pages = [client.post(reverse("mfa_authenticate"), {"code": "000000"}) for _ in range(6)]

        assert ["Incorrect code" in page.content.decode() for page in pages] == [True] * 5 + [False]
        assert is_held_back(pages[-1])


class TestPersonalLinks:
    def test_personal_links_may_be_posted_to_twenty_times_a_minute_by_one_address(self) -> None:
        study = a_study()
        offer = people.invite(
            study=study, email="w@example.org", name="W", role=Role.WRITER, by=coordinator_of(study)
        )
        path = reverse("invitation", args=[offer.link.rstrip("/").rsplit("/", 1)[1]])
        statuses = [Client().post(path, {"name": ""}).status_code for _ in range(21)]

        assert statuses == [200] * 20 + [429]
        assert "Please wait a moment" in Client().post(path).content.decode()
        assert Client().get(path).status_code == 200, "reading is not limited"
