"""What somebody has shown in a session, and whether that was a moment ago."""

from datetime import timedelta
from typing import Final

from django.http import HttpRequest

from annotation.platform.services.clock import database_now

COUNTS_FOR: Final = timedelta(minutes=5)  # as long as with allauth


def note_shown(request: HttpRequest, key: str) -> None:
    """Keep under this key of the session that it has just been shown."""
    request.session[key] = database_now().timestamp()


def is_recent(request: HttpRequest, key: str) -> bool:
    """Whether it was shown within `COUNTS_FOR`."""
    shown_at = request.session.get(key)
    return shown_at is not None and database_now().timestamp() - shown_at < COUNTS_FOR.total_seconds()
