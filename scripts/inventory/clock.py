"""A clock that stands still, for Python and for PostgreSQL."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, datetime
from unittest import mock

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models.functions import Now
from django.template import defaultfilters
from django.utils import timezone
from django.utils.timesince import timesince

# Found before PostgreSQL's own, since the schema comes first in the search path.
_SCHEMA = "standing_clock"
_FUNCTIONS = ("now", "clock_timestamp", "statement_timestamp", "transaction_timestamp")


@contextmanager
def standing_at(instant: datetime) -> Iterator[None]:
    """It is `instant` all the time, for whoever asks Django, `time.time` or the open database, which has people.

    The database keeps its standing clock. Raises RuntimeError where somebody would be told another time.
    """
    _stop_database(instant)

    def since(start: date, now: date | None = None) -> str:
        return timesince(start, now or instant)

    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(timezone, "now", return_value=instant))
        stack.enter_context(mock.patch.object(time, "time", instant.timestamp))
        stack.enter_context(mock.patch.object(defaultfilters, "timesince", since))  # it asks the system otherwise
        _check(instant)
        yield


def _stop_database(instant: datetime) -> None:
    database = connection.ops.quote_name(str(connection.settings_dict["NAME"]))
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {_SCHEMA}")
        for function in _FUNCTIONS:
            cursor.execute(
                f"CREATE FUNCTION {_SCHEMA}.{function}() RETURNS timestamptz STABLE LANGUAGE sql "
                f"RETURN timestamptz '{instant.isoformat()}'"
            )
        cursor.execute(f"ALTER DATABASE {database} SET search_path = {_SCHEMA}, pg_catalog, public")
    connection.close()


def _check(instant: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(f'{function}()' for function in _FUNCTIONS)}")
        told = set(cursor.fetchone() or ())
    told |= {timezone.now(), *get_user_model().objects.annotate(told=Now()).values_list("told", flat=True)[:1]}
    if told != {instant}:
        raise RuntimeError(f"The clock does not stand still: {told}")
