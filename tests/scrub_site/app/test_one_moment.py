"""While the database cannot take something, people are asked to wait, and nothing of theirs has begun."""

import re

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.writing.models import WritingAssignment
from tests.clients import signed_in
from tests.factories import a_writing_study, assignments_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def writer(settings: Settings) -> tuple[Client, WritingAssignment]:
    settings.DEBUG = False
    answer = assignments_of(a_writing_study())[0]
    client = Client(raise_request_exception=False)
    return signed_in(answer.participation.user, client), answer


def elsewhere() -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(
        **{
            key: value
            for key, value in connection.get_connection_params().items()
            if key in ("dbname", "user", "host", "port", "password")
        }
    )


def test_who_cannot_begin_now_waits_on_a_page_of_its_own_and_the_clock_has_not_begun(
    writer: tuple[Client, WritingAssignment],
) -> None:
    client, answer = writer
    begin, start = reverse("writing_begin", args=[answer.pk]), reverse("writing_start", args=[answer.pk])
    with elsewhere() as other, connection.cursor() as cursor:
        other.execute("SELECT FROM annotation_writingassignment WHERE id = %s FOR UPDATE", [answer.pk])
        cursor.execute("SET lock_timeout = '50ms'")
        page = client.post(begin, {"attested": "on"}, headers={"referer": f"http://testserver{start}"})
        cursor.execute("SET lock_timeout = 0")
        other.rollback()
    assert page.status_code == 503
    assert 4 <= int(page["Retry-After"]) <= 12
    assert "no clock of yours has begun" in page.content.decode()
    assert re.search(rf'http-equiv="refresh" content="\d+; url={start}"', page.content.decode())
    answer.refresh_from_db()
    assert (answer.state, answer.started_at) == ("assigned", None)
    assert client.post(begin, {"attested": "on"}).status_code == 302
    answer.refresh_from_db()
    assert answer.state == "writing"


def test_a_server_that_takes_no_writes_is_a_moment_too_and_a_fault_is_none(
    writer: tuple[Client, WritingAssignment], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, answer = writer
    begin = reverse("writing_begin", args=[answer.pk])
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        page = client.post(begin, {"attested": "on"})
        cursor.execute("SET default_transaction_read_only = off")
    assert page.status_code == 503
    monkeypatch.setattr("annotation.writing.views.writing.selectors.start_page", lambda _: 1 / 0)
    fault = client.get(reverse("writing_start", args=[answer.pk]))
    assert fault.status_code == 500
    assert "Something went wrong" in fault.content.decode()
