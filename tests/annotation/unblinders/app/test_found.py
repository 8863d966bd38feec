"""Studies that were locked before there were unblinders by name keep those who could unblind until then."""

from importlib import import_module

import pytest
from django.db import connection

from analysis.ceremony.models import UnblindingRequest
from analysis.ceremony.selectors.record import record_of
from annotation.platform.models.users import User
from annotation.platform.models.work import Task
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.unblinders.core.work_kinds import WATCH_UNBLINDERS
from annotation.unblinders.models import Unblinder
from annotation.unblinders.selectors.published import unblinders_of
from annotation.unblinders.services import suspensions
from tests.factories import a_closed_study, a_member, a_person, a_study, an_unblinded_study, researchers_of
from tests.scrub_site.app.audit_trail import somebody_with_the_databases_password
from tests.unblinders import state

pytestmark = pytest.mark.django_db

MIGRATION = import_module("annotation.migrations.0014_unblinders")


def as_before_the_migration() -> None:
    """No office is known, and nothing was published of any."""
    UnblindingRequest.objects.update(requested_as=None, decided_as=None)
    with somebody_with_the_databases_password() as cursor:
        for table in ("officechange", "unblinder", "officecommitment", "officenotice", "recoveryperson"):
            cursor.execute(f"DELETE FROM annotation_{table}")  # noqa: S608
        cursor.execute("DELETE FROM annotation_task WHERE kind = 'watch_unblinders'")


def migrated() -> None:
    as_before_the_migration()
    with connection.cursor() as cursor:
        cursor.execute(MIGRATION.FOUND)
        cursor.execute(MIGRATION.WATCHED)


@pytest.fixture
def study() -> Study:
    study = a_closed_study(1, 1, 1)
    for name, change in {"Adam Admin": {"is_staff": True}, "Clo Closed": {"is_active": False}}.items():
        a_member(study, Role.RESEARCHER, a_person(name))
        User.objects.filter(name=name).update(**change)
    a_member(study, Role.RESEARCHER, a_person("Lena Left"))
    Participation.objects.filter(user__name="Lena Left").update(left_at=study.state_changed_at)
    migrated()
    return study


def test_active_researchers_of_a_locked_study_are_found_in_office_and_nobody_else(study: Study) -> None:
    assert {row.name for row in Unblinder.objects.all()} == {person.name for person in researchers_of(study)}
    assert {state(study, person) for person in researchers_of(study)} == {"standing"}


def test_the_record_and_releases_say_that_nothing_had_been_published(study: Study) -> None:
    suspensions.watch(study_id=study.pk)
    said = unblinders_of(study)
    assert not said["statement"]
    assert {who["by"] for who in said["in_office"]} == {"in office since before there were unblinders by name"}
    found = [line for line in record_of(study) if line.what.startswith("Found in office")]
    assert len(found) == len(researchers_of(study))


def test_the_loop_looks_at_the_accounts_of_whoever_was_found_at_once(study: Study) -> None:
    assert Task.objects.filter(kind=WATCH_UNBLINDERS, subject=str(study.pk), done_at__isnull=True).exists()


@pytest.mark.parametrize("locked", [True, False], ids=["unblinded", "in design"])
def test_nobody_is_found_where_nothing_is_left_to_unblind_or_nothing_is_locked(locked: bool) -> None:
    study = an_unblinded_study(1, 1, 1) if locked else a_study()
    if not locked:
        a_member(study, Role.RESEARCHER)
    migrated()
    assert not Unblinder.objects.exists()
