"""The way out of reminders: the link in each of them, the mail program's own button, and one's settings."""

import logging
import re

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.signing import Signer
from django.test import Client, override_settings
from django.urls import reverse

from annotation.coordination.selectors.reminders import stop_token
from annotation.coordination.services import reminders
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Participation, Role
from scrub_site.watching.logs import WithoutSecretPaths
from tests.annotation.coordination.reminders import a_reminder, a_writer_to_remind
from tests.clients import signed_in
from tests.factories import a_member, a_person, coordinator_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def writer() -> Participation:
    return a_writer_to_remind()


@pytest.fixture
def link(writer: Participation) -> str:
    """The path of the link in a reminder to the writer."""
    return re.sub(r"^https?://[^/]+", "", mail_to(writer).body.rsplit("\n", 1)[1])


def mail_to(writer: Participation) -> EmailMessage:
    reminders.mail(reminder_id=a_reminder(writer).pk)
    return mail.outbox[-1]


def is_wanted(writer: Participation) -> bool:
    return Participation.objects.get(pk=writer.pk).reminders_off_at is None


def a_stranger() -> Client:
    """Nobody is signed in, and forged requests are looked for."""
    return Client(enforce_csrf_checks=True)


def test_the_link_shows_a_button_and_changes_nothing_by_itself(writer: Participation, link: str) -> None:
    """Mail programs and scanners open links."""
    for method in ("get", "head"):
        answer = getattr(a_stranger(), method)(link)
        assert answer.status_code == 200
        assert is_wanted(writer)
    page = a_stranger().get(link).content.decode()
    assert "No more reminders</button>" in page
    assert writer.user.email not in page
    assert writer.pseudonym not in page


def test_the_button_stops_reminders_and_the_same_page_wants_them_again(writer: Participation, link: str) -> None:
    browser = a_stranger()
    stopped = browser.post(link, {"reminders": "off"})
    assert not is_wanted(writer)
    assert "Send me reminders again</button>" in stopped.content.decode()
    browser.post(link, {"reminders": "on"})
    assert is_wanted(writer)


def test_a_mail_program_stops_reminders_with_one_click(writer: Participation) -> None:
    """RFC 8058: a POST to the address of one header with the contents of the other; no cookies, no redirect."""
    headers = mail_to(writer).message()
    address = re.fullmatch(r"<(https?://\S+)>", headers["List-Unsubscribe"])
    assert address
    body = headers["List-Unsubscribe-Post"]
    assert body == "List-Unsubscribe=One-Click"
    answer = a_stranger().post(address[1], body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 200
    assert not is_wanted(writer)


def test_stopping_twice_keeps_the_first_time_and_leaves_one_trace(writer: Participation, link: str) -> None:
    a_stranger().post(link)
    first = Participation.objects.get(pk=writer.pk).reminders_off_at
    a_stranger().post(link)
    assert Participation.objects.get(pk=writer.pk).reminders_off_at == first
    [event] = AuditEvent.objects.filter(verb="reminders.stopped")
    assert (event.actor, event.subject) == (None, writer.pseudonym)


def test_a_link_of_one_study_stops_the_reminders_of_that_study_only(writer: Participation, link: str) -> None:
    elsewhere = a_writer_to_remind(slug="elsewhere")
    a_stranger().post(link)
    assert not is_wanted(writer)
    assert is_wanted(elsewhere)


@pytest.mark.parametrize(
    "forged",
    [
        "1",
        "1.",
        "1.c2lnbmF0dXJl",
        Signer(salt="another", sep=".", key="x" * 50).sign("1"),
    ],
)
def test_a_link_that_was_cut_short_or_made_up_stops_nothing(writer: Participation, forged: str) -> None:
    address = reverse("reminders_stop", args=[forged])
    for answer in (a_stranger().get(address), a_stranger().post(address)):
        assert answer.status_code == 404
        assert "cut short" in answer.content.decode()
    assert is_wanted(writer)


def test_another_persons_link_cannot_be_made_from_ones_own(writer: Participation) -> None:
    own = stop_token(writer.pk)
    other = own.replace(str(writer.pk), str(writer.pk + 1), 1)
    assert a_stranger().post(reverse("reminders_stop", args=[other])).status_code == 404


def test_the_link_is_in_no_cache_no_referer_and_no_log(link: str) -> None:
    answer = a_stranger().get(link)
    assert answer["Referrer-Policy"] == "origin"
    assert "no-store" in answer["Cache-Control"]
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "Not Found: %s", (link,), None)
    WithoutSecretPaths().filter(record)
    assert record.getMessage() == "Not Found: /reminders/stop/…/"


@override_settings(DEMO_MODE=False)
def test_whoever_owes_a_second_factor_can_still_use_the_link(writer: Participation, link: str) -> None:
    """A coordinator of one study may write for another."""
    a_member(a_writer_to_remind(slug="other").study, Role.RESEARCHER, writer.user)
    client = Client()
    client.force_login(writer.user)
    assert client.get(reverse("home")).status_code == 302
    assert client.post(link).status_code == 200
    assert not is_wanted(writer)


# -- settings ------------------------------------------------------------------------------------------------


def test_in_their_settings_people_choose_for_each_study(writer: Participation) -> None:
    a_member(a_writer_to_remind(slug="other").study, Role.JUDGE, writer.user)
    client = signed_in(writer.user)
    page = client.get(reverse("reminders_own")).content.decode()
    assert page.count("You may get reminders") == 2
    address = reverse("reminders_choose", args=["trial"])
    assert "no more reminders of “The trial study”" in client.post(address, follow=True).content.decode()
    assert not is_wanted(writer)
    assert "may get reminders of “The trial study” again" in (
        client.post(address, {"reminders": "on"}, follow=True).content.decode()
    )
    assert is_wanted(writer)
    assert AuditEvent.objects.filter(verb="reminders.stopped", actor=writer.user).count() == 1


def test_nobody_else_chooses_for_a_person(writer: Participation) -> None:
    address = reverse("reminders_choose", args=["trial"])
    assert signed_in(a_person("Some Stranger")).post(address).status_code == 404
    assert signed_in(coordinator_of(writer.study)).post(address).status_code == 403
    assert is_wanted(writer)
