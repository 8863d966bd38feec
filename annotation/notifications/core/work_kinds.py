"""The kind of work on notifications, as the task table has it."""

from typing import Final

MAIL_NOTIFICATION: Final = "mail_notification"
