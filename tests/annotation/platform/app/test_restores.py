"""A restore from a backup is a known break of the audit trail, and no cover for a trail that was cut off."""

from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.platform.models.audit import AuditEvent, AuditSeal
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from annotation.platform.services.audit import Head
from annotation.platform.services.clock import database_now
from tests.scrub_site.app.audit_trail import somebody_with_the_databases_password

pytestmark = pytest.mark.django_db


def sealed(number: int) -> Head:
    """The head after so many more events."""
    for _ in range(number):
        audit.record(verb=AuditVerb.WRITING_PAUSED, by=None)
    audit.seal()
    head = audit.head()
    assert head
    assert head.sealed_at
    return head


def cut_behind(head: Head) -> None:
    """What comes after the head is gone, as after a restore or at the hands of somebody who hides it."""
    with somebody_with_the_databases_password():
        gone = AuditSeal.objects.filter(number__gt=head.number)
        events = list(gone.values_list("event", flat=True))
        gone.delete()
        AuditEvent.objects.filter(pk__in=events).delete()


def verified(*heads: Head) -> str:
    output = StringIO()
    call_command("verify_audit", *(part for head in heads for part in ("--head", str(head))), stdout=output)
    return output.getvalue()


def lost_in_a_restore() -> tuple[Head, Head]:
    """A head from before a backup and one from after it, of which the site knows nothing since its restore.

    All of a test happens at one time of the database, so the later head is said to have been sealed before that.
    """
    kept = sealed(2)
    lost = sealed(3)
    cut_behind(kept)
    now = database_now()
    audit.note_restore(taken_at=now - timedelta(hours=2), reason="The disk failed.")
    audit.seal()
    return kept, replace(lost, sealed_at=now - timedelta(hours=1))


def test_a_head_that_went_with_a_noted_restore_is_told_and_no_alarm() -> None:
    kept, lost = lost_in_a_restore()
    said = verified(kept, lost)
    assert "The disk failed." in said
    assert f"and with it seal {lost.number}." in said
    assert "The chain is intact" in said


def test_a_head_that_no_restore_explains_is_an_alarm() -> None:
    _, lost = lost_in_a_restore()
    assert lost.sealed_at
    for sealed_at in (lost.sealed_at - timedelta(hours=3), lost.sealed_at + timedelta(hours=3), None):
        with pytest.raises(CommandError, match=f"seal {lost.number}[.] .* no restore was noted that explains it"):
            verified(replace(lost, sealed_at=sealed_at))


def test_a_head_that_was_noted_more_than_once_is_told_once() -> None:
    _, lost = lost_in_a_restore()
    assert f"and with it seal {lost.number}." in verified(lost, lost, lost)


def test_a_seal_that_has_another_time_than_was_noted_is_an_alarm() -> None:
    kept, _ = lost_in_a_restore()
    assert kept.sealed_at
    with pytest.raises(CommandError, match=f"seal {kept.number}[.] "):
        verified(replace(kept, sealed_at=kept.sealed_at + timedelta(microseconds=1)))


@pytest.mark.parametrize("at", ["2026-03-01T04:00:00.000000", "2026-03-01T04:00:00-03", "2026-02-30T04:00:00Z"])
def test_a_time_that_no_head_has_is_told_as_one(at: str) -> None:
    """Without the Z nobody knows which hour it is, and it can be compared with no restore."""
    kept, _ = lost_in_a_restore()
    with pytest.raises(CommandError, match=r"a head looks like|there is no such time"):
        call_command("verify_audit", "--head", f"{kept.number}:{'0' * 64}@{at}", stdout=StringIO())


def test_without_a_note_a_cut_tail_is_an_alarm() -> None:
    kept, lost = sealed(2), sealed(3)
    cut_behind(kept)
    assert verified(kept)
    with pytest.raises(CommandError, match="cut off"):
        verified(kept, lost)


def test_heads_noted_without_their_time_are_still_taken() -> None:
    head = replace(sealed(1), sealed_at=None)
    assert verified(head)


@pytest.mark.parametrize(
    "when",
    [
        "yesterday",
        "2026-03-01T04:00:00",
        "2026-13-01T04:00:00Z",
        "9999-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
    ],
)
def test_a_restore_from_no_time_of_the_past_is_not_noted(when: str) -> None:
    with pytest.raises(CommandError):
        call_command("note_restore", "--taken-at", when, "--reason", "The disk failed.", stdout=StringIO())
    assert not AuditEvent.objects.exists()


def test_noting_a_restore_seals_it_and_prints_the_head() -> None:
    output = StringIO()
    call_command(
        "note_restore", "--taken-at", "2026-03-01T04:00:00Z", "--reason", "The disk failed.", stdout=output
    )
    assert str(audit.head()) in output.getvalue()
    assert [restore.reason for restore in audit.restores()] == ["The disk failed."]
