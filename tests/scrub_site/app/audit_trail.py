"""Events to seal, and a way to tamper with them."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.backends.utils import CursorWrapper

from annotation.platform.models.audit import AuditEvent
from annotation.platform.services import audit
from tests.factories import a_person


def recorded(*verbs: str) -> list[AuditEvent]:
    by = a_person("Ada Example")
    for verb in verbs:
        audit.record(verb=verb, by=by, subject="fern", places=["hall", "Küche"], litres=0.5, seen=None)
    return list(AuditEvent.objects.order_by("id"))[-len(verbs) :]


@contextmanager
def somebody_with_the_databases_password() -> Iterator[CursorWrapper]:
    """Switches off what makes the tables append-only, as whoever owns them can."""
    tables = ("annotation_auditevent", "annotation_auditseal")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only")
        yield cursor
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER append_only")
