"""Work on texts that others do too, by name."""

from typing import Final

AFTER_WITHDRAWAL: Final = "after_withdrawal"
"""Deleting files in which there may be data that somebody has withdrawn, or a text that was withheld."""
