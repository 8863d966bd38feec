"""The kind of work on flags, as the task table has it."""

from typing import Final

SCAN_FLAG: Final = "scan_flag"
