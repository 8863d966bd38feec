"""The kinds of work on writing, as the task table has them."""

from typing import Final

MAIL_RECEIPT: Final = "mail_writing_receipt"
FINALISE_WRITING: Final = "finalise_writing"
