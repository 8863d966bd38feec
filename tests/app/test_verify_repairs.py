"""`verify_blinding` follows recorded repairs, and names what was changed of a replacement past every service."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction

from analysis.services.verification import check_blinding
from annotation.models.allocation import ItemPlan
from annotation.models.audit import AuditEvent
from annotation.models.judging import JudgingItem
from annotation.models.participation import Role
from annotation.models.people import User
from annotation.models.studies import Study
from annotation.services import audit
from tests.app.audit_trail import somebody_with_the_databases_password
from tests.factories import a_member, a_person, coordinator_of, judging_items_of, members_of, opened
from tests.repairs import a_shared_study, repaired
from tests.tampering import (
    a_human_answer_swapped_in_seeded_order,
    another_guess_asked,
    two_labels_exchanged,
    verified,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Four judges share 4 prompts × 2 ratings; one leaves, then another one is late and a fifth joins."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = a_shared_study(slug="repaired", guess_items=1)
        newcomer = a_member(study, Role.JUDGE)
        first, second, *_ = members_of(study, Role.JUDGE)
        repaired(study, leaves=[first])
        opened(judging_items_of(study, judge=1)[0])
        repaired(study, late=[second], joins=[newcomer])
        audit.seal()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def study() -> Study:
    return Study.objects.get(slug="repaired")


@pytest.fixture
def item(study: Study) -> JudgingItem:
    """A replacement that nobody has replaced."""
    replacements = JudgingItem.objects.filter(study=study, replaces__isnull=False, replacement__isnull=True)
    return replacements.select_related("participation", "prompt", "study").order_by("pk")[0]


def another_place(item: JudgingItem) -> None:
    taken = JudgingItem.objects.exclude(replacement=item).filter(replacement__isnull=True, replaces__isnull=True)
    JudgingItem.objects.filter(pk=item.pk).update(replaces=taken[0])


def no_place(item: JudgingItem) -> None:
    JudgingItem.objects.filter(pk=item.pk).update(replaces=None)


def another_set(item: JudgingItem) -> None:
    plan = ItemPlan.objects.get(item=item)
    other = ItemPlan.objects.filter(item__prompt=item.prompt).exclude(human_set=plan.human_set_id)[0]
    ItemPlan.objects.filter(pk=plan.pk).update(human_set=other.human_set_id)


def another_position(item: JudgingItem) -> None:
    JudgingItem.objects.filter(pk=item.pk).update(position=item.position + 5)


def taken_back(item: JudgingItem) -> None:
    JudgingItem.objects.filter(pk=item.pk).update(state="cancelled")


def the_replaced_one_given_back(item: JudgingItem) -> None:
    replaced = JudgingItem.objects.filter(state="cancelled").order_by("pk")[0]
    JudgingItem.objects.filter(pk=replaced.pk).update(state="assigned")


ITEM = "Judge {judge}, prompt {prompt}: "
FAULTS: dict[Callable[[JudgingItem], None], str] = {
    another_place: ITEM + "whose place it takes differs from the recorded repairs.",
    no_place: ITEM + "whose place it takes differs from the recorded repairs.",
    another_set: ITEM + "its set is not that of the item whose place it takes.",
    another_position: "Judge {judge}: the prompts or their order differ from the seeded ones.",
    taken_back: ITEM + "whether it was taken back differs from the recorded repairs.",
    the_replaced_one_given_back: "whether it was taken back differs from the recorded repairs.",
    a_human_answer_swapped_in_seeded_order: "Prompt {prompt}: its items are not those of the last repair.",
    two_labels_exchanged: ITEM + "label A, B differs from the seeded order.",
    another_guess_asked: ITEM + "whether a guess is asked differs from the seeded draw.",
}


def test_two_honest_repairs_pass(study: Study) -> None:
    assert verified(study) == []
    assert check_blinding(study).omissions == ()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found_and_named(fault: Callable[[JudgingItem], None], study: Study, item: JudgingItem) -> None:
    names = {"judge": item.participation.pseudonym, "prompt": item.prompt.code}
    fault(item)
    told = FAULTS[fault].format(**names)
    assert any(line.endswith(told) for line in verified(study))


def test_items_without_a_recorded_repair_are_noticed(study: Study) -> None:
    with somebody_with_the_databases_password() as cursor:
        cursor.execute(
            "UPDATE annotation_auditevent SET verb = 'assignment.looked_at' WHERE verb = 'assignment.repaired'"
        )
    assert any("whether it was taken back differs" in line for line in verified(study))


class TestARepairAddedToTheTrail:
    def record(self, study: Study, *, by: User | None = None, **detail: Any) -> None:
        last = AuditEvent.objects.filter(study=study, verb="assignment.repaired").latest("id")
        actor = by or coordinator_of(study)
        audit.record(verb=last.verb, by=actor, study=study, subject=study.slug, **{**last.detail, **detail})

    def test_that_could_not_have_been_made_is_named(self, study: Study) -> None:
        self.record(study)
        assert any(line.startswith("The audit trail has a repair that cannot be") for line in verified(study))

    def test_by_somebody_who_does_not_coordinate_counts_for_nothing(self, study: Study) -> None:
        self.record(study, by=a_person("Eve Example"))
        assert verified(study) == [
            "The audit trail has a repair made by somebody who does not coordinate the study."
        ]

    def test_after_closing_counts_for_nothing(self, study: Study) -> None:
        audit.record(verb="study.close", by=study.created_by, study=study, subject=study.slug)
        self.record(study)
        assert "The audit trail has a repair made after the study was closed." in verified(study)

    def test_in_another_form_is_named_and_no_fault_of_ours(self, study: Study) -> None:
        self.record(study, moves=[{"everything": "moves"}])
        assert verified(study) == ["The audit trail has a repair that does not say what it moved."]
