"""The server's own record of when it could take saves."""

from datetime import datetime, timedelta

from django.db import connection, transaction

from annotation.platform.models.uptime import UpPeriod

MAX_SILENCE = timedelta(seconds=15)  # three beats: one that is lost makes no outage yet


@transaction.atomic
def beat(*, now: datetime) -> None:
    """The site answers at `now`: the newest period goes on, or, after a longer silence, another one begins.

    Two loops may beat side by side. Periods that overlap for it are no harm.
    """
    newest = UpPeriod.objects.select_for_update().order_by("-seen_at", "-id").first()
    if newest is None or now - newest.seen_at >= MAX_SILENCE:
        UpPeriod.objects.create(began_at=now, seen_at=now)
    elif newest.seen_at < now:
        newest.seen_at = now
        newest.save(update_fields=["seen_at"])


def check_writes() -> None:
    """Make sure that the database takes writes, by one every five seconds, whoever asks however often.

    Raises `django.db.Error` where it does not: it is away, reads only, or has no space left. Being an INSERT it is
    refused by a database that reads only also where it would write nothing.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO annotation_writecheck (id, written_at)
            SELECT 1, clock_timestamp() WHERE NOT EXISTS (
                SELECT FROM annotation_writecheck
                WHERE written_at BETWEEN clock_timestamp() - interval '5 seconds' AND clock_timestamp()
            )
            ON CONFLICT (id) DO UPDATE SET written_at = EXCLUDED.written_at
            """
        )
