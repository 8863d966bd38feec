"""Whoever has the database's password changes something in a judged study: `verify_blinding` names it.

Each fault is planted by a direct UPDATE or DELETE, past every service. `FAULTS` says what is then told.
"""

import json
import re
from collections.abc import Callable, Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.blinding.services.verification import check_blinding
from annotation.judging.models.judging import JudgingItem
from annotation.judging.services import judging, scoring
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from tests.analysis.blinding.tampering import (
    CLARITY,
    a_human_answer_swapped_and_its_set_with_it,
    a_human_answer_swapped_in_seeded_order,
    a_justification_changed,
    a_mid_rank_changed,
    a_model_answer_swapped_for_all_judges,
    a_rank_changed,
    a_rank_deleted,
    a_score_changed,
    a_score_changed_with_all_that_is_kept_beside_it,
    a_score_changed_with_composite_and_ranks,
    a_score_deleted,
    a_submission_undone,
    a_text_changed,
    an_answer_of_another_prompt,
    an_answer_too_many,
    an_item_deleted,
    another_guess_asked,
    another_kind_for_all_judges,
    another_kind_for_one_judge,
    another_version_of_the_prompt_for_one_judge,
    another_wording_of_the_prompt,
    hash_of,
    kind_of,
    of_arm,
    slots,
    two_arms_exchanged,
    two_items_in_another_order,
    two_labels_exchanged,
    two_models_exchanged,
    two_sets_exchanged,
    verified,
)
from tests.factories import a_judged_study, a_person, judging_items_of
from tests.scrub_site.app.audit_trail import somebody_with_the_databases_password

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """Three judges have judged a prompt of each kind and two standard ones; gone after the last test."""
    a_judged_study(2, 2, 3, prompts=4, quality_floor_prompts=1, source_attribution_prompts=1)
    audit.seal()


@pytest.fixture
def study() -> Study:
    return Study.objects.get()


@pytest.fixture
def item(study: Study) -> JudgingItem:
    """The first judge's first item of the standard kind."""
    return next(found for found in judging_items_of(study) if kind_of(found) == "standard")


# -- what is told ------------------------------------------------------------------------------------------------

ITEM = "Judge {judge}, prompt {prompt}: "
JUDGMENT = ITEM + "the judgment is not the one that was submitted, by its hash in the audit trail."
KEPT_HASH = ITEM + "the judgment does not match the hash kept with it."
ITEMS = "Prompt {prompt}: its items are not those that judging was opened with."
WORDING = "Prompt {prompt}: its own text is not the one that judging was opened with."
ORIGINS = "Prompt {prompt}: its answers are not from where they were from when judging opened."
PLAN = ITEM + "its answers are not those of its plan."

# What is told, among other things: who changes much is told much.
FAULTS: dict[Callable[[JudgingItem], None], tuple[str, ...]] = {
    two_labels_exchanged: (ITEM + "label A, B differs from the seeded order.", ITEMS, JUDGMENT, KEPT_HASH),
    a_human_answer_swapped_in_seeded_order: (PLAN, ITEMS, JUDGMENT, KEPT_HASH),
    a_human_answer_swapped_and_its_set_with_it: (ITEMS, JUDGMENT, KEPT_HASH),
    an_answer_too_many: (
        ITEM + "5 answers instead of 4.",
        PLAN,
        ITEMS,
        ITEM + "answer E has no rank.",
    ),
    two_items_in_another_order: ("Judge {judge}: the prompts or their order differ from the seeded ones.",),
    another_guess_asked: (ITEM + "whether a guess is asked differs from the seeded draw.", ITEMS),
    another_kind_for_one_judge: (
        PLAN,
        "Prompt {prompt}: what must be the same for all of its judges differs between them.",
    ),
    another_kind_for_all_judges: (PLAN,),
    two_sets_exchanged: (PLAN, ITEM + "its set differs from the seeded one."),
    an_answer_of_another_prompt: (ITEM + "answer {model} belongs to another prompt.",),
    a_text_changed: ("Prompt {prompt}, answer {first}: its text is not the one that judging was opened with.",),
    another_wording_of_the_prompt: (WORDING,),
    another_version_of_the_prompt_for_one_judge: (WORDING,),
    two_models_exchanged: (ORIGINS,),
    two_arms_exchanged: (ORIGINS,),
    a_model_answer_swapped_for_all_judges: (ITEMS, JUDGMENT, KEPT_HASH),
    a_score_changed: (
        ITEM + "answer A: its composite is not what its scores come to.",
        JUDGMENT,
        KEPT_HASH,
    ),
    a_score_changed_with_composite_and_ranks: (JUDGMENT, KEPT_HASH),
    a_score_changed_with_all_that_is_kept_beside_it: (JUDGMENT,),
    a_score_deleted: (ITEM + "answer A: Without a score: conceptual_clarity.", JUDGMENT, KEPT_HASH),
    a_rank_changed: (ITEM + "the ranks are not what the composites come to.", JUDGMENT, KEPT_HASH),
    a_mid_rank_changed: (ITEM + "the ranks are not what the composites come to.",),
    a_rank_deleted: (ITEM + "answer A has no rank.", JUDGMENT, KEPT_HASH),
    a_justification_changed: (JUDGMENT, KEPT_HASH),
    a_submission_undone: (ITEM + "it was submitted and does not count as submitted any more.",),
    an_item_deleted: (ITEMS, "Item {item} was submitted, and is gone."),
}


def test_an_honest_study_passes(study: Study) -> None:
    assert verified(study) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found_and_named(fault: Callable[[JudgingItem], None], study: Study, item: JudgingItem) -> None:
    names = {
        "judge": item.participation.pseudonym,
        "prompt": item.prompt.code,
        "item": item.pk,
        "first": slots(item)[0].response_id,
        "model": of_arm(item, "model").label,
    }
    sources = {*Stimulus.objects.values_list("source_code", flat=True), "human", "model", "weak"}
    fault(item)
    found = verified(study)
    assert {line.format(**names) for line in FAULTS[fault]} <= set(found)
    assert not [line for line in found if set(re.findall(r"[\w-]+", line)) & sources], "a source is told"


@pytest.mark.parametrize(
    "fault",
    [a_score_changed_with_composite_and_ranks, a_justification_changed, a_submission_undone, a_rank_changed],
)
def test_a_fault_in_one_judgment_is_told_of_no_other(
    fault: Callable[[JudgingItem], None], study: Study, item: JudgingItem
) -> None:
    fault(item)
    named = f"Judge {item.participation.pseudonym}, prompt {item.prompt.code}: "
    assert [line for line in verified(study) if not line.startswith(named)] == []


@pytest.mark.parametrize(("kind", "arm"), [("quality_floor", "model"), ("source_attribution", "weak")])
def test_a_kind_with_the_wrong_mix_of_sources_is_found(kind: str, arm: str, study: Study) -> None:
    item = next(found for found in judging_items_of(study) if kind_of(found) == kind)
    shown = of_arm(item, "weak" if kind == "quality_floor" else "model")
    Stimulus.objects.filter(response=shown.response_id).update(arm=arm)
    assert PLAN.format(judge=item.participation.pseudonym, prompt=item.prompt.code) in verified(study)


def test_all_items_gone_is_no_study_without_items(study: Study) -> None:
    for item in JudgingItem.objects.filter(study=study):
        an_item_deleted(item)
    found = verified(study)
    assert ITEMS.format(prompt="BBQ_01") in found
    assert sum(line.endswith("was submitted, and is gone.") for line in found) == 3 * 4


class TestTheTrailItself:
    """Who changes the judgment and the trail with it gets past the one command and not past the other."""

    def test_an_altered_submission_is_named_by_the_chain(self, study: Study, item: JudgingItem) -> None:
        a_score_changed_with_all_that_is_kept_beside_it(item)
        event = AuditEvent.objects.get(study=study, verb="item.submitted", subject=str(item.pk))
        with somebody_with_the_databases_password() as cursor:
            cursor.execute(
                "UPDATE annotation_auditevent SET detail = %s WHERE id = %s",
                [json.dumps({"sha256": hash_of(item)}), event.pk],
            )
        assert verified(study) == []
        with pytest.raises(CommandError, match=rf"event {event.pk} \(.* item.submitted {item.pk}\)"):
            call_command("verify_audit", stdout=StringIO())

    @pytest.mark.parametrize("verb", ["item.submitted", "study.open_judging"])
    def test_an_event_without_its_hashes_is_named_by_the_chain(self, verb: str) -> None:
        with somebody_with_the_databases_password() as cursor:
            cursor.execute("UPDATE annotation_auditevent SET detail = '{}' WHERE verb = %s", [verb])
        with pytest.raises(CommandError, match=verb):
            call_command("verify_audit", stdout=StringIO())

    def test_a_trail_without_the_opening_is_noticed(self, study: Study) -> None:
        with somebody_with_the_databases_password() as cursor:
            cursor.execute(
                "UPDATE annotation_auditevent SET verb = 'study.paused' WHERE verb = 'study.open_judging'"
            )
        assert verified(study) == ["The audit trail does not say what judging was opened with."]

    def test_a_submission_without_a_hash_is_noticed(self, study: Study, item: JudgingItem) -> None:
        with somebody_with_the_databases_password() as cursor:
            cursor.execute(
                "UPDATE annotation_auditevent SET detail = '{}' WHERE verb = 'item.submitted' AND subject = %s",
                [str(item.pk)],
            )
        assert verified(study) == [told_of(item, "the audit trail has its submission without the hash.")]


class TestAnEventAdded:
    """Anybody with the password can add an event, and the sealer seals it: the chain stays intact."""

    @pytest.fixture(autouse=True)
    def intact(self) -> Iterator[None]:
        yield
        audit.seal()
        call_command("verify_audit", stdout=StringIO())

    def test_an_event_added_does_not_replace_a_submission(self, study: Study, item: JudgingItem) -> None:
        a_score_changed_with_all_that_is_kept_beside_it(item)
        add(item, "item.submitted", item.participation.user)
        again = told_of(item, "the audit trail has it submitted once more, without having been taken back.")
        assert verified(study) == [again, told(JUDGMENT, item)]

    def test_an_event_added_does_not_replace_a_submission_by_an_earlier_number(
        self, study: Study, item: JudgingItem
    ) -> None:
        a_score_changed_with_all_that_is_kept_beside_it(item)
        AuditEvent.objects.create(
            pk=0,
            at=timezone.now(),
            study=study,
            actor=item.participation.user,
            verb="item.submitted",
            subject=str(item.pk),
            detail={"sha256": hash_of(item)},
        )
        again = told_of(item, "the audit trail has it submitted once more, without having been taken back.")
        assert verified(study) == [again, told(JUDGMENT, item)]

    def test_an_event_added_by_somebody_else_is_no_submission(self, study: Study, item: JudgingItem) -> None:
        a_score_changed_with_all_that_is_kept_beside_it(item)
        somebody = a_person("Eve Example")
        add(item, "item.reopened", somebody)
        add(item, "item.submitted", somebody)
        assert verified(study) == [
            told_of(item, "the audit trail has it taken back by somebody other than its judge."),
            told_of(item, "the audit trail has it submitted by somebody other than its judge."),
            told(JUDGMENT, item),
        ]

    def test_an_event_added_does_not_replace_the_opening(self, study: Study, item: JudgingItem) -> None:
        another_wording_of_the_prompt(item)
        audit.record(verb=AuditVerb.STUDY_OPEN_JUDGING, by=study.created_by, study=study, subject=study.slug)
        assert verified(study) == ["The audit trail has study.open_judging more than once.", told(WORDING, item)]

    def test_an_event_added_about_no_item_is_told_and_no_fault_of_ours(self, study: Study) -> None:
        audit.record(verb=AuditVerb.ITEM_SUBMITTED, by=study.created_by, study=study, subject="the last one")
        assert verified(study) == ["Item the last one was submitted, and is gone."]


def add(item: JudgingItem, verb: str, by: User) -> None:
    """An event about the item with the hash of its judgment as it is now."""
    audit.record(verb=AuditVerb(verb), by=by, study=item.study, subject=item.pk, sha256=hash_of(item))


def told(line: str, item: JudgingItem) -> str:
    return line.format(judge=item.participation.pseudonym, prompt=item.prompt.code)


def told_of(item: JudgingItem, what: str) -> str:
    return told(ITEM, item) + what


def test_an_item_taken_back_and_submitted_again_is_compared_with_its_last_submission(
    study: Study, item: JudgingItem
) -> None:
    last = judging_items_of(study)[-1]
    judging.reopen(item_id=last.pk, by=last.participation.user)
    assert verified(study) == []
    scoring.save(
        item_id=last.pk,
        given=scoring.Given.of_scores(study.rubric_id, {slots(last)[0].pk: {CLARITY: 1}}),
        by=last.participation.user,
    )
    judging.submit_item(item_id=last.pk, by=last.participation.user)
    assert verified(study) == []
    a_justification_changed(last)
    assert len(verified(study)) == 2


def test_the_number_of_queries_does_not_depend_on_the_number_of_items(study: Study) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert check_blinding(study).items == 12
    assert len(captured) <= 30
