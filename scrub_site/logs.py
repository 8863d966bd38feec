"""Filters that keep secrets out of the logs."""

import logging
import re

# Addresses that let their holder in or act for somebody: invitations, the way out of reminders, password resets,
# confirmations of an address.
SECRET_PATHS = re.compile(r"(/(?:invitations|reminders/stop|password/reset/key|confirm-email)/)[^/\s?]+")


class WithoutSecretPaths(logging.Filter):
    """Django logs the path of refused and failed requests; personal links keep only their beginning there."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if SECRET_PATHS.search(message):
            record.msg, record.args = SECRET_PATHS.sub(r"\1…", message), None
        return True
