"""The Retry-After header: how long a server asks its clients to wait."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds_to_wait(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Seconds from 0 that `retry-after-ms` or `retry-after` asks for, None where neither can be read.

    `headers` have lower-case names. A date is compared with the server's own clock, its `date`, and with `now`
    where it sends none.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after", "")
    seconds = _number(asked)
    if seconds is not None:
        return seconds
    until = _moment(asked)
    if until is None:
        return None
    return max((until - (_moment(headers.get("date", "")) or now)).total_seconds(), 0)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(number, 0) if math.isfinite(number) else None


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
