"""Repairs that meet: another repair, a judge who begins at this moment, two people who leave at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import transaction

from annotation.judging.models.judging import JudgingItem
from annotation.judging.services import guessing, judging
from annotation.judging.services.guessing import Guessed
from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.services import studies
from tests.analysis.blinding.tampering import verified
from tests.annotation.assignment.repairs import REASON, a_shared_study, applied, planned, ratings_by_prompt
from tests.annotation.judging.app.test_races import elsewhere, still_waits
from tests.factories import a_member, judging_items_of, members_of, opened, slots_of
from tests.judging import submitted

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study() -> Study:
    return a_shared_study()


def test_two_repairs_at_once_are_made_one_after_the_other_and_the_second_is_refused(study: Study) -> None:
    first, second, *_ = members_of(study, Role.JUDGE)
    plans = [planned(study, leaves=[first]), planned(study, leaves=[second])]
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            applied(study, plans[0])
            other = elsewhere(pool, lambda: applied(Study.objects.get(pk=study.pk), plans[1]))
            assert still_waits(other)
        with pytest.raises(Refused, match="Things have changed"):
            other.result(timeout=10)
    assert set(ratings_by_prompt(study).values()) == {2}
    assert verified(study) == []


def test_the_same_repair_posted_twice_at_once_is_made_once(study: Study) -> None:
    plan = planned(study, leaves=members_of(study, Role.JUDGE)[:1])
    with ThreadPoolExecutor(4) as pool:
        posts = [elsewhere(pool, lambda: applied(Study.objects.get(pk=study.pk), plan)) for _ in range(4)]
        assert {post.result(timeout=20) for post in posts} == {plan.moves}
    assert JudgingItem.objects.filter(study=study, replaces__isnull=False).count() == len(plan.moves)
    assert AuditEvent.objects.filter(verb="assignment.repaired").count() == 1


def test_an_item_is_not_begun_while_it_goes_to_somebody_else(study: Study) -> None:
    item = judging_items_of(study)[0]
    plan = planned(study, late=[item.participation])
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            applied(study, plan)
            begun = elsewhere(pool, lambda: judging.open_item(item=item, by=item.participation.user))
            assert still_waits(begun)
        with pytest.raises(JudgingItem.DoesNotExist):
            begun.result(timeout=10)
    assert JudgingItem.objects.get(pk=item.pk).state == "cancelled"


def test_a_repair_waits_for_an_item_that_is_being_begun_and_is_then_refused(study: Study) -> None:
    item = judging_items_of(study)[0]
    plan = planned(study, late=[item.participation])
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            opened(item)
            repair = elsewhere(pool, lambda: applied(Study.objects.get(pk=study.pk), plan))
            assert still_waits(repair)
        with pytest.raises(Refused, match="Things have changed"):
            repair.result(timeout=10)
    assert JudgingItem.objects.get(pk=item.pk).state == "open"


def test_no_guess_slips_past_a_repair_that_gives_its_judge_another_item() -> None:
    study = a_shared_study(guess_items=1)
    first, second, *_ = members_of(study, Role.JUDGE)
    own = judging_items_of(study)
    for item in own:
        submitted(item)
    asked = next(item for item in own if item.asks_guess)
    guesses = {slot: Guessed("unknown") for slot in slots_of(asked).values()}
    plan = planned(study, late=[second])
    assert first.pseudonym in {move.given_to for move in plan.moves}
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            applied(study, plan)
            guess = elsewhere(pool, lambda: guessing.guess(item_id=asked.pk, guesses=guesses, by=first.user))
            assert still_waits(guess)
        with pytest.raises(Refused, match="Guesses come after your last item"):
            guess.result(timeout=10)
    assert JudgingItem.objects.get(pk=asked.pk).guessed_at is None


def test_a_repair_is_refused_while_a_judge_opens_an_item_that_came_as_it_waited(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The item comes after the repair has locked all, and its judge will wait for the study: neither may wait."""
    plan = planned(study, leaves=members_of(study, Role.JUDGE)[:1])
    added = JudgingItem.objects.filter(pk=judging_items_of(study, judge=1)[0].pk)
    added.update(state="cancelled")
    is_held, is_done, hold = Event(), Event(), studies.lock_for_update

    def add_and_open() -> None:
        added.update(state="assigned")
        with transaction.atomic():
            added.select_for_update(no_key=True).get()
            is_held.set()
            is_done.wait(10)

    def lock_later(held: Study) -> None:
        elsewhere(pool, add_and_open)
        is_held.wait(10)
        hold(held)

    monkeypatch.setattr(studies, "lock_for_update", lock_later)
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(Refused, match="A judge is opening an item at this moment"):
            applied(study, plan)
        is_done.set()
    assert not JudgingItem.objects.filter(replaces__isnull=False).exists()


def test_of_two_coordinators_who_leave_at_once_one_stays(study: Study) -> None:
    other = a_member(study, Role.COORDINATOR)
    first = next(member for member in members_of(study, Role.COORDINATOR) if member != other)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            people.leave(participation=first, reason=REASON, by=other.user)
            leaving = elsewhere(pool, lambda: people.leave(participation=other, reason=REASON, by=other.user))
            assert still_waits(leaving)
        with pytest.raises(Refused, match="last coordinator"):
            leaving.result(timeout=10)
    assert Participation.objects.filter(role=Role.COORDINATOR, left_at__isnull=True).count() == 1
