"""Judging: the room in which blinded answers are scored and ranked. Nothing here can tell who wrote one."""
