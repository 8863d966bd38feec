"""When somebody may point something out to the coordinator."""

from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Participation, Role
from annotation.study.policies.participation import check_ready

TASK_OF = {Role.WRITER: "writing", Role.JUDGE: "judging"}


def check_may_flag(participation: Participation) -> None:
    """Raise `Refused` unless the work of this writer or judge is going on."""
    check_ready(participation)
    task = TASK_OF.get(Role(participation.role))
    if participation.study.state != task:
        raise Refused("The work that this is about is over, or interrupted. Write to the coordinator instead.")
