"""The kinds of work on analyses and releases, as the task table has them."""

COMPUTE_MASKED = "compute_masked"
COMPUTE_FULL = "compute_full"
PREPARE_RELEASE = "prepare_release"
