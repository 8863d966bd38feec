"""The kinds of work on offices of unblinder, as the task table has them."""

from typing import Final

MAIL_NOTICE: Final = "mail_office_notice"
MAIL_RECOVERY: Final = "mail_recovery"  # its subject is the study's id
WATCH_UNBLINDERS: Final = "watch_unblinders"
