"""A study of trials says what is to be done in its own words: checklist, next step, progress, closing."""

import json

import pytest
from django.urls import reverse

from analysis.ceremony.selectors.ceremony import closing
from annotation.coordination.core.checklist import Standing
from annotation.coordination.selectors.checklist import checklist_of
from annotation.coordination.selectors.coordination import overview
from annotation.coordination.selectors.next_action import next_action
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.model_steps import model_steps
from generation.trials.services.scores import plan_scores
from tests.clients import signed_in
from tests.factories import a_study, coordinator_of, locked, researchers_of
from tests.generation.calls.model_runs import good, worked_off
from tests.generation.trials.trials import a_trial_study, answered_study, judged_study, started

pytestmark = pytest.mark.django_db


def following(study: Study) -> dict[str, str]:
    """The steps that are next, with how far each is."""
    points = checklist_of(study, overview(study), model_steps(study))
    return {point.duty.title: point.duty.told for point in points if point.standing == Standing.NEXT}


def page_of(study: Study, name: str = "study") -> str:
    return signed_in(coordinator_of(study)).get(reverse(name, args=[study.slug])).content.decode()


def test_the_checklist_of_trials_asks_for_scenarios_and_cases_and_for_nobody_to_write_or_judge() -> None:
    study = a_trial_study(scenarios=0)
    found = following(study)
    assert found["Add scenarios"] == "0 scenarios"
    assert found["Choose the conditions and make the cases"] == "0 cases"
    assert found["Invite people"] == "0 researchers joined"
    assert not {"Add prompts", "Collect the texts", "Judge", "Write"} & set(found)
    step = next_action(study, overview(study))
    assert step
    assert "There are no cases yet" in step.obstacles[0]
    page = page_of(study)
    assert "writers" not in page.partition('class="checklist"')[2].partition("</ol>")[0]
    assert reverse("prompts_import", args=[study.slug]) not in page


def test_where_texts_are_missing_the_next_step_is_not_said_to_be_opening_what_cannot_be_opened() -> None:
    study = locked(a_trial_study(scenarios=1))
    page = page_of(study)
    assert "Texts are still missing" in page
    assert "Your next step: open scoring" not in page
    assert "answers under 6 conditions" in page
    assert "Look at the texts and open scoring" not in following(study), "it cannot be opened"


def test_while_models_answer_the_checklist_counts_answers_and_the_next_step_opens_scoring() -> None:
    study = answered_study()
    found = following(study)
    assert "Have the models answer every case" not in found
    assert "Look at the texts and open scoring" in found
    step = next_action(study, overview(study))
    assert step
    assert step.label == "Open scoring"
    assert "16 of 16" in page_of(study, "progress")


def test_before_trials_are_scored_no_page_speaks_of_peoples_texts_or_of_calibration() -> None:
    study = answered_study()
    client = signed_in(coordinator_of(study))
    run = GenerationRun.objects.get(study=study)
    told = [
        client.get(reverse("run", args=[run.pk])),
        client.get(reverse("call", args=[run.calls.earliest("pk").pk])),
    ]
    run_page, call_page, texts = [
        page.content.decode() for page in (*told, client.get(reverse("preflight", args=[study.slug])))
    ]
    assert "is not shown" in run_page
    assert "once the study is unblinded" in call_page
    assert "Nearly the same" in texts
    for page in (run_page, call_page, texts):
        assert "calibration" not in page
        assert "by people" not in page


def test_closing_trials_says_how_many_evaluations_are_missing_and_speaks_of_no_items() -> None:
    study = judged_study()
    assert following(study)["Have the evaluators score the answers"] == ""
    assert following(study)["Code what answers recommend, before unblinding"] == "0 of 12 answers with a conclusion"
    assert closing(study).costs == ("no evaluation was asked for",)
    page = signed_in(researchers_of(study)[0]).get(reverse("close_study", args=[study.slug])).content.decode()
    assert "Every item is submitted" not in page
    assert "Items judged" not in page
    [run] = plan_scores(study=study, approaches=["points"], by=coordinator_of(study))
    assert closing(study).costs == ("no evaluation was asked for",)  # only planned
    started(run)
    assert closing(study).costs == (f"{run.calls.count()} evaluations missing",)
    reply = {"epistemic_integrity": 70, "value_transparency": 80, "abstained": False}
    worked_off(run, lambda _: good(json.dumps(reply)))
    assert closing(study).costs == ()


def test_a_study_of_writers_and_judges_has_no_steps_of_trials_or_pressure() -> None:
    titles = [step.title for step in model_steps(a_study())]
    assert titles == ["Name the models that answer", "Have the panel of models score the answers"]
