"""Factories write back from memory what they built, and build anew where that could be something else."""

import pytest
from django.db import connection, transaction
from django.test import override_settings
from pytest_django import Settings

from annotation.study.models.studies import Study
from tests import factories
from tests.factories import a_person, a_study
from tests.remembered import rows_by_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def built() -> Study:
    """A study that was built, or written back, and is gone again."""
    with transaction.atomic():
        study = a_study()
        transaction.set_rollback(True)
    return study


def test_a_study_that_is_asked_for_again_is_written_back_row_by_row() -> None:
    with transaction.atomic():
        built, rows = a_study(), _rows_in_order()
        transaction.set_rollback(True)
    assert a_study() == built
    assert rows
    assert _rows_in_order() == rows


def test_a_study_is_written_back_where_columns_have_come_to_stand_in_another_order(built: Study) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE annotation_prompt ADD COLUMN another varchar(200) NOT NULL")
        cursor.execute("ALTER TABLE annotation_prompt DROP COLUMN domain")
        cursor.execute("ALTER TABLE annotation_prompt RENAME COLUMN another TO domain")
    prompts = a_study().prompts.values_list("domain", flat=True)
    assert list(prompts) == list(factories.DOMAINS[:2])


def _rows_in_order() -> dict[str, list[str]]:
    """Of every table that has any. Where in its table's file a row stands, COPY's order, is up to the database."""
    with connection.cursor() as cursor:
        found = {}
        for table in rows_by_table():
            cursor.execute(f"SELECT row::text FROM {table} row ORDER BY 1")  # noqa: S608
            found[table] = [text for (text,) in cursor.fetchall()]
    return found


def test_what_a_test_does_to_its_study_is_not_remembered() -> None:
    with transaction.atomic():
        a_study()
        Study.objects.update(title="Another title")
        transaction.set_rollback(True)
    assert a_study().title == "The trial study"


def test_a_study_with_other_arguments_is_another(built: Study) -> None:
    assert a_study(prompts=1) != built


def test_a_study_is_built_anew_beside_anything_else(built: Study) -> None:
    a_person()
    assert a_study() != built


def test_a_study_is_built_anew_by_code_that_was_changed(built: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factories, "PROFILE", {})
    assert a_study() != built


def test_a_study_is_built_anew_under_other_settings_and_remembered_with_them(built: Study) -> None:
    with override_settings(LANES=7):
        with override_settings(TIME_ZONE="UTC"), transaction.atomic():
            other = a_study()
            transaction.set_rollback(True)
        with transaction.atomic():
            third = a_study()
            transaction.set_rollback(True)
        with override_settings(TIME_ZONE="UTC"):
            assert a_study() == other
    assert len({built.pk, other.pk, third.pk}) == 3


def test_a_study_is_built_anew_where_a_setting_is_missing(built: Study, settings: Settings) -> None:
    del settings.LANES
    assert a_study() != built
