"""Writing: the room in which answers are written against the clock, and the coordinator’s desk beside it."""
