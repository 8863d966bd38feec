"""Studies in which nobody writes, nobody judges, or an item shows one answer, from design to release."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from analysis.blinding.services.verification import check_blinding
from analysis.frozen.models import Freeze
from annotation.assignment.services import assembling, designing
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm
from tests import ceremony
from tests.analysis.release.app.test_verify_release import unpacked
from tests.analysis.report.analyses import analysed, asked_for
from tests.clients import signed_in
from tests.factories import (
    a_judged_study,
    a_member,
    a_study,
    admit_all,
    closed,
    coordinator_of,
    locked,
    researchers_of,
    unblinded,
)

pytestmark = pytest.mark.django_db

MODELS_WRITE: dict[str, Any] = {
    "answers_per_prompt": 0,
    "human_answers_per_item": 0,
    "model_answers_per_item": 2,
    "guess_items": 0,
}
MODELS_ALONE: dict[str, Any] = {**MODELS_WRITE, "model_targets_expected": 2, "ratings_per_prompt": 0}


def opened(study: Study) -> Study:
    """A study in which nobody writes, locked, after its models' answers came in and judging was opened."""
    locked(study)
    for prompt in Prompt.objects.filter(study=study):
        admit_all(prompt, Arm.MODEL, [f"family-{number + 1}" for number in range(study.model_targets_expected)])
    assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
    study.refresh_from_db()
    return study


def test_locking_a_study_in_which_nobody_writes_leads_past_writing_and_not_back() -> None:
    study = locked(a_study(**MODELS_ALONE))
    assert study.state == "assembling"
    assert list(study.steps.values_list("verb", flat=True)) == ["lock_design", "close_writing"]
    with pytest.raises(Refused, match="Nobody writes"):
        designing.resume_writing(study=study, by=coordinator_of(study))


def test_a_study_of_models_alone_goes_from_design_to_a_release_that_verifies(tmp_path: Path) -> None:
    study = opened(a_study(**MODELS_ALONE))
    assert study.state == "judging"
    assert not JudgingItem.objects.exists()
    assert closed(study).state == "closed"
    assert Freeze.objects.get(study=study).rows == 0
    assert unblinded(study).state == "unblinded"
    assert not check_blinding(study).differences
    release = ceremony.published(study)
    call_command("verify_blinding", release=unpacked(release, tmp_path), stdout=StringIO())
    study.refresh_from_db()
    assert study.state == "released"
    run = analysed(asked_for(study))
    assert run.problem == "", run.problem
    client = signed_in(researchers_of(study)[0])
    for name in ("study", "results", "certificate", "releases", "study_record"):
        page = client.get(reverse(name, args=[study.slug]))
        assert page.status_code == 200, name
        assert reverse("judgments_csv", args=[study.slug]) not in page.content.decode(), name  # nobody judged


def test_an_item_of_one_answer_is_judged_and_its_release_verifies() -> None:
    study = a_judged_study(0, 1, 2, prompts=2)
    assert set(BlindedSlot.objects.values_list("label", flat=True)) == {"A"}
    unblinded(closed(study))
    assert not check_blinding(study).differences
    ceremony.published(study)
    assert analysed(asked_for(study)).problem == ""


def test_nobody_judges_but_people_write_too() -> None:
    study = a_study(ratings_per_prompt=0)
    a_member(study, Role.WRITER)
    locked(study)
    assert study.state == "writing"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({**MODELS_ALONE, "every_writer_answers_every_prompt": True}, "no prompt collects an answer"),
        ({**MODELS_WRITE, "model_answers_per_item": 1, "judging_mode": "ranking"}, "cannot be ranked"),
    ],
)
def test_what_contradicts_a_study_without_writing_or_with_one_answer_is_refused(
    parameters: dict[str, Any], said: str
) -> None:
    with pytest.raises(Refused, match=said):
        a_study(**parameters)
