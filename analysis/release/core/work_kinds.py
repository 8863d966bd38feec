"""The kind of work on releases, as the task table has it."""

PREPARE_RELEASE = "prepare_release"
