"""Logs: a line of JSON for each event, with the request that it belongs to and without secrets."""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

# Addresses that let their holder in or act for somebody: invitations, the way out of reminders, password resets,
# confirmations of an address.
SECRET_PATHS = re.compile(r"(/(?:invitations|reminders/stop|password/reset/key|confirm-email)/)[^/\s?]+")

# The request that is being answered; empty elsewhere.
request_id: ContextVar[str] = ContextVar("the id of the request that is being answered", default="")
# What a line may have besides its message: see `scrub_site.watching.middleware`.
FIELDS: Final = ("method", "path", "status", "milliseconds")


def without_secrets(text: str) -> str:
    """A path, or a text with paths, in which personal links keep only their beginning."""
    return SECRET_PATHS.sub(r"\1…", text)


class WithoutSecretPaths(logging.Filter):
    """Django logs the path of refused and failed requests; personal links keep only their beginning there."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if SECRET_PATHS.search(message):
            record.msg, record.args = without_secrets(message), None
        return True


class JsonLines(logging.Formatter):
    """Each record as one line of JSON, whatever is in it."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, object] = {
            "time": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if asked := request_id.get():
            line["request"] = asked
        line |= {name: value for name in FIELDS if (value := getattr(record, name, None)) is not None}
        if record.exc_info:
            line["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
