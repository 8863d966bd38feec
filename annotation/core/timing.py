"""The writing clock: when an answer is due, which saves still count, and when a break is owed.

Every time is an aware `datetime` of the server; an untimed study has no deadline, written `None`.
"""

from datetime import datetime, timedelta


def deadline(started_at: datetime, *, minutes: int | None, extra_seconds: int = 0) -> datetime | None:
    """Return when an answer started at `started_at` is due.

    `extra_seconds` (0 or more) is the time granted to this person or credited for an outage. Raises
    `ValueError` where the limit is not positive or the extra time negative.
    """
    if minutes is None:
        return None
    if minutes <= 0 or extra_seconds < 0:
        raise ValueError(f"{minutes} minutes and {extra_seconds} extra seconds make no time limit.")
    return started_at + timedelta(minutes=minutes, seconds=extra_seconds)


def accepts_save(now: datetime, due: datetime | None, *, grace_seconds: int) -> bool:
    """Say whether a save that reached the server at `now` counts.

    The grace allows for the journey: a save counts up to and including `grace_seconds` after the deadline.
    """
    return due is None or now <= due + timedelta(seconds=grace_seconds)


def remaining_seconds(now: datetime, due: datetime | None) -> float | None:
    """Return the seconds left to write, never below 0; None without a limit."""
    return None if due is None else max(0.0, (due - now).total_seconds())


def session_of(position: int, per_session: int) -> int:
    """Return the session of the prompt at `position`, with `per_session` prompts in each; all count from 1.

    A break is owed between two prompts whose sessions differ. Raises `ValueError` for numbers below 1.
    """
    if position < 1 or per_session < 1:
        raise ValueError(f"Position {position} with {per_session} prompts a session: both start at 1.")
    return (position - 1) // per_session + 1
