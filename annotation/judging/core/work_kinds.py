"""The kind of work on judging items, as the task table has it."""

from typing import Final

LAPSE_ITEM: Final = "lapse_judging_item"
