"""A text is normalised once, and its version kept; a weak answer set apart by its length is told."""

import pytest

from analysis.release.selectors.release_facts import release_facts
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.core.normalisation import VERSION, normalise
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.selectors.preflight import preflight
from annotation.texts.selectors.stimuli import weak_answers_out_of_range
from annotation.texts.services import intake
from tests.factories import a_quarantined_text, an_assembling_study, an_unblinded_study, coordinator_of

pytestmark = pytest.mark.django_db

OLD = "It came in long ago – by “other” rules.\n\n- So it stays."


def lengthen(study: Study, arm: Arm, words: int) -> None:
    weak = Stimulus.objects.filter(study=study, arm=arm).values("response")
    Response.objects.filter(pk__in=weak).update(word_count=words)


def test_an_admitted_text_keeps_the_version_of_the_rules_it_came_in_by() -> None:
    study = an_assembling_study()
    versions = set(Response.objects.filter(study=study).values_list("normalisation", flat=True))
    assert versions == {VERSION}


def test_a_text_that_came_in_by_older_rules_stays_letter_for_letter() -> None:
    assert normalise(OLD) != OLD
    study = an_assembling_study()
    held = a_quarantined_text(study)
    Response.objects.filter(pk=held.pk).update(text=OLD, normalisation=1)
    intake.decide(stimulus=held, verb="clear", reason="It says nothing.", by=coordinator_of(study))
    kept = Response.objects.get(pk=held.pk)
    assert (kept.text, kept.normalisation) == (OLD, 1)


def test_a_text_that_is_edited_in_quarantine_comes_in_by_the_rules_of_today() -> None:
    study = an_assembling_study()
    held = a_quarantined_text(study)
    Response.objects.filter(pk=held.pk).update(text=OLD, normalisation=1)
    intake.edit(stimulus=held, text="Towns – all of them – differ.", reason="It said so.", by=coordinator_of(study))
    kept = Response.objects.get(pk=held.pk)
    assert (kept.text, kept.normalisation) == ("Towns, all of them, differ.", VERSION)


def test_a_release_names_every_version_of_the_rules_its_texts_came_in_by() -> None:
    study = an_unblinded_study()
    one = Stimulus.objects.filter(study=study, state="admitted")[0]
    assert release_facts(study).normalisation == (VERSION,)
    Response.objects.filter(pk=one.pk).update(normalisation=1)
    assert release_facts(study).normalisation == (1, VERSION)


@pytest.mark.parametrize(("words", "is_told"), [(1, True), (9_999, True), (230, False)])
def test_a_weak_answer_whose_length_sets_it_apart_is_told_before_judging_opens(words: int, is_told: bool) -> None:
    study = an_assembling_study(quality_floor_prompts=1)
    lengthen(study, Arm.HUMAN, 200)
    lengthen(study, Arm.MODEL, 260)
    lengthen(study, Arm.WEAK, words)
    assert weak_answers_out_of_range(study) == int(is_told)
    found = preflight(study)
    assert found
    told = [warning for warning in found.warnings if "deliberately weak" in warning]
    assert len(told) == int(is_told)
    assert all(prompt.code not in warning for warning in told for prompt in study.prompts.all())
