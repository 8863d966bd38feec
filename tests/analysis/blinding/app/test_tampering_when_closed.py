"""A closed study changed past every service: the hashes under which it was frozen are kept twice."""

import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from analysis.blinding.models import SealedTable
from analysis.blinding.selectors import sealed_tables
from analysis.blinding.services.verification import check_blinding
from analysis.data.core.study_tables import table_bytes
from analysis.frozen.models import Freeze, FrozenTable
from analysis.frozen.selectors import frozen_tables
from annotation.judging.models.judging import JudgingItem
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from tests.analysis.blinding.tampering import (
    a_guess_changed,
    a_guess_deleted,
    a_justification_changed,
    a_mid_rank_changed,
    a_rank_changed,
    a_rank_deleted,
    a_score_changed,
    a_score_changed_with_all_that_is_kept_beside_it,
    a_score_deleted,
    a_submission_undone,
    a_text_changed,
    an_item_deleted,
    another_confidence,
    another_guess_asked,
    another_kind_for_all_judges,
    another_kind_for_one_judge,
    another_wording_of_the_prompt,
    hash_of,
    two_arms_exchanged,
    two_items_in_another_order,
    two_labels_exchanged,
    two_models_exchanged,
    two_sets_exchanged,
    verified,
)
from tests.factories import a_judged_study, closed, judging_items_of
from tests.judging import all_guessed
from tests.scrub_site.app.audit_trail import somebody_with_the_databases_password

pytestmark = pytest.mark.django_db

FROZEN = ("judgments", "guesses", "texts", "domains", "sources", "prompts", "items", "answers", "participants")
NOT_THE_KEPT = "The judgments are no longer those that were frozen, by the hash kept."
NOT_THE_RECORDED = "The judgments are no longer those that were frozen, by the hash in the audit trail."
NOT_THE_RECORDED_ANYWHERE = [
    NOT_THE_RECORDED,
    "The judgments in the tables kept are no longer those that were frozen, by the hash in the audit trail.",
]
NONE_KEPT = [f"The hash under which the {what} were frozen is missing: the one kept." for what in FROZEN]
NONE_RECORDED = [
    f"The hash under which the {what} were frozen is missing: the one in the audit trail." for what in FROZEN
]

Fault = Callable[[JudgingItem], None]
# What is told of a fault, by what it is a fault of.
FAULTS: dict[str, tuple[Fault, ...]] = {
    "judgments": (
        two_labels_exchanged,
        two_items_in_another_order,
        a_score_changed,
        a_score_deleted,
        a_rank_changed,
        a_mid_rank_changed,
        a_rank_deleted,
        a_justification_changed,
        a_submission_undone,
        an_item_deleted,
    ),
    "guesses": (a_guess_changed, another_confidence, a_guess_deleted),
    "texts": (a_text_changed,),
    "sources": (two_models_exchanged, two_arms_exchanged),
}
# Not frozen itself, but compared with what it was when judging opened.
FAULTS_OF_THE_DESIGN: dict[Fault, str] = {
    another_kind_for_one_judge: "its answers are not those of its plan.",
    another_kind_for_all_judges: "its answers are not those of its plan.",
    two_sets_exchanged: "its set differs from the seeded one.",
    two_models_exchanged: "its answers are not from where they were from when judging opened.",
    two_arms_exchanged: "its answers are not from where they were from when judging opened.",
    another_wording_of_the_prompt: "its own text is not the one that judging was opened with.",
    another_guess_asked: "whether a guess is asked differs from the seeded draw.",
}


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """Two judges, two prompts; one with guesses; closed; gone after the last test."""
    study = a_judged_study(2, 2, 2, prompts=2, guess_items=1)
    all_guessed(study)
    closed(study)
    audit.seal()


@pytest.fixture
def study() -> Study:
    return Study.objects.get()


@pytest.fixture
def item(study: Study) -> JudgingItem:
    """One without guesses."""
    return next(item for item in judging_items_of(study) if not item.asks_guess)


@pytest.fixture
def guessed(study: Study) -> JudgingItem:
    return next(item for item in judging_items_of(study) if item.asks_guess)


def frozen_anew(study: Study) -> None:
    """The kept hashes and tables are made to fit the data as they are."""
    masked, sealed = frozen_tables.collected_tables(study), sealed_tables.collected_tables(study)
    Freeze.objects.filter(study=study).update(
        sha256=frozen_tables.hashes_of(masked)["judgments"], tables=hashes_of_tables(study)
    )
    for model, tables in ((FrozenTable, masked), (SealedTable, sealed)):
        for name, found in tables.items():
            model._base_manager.filter(name=name).update(content=table_bytes(found))


def unfrozen() -> None:
    for model in (FrozenTable, SealedTable, Freeze):
        model._base_manager.all().delete()


def hashes_of_tables(study: Study) -> dict[str, str]:
    """Of everything frozen beside the judgments, as it is."""
    masked, sealed = frozen_tables.collected_tables(study), sealed_tables.collected_tables(study)
    del masked["judgments"]
    return {**frozen_tables.hashes_of(masked), **sealed_tables.hashes_of(study, sealed)}


def minutes_added(study: Study) -> None:
    """Every item is said to have been begun earlier."""
    JudgingItem.objects.filter(study=study).update(opened_at=F("opened_at") - timedelta(minutes=5))


def test_an_honest_study_passes(study: Study) -> None:
    assert verified(study) == []


@pytest.mark.parametrize(
    ("what", "fault"),
    [(what, fault) for what, faults in FAULTS.items() for fault in faults],
    ids=lambda given: getattr(given, "__name__", given),
)
def test_whatever_is_changed_of_what_was_frozen_is_told_by_both_hashes(
    what: str, fault: Fault, study: Study, item: JudgingItem, guessed: JudgingItem
) -> None:
    fault(guessed if what == "guesses" else item)
    assert {
        f"The {what} are no longer those that were frozen, by the hash {where}."
        for where in ("kept", "in the audit trail")
    } <= set(verified(study))


@pytest.mark.parametrize("fault", FAULTS_OF_THE_DESIGN, ids=lambda fault: fault.__name__)
def test_what_follows_from_the_design_is_still_compared(fault: Fault, study: Study, item: JudgingItem) -> None:
    fault(item)
    assert any(line.endswith(FAULTS_OF_THE_DESIGN[fault]) for line in verified(study))


def test_a_hash_changed_in_both_places_breaks_the_seals(study: Study, guessed: JudgingItem) -> None:
    a_guess_changed(guessed)
    frozen_anew(study)
    with somebody_with_the_databases_password() as cursor:
        cursor.execute(
            "UPDATE annotation_auditevent SET detail = detail || %s::jsonb WHERE verb = 'study.frozen'",
            [json.dumps({"tables": hashes_of_tables(study)})],
        )
    assert verified(study) == []
    with pytest.raises(CommandError, match=str(AuditEvent.objects.get(verb="study.frozen").pk)):
        call_command("verify_audit", stdout=StringIO())


def test_of_what_was_not_frozen_it_is_said_that_it_is_not_compared(study: Study, guessed: JudgingItem) -> None:
    Freeze.objects.filter(study=study).update(tables={})
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("UPDATE annotation_auditevent SET detail = detail - 'tables' WHERE verb = 'study.frozen'")
    a_guess_changed(guessed)
    check = check_blinding(study)
    assert check.differences == ()
    assert check.omissions == (f"Not frozen when the study was closed, so not compared: {'; '.join(FROZEN[1:])}.",)


def test_a_judgment_changed_with_everything_beside_it_and_an_event_added_is_named(
    study: Study, item: JudgingItem
) -> None:
    a_score_changed_with_all_that_is_kept_beside_it(item)
    frozen_anew(study)
    audit.record(
        verb=AuditVerb.ITEM_SUBMITTED,
        by=item.participation.user,
        study=study,
        subject=item.pk,
        sha256=hash_of(item),
    )
    audit.seal()
    call_command("verify_audit", stdout=StringIO())
    named = f"Judge {item.participation.pseudonym}, prompt {item.prompt.code}: "
    assert verified(study) == [
        *NOT_THE_RECORDED_ANYWHERE,
        named + "the audit trail has it submitted after the study was closed.",
        named + "the judgment is not the one that was submitted, by its hash in the audit trail.",
    ]


def test_changed_times_are_noticed_by_the_kept_and_the_recorded_hash(study: Study) -> None:
    minutes_added(study)
    assert verified(study) == [NOT_THE_KEPT, NOT_THE_RECORDED]


def test_changed_times_that_are_frozen_anew_are_noticed_by_the_recorded_hash(study: Study) -> None:
    minutes_added(study)
    frozen_anew(study)
    assert verified(study) == NOT_THE_RECORDED_ANYWHERE


def test_another_freeze_added_to_the_trail_is_noticed(study: Study) -> None:
    minutes_added(study)
    frozen_anew(study)
    kept = Freeze.objects.get(study=study)
    audit.record(
        verb=AuditVerb.STUDY_FROZEN, by=kept.frozen_by, study=study, subject=study.slug, sha256=kept.sha256
    )
    assert verified(study) == [*NOT_THE_RECORDED_ANYWHERE, "The audit trail has study.frozen more than once."]


def test_another_end_of_judging_added_to_the_trail_is_noticed(study: Study) -> None:
    audit.record(verb=AuditVerb.STUDY_CLOSE, by=study.created_by, study=study, subject=study.slug)
    assert verified(study) == ["The audit trail has study.close more than once."]


@pytest.mark.parametrize("state", ["judging", "closed", "unblinded", "released"])
def test_a_kept_hash_that_is_gone_is_noticed(state: str, study: Study) -> None:
    Study.objects.update(state=state)
    unfrozen()
    assert verified(study) == NONE_KEPT
    minutes_added(study)
    assert verified(study) == [NONE_KEPT[0], NOT_THE_RECORDED, *NONE_KEPT[1:]]


@pytest.mark.parametrize("state", ["judging", "closed", "unblinded", "released"])
def test_a_trail_without_the_frozen_hash_is_noticed(state: str, study: Study) -> None:
    Study.objects.update(state=state)
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("UPDATE annotation_auditevent SET verb = 'study.paused' WHERE verb = 'study.frozen'")
    assert verified(study) == NONE_RECORDED


@pytest.mark.parametrize("state", ["closed", "unblinded", "released"])
def test_a_study_with_neither_hash_is_noticed(state: str, study: Study) -> None:
    Study.objects.update(state=state)
    unfrozen()
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("UPDATE annotation_auditevent SET verb = 'study.paused' WHERE verb = 'study.frozen'")
    assert verified(study) == [NONE_KEPT[0], NONE_RECORDED[0]]
    assert f"{'; '.join(FROZEN[1:])}." in check_blinding(study).omissions[0]
