"""Trials as a study designs them: scenarios, conditions, and the cases made of both."""

import pytest

from annotation.judging.models.judging import GuessOption
from annotation.platform.core.errors import Refused
from annotation.study.models.prompts import Prompt
from generation.trials.core.conditions import SHIPPED_CONDITIONS, SHIPPED_TOML
from generation.trials.core.scenarios import EXAMPLES
from generation.trials.models import TrialCase, TrialScenario
from generation.trials.services.designs import add_scenarios, change_design, make_cases, remove_scenario
from generation.trials.services.loads import load_of
from tests.factories import coordinator_of, locked
from tests.generation.calls.model_runs import a_target
from tests.generation.trials.trials import EVALUATORS, a_trial_study

pytestmark = pytest.mark.django_db

THREE = SHIPPED_TOML[: SHIPPED_TOML.index('\n[[conditions]]\nkey = "self_sovereignty"')]


def test_the_preset_has_no_writing_or_calibration_lets_judges_guess_conditions_and_brings_a_rubric() -> None:
    study = a_trial_study()
    assert study.rubric.slug == "constitutional_reasoning"
    assert (study.has_writing, study.has_judging, study.answers_per_item) == (False, False, 6)
    assert (study.quality_floor_prompts, study.source_attribution_prompts) == (0, 0)
    options = list(GuessOption.objects.filter(study=study).values_list("key", flat=True))
    assert options == [each.key for each in SHIPPED_CONDITIONS.conditions], "no controls, which nobody judges"


def test_a_case_is_a_prompt_whose_code_tells_neither_scenario_nor_model() -> None:
    study = a_trial_study(scenarios=2)
    cases = TrialCase.objects.filter(prompt__study=study)
    assert sorted(cases.values_list("prompt__code", flat=True)) == [f"CASE_{n:02}" for n in range(1, 5)]
    for case in cases:
        assert case.prompt.versions.get().text == case.scenario.text
    assert make_cases(study=study, by=coordinator_of(study)) == 4
    assert set(Prompt.objects.filter(study=study)) == {case.prompt for case in cases}  # nothing was made anew
    assert locked(study).state == "assembling"


def test_other_scenarios_or_another_allotment_make_cases_to_be_made_anew() -> None:
    study = a_trial_study(scenarios=2)
    by = coordinator_of(study)
    assert add_scenarios(study=study, new=EXAMPLES[:3], by=by) == (1, 2)
    assert not Prompt.objects.filter(study=study).exists()
    assert make_cases(study=study, by=by) == 6
    change_design(study=study, by=by, models_per_new=1)
    assert make_cases(study=study, by=by) == 3
    remove_scenario(scenario=TrialScenario.objects.filter(study=study)[0], by=by)
    assert make_cases(study=study, by=by) == 2


def test_a_key_cannot_stand_for_two_scenarios() -> None:
    study = a_trial_study(scenarios=1)
    other = [EXAMPLES[1], type(EXAMPLES[0])(**{**vars(EXAMPLES[0]), "question": "So?"})]
    with pytest.raises(Refused, match="“ferry_timetable” stands for another"):
        add_scenarios(study=study, new=other, by=coordinator_of(study))
    assert TrialScenario.objects.filter(study=study).count() == 1


def test_an_item_shows_an_answer_of_each_condition_unless_it_shows_one_at_a_time() -> None:
    study = a_trial_study()
    change_design(study=study, by=coordinator_of(study), conditions=THREE)
    assert (study.model_answers_per_item, study.model_targets_expected) == (3, 3)
    alone = a_trial_study("alone", model_answers_per_item=1)
    change_design(study=alone, by=coordinator_of(alone), conditions=THREE)
    assert (alone.model_answers_per_item, alone.model_targets_expected) == (1, 3)


def test_a_plan_counts_cases_answers_and_calls_of_each_approach_before_anything_is_asked() -> None:
    study = a_trial_study(scenarios=8)
    load = load_of(study)
    assert (load.cases, load.answers, load.control_answers) == (14, 84, 28)
    each = (84 + 28) * len(EVALUATORS)
    assert [(approach.letter, approach.calls) for approach in load.approaches] == [
        ("A", each),
        ("B", each),
        ("C", 2 * each),
        ("D", each),
    ]
    assert load.cost == 0  # the demonstration's models cost nothing
    assert load_of(study, repeats=3).evaluator_calls == 3 * load.evaluator_calls
    a_target(study, "dear", role="panel", price={"input": "1000", "output": "2000"})
    assert (load_of(study).cost or 0) > 0


def test_trials_are_fixed_with_the_design() -> None:
    study = locked(a_trial_study())
    by = coordinator_of(study)
    for verb in (
        lambda: add_scenarios(study=study, new=EXAMPLES, by=by),
        lambda: change_design(study=study, by=by, margin=20.0),
        lambda: make_cases(study=study, by=by),
        lambda: remove_scenario(scenario=TrialScenario.objects.filter(study=study)[0], by=by),
    ):
        with pytest.raises(Refused, match="locked"):
            verb()
