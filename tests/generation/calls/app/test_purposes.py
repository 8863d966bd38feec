"""What calls are for is told to them from above, once, whatever part of the site is started."""

import pytest

from generation.calls.forms import PLAN_FORMS
from generation.calls.models import GenerationRun
from generation.calls.services.purposes import purpose_named
from generation.catalogue.models import Target


@pytest.mark.parametrize("name", GenerationRun.Purpose.values)
def test_every_purpose_of_a_run_is_there_with_its_form(name: str) -> None:
    assert purpose_named(name).role in Target.Role
    assert PLAN_FORMS[name].purpose == name


def test_an_unknown_purpose_is_told_with_those_that_are_known() -> None:
    with pytest.raises(KeyError, match="'gossip'; known: answers, pairs, panel, prompts, quality"):
        purpose_named("gossip")
