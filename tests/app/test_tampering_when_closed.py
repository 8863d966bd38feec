"""A closed study changed past every service: the hash under which it was frozen is kept twice."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import F

from analysis.models.ceremony import Freeze
from analysis.selectors.judgments import frame_sha256, masked_judgments
from annotation.models.judging import JudgingItem
from annotation.models.studies import Study
from annotation.services import audit
from tests.app.audit_trail import somebody_with_the_databases_password
from tests.factories import a_closed_study, judging_items_of
from tests.tampering import a_score_changed_with_all_that_is_kept_beside_it, hash_of, verified

pytestmark = pytest.mark.django_db

NOT_THE_KEPT = "The judgments are no longer those that were frozen, by the hash kept."
NOT_THE_RECORDED = "The judgments are no longer those that were frozen, by the hash in the audit trail."
NONE_KEPT = "The hash under which the judgments were frozen is missing: the one kept."
NONE_RECORDED = "The hash under which the judgments were frozen is missing: the one in the audit trail."


@pytest.fixture(scope="module", autouse=True)
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Two judges, two prompts; closed; gone after the last test."""
    with django_db_blocker.unblock(), transaction.atomic():
        a_closed_study(2, 2, 2, prompts=2)
        audit.seal()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def study() -> Study:
    return Study.objects.get()


@pytest.fixture
def item(study: Study) -> JudgingItem:
    return judging_items_of(study)[0]


def frozen_anew(study: Study) -> None:
    """The kept hash is made to fit the judgments as they are."""
    Freeze.objects.filter(study=study).update(sha256=frame_sha256(masked_judgments(study)))


def minutes_added(study: Study) -> None:
    """Every item is said to have been begun earlier."""
    JudgingItem.objects.filter(study=study).update(opened_at=F("opened_at") - timedelta(minutes=5))


def test_an_honest_study_passes(study: Study) -> None:
    assert verified(study) == []


def test_a_judgment_changed_with_everything_beside_it_and_an_event_added(study: Study, item: JudgingItem) -> None:
    a_score_changed_with_all_that_is_kept_beside_it(item)
    frozen_anew(study)
    audit.record(
        verb="item.submitted", by=item.participation.user, study=study, subject=item.pk, sha256=hash_of(item)
    )
    audit.seal()
    call_command("verify_audit", stdout=StringIO())
    named = f"Judge {item.participation.pseudonym}, prompt {item.prompt.code}: "
    assert verified(study) == [
        NOT_THE_RECORDED,
        named + "the audit trail has it submitted after the study was closed.",
        named + "the judgment is not the one that was submitted, by its hash in the audit trail.",
    ]


def test_times_changed(study: Study) -> None:
    minutes_added(study)
    assert verified(study) == [NOT_THE_KEPT, NOT_THE_RECORDED]


def test_times_changed_and_frozen_anew(study: Study) -> None:
    minutes_added(study)
    frozen_anew(study)
    assert verified(study) == [NOT_THE_RECORDED]


def test_another_freeze_added_to_the_trail(study: Study) -> None:
    minutes_added(study)
    frozen_anew(study)
    kept = Freeze.objects.get(study=study)
    audit.record(verb="study.frozen", by=kept.frozen_by, study=study, subject=study.slug, sha256=kept.sha256)
    assert verified(study) == [NOT_THE_RECORDED, "The audit trail has study.frozen more than once."]


def test_another_end_of_judging_added_to_the_trail(study: Study) -> None:
    audit.record(verb="study.close", by=study.created_by, study=study, subject=study.slug)
    assert verified(study) == ["The audit trail has study.close more than once."]


@pytest.mark.parametrize("state", ["judging", "closed", "unblinded", "released"])
def test_the_kept_hash_gone(state: str, study: Study) -> None:
    Study.objects.update(state=state)
    Freeze.objects.filter(study=study).delete()
    assert verified(study) == [NONE_KEPT]
    minutes_added(study)
    assert verified(study) == [NONE_KEPT, NOT_THE_RECORDED]


@pytest.mark.parametrize("state", ["judging", "closed", "unblinded", "released"])
def test_no_hash_in_the_trail(state: str, study: Study) -> None:
    Study.objects.update(state=state)
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("UPDATE annotation_auditevent SET verb = 'study.paused' WHERE verb = 'study.frozen'")
    assert verified(study) == [NONE_RECORDED]


@pytest.mark.parametrize("state", ["closed", "unblinded", "released"])
def test_neither_hash(state: str, study: Study) -> None:
    Study.objects.update(state=state)
    Freeze.objects.filter(study=study).delete()
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("UPDATE annotation_auditevent SET verb = 'study.paused' WHERE verb = 'study.frozen'")
    assert verified(study) == [NONE_KEPT, NONE_RECORDED]
