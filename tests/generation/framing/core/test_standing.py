"""A prompt's framings pass together or fail together, by the checks that are asked for."""

from typing import Any

import pytest

from generation.framing.core.mechanical_checks import Finding
from generation.framing.core.requests import Verdict
from generation.framing.core.standing import CHECKS, standing

YES = (Verdict("empirical_i", "self_contained", True, "It is."),)
NO = (*YES, Verdict("emotion_agree", "reads_like_a_person", False, "It lectures."))
FOUND = (Finding("empirical_i", "It has 3 words; 12 to 160 are wanted."),)
DONE: dict[str, Any] = {"gave_up": False, "check_failed": False, "findings": (), "model": YES, "people": [YES]}


@pytest.mark.parametrize(
    ("needs", "facts", "state", "says"),
    [
        (CHECKS, DONE, "passed", ""),
        (CHECKS, {"findings": None}, "waiting", "not written yet"),
        (CHECKS, {"findings": None, "gave_up": True}, "failed", "no reply that could be used"),
        (CHECKS, {"gave_up": True}, "passed", ""),  # asked again later, it failed; what was written stands
        (CHECKS, {"findings": FOUND}, "failed", "empirical_i: It has 3 words"),
        (["model", "person"], {"findings": FOUND}, "passed", ""),
        (CHECKS, {"model": None}, "waiting", "A model has not checked"),
        (["person"], {"model": None}, "passed", ""),
        (CHECKS, {"model": None, "check_failed": True}, "failed", "The model that checks gave no reply"),
        (["person"], {"model": None, "check_failed": True}, "passed", ""),
        (CHECKS, {"check_failed": True}, "passed", ""),  # another check came
        (CHECKS, {"model": NO}, "failed", "No, says a model. It lectures."),
        (["person"], {"model": NO}, "passed", ""),
        (CHECKS, {"people": []}, "waiting", "A person has not checked"),
        (CHECKS, {"people": [YES, NO]}, "failed", "No, says a person."),
        (CHECKS, {"model": NO, "people": []}, "failed", "says a model"),  # nobody needs to read these
    ],
    ids=range(16),
)
def test_framings_stand_as_their_checks_say(needs: list[str], facts: dict[str, Any], state: str, says: str) -> None:
    found = standing(needs, **{**DONE, **facts})
    assert found.state == state
    assert says in found.reason
    assert bool(found.reason) == (state != "passed")
