"""`verify_blinding` follows recorded repairs, and names what was changed of a replacement past every service."""

import json
from collections.abc import Callable
from dataclasses import asdict
from itertools import combinations
from typing import Any

import pytest

from analysis.blinding.services.verification import check_blinding
from annotation.judging.models.judging import JudgingItem
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import HumanSet, ItemPlan
from tests.analysis.blinding.tampering import (
    a_human_answer_swapped_in_seeded_order,
    another_guess_asked,
    two_labels_exchanged,
    verified,
)
from tests.annotation.assignment.repairs import a_shared_study, repaired
from tests.factories import a_member, a_person, coordinator_of, judging_items_of, members_of, opened
from tests.judging import submitted
from tests.scrub_site.app.audit_trail import somebody_with_the_databases_password

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """Four judges share 4 prompts × 2 ratings; one leaves, then another one is late and a fifth joins."""
    study = a_shared_study(slug="repaired", guess_items=1)
    newcomer = a_member(study, Role.JUDGE)
    first, second, *_ = members_of(study, Role.JUDGE)
    repaired(study, leaves=[first])
    opened(judging_items_of(study, judge=1)[0])
    repaired(study, late=[second], joins=[newcomer])
    audit.seal()


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
        audit.record(
            verb=AuditVerb(last.verb), by=actor, study=study, subject=study.slug, **{**last.detail, **detail}
        )

    def test_a_repair_added_to_the_trail_that_could_not_have_been_made_is_named(self, study: Study) -> None:
        self.record(study)
        assert any(line.startswith("The audit trail has a repair that cannot be") for line in verified(study))

    def test_a_repair_added_to_the_trail_by_somebody_who_does_not_coordinate_counts_for_nothing(
        self, study: Study
    ) -> None:
        self.record(study, by=a_person("Eve Example"))
        assert verified(study) == [
            "The audit trail has a repair made by somebody who does not coordinate the study."
        ]

    def test_a_repair_added_to_the_trail_after_closing_counts_for_nothing(self, study: Study) -> None:
        audit.record(verb=AuditVerb.STUDY_CLOSE, by=study.created_by, study=study, subject=study.slug)
        self.record(study)
        assert "The audit trail has a repair made after the study was closed." in verified(study)

    def test_a_repair_added_to_the_trail_in_another_form_is_named_and_no_fault_of_ours(self, study: Study) -> None:
        self.record(study, moves=[{"everything": "moves"}])
        assert verified(study) == ["The audit trail has a repair that does not say what it moved."]


class TestARepairThatIsNotWhatItWasGivenTo:
    """The last repair is changed in the trail, with the database's password and a new chain of seals."""

    def alter(self, study: Study, **detail: Any) -> None:
        last = AuditEvent.objects.filter(study=study, verb="assignment.repaired").latest("id")
        with somebody_with_the_databases_password() as cursor:
            cursor.execute(
                "UPDATE annotation_auditevent SET detail = %s WHERE id = %s",
                [json.dumps({**last.detail, **detail}), last.pk],
            )

    def test_a_repair_with_hashes_of_a_prompt_that_it_did_not_move_counts_for_nothing(self, study: Study) -> None:
        last = AuditEvent.objects.filter(study=study, verb="assignment.repaired").latest("id")
        moved = last.detail["items_sha256"]
        self.alter(study, items_sha256={**moved, "Another": "0" * 64})
        assert "The audit trail has a repair with hashes of other prompts than those it moved." in verified(study)

    def people(self, study: Study, **limits: Any) -> tuple[str, list[dict[str, Any]]]:
        """A receiver of the last repair, and who could have work then, the receiver within other `limits`."""
        last = AuditEvent.objects.filter(study=study, verb="assignment.repaired").latest("id")
        receiver = last.detail["moves"][0]["given_to"]
        return receiver, [{**row, **(limits if row["name"] == receiver else {})} for row in last.detail["people"]]

    def test_a_repair_beyond_somebodys_capacity_is_named(self, study: Study) -> None:
        receiver, people = self.people(study, capacity=0)
        self.alter(study, people=people)
        number = JudgingItem.objects.filter(study=study, participation__pseudonym=receiver)
        held = number.exclude(state="cancelled").count()
        assert verified(study) == [f"The audit trail has a repair that gives {receiver} {held} prompts, beyond 0."]

    def test_a_repair_that_gives_somebody_what_is_excluded_is_named(self, study: Study) -> None:
        last = AuditEvent.objects.filter(study=study, verb="assignment.repaired").latest("id")
        prompt = last.detail["moves"][0]["prompt"]
        receiver, people = self.people(study, excluded=[prompt])
        self.alter(study, people=people)
        assert verified(study) == [
            f"The audit trail has a repair that gives {receiver} what is excluded: {prompt}."
        ]

    def test_a_repair_that_gives_work_to_somebody_who_could_have_none_is_named(self, study: Study) -> None:
        receiver, people = self.people(study, name="Somebody else")
        self.alter(study, people=people)
        assert verified(study) == [f"The audit trail has a repair that gives {receiver} work, who could have none."]


def test_sets_that_were_not_drawn_from_the_seed_are_named(study: Study, item: JudgingItem) -> None:
    one, other = HumanSet.objects.filter(prompt=item.prompt)
    members = [list(human_set.members.all()) for human_set in (one, other)]
    swapped = members[0][0], next(text for text in members[1] if text not in members[0])
    one.members.remove(swapped[0])
    one.members.add(swapped[1])
    assert f"Prompt {item.prompt.code}: its sets of answers differ from the seeded ones." in verified(study)


def test_an_item_that_is_taken_back_because_its_place_was_filled_passes() -> None:
    """One is late with an item, submits it for good after all, and the next repair takes back the other’s."""
    study = a_shared_study(slug="filled", reopen_minutes=0)
    late = judging_items_of(study)[0]
    opened(late)
    repaired(study, late=[late.participation])
    submitted(late)
    *_, other = members_of(study, Role.JUDGE)
    repaired(study, late=[other])
    assert JudgingItem.objects.get(replaces=late).state == "cancelled"
    assert verified(study) == []


def test_takers_who_are_not_paired_with_givers_by_the_seed_are_named() -> None:
    """Two judges of one prompt give it up at once, and the trail has their takers the other way round."""
    study = a_shared_study(6, prompts=6, ratings=3, slug="pairs")
    first, second = next(pair for pair in combinations(members_of(study, Role.JUDGE), 2) if shared(study, *pair))
    plan = repaired(study, late=[first, second])
    moves = [asdict(move) for move in plan.moves]
    one, other = (move for move in moves if move["prompt"] == shared(study, first, second)[0])
    one["given_to"], other["given_to"] = other["given_to"], one["given_to"]
    with somebody_with_the_databases_password() as cursor:
        cursor.execute(
            "UPDATE annotation_auditevent SET detail = jsonb_set(detail, '{moves}', %s)"
            " WHERE verb = 'assignment.repaired' AND study_id = %s",
            [json.dumps(moves), study.pk],
        )
    told = f"in which who takes {one['prompt']} from whom differs from the seeded order."
    assert any(line.endswith(told) for line in verified(study))


def shared(study: Study, *judges: Participation) -> list[str]:
    """The prompts that judging was opened with for both."""
    own = [
        set(JudgingItem.objects.filter(participation=judge, replaces=None).values_list("prompt__code", flat=True))
        for judge in judges
    ]
    return sorted(own[0] & own[1])
