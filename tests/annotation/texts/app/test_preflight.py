"""A look at the texts before judging opens: aggregates that tell of no single text whose it is, and a reason."""

import re
from collections.abc import Iterable

import pytest
from django.urls import reverse

from annotation.assignment.services import assembling
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm
from annotation.texts.selectors.preflight import over_limit, preflight
from annotation.texts.services import intake
from tests.clients import signed_in
from tests.factories import (
    a_member,
    a_quarantined_text,
    a_study,
    agree,
    an_assembling_study,
    an_essay,
    coordinator_of,
    locked,
)

pytestmark = pytest.mark.django_db


def enter(study: Study, arm: Arm, lengths: Iterable[int], *, prompt: int = 0) -> None:
    """Texts of so many sentences each."""
    for number, sentences in enumerate(lengths):
        source = f"{arm}-{prompt}-{number}"
        intake.admit(
            study=study,
            prompt=Prompt.objects.filter(study=study)[prompt],
            text=an_essay(hash_of(source), sentences=sentences),
            arm=arm,
            source_code=source,
            by=None,
        )


def hash_of(source: str) -> int:
    return sum(ord(letter) * place for place, letter in enumerate(source, start=1))


@pytest.fixture
def study() -> Study:
    """Of each of four prompts two long answers by models and two short ones by people."""
    study = locked(a_study(prompts=4, model_word_limit=100))
    for prompt in range(4):
        enter(study, Arm.HUMAN, (4, 5), prompt=prompt)
        enter(study, Arm.MODEL, (30, 32), prompt=prompt)
    return study


def test_texts_that_length_tells_apart_are_a_warning_before_judging_opens(study: Study) -> None:
    found = preflight(study)
    assert found.contrast
    assert found.contrast.length == 1.0
    assert any("100% of the texts from length alone" in warning for warning in found.warnings)


def test_kept_texts_over_the_limit_are_counted_before_judging_opens_and_in_quarantine(study: Study) -> None:
    found = over_limit(study)
    assert found
    assert (found.over, found.texts, found.limit) == (8, 8, 100)
    client = signed_in(coordinator_of(study))
    for name in ("preflight", "texts"):
        words = " ".join(client.get(reverse(name, args=[study.slug])).content.decode().split())
        assert re.search(r"8 of 8 (admitted )?answers by models have more than 100 words", words)


def test_below_five_texts_of_an_arm_nothing_is_told_by_arm() -> None:
    study = locked(a_study(prompts=1, model_word_limit=100))
    enter(study, Arm.HUMAN, (4, 5, 6, 7, 8))
    enter(study, Arm.MODEL, (30, 32, 34, 36))
    found = preflight(study)
    assert (found.contrast, found.over_limit) == (None, None)


def test_what_was_cleared_is_told_by_arm_only_where_it_fits_no_single_text() -> None:
    """Who cleared one text would otherwise know its arm."""
    study = locked(a_study(prompts=1))
    by = coordinator_of(study)
    for number, arm in enumerate([Arm.HUMAN] * 5 + [Arm.MODEL] * 5):
        text = a_quarantined_text(study, arm=arm, source_code=f"source-{number}")
        found = preflight(study).cleared
        assert (found.number, found.people, found.models) == (number, None, None)
        intake.decide(stimulus=text, verb="clear", reason="Another Claude.", by=by)
    found = preflight(study).cleared
    assert (found.number, found.people, found.models) == (10, 5, 5)


def test_answers_that_are_nearly_the_same_name_a_prompt_only_where_both_are_by_people() -> None:
    """Prompts on which models are asked twice serve calibration, and their answers are the more alike for it."""
    study = locked(a_study(prompts=2))
    first, second = Prompt.objects.filter(study=study)
    for prompt, arm in ((first, Arm.HUMAN), (second, Arm.MODEL)):
        for number in range(2):
            text = an_essay(7) + f" And {number} more."
            intake.admit(study=study, prompt=prompt, text=text, arm=arm, source_code=f"{arm}-{number}", by=None)
    near = preflight(study).near_pairs
    assert (near.people, near.others) == (((first.code, 1),), 1)


def test_judging_opens_in_spite_of_a_warning_only_for_a_reason_that_the_record_keeps() -> None:
    """The essays of tests are near copies of each other."""
    study = an_assembling_study(prompts=2)
    for _ in range(study.ratings_per_prompt):
        agree(a_member(study, Role.JUDGE))
    by = coordinator_of(study)
    with pytest.raises(Refused, match="Say why judging opens all the same"):
        assembling.open_judging(study=study, by=by)
    page = signed_in(by).get(reverse("preflight", args=[study.slug])).content.decode()
    assert "nearly the same" in page
    signed_in(by).post(reverse("open_judging", args=[study.slug]), {"reason": "A practice run."})
    opened = AuditEvent.objects.get(verb="study.open_judging")
    assert opened.detail["reason"] == "A practice run."
    assert opened.detail["warnings"]
