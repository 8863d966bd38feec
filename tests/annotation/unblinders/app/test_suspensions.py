"""An account that is changed suspends the office at once, by the site's pages or in any other way, and is told."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from analysis.ceremony.models import UnblindingRequest
from annotation.people.services import people
from annotation.platform.models.users import User
from annotation.platform.models.work import Task
from annotation.platform.second_factor import SHOWN_AT
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.unblinders.core.work_kinds import WATCH_UNBLINDERS
from annotation.unblinders.models import OfficeNotice, Unblinder
from annotation.unblinders.services import notices, suspensions
from tests.authenticators import code_of, with_authenticator, with_recovery_codes
from tests.factories import (
    a_judged_study,
    a_member,
    a_person,
    a_study,
    closed,
    coordinator_of,
    in_office,
    locked,
    researchers_of,
)
from tests.unblinders import hours_pass, office, state

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh_counters", "patient_codes")]
PASSWORD = "a long enough secret"


@pytest.fixture
def study() -> Study:
    """Locked, by somebody with a password, an authenticator and recovery codes, and another unblinder."""
    study = a_study()
    person = a_person("Rosa Researcher", password=PASSWORD)
    a_member(study, Role.RESEARCHER, person)
    with_authenticator(person)
    with_recovery_codes(person)
    return locked(study)


@pytest.fixture
def rosa(study: Study) -> User:
    return researchers_of(study)[0]


def code(person: User) -> str:
    [factor] = Authenticator.objects.filter(user=person, type="totp")
    return code_of(factor.data["secret"])


def signed_in(person: User, shown: str) -> Client:
    """By the pages, with the password and this code."""
    client = Client()
    client.post(reverse("account_login"), {"login": person.email, "password": PASSWORD})
    client.post(reverse("mfa_authenticate"), {"code": shown})
    assert client.get(reverse("home")).status_code in (200, 302)
    return client


def told() -> set[str]:
    return set(OfficeNotice.objects.filter(subject__contains="is suspended").values_list("email", flat=True))


def test_signing_in_with_a_code_or_a_recovery_code_suspends_nothing(study: Study, rosa: User) -> None:
    signed_in(rosa, code(rosa))
    [first, *_] = Authenticator.objects.get(user=rosa, type="recovery_codes").wrap().get_unused_codes()
    signed_in(rosa, first)
    assert state(study, rosa) == "standing"


def test_a_new_password_on_the_page_suspends_the_office_and_everybody_is_told(study: Study, rosa: User) -> None:
    client = signed_in(rosa, code(rosa))
    new = {"oldpassword": PASSWORD, "password1": "another long secret", "password2": "another long secret"}
    client.post(reverse("account_change_password"), new)
    assert state(study, rosa) == "suspended"
    assert office(study, rosa).waiting
    assert {rosa.email, coordinator_of(study).email, researchers_of(study)[1].email} <= told()


def test_removing_the_authenticator_on_the_page_suspends_the_office(study: Study, rosa: User) -> None:
    client = signed_in(rosa, code(rosa))
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.filter(user=rosa, type="totp").exists()
    assert state(study, rosa) == "suspended"
    assert rosa.email in told()


def test_a_mail_changed_past_the_pages_is_noticed_by_the_loop_and_told_to_both_addresses(
    study: Study, rosa: User
) -> None:
    User.objects.filter(pk=rosa.pk).update(email="taken@over.example")
    assert state(study, rosa) == "suspended"
    suspensions.watch(study_id=study.pk)
    assert {rosa.email, "taken@over.example"} <= told()
    number = OfficeNotice.objects.count()
    suspensions.watch(study_id=study.pk)
    assert OfficeNotice.objects.count() == number


def test_the_loop_looks_again_as_long_as_a_study_is_blinded(study: Study) -> None:
    suspensions.watch(study_id=study.pk)
    assert Task.objects.filter(kind=WATCH_UNBLINDERS, done_at__isnull=True).exists()
    Task.objects.all().delete()
    Study.objects.filter(pk=study.pk).update(state="unblinded")
    suspensions.watch(study_id=study.pk)
    assert not Task.objects.filter(kind=WATCH_UNBLINDERS).exists()


def test_a_password_that_is_stored_in_a_newer_form_suspends_nothing(
    study: Study, rosa: User, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    rosa.set_password(PASSWORD)
    rosa.save()
    Unblinder.objects.filter(user=rosa).update(account_sha256=office(study, rosa).account_now)
    before = rosa.password
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", PBKDF2PasswordHasher.iterations + 1)
    signed_in(rosa, code(rosa))
    rosa.refresh_from_db()
    assert rosa.password != before
    assert state(study, rosa) == "standing"


def test_what_was_posted_without_a_fresh_second_factor_is_done_once_a_recovery_code_is_shown(
    rosa: User,
) -> None:
    study = a_judged_study(1, 1, 1, slug="judged")
    closed(study)
    client = signed_in(rosa, code(rosa))
    session = client.session
    session[SHOWN_AT] -= 301
    session.save()
    page = reverse("request_unblinding", args=[study.slug])
    asked_for = client.post(page, {"reason": "All ratings that will come are in."})
    assert not UnblindingRequest.objects.exists()
    [unused, *_] = Authenticator.objects.get(user=rosa, type="recovery_codes").wrap().get_unused_codes()
    shown = client.post(asked_for["Location"], {"code": unused, "next": page})
    assert shown["Location"] == reverse("study", args=[study.slug])
    assert UnblindingRequest.objects.get().reason == "All ratings that will come are in."


def test_an_account_changed_before_the_lock_takes_the_acceptance_back() -> None:
    study = a_study()
    person = a_person("Pat Person")
    in_office(study, person)
    person.set_password("another long secret")
    person.save()
    suspensions.notice(study)
    assert state(study, person) == "left"
    assert office(study, person).row.ending == "account_changed"


def test_a_notice_is_mailed_once_with_the_page_where_it_is_decided(study: Study, rosa: User) -> None:
    User.objects.filter(pk=rosa.pk).update(password="new")
    suspensions.notice(study)
    notice = OfficeNotice.objects.filter(email=rosa.email)[0]
    notices.mail(notice_id=notice.pk)
    notices.mail(notice_id=notice.pk)
    [message] = mail.outbox
    assert message.to == [rosa.email]
    assert reverse("unblinders", args=[study.slug]) in message.body


def test_leaving_the_study_and_coming_back_takes_another_s_consent_too(study: Study, rosa: User) -> None:
    from_study = rosa.participations.get()
    people.leave(participation=from_study, reason="Another post.", by=coordinator_of(study))
    assert state(study, rosa) == "left"
    people.come_back(participation=from_study, reason="Back.", by=coordinator_of(study))
    hours_pass(study, 1000)
    assert state(study, rosa) == "suspended"
