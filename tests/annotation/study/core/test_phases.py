"""One word for how a phase of a study stands, whoever asks."""

import pytest

from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY
from annotation.study.core.phases import AUDIT_PHASE, CLOSED, NOT_YET, OPEN, PHASES, Phase, check_open

WORDS = (NOT_YET, OPEN, CLOSED)


@pytest.mark.parametrize("phase", PHASES)
def test_a_phase_is_not_open_yet_then_open_in_one_state_then_closed_and_never_goes_back(phase: Phase) -> None:
    found = [WORDS.index(phase.standing(state)) for state in STUDY.states]
    assert found == sorted(found)
    assert found.count(WORDS.index(OPEN)) == 1


@pytest.mark.parametrize(
    ("state", "said"),
    [("assembling", "The audit is not open yet: so."), ("unblinded", "The audit is closed: so.")],
)
def test_a_refusal_says_how_the_phase_stands_and_the_rest_of_the_sentence(state: str, said: str) -> None:
    with pytest.raises(Refused) as refusal:
        check_open(AUDIT_PHASE, state, ": so.")
    assert str(refusal.value) == said


def test_what_is_open_is_not_refused() -> None:
    check_open(AUDIT_PHASE, "judging")
