"""When a member of a study may be reminded of their work."""

from datetime import datetime

from django.utils import timezone

from annotation.coordination.core.reminders import Standing, obstacle


def why_not(standing: Standing, *, at: datetime) -> str:
    """Why no reminder that goes at `at` may be asked for, as a predicate; empty where one may.

    At most one waits for a person, and at most one goes to them in 48 hours. Times are those of the active zone.
    """
    if standing.waiting_for:
        return f"has a reminder waiting already, for {_in_words(standing.waiting_for)}"
    found = obstacle(standing, at=at)
    if not found:
        return ""
    if found.until:
        return f"{found.predicate}; the next may go from {_in_words(found.until)}"
    return found.predicate


def _in_words(moment: datetime) -> str:
    return f"{timezone.localtime(moment):%-d %B, %H:%M}"
