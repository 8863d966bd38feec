"""When somebody may point something out to the coordinator."""

from annotation.platform.core.errors import Refused
from annotation.study.core.phases import JUDGING_PHASE, WRITING_PHASE, check_open
from annotation.study.models.participation import Participation, Role
from annotation.study.policies.participation import check_ready

PHASE_OF = {Role.WRITER: WRITING_PHASE, Role.JUDGE: JUDGING_PHASE}


def check_may_flag(participation: Participation) -> None:
    """Raise `Refused` unless the work of this writer or judge is going on."""
    check_ready(participation)
    phase = PHASE_OF.get(Role(participation.role))
    if phase is None:
        raise Refused("Writers and judges point things out here. Write to the coordinator instead.")
    check_open(phase, participation.study.state, " in this study. Write to the coordinator instead.")
