"""A look at the texts before judging opens: aggregates that tell of no single text whose it is, and a reason."""

import re
from collections.abc import Iterable

import pytest
from django.urls import reverse

from annotation.assignment.services import assembling, designing
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, TextClearance
from annotation.texts.selectors.preflight import OverLimit, Preflight, over_limit, preflight
from annotation.texts.services import intake
from annotation.texts.services.clearances import withdraw_clearance
from tests.clients import signed_in
from tests.factories import (
    GIVEAWAY,
    a_member,
    a_quarantined_text,
    a_study,
    agree,
    an_assembling_study,
    an_essay,
    coordinator_of,
    locked,
)
from tests.remembered import remembered

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
@remembered
def study() -> Study:
    """Of each of four prompts two long answers by models and two short ones by people; writing has closed."""
    study = locked(a_study(prompts=4, model_word_limit=100))
    for prompt in range(4):
        enter(study, Arm.HUMAN, (4, 5), prompt=prompt)
        enter(study, Arm.MODEL, (30, 32), prompt=prompt)
    return closed(study)


def closed(study: Study) -> Study:
    designing.close_writing(study=study, by=coordinator_of(study))
    study.refresh_from_db()
    return study


def told(study: Study) -> Preflight:
    found = preflight(study)
    assert found
    return found


def shown(study: Study, name: str = "preflight") -> str:
    """The page without what is new with every answer, what is cleared, and how many texts are."""
    page = signed_in(coordinator_of(study)).get(reverse(name, args=[study.slug])).content.decode()
    page = re.sub(r'csrf\w*"[^>]*value="[^"]*"|nonce="[^"]*"|"X-CSRFToken": *"[^"]*"', "", page)
    page = re.sub(r"(?s)<section[^>]*>\s*<h2 id=.cleared.>.*?</section>", "", page)
    return " ".join(re.sub(r"<dd>\s*\d+ texts?\s*</dd>", "", page).split())


def test_texts_that_length_tells_apart_are_a_warning_before_judging_opens(study: Study) -> None:
    found = told(study)
    assert found.contrast
    assert found.contrast.length == 1.0
    assert any("from length alone" in warning for warning in found.warnings)
    assert any("right in 100\N{NO-BREAK SPACE}% of cases if half were" in warning for warning in found.warnings)


def test_kept_texts_over_the_limit_are_told_before_judging_opens_and_in_quarantine(study: Study) -> None:
    found = over_limit(study)
    assert found
    assert (found.over, found.texts, found.limit) == (8, 5, 100)
    for name in ("preflight", "texts"):
        assert "8 answers of at least 5 by models have more than 100 words, the study’s limit." in shown(
            study, name
        )


def test_one_answer_over_the_limit_is_told_in_the_singular() -> None:
    assert str(OverLimit(limit=400, texts=10, over=1)) == (
        "1 answer of at least 10 by models has more than 400 words, the study’s limit."
    )


def test_below_five_texts_of_an_arm_nothing_is_told_by_arm() -> None:
    study = locked(a_study(prompts=1, model_word_limit=100))
    enter(study, Arm.HUMAN, (4, 5, 6, 7, 8))
    enter(study, Arm.MODEL, (30, 32, 34, 36))
    found = told(closed(study))
    assert (found.contrast, found.over_limit) == (None, None)


def test_who_clears_a_text_or_takes_that_back_sees_the_same_page_before_and_after(study: Study) -> None:
    """The texts are long and nearly the same: whatever figure counted one would change with it."""
    by, names = coordinator_of(study), ("preflight", "texts")
    before, waiting = [shown(study, name) for name in names], set()
    for arm in (Arm.HUMAN, Arm.MODEL, Arm.WEAK):
        text = a_quarantined_text(study, an_essay(7, sentences=90) + f"\n\n{GIVEAWAY}", arm=arm, source_code="any")
        for _ in range(2):
            waiting.add(shown(study))
            intake.decide(stimulus=text, verb="clear", reason="Another Claude.", by=by)
            assert [shown(study, name) for name in names] == before
            clearance = TextClearance.objects.get(response=text.pk, withdrawn_at=None)
            withdraw_clearance(clearance=clearance, reason="Not so sure.", by=by)
        waiting.add(shown(study))
        intake.decide(stimulus=text, verb="clear", reason="Another Claude.", by=by)
    assert len(waiting) == 1


def test_no_figure_is_told_while_a_text_waits(study: Study) -> None:
    assert preflight(study)
    a_quarantined_text(study)
    assert (preflight(study), over_limit(study)) == (None, None)
    assert "once no text waits" in shown(study)
    assert "the study’s limit" not in shown(study) + shown(study, "texts")


def test_no_figure_is_told_until_writing_has_closed(study: Study) -> None:
    designing.resume_writing(study=study, by=coordinator_of(study))
    study.refresh_from_db()
    assert (preflight(study), over_limit(study)) == (None, None)
    assert "once no text waits" in shown(study)


def test_no_figure_counts_a_weak_answer(study: Study) -> None:
    """A figure that did, beside one that does not, would tell the prompts that have one."""
    before = told(study)
    for prompt in range(4):
        enter(study, Arm.WEAK, (60, 60), prompt=prompt)
    after = told(study)
    assert (after.contrast, after.over_limit, after.near_pairs) == (
        before.contrast,
        before.over_limit,
        before.near_pairs,
    )


def test_answers_that_are_nearly_the_same_name_a_prompt_only_where_both_are_by_people() -> None:
    """Prompts on which models are asked twice serve calibration, and their answers are the more alike for it."""
    study = locked(a_study(prompts=2))
    first, second = Prompt.objects.filter(study=study)
    for prompt, arm in ((first, Arm.HUMAN), (second, Arm.MODEL)):
        for number in range(2):
            text = an_essay(7) + f" And {number} more."
            intake.admit(study=study, prompt=prompt, text=text, arm=arm, source_code=f"{arm}-{number}", by=None)
    near = told(closed(study)).near_pairs
    assert (near.number, near.by_people) == (2, (first.code,))
    assert str(near) == "2 pairs of answers to the same prompt are nearly the same."


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
    post, address = signed_in(by).post, reverse("open_judging", args=[study.slug])
    seen = told(study).warnings_sha256
    for given in (
        {"reason": "A practice run.", "seen": "of other warnings"},
        {"reason": "long " * 81, "seen": seen},
    ):
        refused = post(address, given)
        assert refused.status_code == 400
        assert given["reason"].strip() in refused.content.decode()
        assert seen in refused.content.decode()
    assert not AuditEvent.objects.filter(verb="study.open_judging").exists()
    post(address, {"reason": "A practice run.", "seen": seen})
    opened = AuditEvent.objects.get(verb="study.open_judging")
    assert opened.detail["reason"] == "A practice run."
    assert opened.detail["warnings"]


def test_a_clearance_is_withdrawn_for_a_reason_and_what_was_typed_stays_where_it_is_refused(study: Study) -> None:
    by, text = coordinator_of(study), a_quarantined_text(study)
    intake.decide(stimulus=text, verb="clear", reason="Another Claude.", by=by)
    clearance = TextClearance.objects.get()
    post, address = signed_in(by).post, reverse("withdraw_clearance", args=[clearance.pk])
    refused = post(address, {"reason": "long " * 81})
    assert (refused.status_code, ("long " * 81).strip() in refused.content.decode()) == (400, True)
    assert post(address, {"reason": "Not so sure."}).status_code == 302
    again = post(address, {"reason": "Never sure."})
    assert (again.status_code, "withdrawn before" in again.content.decode()) == (400, True)
    assert "Never sure." in again.content.decode()
