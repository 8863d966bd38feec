"""The one clock of the study: the database's. Hosts whose own clocks differ agree by it."""

from datetime import date, datetime

from django.db import connection
from django.utils import timezone


def database_now() -> datetime:
    """The time now, not the transaction's start."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def database_today() -> date:
    """The day it is now in the site's time zone."""
    return timezone.localdate(database_now())
