"""What is declared of a kind of background work, once, in the package of its subject."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

MAX_ATTEMPTS: Final = 12
# Mails wait out a server that is away for about half a day. One that hangs holds its worker for a minute.
MAIL: Final = "mail"
MAIL_ATTEMPTS: Final = 150
MAIL_TIME_LIMIT: Final = timedelta(seconds=60)


@dataclass(frozen=True)
class WorkRows:
    """The rows that a kind of work is done for: their model, and how to tell coordinators of one.

    `found` gives what a row is called and the address of the page that shows it. `study` leads from a row to its
    study, `related` to what `found` takes, `row` from a subject of the work to the row's id.
    """

    model: type[Any]
    found: Callable[[Any], tuple[str, str]]
    related: tuple[str, ...] = ()
    study: str = "study"
    row: Callable[[str], str] = str


@dataclass(frozen=True)
class WorkKind:
    """A kind of background work.

    `name` is what the task table has. `handler` does the work for a subject; it may be run twice without harm.
    `label` says what did not come about, after what the row is called: "was not drawn". `queue` is None for work of
    a few milliseconds that the loop does itself. After `max_attempts` in a row that fail it is given up.
    `rows` is None for work that belongs to no study.
    `time_limit` is how long an attempt may take, where it is not as long as the settings say for every kind.
    """

    name: str
    handler: Callable[[str], None]
    label: str
    rows: WorkRows | None
    queue: str | None = "default"
    max_attempts: int = MAX_ATTEMPTS
    time_limit: timedelta | None = None


def mail_kind(name: str, handler: Callable[[str], None], *, label: str, rows: WorkRows | None) -> WorkKind:
    """A kind of work that mails something: from the queue of mails, and tried for longer than other work."""
    return WorkKind(name, handler, label, rows, MAIL, MAIL_ATTEMPTS, MAIL_TIME_LIMIT)
