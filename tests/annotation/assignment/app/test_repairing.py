"""Somebody leaves, is late or joins while people judge: what goes to whom, and what stays."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.judging.core.requested_ratings import RequestedRating
from annotation.judging.models.judging import JudgingItem
from annotation.judging.selectors.requested_ratings import requested_ratings_of
from annotation.people.services import people
from annotation.platform.core.blinding import labels
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.services import audit
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.studies import Study
from tests.analysis.blinding.tampering import an_item_deleted, verified
from tests.annotation.assignment.repairs import (
    REASON,
    a_shared_study,
    applied,
    labels_of,
    live,
    plan_of,
    planned,
    ratings_by_prompt,
    repaired,
    shown,
)
from tests.clients import signed_in
from tests.factories import SEED, a_member, coordinator_of, judging_items_of, members_of, opened
from tests.judging import submitted

pytestmark = pytest.mark.django_db
Judges = list[Participation]
Pair = tuple[JudgingItem, JudgingItem]


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


def replacement_of(item: JudgingItem) -> JudgingItem:
    return live_item(replaces=item)


def live_item(**where: object) -> JudgingItem:
    return JudgingItem.objects.select_related("participation__user", "prompt", "study", "prompt_version").get(
        **where
    )


def reload(item: JudgingItem) -> JudgingItem:
    return live_item(pk=item.pk)


def event(study: Study) -> AuditEvent:
    return AuditEvent.objects.filter(study=study, verb="assignment.repaired").latest("id")


class TestAJudgeLeaves:
    def test_a_judge_leaves_with_nothing_begun_and_others_take_both_places(
        self, study: Study, judges: Judges
    ) -> None:
        leaver = judges[0]
        own = judging_items_of(study)
        others = {item.pk for item in live(study)} - {item.pk for item in own}
        plan = repaired(study, leaves=[leaver])
        assert [(move.prompt, move.taken_from, move.was_begun, move.of) for move in plan.moves] == sorted(
            (item.prompt.code, leaver.pseudonym, False, item.pk) for item in own
        )
        assert {reload(item).state for item in own} == {"cancelled"}
        assert others <= {item.pk for item in live(study)}, "nobody else lost anything"
        assert set(ratings_by_prompt(study).values()) == {2}
        # 8 ratings, 3 judges: two of them have 3 now.
        assert plan.loads[leaver.pseudonym] == (2, 0)
        assert sorted(after for _, after in plan.loads.values()) == [0, 2, 3, 3]
        assert verified(study) == []

    def test_a_judge_leaves_and_what_is_begun_or_submitted_stays_as_it_is(
        self, study: Study, judges: Judges
    ) -> None:
        done, begun = judging_items_of(study)
        submitted(done)
        opened(begun)
        plan = repaired(study, leaves=judges[:1])
        assert [(move.of, move.was_begun) for move in plan.moves] == [(begun.pk, True)]
        assert (reload(done).state, reload(begun).state) == ("submitted", "open")
        assert replacement_of(begun).state == "assigned"
        assert set(ratings_by_prompt(study).values()) == {2}
        assert verified(study) == []

    def test_a_judge_who_leaves_has_left_from_then_on_and_the_trail_says_so_once(
        self, study: Study, judges: Judges
    ) -> None:
        repaired(study, leaves=judges[:1])
        assert Participation.objects.get(pk=judges[0].pk).left_at
        assert AuditEvent.objects.filter(verb="person.left", subject=judges[0].pseudonym).count() == 1

    def test_the_next_repair_moves_the_work_of_a_judge_who_left_before_whatever_it_is_for(
        self, study: Study, judges: Judges
    ) -> None:
        people.leave(participation=judges[0], reason=REASON, by=coordinator_of(study))
        plan = repaired(study)
        assert {move.taken_from for move in plan.moves} == {judges[0].pseudonym}
        assert set(ratings_by_prompt(study).values()) == {2}

    def test_the_next_repair_moves_the_work_of_a_judge_who_withdrew_their_consent(
        self, study: Study, judges: Judges
    ) -> None:
        Consent.objects.filter(participation=judges[0]).update(withdrawn_at=timezone.now())
        assert {move.taken_from for move in planned(study).moves} == {judges[0].pseudonym}

    def test_a_judge_leaves_with_everything_submitted_and_nothing_moves(self, study: Study, judges: Judges) -> None:
        for item in judging_items_of(study):
            submitted(item)
        assert repaired(study, leaves=judges[:1]).moves == ()
        assert Participation.objects.get(pk=judges[0].pk).left_at


class TestAReplacement:
    @pytest.fixture
    def pair(self, study: Study, judges: Judges) -> Pair:
        """An item and the one that takes its place."""
        repaired(study, leaves=judges[:1])
        before = judging_items_of(study)[0]
        return before, replacement_of(before)

    def test_a_replacement_shows_the_same_answers_under_labels_of_its_own_judge(self, pair: Pair) -> None:
        before, after = pair
        assert shown(after) == shown(before)
        judge, prompt = after.participation.pseudonym, after.prompt.code
        assert labels_of(after) == labels(SEED, judge=judge, prompt=prompt, responses=sorted(shown(before)))

    def test_a_replacement_inherits_purpose_set_and_wording(self, pair: Pair) -> None:
        before, after = pair
        assert plan_of(after) == plan_of(before)
        assert (after.prompt_id, after.prompt_version_id) == (before.prompt_id, before.prompt_version_id)

    def test_a_replacement_comes_after_what_its_judge_had_and_asks_no_guess(self, pair: Pair) -> None:
        _, after = pair
        earlier = JudgingItem.objects.filter(participation=after.participation, replaces__isnull=True)
        assert after.position > max(item.position for item in earlier)
        assert not after.asks_guess

    def test_a_replacement_is_opened_and_shown_by_the_same_statements_as_any_other_item(self, pair: Pair) -> None:
        before, after = pair
        ordinary = JudgingItem.objects.filter(participation=after.participation, replaces__isnull=True)[0]
        client = signed_in(after.participation.user)
        statements = []
        for item in (ordinary, ordinary, after):  # the rubric is read once for all
            opened(reload(item))
            with CaptureQueriesContext(connection) as captured:
                page = client.get(reverse("judging_item", args=[item.pk])).content.decode()
            statements.append([re.sub(r"\d+", "#", query["sql"]) for query in captured])
        assert statements[1] == statements[2]
        assert before.participation.pseudonym not in page
        assert f"Item {after.position} of {max(judging_positions(after))}" in page


def judging_positions(item: JudgingItem) -> list[int]:
    return [own.position for own in live(item.study) if own.participation == item.participation]


class TestAJudgeIsLate:
    def test_a_judge_who_is_late_keeps_what_is_begun_while_others_take_the_rest(
        self, study: Study, judges: Judges
    ) -> None:
        begun, waiting = judging_items_of(study)
        opened(begun)
        plan = repaired(study, late=judges[:1])
        assert {(move.of, move.was_begun) for move in plan.moves} == {(begun.pk, True), (waiting.pk, False)}
        assert [item.pk for item in live(study) if item.participation == judges[0]] == [begun.pk]
        assert Participation.objects.get(pk=judges[0].pk).left_at is None
        assert verified(study) == []

    def test_a_judge_who_is_late_is_not_given_the_same_prompt_again(self, study: Study, judges: Judges) -> None:
        begun, _ = judging_items_of(study)
        opened(begun)
        repaired(study, late=judges[:1])
        second = replacement_of(begun).participation
        third = next(move for move in repaired(study, leaves=[second]).moves if move.prompt == begun.prompt.code)
        assert third.given_to not in (judges[0].pseudonym, second.pseudonym)

    def test_a_judge_who_is_late_submits_after_all_so_the_place_is_filled_for_good(
        self, study: Study, judges: Judges
    ) -> None:
        begun, _ = judging_items_of(study)
        opened(begun)
        repaired(study, late=judges[:1])
        after = replacement_of(begun)
        submitted(begun)
        plan = repaired(study, leaves=[after.participation])
        assert begun.prompt.code not in {move.prompt for move in plan.moves}
        assert reload(after).state == "assigned", "what was submitted may yet be taken back"
        assert verified(study) == []


class TestANewcomer:
    def test_a_newcomer_takes_an_even_share_of_what_is_not_begun(self, study: Study, judges: Judges) -> None:
        newcomer = judges[4]
        plan = repaired(study, joins=[newcomer])
        # 8 ratings, none begun, 5 judges: one each at least.
        assert plan.loads[newcomer.pseudonym] == (0, 1)
        assert len(plan.moves) == 1
        assert set(ratings_by_prompt(study).values()) == {2}
        assert verified(study) == []

    def test_a_newcomer_guesses_on_some_of_their_first_items_and_on_none_that_come_later(self) -> None:
        study = a_shared_study(2, prompts=6, guess_items=1)
        newcomer = a_member(study, Role.JUDGE)
        first = repaired(study, joins=[newcomer]).moves
        assert len(first) == 4  # of 12 ratings for three
        own = JudgingItem.objects.filter(participation=newcomer)
        assert own.filter(asks_guess=True).count() == 1
        repaired(study, leaves=members_of(study, Role.JUDGE)[:1])
        assert own.count() > len(first)
        assert own.filter(asks_guess=True).count() == 1
        assert verified(study) == []

    def test_a_newcomer_gets_nothing_unless_they_join(self, study: Study, judges: Judges) -> None:
        plan = planned(study, leaves=judges[:1])
        assert judges[4].pseudonym not in {move.given_to for move in plan.moves}

    def test_a_newcomer_takes_all_of_a_leaver_s_work_where_nobody_else_can(self) -> None:
        study = a_shared_study(2)  # both judge all four prompts
        newcomer = a_member(study, Role.JUDGE)
        leaver = members_of(study, Role.JUDGE)[0]
        plan = repaired(study, leaves=[leaver], joins=[newcomer])
        assert {(move.taken_from, move.given_to) for move in plan.moves} == {(leaver.pseudonym, newcomer.pseudonym)}
        assert len(plan.moves) == 4
        assert verified(study) == []

    def test_a_judge_who_has_come_back_takes_a_share_again(self, study: Study, judges: Judges) -> None:
        repaired(study, leaves=judges[:1])
        people.come_back(participation=judges[0], reason=REASON, by=coordinator_of(study))
        plan = repaired(study, joins=judges[:1])
        assert plan.loads[judges[0].pseudonym].after >= 1
        assert verified(study) == []


class TestARepair:
    def test_a_repair_posted_twice_is_made_once(self, study: Study, judges: Judges) -> None:
        plan = planned(study, leaves=judges[:1])
        first, second = applied(study, plan), applied(study, plan)
        assert first == second == plan.moves
        assert JudgingItem.objects.filter(study=study, replaces__isnull=False).count() == len(plan.moves)
        assert AuditEvent.objects.filter(study=study, verb="assignment.repaired").count() == 1

    def test_a_repair_is_in_the_audit_trail_with_what_it_was_made_from(self, study: Study, judges: Judges) -> None:
        plan = repaired(study, leaves=judges[:1], late=judges[1:2], joins=judges[4:])
        detail = event(study).detail
        assert (detail["leaves"], detail["late"], detail["joins"]) == (
            [judges[0].pseudonym],
            [judges[1].pseudonym],
            [judges[4].pseudonym],
        )
        assert detail["reason"] == REASON
        assert [move["prompt"] for move in detail["moves"]] == [move.prompt for move in plan.moves]
        assert {person["name"] for person in detail["people"]} == {judge.pseudonym for judge in judges[2:]}
        assert detail["items_sha256"].keys() == {move.prompt for move in plan.moves}

    def test_a_repair_after_a_repair_starts_from_what_that_one_left(self, study: Study, judges: Judges) -> None:
        repaired(study, leaves=judges[:1])
        first = replacement_of(judging_items_of(study)[0])
        repaired(study, leaves=[first.participation], joins=judges[4:])
        second = replacement_of(first)
        assert shown(second) == shown(judging_items_of(study)[0])
        assert reload(first).state == "cancelled"
        assert set(ratings_by_prompt(study).values()) == {2}
        assert verified(study) == []

    def test_a_repair_moves_nothing_that_it_need_not_move(self, study: Study, judges: Judges) -> None:
        """The lower bound is what the leaver has: two of eight."""
        assert len(planned(study, leaves=judges[:1]).moves) == 2

    def test_a_repair_leaves_every_place_with_judges_who_are_all_different(
        self, study: Study, judges: Judges
    ) -> None:
        repaired(study, leaves=judges[:1], joins=judges[4:])
        by_prompt: dict[str, list[RequestedRating]] = {}
        for rating in requested_ratings_of(study):
            by_prompt.setdefault(rating.prompt, []).append(rating)
        assert all(len({rating.holder.judge for rating in ratings}) == 2 for ratings in by_prompt.values())


def test_where_an_item_has_vanished_nothing_can_take_its_place(study: Study, judges: Judges) -> None:
    gone = judging_items_of(study)[0]
    an_item_deleted(gone)
    with pytest.raises(Refused, match=f"Fewer items than judging was opened with: {gone.prompt.code}"):
        planned(study, late=[judges[1]])
