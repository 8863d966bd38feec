"""Studies that were opened or judged before hashes were recorded: checked as far as was recorded then."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from analysis.blinding.services.verification import check_blinding
from analysis.ceremony.services import ceremony
from annotation.assignment.services import assembling
from annotation.judging.models.judging import JudgingItem
from annotation.judging.services import judging
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.analysis.blinding.tampering import (
    a_justification_changed,
    a_rank_changed,
    a_score_changed,
    a_submission_undone,
    an_item_deleted,
    hash_of,
    two_labels_exchanged,
    verified,
)
from tests.ceremony import published
from tests.factories import (
    a_judged_study,
    a_judging_study,
    a_member,
    an_assembling_study,
    coordinator_of,
    judging_items_of,
    researchers_of,
    scored,
)
from tests.scrub_site.app.audit_trail import somebody_with_the_databases_password

pytestmark = pytest.mark.django_db

NOT_AS_OPENED = (
    "Not recorded when judging opened, so not compared: who judges what in which order; which answers each item "
    "shows, and where a guess is asked; the texts of the prompts; the texts of the answers; where the answers are "
    "from."
)
NOT_SUBMITTED = "Judge {judge}, submitted without a recorded hash, so not compared: {prompts}."


def without_hashes(study: Study) -> Study:
    """The study as the program left it before it recorded hashes and drew guesses."""
    JudgingItem.objects.filter(study=study).update(sha256="", asks_guess=False)
    with somebody_with_the_databases_password() as cursor:
        cursor.execute(
            "UPDATE annotation_auditevent SET detail = detail - %s::text[] WHERE study_id = %s",
            [["items_sha256", "prompts_sha256", "texts_sha256", "origins_hmac", "people", "colleagues"], study.pk],
        )
        cursor.execute(
            "UPDATE annotation_auditevent SET detail = '{}' WHERE verb = 'item.submitted' AND study_id = %s",
            [study.pk],
        )
    audit.seal()
    return study


@pytest.fixture
def study() -> Study:
    return without_hashes(a_judged_study(2, 2, 2, prompts=2, guess_items=1))


@pytest.fixture
def item(study: Study) -> JudgingItem:
    return judging_items_of(study)[0]


def test_facts_that_were_not_recorded_are_named(study: Study, item: JudgingItem) -> None:
    check = check_blinding(study)
    assert check.differences == ()
    opening, first, second = check.omissions
    assert opening == NOT_AS_OPENED
    judge = item.participation.pseudonym
    prompts = ", ".join(own.prompt.code for own in judging_items_of(study))
    assert first == NOT_SUBMITTED.format(judge=judge, prompts=prompts)
    assert second.startswith("Judge ")


def test_the_command_ends_well_and_says_what_was_not_recorded_too(study: Study) -> None:
    output = StringIO()
    call_command("verify_blinding", study.slug, stdout=output, no_color=True)
    *omissions, verdict = output.getvalue().splitlines()
    assert tuple(omissions) == check_blinding(study).omissions
    assert "Recomputed without a difference: 4 items, 4 submitted judgments." in verdict


def test_an_older_study_is_unblinded_and_released(study: Study) -> None:
    first, second = researchers_of(study)
    ceremony.close_study(study=study, by=first, despite_missing=True)
    request = ceremony.request_unblinding(study=study, reason="All is in.", by=first)
    ceremony.decide_unblinding(request=request, approve=True, by=second)
    assert published(study).number == 1


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (two_labels_exchanged, "{item}: label A, B differs from the seeded order."),
        (a_score_changed, "{item}: answer A: its composite is not what its scores come to."),
        (a_rank_changed, "{item}: the ranks are not what the composites come to."),
        (a_submission_undone, "{item}: it was submitted and does not count as submitted any more."),
        (an_item_deleted, "Item {number} was submitted, and is gone."),
    ],
)
def test_facts_that_follow_from_the_rest_are_still_compared(
    fault: Callable[[JudgingItem], None], told: str, study: Study, item: JudgingItem
) -> None:
    named = f"Judge {item.participation.pseudonym}, prompt {item.prompt.code}"
    number = item.pk
    fault(item)
    assert told.format(item=named, number=number) in verified(study)


def test_an_event_added_with_a_hash_is_no_submission(study: Study, item: JudgingItem) -> None:
    by = item.participation.user
    audit.record(verb=AuditVerb.ITEM_SUBMITTED, by=by, study=study, subject=item.pk, sha256=hash_of(item))
    [told] = verified(study)
    assert told.endswith("the audit trail has it submitted once more, without having been taken back.")


def test_a_study_opened_before_and_judged_since_has_its_judgments_compared() -> None:
    study = without_hashes(a_judging_study(2, 2, 1, prompts=2))
    item = judging_items_of(study)[0]
    judging.submit_item(item_id=scored(item, A=3, B=4, C=5, D=6).pk, by=item.participation.user)
    assert check_blinding(study).omissions == (NOT_AS_OPENED,)
    assert verified(study) == []
    a_justification_changed(item)
    assert len(verified(study)) == 2


def test_a_judgment_submitted_before_is_compared_once_it_is_submitted_again(study: Study) -> None:
    last = judging_items_of(study)[-1]
    judge = last.participation
    judging.reopen(item_id=last.pk, by=judge.user)
    judging.submit_item(item_id=last.pk, by=judge.user)
    prompts = judging_items_of(study)[0].prompt.code
    assert NOT_SUBMITTED.format(judge=judge.pseudonym, prompts=prompts) in check_blinding(study).omissions
    a_justification_changed(last)
    assert len(verified(study)) == 2


def test_nothing_is_left_out_of_a_study_of_today() -> None:
    assert check_blinding(a_judged_study(1, 1, 1)).omissions == ()


def test_a_study_of_today_does_not_pass_for_an_older_one_by_an_event_added_before_it_opens() -> None:
    study = an_assembling_study()
    audit.record(verb=AuditVerb.STUDY_OPEN_JUDGING, by=study.created_by, study=study, subject=study.slug, items=2)
    audit.seal()
    a_member(study, Role.JUDGE)
    assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
    assert verified(study) == ["The audit trail has study.open_judging more than once."]
