"""The kinds of work on analyses, as the task table has them."""

COMPUTE_MASKED = "compute_masked"
COMPUTE_FULL = "compute_full"
COMPUTE_PRESSURE = "compute_pressure"
