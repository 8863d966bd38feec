"""The kinds of work on texts, as the task table has them."""

from typing import Final

READ_TEXT: Final = "read_text"
AFTER_WITHDRAWAL: Final = "after_withdrawal"
"""Deleting files in which there may be data that somebody has withdrawn, or a text that was withheld."""
