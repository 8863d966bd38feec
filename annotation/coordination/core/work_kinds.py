"""The kind of work on reminders, as the task table has it."""

from typing import Final

MAIL_REMINDER: Final = "mail_reminder"
