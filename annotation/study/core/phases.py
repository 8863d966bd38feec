"""What is said of a phase of a study: that it is not open yet, open, or closed; in these words on every page."""

from dataclasses import dataclass
from typing import Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY

NOT_YET: Final = "not open yet"
OPEN: Final = "open"
CLOSED: Final = "closed"


@dataclass(frozen=True)
class Phase:
    """A phase by its `name` at the beginning of a sentence; it is open while the study is in `state`."""

    name: str
    state: str

    def standing(self, state: str) -> str:
        """How the phase stands while the study is in `state`. Raises `ValueError` for no state of a study."""
        now, then = STUDY.states.index(state), STUDY.states.index(self.state)
        return OPEN if now == then else NOT_YET if now < then else CLOSED


WRITING_PHASE: Final = Phase("Writing", "writing")
JUDGING_PHASE: Final = Phase("Judging", "judging")
AUDIT_PHASE: Final = Phase("The audit", "judging")
PHASES: Final = (WRITING_PHASE, JUDGING_PHASE, AUDIT_PHASE)


def check_open(phase: Phase, state: str, rest: str = ".") -> None:
    """Raise `Refused` with how the phase stands, and the `rest` of the sentence, unless it is open."""
    standing = phase.standing(state)
    if standing != OPEN:
        raise Refused(f"{phase.name} is {standing}{rest}")
