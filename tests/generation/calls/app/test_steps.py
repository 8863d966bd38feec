"""Naming the models that answer is a step of the study's checklist, from its design until judging opens."""

import pytest

from annotation.coordination.core.checklist import Duty
from annotation.study.models.studies import Study
from generation.calls.selectors.steps import step_of_naming
from generation.calls.services.targets_in_use import retire_target
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import a_target

pytestmark = pytest.mark.django_db


def naming(study: Study) -> Duty:
    [step] = step_of_naming(study)
    return step


def test_naming_models_is_settled_once_as_many_are_named_as_the_design_wants() -> None:
    study = a_study(model_targets_expected=2)
    assert (naming(study).is_settled, naming(study).told) == (False, "0 of 2 models")
    first = a_target(study, "claude")
    a_target(study, "panel", role="panel")
    assert (naming(study).is_settled, naming(study).told) == (False, "1 of 2 models")
    a_target(study, "gpt")
    assert naming(study).is_settled
    retire_target(target=first, by=coordinator_of(study))
    assert not naming(study).is_settled
