"""The kinds of work on runs, as the task table has them."""

PLAN_RUN = "plan_run"
WORK_RUN = "work_run"
SEND_BATCH = "send_batch"
LOOK_AT_BATCH = "look_at_batch"


def subject_of_lane(run_id: int, lane: int | str) -> str:
    """What `WORK_RUN` is done for: several workers work one run, each in a lane of its own."""
    return f"{run_id}/{lane}"


def run_of(subject: str) -> str:
    """The run's id in such a subject."""
    return subject.partition("/")[0]
