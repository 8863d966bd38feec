"""The audit trail: who did what, and a chain of seals that names the first event that is not what it was."""

from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from annotation.platform.core.sealing import GENESIS, chained_digest
from annotation.platform.models.audit import AuditEvent, AuditSeal
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from tests.factories import a_person, a_study
from tests.scrub_site.app.audit_trail import recorded, somebody_with_the_databases_password

pytestmark = pytest.mark.django_db


# -- recording -----------------------------------------------------------------------------------------------


def test_an_event_says_who_did_what_to_what_and_how() -> None:
    ada = a_person("Ada Example")
    detail: dict[str, Any] = {"places": ["hall", "Küche"], "litres": 0.5, "seen": None}
    audit.record(verb=AuditVerb.TARGET_ADDED, by=ada, subject="fern", **detail)
    event = AuditEvent.objects.get()
    assert (event.actor, event.verb, event.subject, event.detail) == (ada, "target.added", "fern", detail)


def test_a_verb_that_is_not_among_the_trails_is_refused_and_not_recorded() -> None:
    with pytest.raises(ValueError, match=r"'plant\.watered' is not a valid AuditVerb"):
        audit.record(verb="plant.watered", by=None)  # type: ignore[arg-type]
    assert not AuditEvent.objects.exists()


def test_a_change_that_is_undone_leaves_no_event() -> None:
    with transaction.atomic():
        recorded("plant.watered")
        transaction.set_rollback(True)
    assert not AuditEvent.objects.exists()


def test_making_a_study_is_recorded_with_its_maker() -> None:
    study = a_study("trial")
    event = AuditEvent.objects.get(verb="study.created")
    assert (event.study, event.actor) == (study, study.created_by)


# -- sealing -------------------------------------------------------------------------------------------------


def test_the_first_seal_stands_on_sixty_four_zeros_and_each_one_on_the_one_before() -> None:
    recorded("plant.bought", "plant.watered")
    assert audit.seal() == 2
    first, second = AuditSeal.objects.order_by("number")
    assert (first.number, second.number) == (1, 2)
    assert first.digest == chained_digest(GENESIS, audit._content(first.event))
    assert second.digest == chained_digest(first.digest, audit._content(second.event))


def test_sealing_goes_on_where_it_stopped_and_takes_no_more_than_its_limit() -> None:
    recorded("plant.bought", "plant.watered", "plant.sold")
    assert [audit.seal(limit=2), audit.seal(limit=2), audit.seal(limit=2)] == [2, 1, 0]
    assert audit.verify() == audit.Verification(sealed=3, unsealed=0, broken_event=None)


def test_sealing_reads_what_is_unsealed_and_nothing_else() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO annotation_auditevent (verb, subject, detail)"
            " SELECT 'plant.watered', n, '{}' FROM generate_series(1, 2000) n"
        )
        assert audit.seal() == 2000
        cursor.execute("ANALYZE annotation_auditevent, annotation_auditseal, annotation_unsealedevent")
    recorded("plant.sold")
    before = rows_read()
    assert [audit.seal(), audit.seal()] == [1, 0]
    assert rows_read() - before <= 4  # the event that waits, and the last seal


def rows_read() -> int:
    """How many rows of the trail and its seals the open transaction has read."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables"
            " WHERE relname IN ('annotation_auditevent', 'annotation_auditseal')"
        )
        return int(cursor.fetchone()[0])


def test_an_event_that_some_other_program_inserts_is_sealed_too() -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO annotation_auditevent (verb, subject, detail) VALUES ('plant.sold', '', '{}')")
    assert audit.seal() == 1
    assert audit.verify() == audit.Verification(sealed=1, unsealed=0, broken_event=None)


def test_events_without_a_seal_are_counted() -> None:
    recorded("plant.bought")
    audit.seal()
    recorded("plant.watered", "plant.sold")
    assert audit.verify() == audit.Verification(sealed=1, unsealed=2, broken_event=None)


def test_a_seal_whose_event_is_gone_is_noticed_even_at_the_end() -> None:
    recorded("plant.bought", "plant.watered")
    audit.seal()
    last = AuditSeal.objects.order_by("-number")[0]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # neither triggers nor foreign keys
        cursor.execute("DELETE FROM annotation_auditevent WHERE id = %s", [last.event_id])
        assert audit.verify() == audit.Verification(sealed=1, unsealed=0, broken_event=last.event_id)
        cursor.execute("DELETE FROM annotation_auditseal WHERE number = %s", [last.number])
        cursor.execute("SET session_replication_role = DEFAULT")


def test_an_empty_trail_is_intact() -> None:
    assert audit.verify().intact


@pytest.mark.django_db(transaction=True)
def test_of_two_sealers_at_once_one_returns_without_waiting_and_nothing_is_sealed_twice() -> None:
    recorded("plant.bought", "plant.watered")

    def seal_elsewhere() -> int:
        try:
            return audit.seal()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        mine = audit.seal()
        theirs = pool.submit(seal_elsewhere).result(timeout=20)  # while this transaction still holds the lock
    assert (mine, theirs) == (2, 0)
    assert audit.verify() == audit.Verification(sealed=2, unsealed=0, broken_event=None)


@pytest.fixture
def goes_on_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two events are sealed; while the first is verified, a third is sealed and a fourth recorded elsewhere."""
    recorded("plant.bought", "plant.watered")
    assert audit.seal() == 2

    def go_on() -> None:
        recorded("plant.repotted")
        assert audit.seal() == 1
        recorded("plant.sold")
        connection.close()

    def digest(*given: Any) -> str:
        monkeypatch.undo()
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(go_on).result(timeout=20)
        return chained_digest(*given)

    monkeypatch.setattr(audit, "chained_digest", digest)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("goes_on_meanwhile")
def test_what_is_recorded_and_sealed_while_the_chain_is_verified_does_not_break_it() -> None:
    assert audit.verify() == audit.Verification(sealed=2, unsealed=0, broken_event=None)
    assert audit.verify() == audit.Verification(sealed=3, unsealed=1, broken_event=None)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("goes_on_meanwhile")
def test_verify_audit_prints_the_head_of_the_very_chain_that_it_verified() -> None:
    output = StringIO()
    call_command("verify_audit", stdout=output)
    assert "Sealed events: 2." in output.getvalue()
    assert "Head: 2:" in output.getvalue()
    call_command("verify_audit", stdout=output)
    assert "Sealed events: 3." in output.getvalue()
    assert "Head: 3:" in output.getvalue()


# -- verifying -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "verb = 'plant.sold'",
        "subject = 'ivy'",
        "detail = '{}'",
        "actor_id = NULL",
        "at = at + interval '1 microsecond'",
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_changed_event_is_named(place: int, change: str) -> None:
    events = recorded("plant.bought", "plant.watered", "plant.repotted")
    audit.seal()
    with somebody_with_the_databases_password() as cursor:
        cursor.execute(f"UPDATE annotation_auditevent SET {change} WHERE id = %s", [events[place].pk])  # noqa: S608
    assert audit.verify() == audit.Verification(sealed=place, unsealed=0, broken_event=events[place].pk)


@pytest.mark.parametrize("waits_again", [False, True])
def test_an_event_that_lost_its_seal_is_named_unless_it_waits_for_another(waits_again: bool) -> None:
    _, last = recorded("plant.bought", "plant.watered")
    audit.seal()
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("DELETE FROM annotation_auditseal WHERE event_id = %s", [last.pk])
        if waits_again:
            cursor.execute("INSERT INTO annotation_unsealedevent (event_id) VALUES (%s)", [last.pk])
    assert audit.verify() == audit.Verification(1, int(waits_again), broken_event=None if waits_again else last.pk)


def test_an_event_put_in_afterwards_does_not_fit() -> None:
    recorded("plant.bought", "plant.watered")
    audit.seal()
    (invented,) = recorded("plant.fertilised")
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("UPDATE annotation_auditseal SET event_id = %s WHERE number = 1", [invented.pk])
    assert audit.verify().broken_event == invented.pk


@pytest.mark.parametrize("missing", [0, 1])
def test_when_an_event_has_gone_with_its_seal_the_next_one_is_named(missing: int) -> None:
    events = recorded("plant.bought", "plant.watered", "plant.repotted")
    audit.seal()
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("DELETE FROM annotation_auditseal WHERE event_id = %s", [events[missing].pk])
        cursor.execute("DELETE FROM annotation_auditevent WHERE id = %s", [events[missing].pk])
    assert audit.verify() == audit.Verification(missing, 0, broken_event=events[missing + 1].pk)


def test_closing_the_gap_with_new_numbers_does_not_help() -> None:
    events = recorded("plant.bought", "plant.watered", "plant.repotted")
    audit.seal()
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("DELETE FROM annotation_auditseal WHERE number = 2")
        cursor.execute("DELETE FROM annotation_auditevent WHERE id = %s", [events[1].pk])
        cursor.execute("UPDATE annotation_auditseal SET number = 2 WHERE number = 3")
    assert audit.verify().broken_event == events[2].pk
