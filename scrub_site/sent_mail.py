"""The mail a demonstration has sent, read back from the files that Django's file mail backend writes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

SEPARATOR = b"\n" + b"-" * 79 + b"\n"  # what the backend writes after each message of a file


@dataclass(frozen=True)
class Mail:
    to: str
    subject: str
    sent_at: datetime
    body: str


def mails(folder: Path, *, limit: int = 100) -> list[Mail]:
    """The newest `limit` mails, newest first; none where nothing has been sent yet."""
    files = sorted(folder.glob("*.log"), key=lambda path: path.stat().st_mtime, reverse=True)[:limit]
    found = [mail for path in files for mail in _mails_of(path)]
    return sorted(found, key=lambda mail: mail.sent_at, reverse=True)[:limit]


def _mails_of(path: Path) -> Iterator[Mail]:
    """The mails of one file, the last first, so that mails of the same second stay newest first when sorted."""
    parts = path.read_bytes().split(SEPARATOR)
    for part in reversed(parts):
        if part.strip():
            yield _parse(part)


def _parse(raw: bytes) -> Mail:
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)  # noqa: S101 - the policy's message class
    text = message.get_body(preferencelist=("plain",))
    return Mail(
        to=str(message["To"]),
        subject=str(message["Subject"]),
        sent_at=message["Date"].datetime,
        body=str(text.get_content()).strip() if text else "",
    )
