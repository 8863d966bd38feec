"""What calls are for is told to them from above, once, whatever part of the site is started."""

from typing import Final

import pytest

from generation.calls.forms import PLAN_FORMS
from generation.calls.models import GenerationRun
from generation.calls.services.purposes import purpose_named
from generation.catalogue.models import Target

PLANNED_ELSEWHERE: Final = frozenset(
    {
        "framing",
        "framing_check",
        "framed_answer",
        "framed_score",
        "trial_answer",
        "trial_score",
        "trial_code",
        "prediction",
        "rephrasing",
        "answer_mark",
    }
)


@pytest.mark.parametrize("name", GenerationRun.Purpose.values)
def test_every_purpose_of_a_run_is_there_with_its_form_unless_a_page_of_its_own_plans_it(name: str) -> None:
    assert purpose_named(name).role in Target.Role
    assert (name in PLAN_FORMS) != (name in PLANNED_ELSEWHERE)


def test_an_unknown_purpose_is_told_with_those_that_are_known() -> None:
    with pytest.raises(
        KeyError, match="'gossip'; known: answer_mark, answers, concepts, framed_answer, framed_score"
    ):
        purpose_named("gossip")
