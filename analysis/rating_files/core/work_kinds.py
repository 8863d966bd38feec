"""The kind of work on files of ratings, as the task table has it."""

from typing import Final

ANALYSE_FILE: Final = "analyse_file"
