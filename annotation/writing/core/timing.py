"""When a writer is due a break."""

from collections.abc import Iterable
from datetime import datetime, timedelta


def break_ends(
    answers: Iterable[tuple[datetime, datetime]], *, per_session: int, rest: timedelta
) -> datetime | None:
    """Return when the break owed after these answers is over; None where none is owed.

    `answers` are the start and the end of everything one person has written, in any order. A session is a run of
    answers without a pause of at least `rest` between them; after `per_session` answers in one session a break is
    owed. Raises `ValueError` where `per_session` is below 1.
    """
    if per_session < 1:
        raise ValueError(f"{per_session} prompts make no session.")
    in_session, ended = 0, None
    for start, end in sorted(answers):
        if ended and start - ended >= rest:
            in_session = 0
        in_session, ended = in_session + 1, end
    return ended + rest if ended and in_session >= per_session else None
