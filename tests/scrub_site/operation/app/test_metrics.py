"""What Prometheus reads of the site, and what the log has of a request."""

import json
import logging
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import django_rq
import pytest
from django.db import Error, connection
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from annotation.platform.models.work import Task
from annotation.platform.services import uptime, work
from annotation.platform.services.clock import database_now
from generation.calls.models import GenerationRun
from scrub_site.watching import metrics
from scrub_site.watching.logs import JsonLines, request_id
from tests.folders import PROJECT

pytestmark = pytest.mark.django_db

TOKEN = "read-the-figures"


@pytest.fixture(autouse=True)
def token(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN


def scraped(client: Client | None = None) -> dict[tuple[str, ...], float]:
    """Each figure by its name and what it is of."""
    answer = (client or Client()).get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, SERVER_NAME="web-a")
    assert answer.status_code == 200
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer ", "Bearer wrong", TOKEN[:-1]])
def test_figures_are_for_whoever_shows_the_token_and_else_there_is_no_such_page(
    shown: str, settings: Settings
) -> None:
    assert Client().get("/metrics", headers={"Authorization": shown}).status_code == 404
    settings.METRICS_TOKEN = ""
    assert Client().get("/metrics", headers={"Authorization": shown}).status_code == 404


def test_work_is_told_by_its_queue_as_due_waiting_failing_and_given_up() -> None:
    now = database_now()
    for subject in ("a", "b"):
        work.ask(kind="mail_account", subject=subject, due=now - timedelta(minutes=5))
    work.ask(kind="draw_map", subject="later", due=now + timedelta(hours=1))
    work.ask(kind="work_run", subject="1")
    Task.objects.filter(subject="b").update(last_error="refused", attempts=1)
    Task.objects.update(asked_at=now - timedelta(minutes=4))
    Task.objects.filter(kind="work_run").update(gave_up_at=Now())
    django_rq.get_queue("mail").empty()
    found = scraped()
    assert found["scrub_tasks_due", "mail"] == 2
    assert 299 <= found["scrub_task_waiting_seconds", "mail"] < 360
    assert found["scrub_tasks_failing", "mail"] == 1
    assert found["scrub_tasks_due", "default"] == found["scrub_task_waiting_seconds", "default"] == 0
    assert found["scrub_tasks_given_up", "calls"] == 1
    assert found["scrub_queue_length", "mail"] == 0
    assert found["scrub_reached", "database"] == found["scrub_reached", "redis"] == 1


def test_the_loops_last_beat_seals_and_spending_are_told() -> None:
    now = database_now()
    uptime.beat(now=now)
    GenerationRun.objects.create(
        purpose="reading", template_version="", spend_cap=9, spent=5, assumed=2, reserved=1, state="stopped"
    )
    found = scraped()
    assert found[("scrub_loop_beat_timestamp_seconds",)] == pytest.approx(now.timestamp(), abs=0.01)
    told = {"billed_dollars": 3, "assumed_dollars": 2, "reserved_dollars": 1, "seals_behind": 0, "paused": 0}
    assert {name: found[(f"scrub_{name}",)] for name in told} == told


def test_requests_are_counted_with_their_time_and_so_are_attempts_to_sign_in_that_fail() -> None:
    before, client = scraped(), Client()
    client.post(reverse("writing_save", args=[1]))
    client.post(reverse("account_login"), {"login": "nobody@example.org", "password": "wrong"})
    after = scraped()

    def more(*figure: str) -> float:
        return after[figure] - before.get(figure, 0.0)

    assert more("scrub_request_seconds_count", "save") == 1
    assert more("scrub_requests_total", "other", "2xx") == 1
    assert more("scrub_sign_in_failures_total") == 1


def test_while_the_database_is_away_the_other_figures_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise Error("away")

    monkeypatch.setattr(connection, "cursor", away)
    found = metrics.exposition().decode()
    assert 'scrub_reached{server="database"} 0.0' in found
    assert 'scrub_queue_length{queue="mail"}' in found


IN_A_PROCESS = """
import django
django.setup()
from scrub_site.watching import metrics
"""
COUNT = f"{IN_A_PROCESS}metrics.note_request('writing_save', 'POST', 200, 0.2)"
COUNT_AND_TELL = f"{COUNT}\nprint(metrics.exposition().decode())"


def test_what_several_processes_counted_is_added_up(tmp_path: Path) -> None:
    more = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "scrub_site.settings"}
    for program in (COUNT, COUNT_AND_TELL):
        told = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | more,
            cwd=PROJECT,
            check=True,
            capture_output=True,
            text=True,
        )
    assert 'scrub_requests_total{page="save",status="2xx"} 2.0' in told.stdout


def test_a_request_has_one_line_in_the_log_with_its_id_and_time_and_without_what_lets_somebody_in(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        answer = Client().get("/invitations/a-secret-of-somebodys/?next=/secret/")
    [record] = [record for record in caplog.records if record.name == "request"]
    token = request_id.set("0123456789abcdef")
    line = json.loads(JsonLines().format(record))
    request_id.reset(token)
    assert line["path"] == "/invitations/…/"
    assert (line["method"], line["status"], line["request"]) == ("GET", answer.status_code, "0123456789abcdef")
    assert line["milliseconds"] >= 0
    assert line["time"].endswith("Z")
    assert len(answer["X-Request-ID"]) == 16
    assert "secret" not in json.dumps(line)


def test_an_error_is_one_line_too_whatever_is_in_it() -> None:
    try:
        raise ValueError("two\nlines at /invitations/a-secret/")
    except ValueError:
        record = logging.getLogger().makeRecord("x", logging.ERROR, "", 0, "it %s", ("broke",), sys.exc_info())
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line)["message"] == "it broke"
    assert "a-secret" not in line
