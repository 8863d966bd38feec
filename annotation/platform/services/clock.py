"""The one clock of the study: the database's."""

from datetime import datetime

from django.db import connection


def database_now() -> datetime:
    """The time now, not the transaction's start."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now
