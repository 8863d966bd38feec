"""The pages of trials, as a coordinator uses them."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.study.models.studies import Study
from generation.catalogue.models import Target
from generation.trials.core.scenarios import EXAMPLES_TOML
from generation.trials.models import TrialDesign, TrialScenario
from tests.clients import signed_in
from tests.factories import a_person, coordinator_of, locked
from tests.generation.trials.trials import a_trial_study, judged_study

pytestmark = pytest.mark.django_db

SETTINGS = {
    "turn": "user",
    "models_per_new": 2,
    "models_per_known": 1,
    "seed": 42,
    "margin": "4.5",
    "smallest_effect": "5",
}


def test_scenarios_are_brought_and_taken_out_and_the_plan_counts_what_they_take() -> None:
    study = a_trial_study(scenarios=0)
    client = signed_in(coordinator_of(study))
    file = SimpleUploadedFile("scenarios.toml", EXAMPLES_TOML.encode())
    page = client.post(reverse("trial_scenarios_import", args=[study.slug]), {"file": file}, follow=True)
    assert "Added: 8 scenarios." in page.content.decode()
    again = client.post(reverse("trial_scenarios_examples", args=[study.slug]), follow=True)
    assert "there already" in again.content.decode()
    pk = TrialScenario.objects.get(study=study, key="ferry_timetable").pk
    client.post(reverse("trial_scenario_remove", args=[study.slug, pk]))
    assert TrialScenario.objects.filter(study=study).count() == 7
    plan = client.get(reverse("trial_conditions", args=[study.slug])).content.decode()
    assert "72 answers: 12 cases under 6 conditions" in plan
    client.post(reverse("trial_cases", args=[study.slug]))
    assert study.prompts.count() == 12


def test_the_validation_protocol_is_prepared_in_one_click_once_models_are_named() -> None:
    study = a_trial_study(scenarios=0)
    client = signed_in(coordinator_of(study))
    Target.objects.filter(study=study, role="answers").update(role="prompts")
    address = reverse("trial_validation", args=[study.slug])
    assert "No model is there to answer" in client.post(address, follow=True).content.decode()
    assert not TrialScenario.objects.filter(study=study).exists()
    Target.objects.filter(study=study, role="prompts").update(role="answers")
    page = client.post(address, follow=True).content.decode()
    assert "The validation is prepared: 14 cases" in page
    assert "84 answers: 14 cases under 6 conditions, and 28 positive controls" in " ".join(page.split())


def test_a_scenario_is_added_by_form_with_a_fact_in_each_line() -> None:
    study = a_trial_study(scenarios=0)
    client = signed_in(coordinator_of(study))
    said = {"key": "ferry", "title": "A ferry", "situation": "Here.", "facts": "One.\n\nTwo.", "question": "So?"}
    address = reverse("trial_scenarios", args=[study.slug])
    assert client.post(address, {**said, "key": "Not a key"}).status_code == 400
    assert client.post(address, said).status_code == 302
    assert TrialScenario.objects.get(study=study).facts == ["One.", "Two."]


def test_settings_and_conditions_are_kept_until_the_design_is_locked() -> None:
    study = a_trial_study()
    client = signed_in(coordinator_of(study))
    address = reverse("trial_conditions", args=[study.slug])
    assert client.post(address, SETTINGS).status_code == 302
    assert "nobody judges" not in client.get(address).content.decode()
    nobody = {"model_answers_per_item": study.model_answers_per_item, "ratings_per_prompt": 0}
    Study.objects.filter(pk=study.pk).update(model_answers_per_item=1, ratings_per_prompt=2)
    assert "of each case nobody judges 4 answers" in client.get(address).content.decode()
    Study.objects.filter(pk=study.pk).update(**nobody)
    design = TrialDesign.objects.get(study=study)
    assert (design.turn, design.margin) == ("user", 4.5)
    broken = SimpleUploadedFile("conditions.toml", b"key = 3")
    page = client.post(address, {**SETTINGS, "file": broken})
    assert page.status_code == 400
    assert "is missing in the file" in page.content.decode()
    western = SimpleUploadedFile("conditions.toml", "# Café\n".encode("latin-1"))
    page = client.post(address, {**SETTINGS, "file": western})
    assert "Line 1 is not UTF-8 text. Read as Windows-1252 (Latin-1) it says “# Café”." in page.content.decode()
    locked(study)
    assert "Fixed since the design was locked" in client.get(address).content.decode()
    assert client.post(address, SETTINGS).status_code == 400


def test_answers_are_planned_and_their_run_says_where_frameworks_are_told() -> None:
    study = locked(a_trial_study(scenarios=1))
    client = signed_in(coordinator_of(study))
    page = client.post(reverse("trial_answers", args=[study.slug]), {"repeats": 1}, follow=True)
    assert "as the system turn" in page.content.decode()
    progress = client.get(reverse("trial_approaches", args=[study.slug])).content.decode()
    assert "0 of 12 answers" in progress
    assert "Plan to have cases answered" in progress
    assert "Plan to have answers evaluated" not in progress, "there is nothing to evaluate"
    assert "Evaluators are asked once scoring is open" in progress
    # Nobody writes or judges, and the pages say what is done instead.
    home = client.get(reverse("study", args=[study.slug])).content.decode()
    assert "<span>Answering</span>" in home
    assert "<span>Scoring</span>" in home
    assert "Models answer the cases." in home
    administrator = signed_in(a_person("Ada Administrator", is_staff=True))
    assert "Answering" in administrator.get(reverse("administration")).content.decode()
    models = " ".join(client.get(reverse("study_models", args=[study.slug])).content.decode().split())
    assert "Each answers scenarios, every one of them under all conditions." in models
    assert "Each evaluates every answer, without a perspective." in models
    assert "shows judges" not in models


def test_once_scoring_is_open_the_page_says_why_no_more_answers_can_be_asked_for() -> None:
    study = judged_study()
    page = signed_in(coordinator_of(study)).get(reverse("trial_approaches", args=[study.slug])).content.decode()
    assert "before scoring opens" in page
    assert "Plan to have cases answered" not in page
    assert "Plan to have answers evaluated" in page
