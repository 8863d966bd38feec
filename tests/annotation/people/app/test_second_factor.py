"""Who supervises others' work shows a second factor in every session, and nobody pays a query for the question."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.messages import get_messages
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from annotation.people.services import people
from annotation.people.services.account_mail import code_from
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from tests.authenticators import code_of, with_authenticator, with_recovery_codes
from tests.factories import a_member, a_person, a_study

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh_counters", "patient_codes")]

PASSWORD = "a long enough secret"
SUPERVISORS = ("coordinator", "researcher", "administrator")
OTHERS = ("writer", "judge", "stranger")


def somebody(study: Study, part: str) -> User:
    """An account with a password whose part in `study`, or on the site, is `part`."""
    person = a_person(f"The {part}", password=PASSWORD, is_staff=part == "administrator")
    if part in Role.values:
        a_member(study, Role(part), person)
    return person


@pytest.fixture
def study() -> Study:
    return a_study()


def signed_in(user: User) -> Client:
    """A session opened without a second factor."""
    client = Client()
    client.force_login(user)
    return client


def is_asked(response: HttpResponseBase) -> bool:
    return response.status_code == 302 and response["Location"].startswith(
        (reverse("mfa_activate_totp"), reverse("mfa_reauthenticate"))
    )


def set_up(client: Client) -> str:
    """Set an authenticator up on the pages, with the password asked on the way; returns its secret."""
    reauthentication = client.get(reverse("mfa_activate_totp"))
    assert reauthentication["Location"].startswith(reverse("account_reauthenticate"))
    client.post(reauthentication["Location"], {"password": PASSWORD})
    secret: str = client.get(reverse("mfa_activate_totp")).context["form"].secret
    client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    return secret


class TestWhoIsAsked:
    @pytest.mark.parametrize("part", SUPERVISORS)
    def test_supervisors_are_led_to_set_a_second_factor_up_and_told_why(self, study: Study, part: str) -> None:
        client = signed_in(somebody(study, part))

        response = client.get(reverse("person_settings"))

        assert response["Location"] == reverse("mfa_activate_totp")
        told = [str(message) for message in get_messages(response.wsgi_request)]
        assert len(told) == 1
        assert told[0].endswith("Set up an authenticator app to go on.")

    @pytest.mark.parametrize("part", OTHERS)
    def test_nobody_but_supervisors_is_led_to_set_a_second_factor_up(self, study: Study, part: str) -> None:
        assert signed_in(somebody(study, part)).get(reverse("person_settings")).status_code == 200

    def test_visitors_are_sent_to_sign_in_as_ever(self) -> None:
        response = Client().get(reverse("person_settings"))

        assert response["Location"].startswith(reverse("account_login"))

    def test_a_role_given_a_moment_ago_counts_on_the_next_request_for_the_second_factor(self, study: Study) -> None:
        person = a_person("Late")
        client = signed_in(person)
        assert not is_asked(client.get(reverse("person_settings")))

        a_member(study, Role.RESEARCHER, person)
        assert is_asked(client.get(reverse("person_settings")))

    def test_a_role_that_was_left_counts_no_longer_for_the_second_factor(self, study: Study) -> None:
        member = a_member(study, Role.RESEARCHER, a_person("Gone"))
        Participation.objects.filter(pk=member.pk).update(left_at=member.joined_at)

        assert not is_asked(signed_in(member.user).get(reverse("person_settings")))

    @pytest.mark.parametrize(("demo_mode", "asked"), [(True, False), (False, True)])
    def test_demonstration_people_are_exempt_from_the_second_factor_in_demo_mode_alone(
        self, study: Study, settings: Settings, demo_mode: bool, asked: bool
    ) -> None:
        settings.DEMO_MODE = demo_mode
        person = a_person("Demo", is_demo=True)
        a_member(study, Role.COORDINATOR, person)

        assert is_asked(signed_in(person).get(reverse("person_settings"))) is asked

    def test_real_supervisors_are_asked_for_a_second_factor_in_demo_mode_too(
        self, study: Study, settings: Settings
    ) -> None:
        settings.DEMO_MODE = True

        assert is_asked(signed_in(somebody(study, "coordinator")).get(reverse("person_settings")))


class TestWhatIsClosed:
    @pytest.mark.parametrize("method", ["get", "head", "post", "put", "patch", "delete", "options"])
    def test_every_method_is_closed_without_the_second_factor(self, study: Study, method: str) -> None:
        client = signed_in(somebody(study, "coordinator"))

        assert is_asked(getattr(client, method)(reverse("person_settings")))

    def test_a_post_refused_for_want_of_a_second_factor_changes_nothing(self, study: Study) -> None:
        person = somebody(study, "coordinator")
        signed_in(person).post(reverse("person_settings"), {"name": "Other", "time_zone": "Asia/Tokyo"})

        person.refresh_from_db()
        assert person.name == "The coordinator"

    def test_htmx_is_sent_to_set_a_second_factor_up_on_the_page_as_a_whole(self, study: Study) -> None:
        client = signed_in(somebody(study, "coordinator"))
        response = client.get(reverse("person_settings"), headers={"HX-Request": "true"})

        assert response.status_code == 200
        assert response["HX-Redirect"] == reverse("mfa_activate_totp")
        assert response.content == b""

    @pytest.mark.parametrize(
        "name", ["account_email", "account_logout", "mfa_index", "health_live", "health_ready"]
    )
    def test_pages_to_set_a_second_factor_up_or_leave_stay_open(self, study: Study, name: str) -> None:
        assert signed_in(somebody(study, "coordinator")).get(reverse(name)).status_code == 200

    def test_signing_out_works_without_the_second_factor(self, study: Study) -> None:
        client = signed_in(somebody(study, "coordinator"))
        client.post(reverse("account_logout"))

        assert "_auth_user_id" not in client.session


class TestWhatCounts:
    def test_setting_a_second_factor_up_opens_the_session(self, study: Study) -> None:
        client = signed_in(somebody(study, "coordinator"))

        set_up(client)

        assert client.get(reverse("person_settings")).status_code == 200
        assert Authenticator.objects.filter(type=Authenticator.Type.RECOVERY_CODES).exists()

    def test_with_a_new_account_the_second_factor_is_set_up_without_asking_for_the_password_again(
        self, study: Study
    ) -> None:
        coordinator = Participation.objects.get(study=study, role=Role.COORDINATOR).user
        offer = people.invite(
            study=study, email="new@example.org", name="Nora New", role=Role.RESEARCHER, by=coordinator
        )
        client = Client()
        account = {"name": "Nora New", "password": PASSWORD, "time_zone": "UTC"}
        client.post(urlsplit(offer.link).path, account)

        form = client.get(reverse("mfa_activate_totp")).context["form"]
        kept = client.post(reverse("mfa_activate_totp"), {"code": code_of(form.secret)}, follow=True)

        assert reverse("home") in kept.content.decode()
        assert all(code in kept.content.decode() for code in kept.context["unused_codes"])
        assert client.get(reverse("study", args=[study.slug])).status_code == 200

    def test_a_wrong_code_sets_no_second_factor_up(self, study: Study) -> None:
        client = signed_in(somebody(study, "coordinator"))
        client.post(client.get(reverse("mfa_activate_totp"))["Location"], {"password": PASSWORD})
        client.get(reverse("mfa_activate_totp"))
        client.post(reverse("mfa_activate_totp"), {"code": "000000"})

        assert is_asked(client.get(reverse("person_settings")))

    def test_a_session_with_the_password_alone_has_to_show_a_code_of_an_authenticator_set_up_elsewhere(
        self, study: Study
    ) -> None:
        person = somebody(study, "coordinator")
        client = signed_in(person)
        secret = with_authenticator(person)
        wanted = reverse("person_settings")

        asked = client.get(wanted)
        assert asked["Location"] == f"{reverse('mfa_reauthenticate')}?next=%2Fsettings%2F"
        back = client.post(asked["Location"], {"code": code_of(secret)})

        assert back["Location"] == wanted
        assert client.get(wanted).status_code == 200

    @pytest.mark.parametrize(
        "name", ["mfa_deactivate_totp", "mfa_generate_recovery_codes", "mfa_view_recovery_codes"]
    )
    def test_a_password_alone_does_not_get_at_the_authenticator_of_the_account(
        self, study: Study, name: str
    ) -> None:
        person = somebody(study, "coordinator")
        client = signed_in(person)
        with_authenticator(person)

        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        assert is_asked(client.post(reverse(name)))
        assert Authenticator.objects.filter(user=person, type=Authenticator.Type.TOTP).exists()

    def test_after_a_post_refused_for_want_of_a_second_factor_the_way_back_is_the_start_page(
        self, study: Study
    ) -> None:
        person = somebody(study, "coordinator")
        with_authenticator(person)

        asked = signed_in(person).post(reverse("invite", args=[study.slug]))
        assert asked["Location"] == f"{reverse('mfa_reauthenticate')}?next=%2F"

    def test_a_code_of_the_second_factor_counts_for_its_own_session_only(self, study: Study) -> None:
        person = somebody(study, "coordinator")
        first, second = signed_in(person), signed_in(person)
        set_up(first)

        assert not is_asked(first.get(reverse("person_settings")))
        assert is_asked(second.get(reverse("person_settings")))

    def test_removing_the_authenticator_asks_for_the_next_one_at_once(self, study: Study) -> None:
        client = signed_in(somebody(study, "coordinator"))
        set_up(client)

        client.post(reverse("mfa_deactivate_totp"))

        assert not Authenticator.objects.exists()
        assert client.get(reverse("person_settings"))["Location"] == reverse("mfa_activate_totp")

    def test_an_unverified_address_in_the_way_can_be_removed(self, study: Study) -> None:
        person = somebody(study, "coordinator")
        EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
        EmailAddress.objects.create(user=person, email="second@example.org", verified=False)
        client = signed_in(person)
        assert client.get(reverse("mfa_activate_totp"))["Location"] == reverse("mfa_index")

        removal = {"email": "second@example.org", "action_remove": ""}
        client.post(client.post(reverse("account_email"), removal)["Location"], {"password": PASSWORD})
        client.post(reverse("account_email"), removal)

        assert client.get(reverse("mfa_activate_totp")).status_code == 200


class TestSigningIn:
    def sign_in(self, client: Client, person: User) -> Any:
        credentials = {"login": person.email, "password": PASSWORD}
        return client.post(reverse("account_login"), credentials)

    def test_signing_in_asks_for_the_code_and_only_then_lets_in(self, study: Study) -> None:
        person = somebody(study, "coordinator")
        secret = with_authenticator(person)
        client = Client()

        assert self.sign_in(client, person)["Location"] == reverse("mfa_authenticate")
        assert "_auth_user_id" not in client.session
        wrong = client.post(reverse("mfa_authenticate"), {"code": "000000"})
        assert "Incorrect code" in wrong.content.decode()
        assert "enter the one it shows now" in wrong.content.decode()
        assert "_auth_user_id" not in client.session

        assert client.post(reverse("mfa_authenticate"), {"code": code_of(secret)}).status_code == 302
        assert client.get(reverse("person_settings")).status_code == 200

    def test_signing_in_by_a_mailed_code_asks_for_the_code_of_the_authenticator_too(self, study: Study) -> None:
        person = somebody(study, "coordinator")
        with_authenticator(person)
        client = Client()
        client.post(reverse("account_request_login_code"), {"email": person.email})
        state = client.session["account_login"]["state"]["stages"]["login_by_code"]["data"]

        response = client.post(reverse("account_confirm_login_code"), {"code": code_from(state["code"])})

        assert response["Location"] == reverse("mfa_authenticate")
        assert "_auth_user_id" not in client.session

    def test_signing_in_takes_a_recovery_code_once(self, study: Study) -> None:
        person = somebody(study, "coordinator")
        with_authenticator(person)
        code = with_recovery_codes(person)[0]

        first, second = Client(), Client()
        self.sign_in(first, person)
        first.post(reverse("mfa_authenticate"), {"code": code})
        self.sign_in(second, person)
        second.post(reverse("mfa_authenticate"), {"code": code})

        assert first.get(reverse("person_settings")).status_code == 200
        assert "_auth_user_id" not in second.session

    def test_signing_in_takes_the_same_code_once(self, study: Study) -> None:
        person = somebody(study, "coordinator")
        secret = with_authenticator(person)
        clients = Client(), Client()
        for client in clients:
            self.sign_in(client, person)
        code = code_of(secret)
        for client in clients:
            client.post(reverse("mfa_authenticate"), {"code": code})

        assert ["_auth_user_id" in client.session for client in clients] == [True, False]

    @pytest.mark.parametrize("gap", ["", " ", "-"])
    def test_signing_in_does_not_take_the_code_that_set_the_authenticator_up(self, study: Study, gap: str) -> None:
        person = somebody(study, "coordinator")
        secret = set_up(signed_in(person))
        client = Client()
        self.sign_in(client, person)
        code = code_of(secret)
        refused = client.post(reverse("mfa_authenticate"), {"code": f"{code[:3]}{gap}{code[3:]}"})

        assert "Incorrect code" in refused.content.decode()
        assert "_auth_user_id" not in client.session

    def test_nobody_proves_themselves_by_the_code_that_set_the_authenticator_up(self, study: Study) -> None:
        person = somebody(study, "coordinator")
        secret = set_up(signed_in(person))
        other = signed_in(person)
        refused = other.post(reverse("mfa_reauthenticate"), {"code": code_of(secret)})

        assert "Incorrect code" in refused.content.decode()
        assert is_asked(other.get(reverse("person_settings")))

    def test_signing_in_as_a_writer_asks_for_no_code(self, study: Study) -> None:
        person = somebody(study, "writer")

        assert self.sign_in(Client(), person)["Location"] == reverse("home")


class TestCost:
    def queries(self, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> list[str]:
        with django_assert_max_num_queries(2) as captured:
            client.get(reverse("person_settings"))
        return [query["sql"] for query in captured.captured_queries]

    @pytest.mark.parametrize("part", OTHERS)
    def test_a_request_reads_session_and_person_and_nothing_else(
        self, study: Study, part: str, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        client = signed_in(somebody(study, part))

        session, person = self.queries(client, django_assert_max_num_queries)
        assert "FROM django_session" in session
        assert "FROM annotation_user" in person

    def test_a_supervisors_request_reads_nothing_more_once_the_factor_was_shown(
        self, study: Study, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        client = signed_in(somebody(study, "coordinator"))
        set_up(client)
        client.get(reverse("person_settings"))  # shows, and so removes, the messages of setting up

        assert len(self.queries(client, django_assert_max_num_queries)) == 2
