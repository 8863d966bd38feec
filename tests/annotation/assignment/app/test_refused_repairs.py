"""Repairs that are refused, and the limits within which one is made."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from annotation.assignment.core.feasibility import Infeasible
from annotation.assignment.core.repair_plan import WRITING, Change
from annotation.assignment.services import repairing
from annotation.judging.models.judging import JudgingItem
from annotation.judging.services import guessing
from annotation.judging.services.guessing import Guessed
from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.services import audit
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from tests.annotation.assignment.app.test_repairing import Judges, reload
from tests.annotation.assignment.repairs import REASON, a_shared_study, applied, planned, repaired
from tests.factories import a_member, coordinator_of, judging_items_of, members_of, opened, slots_of
from tests.judging import submitted

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """Four judges share 4 prompts × 2 ratings: two items each. A fifth came later. Gone after the last test."""
    a_member(a_shared_study(slug="shared"), Role.JUDGE)
    audit.seal()


@pytest.fixture
def study() -> Study:
    return Study.objects.get(slug="shared")


@pytest.fixture
def judges(study: Study) -> Judges:
    return members_of(study, Role.JUDGE)


class TestLimits:
    def test_limits_hold_for_what_a_repair_gives(self, study: Study, judges: Judges) -> None:
        Participation.objects.filter(pk=judges[1].pk).update(capacity=2)
        plan = repaired(study, leaves=judges[:1])
        assert plan.problems == ()
        assert plan.loads[judges[1].pseudonym].after <= 2

    def test_limits_set_later_take_back_what_is_not_begun(self, study: Study, judges: Judges) -> None:
        begun, waiting = judging_items_of(study)
        opened(begun)
        Participation.objects.filter(pk=judges[0].pk).update(
            excludes=[begun.prompt.code, waiting.prompt.code.lower()]
        )
        assert [move.of for move in repaired(study).moves] == [waiting.pk]
        assert reload(begun).state == "open"

    def test_a_judge_who_has_no_time_any_more_keeps_their_items_and_gets_no_other(
        self, study: Study, judges: Judges
    ) -> None:
        yesterday = timezone.localdate() - timedelta(days=1)
        Participation.objects.filter(pk=judges[1].pk).update(available_until=yesterday)
        assert planned(study).moves == ()
        plan = repaired(study, leaves=judges[:1])
        assert plan.loads[judges[1].pseudonym] == (2, 2)

    def test_a_judge_who_has_begun_to_guess_gets_no_other_item(self) -> None:
        study = a_shared_study(3, prompts=3)  # 2 items each
        first, second, _ = members_of(study, Role.JUDGE)
        items = [submitted(item) for item in judging_items_of(study, judge=1)]
        asked = next(item for item in items if item.asks_guess)
        unknown = {slot: Guessed("unknown") for slot in slots_of(asked).values()}
        guessing.guess(item_id=asked.pk, guesses=unknown, by=second.user)
        plan = planned(study, late=[first], joins=[a_member(study, Role.JUDGE)])
        assert second.pseudonym not in {move.given_to for move in plan.moves}


class TestRefusals:
    def test_a_repair_is_refused_where_nobody_is_left_to_take_a_place(self) -> None:
        study = a_shared_study(2)  # both judge all four prompts
        leaver = members_of(study, Role.JUDGE)[0]
        with pytest.raises(Infeasible) as refused:
            planned(study, leaves=[leaver])
        assert refused.value.shortage
        assert refused.value.shortage.people_more == 1
        assert Participation.objects.get(pk=leaver.pk).left_at is None

    def test_a_repair_of_somebody_unknown_or_in_another_role_is_refused(self, study: Study) -> None:
        writer = members_of(study, Role.WRITER)[0]
        for stranger in ("J-9999", writer):
            with pytest.raises(Refused, match="The study has no judge"):
                planned(study, leaves=[stranger])

    def test_a_repair_with_a_newcomer_who_cannot_take_anything_is_refused(
        self, study: Study, judges: Judges
    ) -> None:
        people.leave(participation=judges[4], reason=REASON, by=coordinator_of(study))
        with pytest.raises(Refused, match=f"Nothing can be given to {judges[4].pseudonym}"):
            planned(study, joins=[judges[4]])

    def test_a_repair_in_which_somebody_gives_up_and_joins_is_refused(self, study: Study, judges: Judges) -> None:
        with pytest.raises(Refused, match="at once"):
            planned(study, late=judges[:1], joins=judges[:1])

    def test_a_repair_of_a_task_that_does_not_go_on_is_refused(self, study: Study) -> None:
        with pytest.raises(Refused, match="while writing goes on"):
            repairing.plan(study=study, change=Change(WRITING))

    def test_a_repair_by_a_plan_that_is_another_one_by_now_is_refused(self, study: Study, judges: Judges) -> None:
        plan = planned(study, leaves=judges[:1])
        opened(judging_items_of(study)[0])
        with pytest.raises(Refused, match="Things have changed since you looked"):
            applied(study, plan)
        assert not JudgingItem.objects.filter(replaces__isnull=False).exists()
        assert Participation.objects.get(pk=judges[0].pk).left_at is None

    def test_a_repair_by_a_plan_looked_at_before_another_repair_is_refused(
        self, study: Study, judges: Judges
    ) -> None:
        plan = planned(study, leaves=judges[:1])
        repaired(study, leaves=judges[1:2])
        with pytest.raises(Refused, match="Things have changed"):
            applied(study, plan)

    def test_a_repair_is_refused_where_there_is_nothing_to_move(self, study: Study) -> None:
        with pytest.raises(Refused, match="nothing to move"):
            applied(study, planned(study))

    def test_a_repair_without_a_reason_or_by_somebody_else_is_refused(self, study: Study, judges: Judges) -> None:
        plan = planned(study, leaves=judges[:1])
        given: dict[str, Any] = {"study": study, "change": plan.change, "digest": plan.digest}
        with pytest.raises(Refused, match="Say why"):
            repairing.apply(**given, reason=" ", by=coordinator_of(study))
        with pytest.raises(PermissionDenied, match="Only a coordinator"):
            repairing.apply(**given, reason=REASON, by=judges[1].user)
