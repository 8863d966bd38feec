"""Answers of models at maximum capability: for automated evaluation, and never before a judge."""

import pytest
from django.urls import reverse

from analysis.unblinded.selectors.unblinding import unblinded_judgments
from annotation.assignment.services import assembling
from annotation.coordination.selectors.coordination import overview
from annotation.coordination.selectors.progress import texts_of
from annotation.judging.models.judging import BlindedSlot
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.selectors.stimuli import shortfalls, texts_by_prompt
from annotation.texts.services import intake
from tests.analysis.blinding.tampering import verified
from tests.clients import signed_in
from tests.factories import (
    a_judging_study,
    a_member,
    a_study,
    an_assembling_study,
    an_unblinded_study,
    coordinator_of,
    judging_items_of,
)

pytestmark = pytest.mark.django_db

GIVEAWAY = "As an AI language model, I have weighed it for an hour."


def at_maximum(study: Study, text: str = GIVEAWAY) -> list[Response]:
    """An answer at maximum capability to each prompt."""
    return [
        intake.admit(study=study, prompt=prompt, text=text, arm=Arm.MAXIMUM, source_code="family-1", by=None)
        for prompt in Prompt.objects.filter(study=study)
    ]


def test_answers_of_maximum_effort_are_scanned_and_wait_for_nobody() -> None:
    study = an_assembling_study()
    at_maximum(study)
    kept = Stimulus.objects.filter(study=study, arm=Arm.MAXIMUM)
    assert {stimulus.state for stimulus in kept} == {"admitted"}
    assert {flag["kind"] for stimulus in kept for flag in stimulus.flags} >= {"self_reference"}
    assert overview(study).quarantined == texts_of(study).quarantined == 0
    page = signed_in(coordinator_of(study)).get(reverse("texts", args=[study.slug])).content.decode()
    assert "Nothing is in quarantine" in page


def test_answers_of_maximum_effort_stand_for_no_answer_that_a_prompt_lacks() -> None:
    study = an_assembling_study()
    Stimulus.objects.filter(study=study, arm=Arm.MODEL).update(state="rejected")
    lacking = shortfalls(study)
    before = texts_by_prompt(study), texts_of(study)
    at_maximum(study)
    assert shortfalls(study) == lacking
    assert (texts_by_prompt(study), texts_of(study)) == before


def test_no_item_shows_an_answer_of_maximum_effort() -> None:
    study = an_assembling_study()
    a_member(study, Role.JUDGE)
    kept = at_maximum(study)
    assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
    assert BlindedSlot.objects.filter(item__study=study).exists()
    assert not BlindedSlot.objects.filter(response__in=kept).exists()


def test_answers_of_maximum_effort_may_come_while_judges_work_and_until_the_release() -> None:
    with pytest.raises(Refused):
        at_maximum(a_study("design"))
    study = a_judging_study(1, 1, 1)
    assert len(at_maximum(study)) == 3
    Study.objects.filter(pk=study.pk).update(state="released")
    with pytest.raises(Refused):
        at_maximum(study)


def test_answers_of_maximum_effort_are_in_no_file_of_judgments() -> None:
    study = an_unblinded_study(1, 1, 1)
    before = unblinded_judgments(study)
    kept = at_maximum(study)
    after = unblinded_judgments(study)
    assert after.equals(before)
    assert not set(after["true_id"]) & {str(response.pk) for response in kept}


def test_an_item_that_shows_an_answer_of_maximum_effort_is_named() -> None:
    study = a_judging_study(1, 1, 2, prompts=1)
    assert verified(study) == []
    [kept] = at_maximum(study)
    item = judging_items_of(study)[0]
    shown = Stimulus.objects.filter(study=study, arm=Arm.MODEL).values("pk")
    BlindedSlot.objects.filter(item=item, response__in=shown).update(response=kept)
    [label] = BlindedSlot.objects.filter(response=kept).values_list("label", flat=True)
    judge = item.participation.pseudonym
    assert f"Judge {judge}, prompt {item.prompt.code}: answer {label} is one that no judge may see." in "\n".join(
        verified(study)
    )
