"""Events to seal, and a way to tamper with them."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from annotation.platform.models.audit import AuditEvent
from tests.factories import a_person


def recorded(*verbs: str) -> list[AuditEvent]:
    """Events whatever their verbs, which the trail's own service would refuse."""
    by = a_person("Ada Example")
    for verb in verbs:
        detail = {"places": ["hall", "Küche"], "litres": 0.5, "seen": None}
        AuditEvent.objects.create(at=timezone.now(), actor=by, verb=verb, subject="fern", detail=detail)
    return list(AuditEvent.objects.order_by("id"))[-len(verbs) :]


@contextmanager
def somebody_with_the_databases_password() -> Iterator[CursorWrapper]:
    """Switches off what makes the tables append-only, as whoever owns them can."""
    tables = ("annotation_auditevent", "annotation_auditseal", "annotation_officecommitment")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only")
        yield cursor
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER append_only")
