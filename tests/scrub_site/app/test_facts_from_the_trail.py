"""A database from before these facts had tables of their own gets them from its trail, as services write them."""

from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, Final

import pytest
from django.core import mail
from django.db import connection
from django.db.models import Model

from annotation.assignment.models import AssignmentRepair, WorkGivenOut
from annotation.design.models import DesignFingerprint
from annotation.design.services import protocol
from annotation.people.services import people
from annotation.platform.models.work import Task
from annotation.study.models.participation import Invitation, Role
from annotation.study.models.studies import StudyStep
from annotation.writing.core.work_kinds import MAIL_RECEIPT
from annotation.writing.models import WritingPause, WritingReceipt
from annotation.writing.services import writing_desk
from tests.annotation.assignment.repairs import a_shared_study, repaired
from tests.annotation.people.app.test_recruiting import bring
from tests.answers import begin
from tests.factories import a_study, a_writing_study, an_unblinded_study, assignments_of, coordinator_of, members_of
from tests.factories import written as handed_in
from tests.work import perform, send_mails

pytestmark = pytest.mark.django_db

FILLED: Final = import_module("annotation.migrations.0012_facts_beside_the_audit_trail").FILLED
TABLES: Final = [AssignmentRepair, DesignFingerprint, StudyStep, WorkGivenOut, WritingPause, WritingReceipt]
MOMENT: Final = timedelta(minutes=1)  # the trail's rows and these are written one after the other


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """Studies in which each of these facts came about, and some of them twice; gone after the last test."""
    _in_writing()
    judging = a_shared_study(slug="shared")
    repaired(judging, leaves=members_of(judging, Role.JUDGE)[:1])
    an_unblinded_study(1, 1, 1, slug="unblinded")
    _invited()


def _in_writing() -> None:
    study = a_writing_study("writing", writers=2)
    coordinator = coordinator_of(study)
    protocol.change_parameters(study=study, changes={"minutes_per_item": 17}, by=coordinator)
    finished, going_on = assignments_of(study)
    stopped, _ = assignments_of(study, writer=1)
    handed_in(finished)
    for answer in (going_on, stopped):
        begin(answer)
        writing_desk.pause(assignment=answer, reason="A call.", by=coordinator)
    writing_desk.resume(assignment=going_on, reason="Over.", by=coordinator)
    writing_desk.pause(assignment=going_on, reason="Another call.", by=coordinator)
    writing_desk.resume(assignment=going_on, reason="Over.", by=coordinator)
    for task in Task.objects.filter(kind=MAIL_RECEIPT, done_at=None):
        perform(task)


def _invited() -> None:
    """Alone, from a table, and one whose mail waits."""
    study = a_study("inviting")
    people.invite(study=study, email="hand@example.org", name="Hand", role=Role.WRITER, by=coordinator_of(study))
    bring(study, "Ada,ada@example.org,writer")
    send_mails()
    bring(study, "Bea,bea@example.org,writer")
    mail.outbox.clear()


def facts(table: type[Model]) -> list[tuple[dict[str, Any], list[datetime | None]]]:
    """Each row without its id: what it says, and its moments."""
    rows = [
        {name: value for name, value in row.items() if name != "id"}
        for row in table._default_manager.order_by("pk").values()
    ]
    return [
        (
            {name: value for name, value in row.items() if not name.endswith("at")},
            [value for name, value in row.items() if name.endswith("at")],
        )
        for row in rows
    ]


def emptied_and_filled_again() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table in TABLES:
            cursor.execute(f"DELETE FROM {table._meta.db_table}")  # noqa: S608
        cursor.execute("UPDATE annotation_invitation SET sent_at = NULL")
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
        for statement in FILLED:
            cursor.execute(statement)


def close(one: datetime | None, other: datetime | None) -> bool:
    return one is other is None or (one is not None and other is not None and abs(one - other) < MOMENT)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_the_trail_tells_the_rows_that_services_wrote(table: type[Model]) -> None:
    before = facts(table)
    assert before
    emptied_and_filled_again()
    after = facts(table)
    assert [told for told, _ in after] == [told for told, _ in before]
    moments = [
        pair
        for (_, ones), (_, others) in zip(before, after, strict=True)
        for pair in zip(ones, others, strict=True)
    ]
    assert all(close(one, other) for one, other in moments)


def test_the_trail_tells_which_invitations_were_sent() -> None:
    before = dict(Invitation.objects.values_list("email", "sent_at"))
    assert {email for email, at in before.items() if at is None} == {"bea@example.org"}
    emptied_and_filled_again()
    after = dict(Invitation.objects.values_list("email", "sent_at"))
    assert before.keys() == after.keys()
    assert all(close(before[email], after[email]) for email in before)


def test_a_pause_that_ended_with_its_answer_is_not_open() -> None:
    stopped = WritingPause.objects.get(ended_at=None).assignment
    writing_desk.cancel(assignment=stopped, reason="Ill.", by=coordinator_of(stopped.study))
    assert WritingPause.objects.get(assignment=stopped).ended_at
