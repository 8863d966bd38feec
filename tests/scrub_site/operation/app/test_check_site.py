"""`check_site` says what is wrong with the site as it runs."""

import io
from datetime import timedelta
from typing import Any

import django_rq
import pytest
from django.core import mail, signing
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from rq import SimpleWorker

from annotation.platform.services import uptime
from annotation.platform.services.clock import database_now
from scrub_site.watching import site_check
from scrub_site.watching.site_check import FORGED, SALT, faults, proxy_faults
from tests.mail_server import nobody_listens

pytestmark = pytest.mark.django_db

GOOD = {"is_secure": True, "noted": 1, "address": "198.51.100.7"}


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE_URL, settings.ALLAUTH_TRUSTED_PROXY_COUNT = "https://studio.example.org", 1


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ({}, None),
        ({"noted": 2}, None),
        ({"is_secure": False}, "RequestHeader set X-Forwarded-Proto https"),
        ({"address": FORGED}, "Visitors choose the address"),
        ({"noted": 3}, "2 proxies note who asked them; TRUSTED_PROXY_COUNT is 1"),
        ({"noted": 0}, "0 proxies have noted"),
    ],
)
def test_what_a_proxy_does_not_pass_on_is_told(seen: dict[str, Any], told: str | None) -> None:
    found = list(proxy_faults(GOOD | seen))
    assert [told in fault for fault in found if told] == ([True] if told else [])
    assert len(found) == bool(told)


def test_how_a_request_arrived_is_told_to_whoever_signs_the_question_alone(settings: Settings) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    address = reverse("health_proxy")
    headers = {"X-Forwarded-For": f"{FORGED}, 198.51.100.7", "X-Forwarded-Proto": "https"}
    told = Client().get(address, {"question": signing.dumps("", salt=SALT)}, headers=headers).json()
    assert told == {"is_secure": True, "noted": 2, "address": "198.51.100.7"}
    for question in ("", "forged", signing.dumps("", salt="another")):
        assert Client().get(address, {"question": question}).status_code == 404


def test_a_site_without_loop_workers_and_mail_server_is_told_of_each(settings: Settings) -> None:
    settings.SITE_URL = "http://127.0.0.1:9"
    with nobody_listens():
        found = " ".join(faults())
    for told in ("The loop has not found", "rqworker default", "rqworker mail", "rqworker calls", "nobody listens"):
        assert told in found
    assert "http://127.0.0.1:9 is not reached from here" in found
    with pytest.raises(CommandError, match="found"):
        call_command("check_site", stderr=io.StringIO())


def test_a_clock_that_was_set_back_and_migrations_to_come_are_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SITE_URL = "http://127.0.0.1:9"
    monkeypatch.setattr(site_check, "missing", lambda: [("annotation", "0099_next")])
    uptime.beat(now=database_now() + timedelta(hours=1))
    found = " ".join(faults())
    assert "The database's clock was set back" in found
    assert "1 migration are" not in found
    assert "the first of them annotation.0099_next" in found


def test_a_loop_and_workers_that_run_are_no_fault_and_a_mail_is_sent_where_it_is_asked_for(
    settings: Settings,
) -> None:
    settings.SITE_URL = "http://127.0.0.1:9"
    uptime.beat(now=database_now())
    workers = [
        SimpleWorker([django_rq.get_queue(name)], connection=django_rq.get_connection())
        for name in settings.RQ_QUEUES
    ]
    for worker in workers:
        worker.register_birth()
    try:
        [found] = faults(mail_to="ops@example.org")
    finally:
        for worker in workers:
            worker.register_death()
    assert "is not reached" in found
    assert [message.to for message in mail.outbox] == [["ops@example.org"]]
