"""Ready is a site whose database takes writes, as saves need it to."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.platform.models.uptime import WriteCheck
from scrub_site.database.migration_check import missing
from scrub_site.views import health

pytestmark = pytest.mark.django_db(transaction=True)


def ready() -> int:
    return Client().get(reverse("health_ready")).status_code


@pytest.fixture
def read_only() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = off")


def test_a_site_whose_database_takes_writes_is_ready_and_writes_once_in_five_seconds() -> None:
    assert ready() == 200
    first = WriteCheck.objects.get().written_at
    for _ in range(3):
        assert ready() == 200
    assert WriteCheck.objects.get().written_at == first
    WriteCheck.objects.update(written_at=F("written_at") - timedelta(seconds=5))
    assert ready() == 200
    assert WriteCheck.objects.get().written_at > first


def test_a_write_that_a_wrong_clock_has_dated_ahead_does_not_count() -> None:
    assert ready() == 200
    ahead = WriteCheck.objects.get().written_at + timedelta(hours=1)
    WriteCheck.objects.update(written_at=ahead)
    assert ready() == 200
    assert WriteCheck.objects.get().written_at < ahead


def test_a_site_whose_database_is_of_the_version_before_is_not_ready_until_it_is_migrated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "_IS_MIGRATED", [])
    newest = MigrationRecorder.Migration.objects.filter(app="annotation").latest("id")
    MigrationRecorder.Migration.objects.filter(pk=newest.pk).delete()
    answer = Client().get(reverse("health_ready"))
    assert (answer.status_code, "prepare_database" in answer.json()["status"]) == (503, True)
    assert missing() == [("annotation", newest.name)]
    newest.save()
    assert ready() == 200


@pytest.mark.parametrize("is_fresh", [True, False])
def test_a_site_whose_database_only_reads_is_not_ready(is_fresh: bool, request: pytest.FixtureRequest) -> None:
    if is_fresh:
        assert ready() == 200
    request.getfixturevalue("read_only")
    assert ready() == 503
    assert Client().get(reverse("health_live")).status_code == 200


def test_a_site_that_is_about_to_be_replaced_is_not_ready_and_alive(settings: Settings, tmp_path: Path) -> None:
    settings.DRAIN_FILE = str(tmp_path / "drain")
    assert ready() == 200
    (tmp_path / "drain").touch()
    assert ready() == 503
    assert Client().get(reverse("health_live")).status_code == 200
