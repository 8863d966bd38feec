"""Life cycles of machine work."""

from annotation.core.lifecycle import Lifecycle, Transition

RUN = Lifecycle(
    "The run",
    ("planned", "running", "stopped", "finished"),
    (
        Transition("start", "planned", "running", "somebody approved the plan"),
        Transition("stop", "running", "stopped", "somebody, or a spent account, stopped it"),
        Transition("start", "stopped", "running", "it goes on where it stopped"),
        Transition("finish", "running", "finished", "every call has its outcome"),
    ),
)

CALL = Lifecycle(
    "The call",
    ("pending", "accepted", "failed"),
    (
        Transition("accept", "pending", "accepted", "a reply was good enough to keep"),
        Transition("fail", "pending", "failed", "its outcome is final, or its attempts are used up"),
        Transition("retry", "failed", "pending", "somebody asks for it again"),
    ),
)
