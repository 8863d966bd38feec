"""The kind of work on maps, as the task table has it."""

DRAW_MAP = "draw_map"
