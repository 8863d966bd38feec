"""Entering a study by the personal link; settings; what people without an account are told."""

import hashlib
import io
import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import with_article
from annotation.platform.models.users import User
from annotation.study.models.participation import Invitation, Participation, Role
from annotation.study.models.studies import Study
from tests.clients import signed_in
from tests.factories import a_member, a_person, a_study, coordinator_of
from tests.work import send_mails

pytestmark = pytest.mark.django_db

ACCOUNT = {"name": "Wilma Writer", "password": "a long enough secret", "time_zone": "Europe/Vienna"}


@pytest.fixture
def study() -> Study:
    return a_study(description="About fairness.")


def invited(study: Study, role: Role = Role.WRITER, email: str = "wilma@example.org") -> people.Invited:
    return people.invite(study=study, email=email, name="Wilma", role=role, by=coordinator_of(study))


def path_of(link: str) -> str:
    return link.removeprefix(settings.SITE_URL)


class TestPersonalLink:
    @pytest.mark.parametrize(
        ("role", "task"),
        [
            (Role.WRITER, "write short essays"),
            (Role.JUDGE, "score them without being told who, or what"),
            (Role.COORDINATOR, "follow their progress"),
            (Role.RESEARCHER, "together with a second researcher"),
        ],
    )
    def test_a_personal_link_shows_what_it_offers_in_plain_words(self, study: Study, role: Role, task: str) -> None:
        page = Client().get(path_of(invited(study, role).link))

        text = " ".join(page.content.decode().split())
        assert page.status_code == 200
        for expected in (study.title, "Cora Coordinator", "About fairness.", role.label.lower(), task):
            assert expected in text

    def test_a_personal_link_opens_the_account_accepts_and_signs_in_with_one_form(self, study: Study) -> None:
        client, link = Client(), invited(study).link

        response = client.post(path_of(link), ACCOUNT)

        assert response.status_code == 302
        assert response["Location"] == reverse("study", args=[study.slug])
        person = User.objects.get(email="wilma@example.org")
        assert person.check_password("a long enough secret")
        assert (person.name, person.time_zone) == ("Wilma Writer", "Europe/Vienna")
        assert EmailAddress.objects.get(user=person).verified
        assert Participation.objects.get(user=person).role == Role.WRITER
        assert client.get(reverse("consent", args=[study.slug])).status_code == 200

    @pytest.mark.parametrize(
        ("field", "value", "complaint"),
        [
            ("password", "short", "too short"),
            ("password", "wilma@example.org", "too similar"),
            ("password", "1234567890", "too common"),
            ("name", " ", "“Name” cannot be left empty"),
            ("time_zone", "Mars/Olympus", "not one of the available choices"),
            ("time_zone", "../etc/passwd", "not one of the available choices"),
        ],
    )
    def test_a_personal_link_says_what_is_wrong_with_the_form_and_opens_nothing(
        self, study: Study, field: str, value: str, complaint: str
    ) -> None:
        page = Client().post(path_of(invited(study).link), {**ACCOUNT, field: value})

        assert complaint in page.content.decode()
        assert not User.objects.filter(email="wilma@example.org").exists()

    @pytest.mark.django_db(transaction=True)
    def test_a_personal_link_opened_by_a_crowd_at_once_lets_one_person_in_once(self, study: Study) -> None:
        path = path_of(invited(study).link)

        def enter(_: int) -> int:
            try:
                return Client().post(path, ACCOUNT).status_code
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as crowd:
            statuses = list(crowd.map(enter, range(4)))

        assert statuses.count(302) == 1
        assert set(statuses) <= {302, 200, 410}, "the others are told"
        assert Participation.objects.filter(study=study, role=Role.WRITER).count() == 1

    def test_a_personal_link_asks_people_with_an_account_to_sign_in_and_brings_them_back(
        self, study: Study
    ) -> None:
        a_person("Wilma", password="a long enough secret")
        path = path_of(invited(study).link)
        client = Client()

        page = client.get(path).content.decode()
        assert f"{reverse('account_login')}?next={path}" in page
        assert 'name="password"' not in page

        credentials = {"login": "wilma@example.org", "password": "a long enough secret", "next": path}
        back = client.post(reverse("account_login"), credentials)
        assert back["Location"] == path
        assert "Accept the invitation" in client.get(path).content.decode()
        assert client.post(path)["Location"] == reverse("study", args=[study.slug])
        assert Participation.objects.get(study=study, user__email="wilma@example.org").role == Role.WRITER

    def test_a_personal_link_does_not_open_a_second_account_for_an_address(self, study: Study) -> None:
        known = a_person("Wilma")
        Client().post(path_of(invited(study).link), ACCOUNT)

        assert not Participation.objects.filter(user=known).exists()

    def test_a_personal_link_is_refused_to_somebody_else_without_losing_it(self, study: Study) -> None:
        path, stranger = path_of(invited(study).link), signed_in(a_person("Otto Other"))

        assert "This invitation is for another address" in stranger.get(path).content.decode()
        stranger.post(path)
        assert not Participation.objects.filter(study=study, role=Role.WRITER).exists()
        assert Invitation.objects.get(study=study).accepted_at is None

    def test_a_personal_link_takes_the_person_who_used_it_to_the_study(self, study: Study) -> None:
        path, client = path_of(invited(study).link), Client()
        client.post(path, ACCOUNT)

        assert client.get(path)["Location"] == reverse("study", args=[study.slug])

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"accepted_at": timezone.now}, "has been used already"),
            ({"withdrawn_at": timezone.now}, "has been withdrawn"),
            ({"expires_at": lambda: timezone.now() - timedelta(seconds=1)}, "expired on"),
        ],
    )
    def test_a_personal_link_that_is_over_says_so_and_whom_to_ask(
        self, study: Study, change: dict[str, Callable[[], datetime]], reason: str
    ) -> None:
        offer = invited(study)
        values: dict[str, datetime | User] = {field: value() for field, value in change.items()}
        if "accepted_at" in values:
            values["accepted_by"] = a_person("Wilma")
        Invitation.objects.filter(pk=offer.invitation.pk).update(**values)

        for page in (Client().get(path_of(offer.link)), Client().post(path_of(offer.link), ACCOUNT)):
            assert page.status_code == 410
            assert reason in page.content.decode()
            assert "cora.coordinator@example.org" in page.content.decode()
        assert not Participation.objects.filter(study=study, role=Role.WRITER).exists()

    def test_a_personal_link_that_is_unknown_is_not_found_and_explains_itself(self) -> None:
        page = Client().get(reverse("invitation", args=["no-such-token"]))

        assert page.status_code == 404
        assert "cut short" in page.content.decode()

    def test_a_personal_link_refuses_a_second_role_in_the_study(self, study: Study) -> None:
        offer = invited(study, Role.JUDGE)
        a_member(study, Role.WRITER, a_person("Wilma"))

        page = signed_in(a_person("Wilma")).post(path_of(offer.link))

        assert "a person has one role in a study" in page.content.decode()
        assert Participation.objects.get(user__email="wilma@example.org").role == Role.WRITER

    def test_a_personal_link_stays_out_of_caches_and_referrers(self, study: Study) -> None:
        for path in (path_of(invited(study).link), reverse("invitation", args=["unknown"])):
            page = Client().get(path)
            assert page["Referrer-Policy"] == "origin"
            assert "no-store" in page["Cache-Control"]

    def test_a_personal_link_never_reaches_a_log(self, study: Study, console: io.StringIO) -> None:
        offer = invited(study)
        token = offer.link.rstrip("/").rsplit("/", 1)[1]
        Invitation.objects.filter(pk=offer.invitation.pk).update(withdrawn_at=timezone.now())

        Client().get(path_of(offer.link))
        Client(enforce_csrf_checks=True).post(path_of(offer.link), ACCOUNT)

        assert "GET /invitations/…/ 410" in console.getvalue()
        assert "Forbidden (CSRF cookie not set.): /invitations/…/" in console.getvalue()
        assert token not in console.getvalue()

    def test_a_personal_link_is_stored_as_a_hash_alone(self, study: Study) -> None:
        offer = invited(study)
        token = offer.link.rstrip("/").rsplit("/", 1)[1]

        row = Invitation.objects.filter(pk=offer.invitation.pk).values().get()
        assert row["token_sha256"] == hashlib.sha256(token.encode()).hexdigest()
        assert token not in str(row)


@pytest.fixture
def console() -> Iterator[io.StringIO]:
    """What the console handler of the settings writes."""
    handlers = logging.getLogger().handlers
    handler = next(found for found in handlers if type(found) is logging.StreamHandler)
    written = io.StringIO()
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


class TestInviting:
    def test_inviting_mails_the_link(self, study: Study) -> None:
        offer = invited(study)
        send_mails()

        assert mail.outbox[0].to == ["wilma@example.org"]
        assert offer.link in mail.outbox[0].body

    @pytest.mark.parametrize(
        ("role", "parameters", "says"),
        [
            (
                Role.WRITER,
                {
                    "writing_minutes": 25,
                    "target_words": 400,
                    "fee_per_answer": Decimal(30),
                    "currency": "EUR",
                    "writing_due_on": date(2131, 3, 5),
                },
                "You would write answers of about 400 words, within 25 minutes each. "
                "Each answer is paid 30.00 EUR. All of them should be done by 5 March 2131.",
            ),
            (
                Role.WRITER,
                {"writing_minutes": None, "target_words": 390},
                "You would write answers of about 390 words, without a time limit.",
            ),
            (
                Role.JUDGE,
                {"minutes_per_item": 15, "fee_per_item": Decimal("12.50"), "judging_due_on": date(2131, 4, 1)},
                "You would read answers and judge them; plan about 15 minutes for an item. "
                "Each item is paid 12.50 EUR. All of them should be done by 1 April 2131.",
            ),
            (Role.RESEARCHER, {}, "You would unblind the study once it is closed, and analyse it."),
        ],
    )
    def test_an_invitation_says_who_asks_for_what_and_where_answers_go(
        self, role: Role, parameters: dict[str, Any], says: str
    ) -> None:
        study = a_study(description="How experts argue about hard cases.", **parameters)
        host = coordinator_of(study)
        people.invite(study=study, email="wilma@example.org", name="Wilma", role=role, by=host)
        send_mails()
        [message] = mail.outbox
        assert message.reply_to == [host.email]
        paragraphs = message.body.split("\n\n")
        assert paragraphs[1] == (
            f"{host.name} ({host.email}) invites you to the study “{study.title}” as {with_article(role)}."
        )
        assert paragraphs[2:4] == ["How experts argue about hard cases.", says]

    def test_an_invitation_to_a_study_without_a_description_leaves_no_gap(self, study: Study) -> None:
        Study.objects.filter(pk=study.pk).update(description="")
        study.refresh_from_db()
        invited(study)
        send_mails()
        assert "\n\n\n" not in mail.outbox[0].body

    def test_an_invitation_stands_when_the_mail_server_is_away(self, study: Study, settings: Settings) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
        offer = invited(study)
        send_mails()

        assert Client().get(path_of(offer.link)).status_code == 200

    def test_an_invitation_replaces_an_expired_one_and_no_other(self, study: Study) -> None:
        first = invited(study)
        with pytest.raises(Refused, match="open invitation"):
            invited(study)

        Invitation.objects.update(expires_at=timezone.now() - timedelta(days=1))
        second = invited(study)

        assert Client().get(path_of(first.link)).status_code == 410
        assert Client().get(path_of(second.link)).status_code == 200


class TestSettings:
    def test_settings_change_name_and_time_zone(self) -> None:
        person = a_person("Ada Example")
        client = signed_in(person)
        response = client.post(reverse("person_settings"), {"name": "Ada B.", "time_zone": "Asia/Tokyo"})

        assert response.status_code == 302
        person.refresh_from_db()
        assert (person.name, person.time_zone) == ("Ada B.", "Asia/Tokyo")
        assert "Times are shown in Asia/Tokyo" in client.get(reverse("person_settings")).content.decode()

    def test_settings_take_no_zone_that_does_not_exist(self) -> None:
        person = a_person("Ada Example")
        signed_in(person).post(reverse("person_settings"), {"name": "Ada", "time_zone": "Mars/Olympus"})

        person.refresh_from_db()
        assert person.time_zone == "UTC"


class TestSigningUp:
    @pytest.mark.parametrize("method", ["get", "post"])
    def test_signing_up_is_closed_and_says_how_accounts_come_about(self, method: str) -> None:
        answers = {"email": "new@example.org", "password1": "a long enough secret"}
        page = getattr(Client(), method)(reverse("account_signup"), answers)

        assert "Accounts come by invitation" in page.content.decode()
        assert not User.objects.filter(email="new@example.org").exists()

    def test_signing_up_is_not_offered_where_people_sign_in(self) -> None:
        page = Client().get(reverse("account_login")).content.decode()

        assert reverse("account_signup") not in page
        assert "personal invitation" in page

    def test_signing_up_is_not_offered_to_an_address_without_account(self) -> None:
        client = Client()
        client.post(reverse("account_request_login_code"), {"email": "nobody@example.org"})
        send_mails()

        assert "There is no account for this address" in mail.outbox[0].body
        assert reverse("account_signup") not in mail.outbox[0].body


class TestMailedCode:
    def test_a_mailed_code_signs_in_without_password(self) -> None:
        person = a_person("Ada Example")
        client = Client()
        client.post(reverse("account_request_login_code"), {"email": person.email})
        send_mails()
        code = re.search(r"^[A-Z0-9]{3,}-?[A-Z0-9]*$", str(mail.outbox[0].body), re.MULTILINE)
        assert code
        client.post(reverse("account_confirm_login_code"), {"code": code[0]})

        assert client.session["_auth_user_id"] == str(person.pk)
