"""The pages on which a coordinator looks at what would change hands, and lets it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.assignment.selectors.certificate import certificate
from annotation.judging.models.judging import JudgingItem
from annotation.people.services import members
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment
from tests.analysis.blinding.tampering import verified
from tests.annotation.assignment.repairs import a_shared_study
from tests.clients import signed_in
from tests.factories import (
    a_judging_study,
    a_member,
    a_writing_study,
    coordinator_of,
    judging_items_of,
    members_of,
    opened,
)
from tests.judging import submitted
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def study() -> Study:
    """Five judges, three of them on each of six prompts; the first has submitted one item and begun another."""
    study = a_judging_study(2, 1, 5, prompts=6, ratings_per_prompt=3)
    first, second, *_ = judging_items_of(study)
    submitted(first)
    opened(second)
    return study


@pytest.fixture
def coordinator(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def judge(study: Study, number: int = 0) -> str:
    return members_of(study, Role.JUDGE)[number].pseudonym


def looked_at(client: Client, study: Study, **ticked: str) -> Any:
    return client.get(reverse("repair", args=[study.slug]), {"task": study.state, **ticked})


def made(client: Client, study: Study, digest: str, **ticked: str) -> Any:
    address = reverse("repair_apply", args=[study.slug])
    return client.post(address, {"digest": digest, "reason": "Fell ill.", **ticked}, follow=True)


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


class TestLooking:
    def test_looking_at_a_repair_shows_the_moves_and_saves_nothing(self, study: Study, coordinator: Client) -> None:
        before = list(JudgingItem.objects.order_by("pk").values())
        answer = looked_at(coordinator, study, late=judge(study))
        plan = answer.context["plan"]
        assert plan.moves
        assert {move.taken_from for move in plan.moves} == {judge(study)}
        for move in plan.moves:
            assert move.prompt in words(answer)
            assert move.given_to in words(answer)
        assert "Counted again, every rule holds afterwards." in words(answer)
        assert list(JudgingItem.objects.order_by("pk").values()) == before

    def test_looking_at_a_repair_says_what_stays_and_what_may_still_be_done(
        self, study: Study, coordinator: Client
    ) -> None:
        answer = looked_at(coordinator, study, late=judge(study))
        moves = len(answer.context["plan"].moves)
        assert f"{18 - moves} stay where they are" in words(answer)  # 6 prompts × 3 ratings
        assert f"({judge(study)}) has begun stays open" in words(answer)

    def test_looking_at_a_repair_calls_people_by_their_names(self, study: Study, coordinator: Client) -> None:
        answer = looked_at(coordinator, study, late=judge(study))
        taker = answer.context["plan"].moves[0].given_to
        names = {member.pseudonym: member.user.name for member in members_of(study, Role.JUDGE)}
        assert f"<td> {names[taker]} ({taker}) </td>" in words(answer)
        assert f'<th scope="row">{names[taker]} ({taker})</th>' in words(answer)

    def test_looking_at_a_repair_says_why_nothing_fits_and_what_would_be_enough(
        self, coordinator: Client, study: Study
    ) -> None:
        Participation.objects.filter(study=study, role=Role.JUDGE).update(capacity=4)
        answer = looked_at(coordinator, study, leaves=judge(study, 1))
        assert answer.context["plan"] is None
        assert re.search(r"Enough would be \d more (person|people) who can take every prompt\.", words(answer))
        assert f'<a href="{reverse("study_people", args=[study.slug])}">People</a>' in words(answer)

    def test_looking_at_a_repair_says_what_limits_each(self, study: Study, coordinator: Client) -> None:
        """Of 6 × 3 = 18 items each judge has three or four."""
        today = timezone.localdate()
        first, second, third, fourth, fifth = members_of(study, Role.JUDGE)
        limits: list[tuple[Participation, dict[str, Any]]] = [
            (first, {"capacity": 1}),
            (second, {"available_until": today - timedelta(days=1)}),
            (third, {"available_from": today + timedelta(days=1), "excludes": ["Law"]}),
            (fourth, {"left_at": timezone.now()}),
        ]
        for member, limit in limits:
            Participation.objects.filter(pk=member.pk).update(**limit)
        members.withdraw_consent(participation=fifth, by=fifth.user)
        page = words(coordinator.get(reverse("repair", args=[study.slug])))
        assert "nothing more: takes at most 1" in page
        assert f"nothing: had time until {today - timedelta(days=1):%-d %B %Y}" in page
        assert f"away until {today + timedelta(days=1):%-d %B %Y}; not Law" in page
        assert "nothing: has left" in page
        assert "nothing: has withdrawn" in page

    def test_looking_at_a_repair_says_who_has_begun_to_guess_and_who_has_every_prompt(
        self, coordinator: Client, study: Study
    ) -> None:
        JudgingItem.objects.filter(pk=judging_items_of(study)[0].pk).update(
            asks_guess=True, guessed_at=timezone.now()
        )
        assert "nothing: has begun to guess" in words(looked_at(coordinator, study))
        full = a_shared_study(2, slug="full")  # both judges have all four prompts
        page = words(signed_in(coordinator_of(full)).get(reverse("repair", args=[full.slug])))
        assert page.count("nothing: has every prompt") == 2

    def test_looking_at_a_repair_asks_to_tick_somebody(self, study: Study, coordinator: Client) -> None:
        assert "What would change hands" not in words(coordinator.get(reverse("repair", args=[study.slug])))
        assert "Tick one box" in words(looked_at(coordinator, study, late=judge(study), leaves=judge(study)))
        assert "Tick who leaves, is late or joins." in words(looked_at(coordinator, study))

    def test_looking_at_a_repair_with_nobody_ticked_shows_what_a_lowered_limit_asks_for(
        self, study: Study, coordinator: Client
    ) -> None:
        other = members_of(study, Role.JUDGE)[1]
        held = other.judging_items.count()
        Participation.objects.filter(pk=other.pk).update(capacity=held - 1)
        plan = looked_at(coordinator, study).context["plan"]
        assert [move.taken_from for move in plan.moves] == [other.pseudonym]
        assert made(coordinator, study, plan.digest).status_code == 200
        assert other.judging_items.exclude(state="cancelled").count() == held - 1
        proof = certificate(study)
        assert proof
        assert proof.judging
        assert proof.judging.broken == 0
        assert verified(study) == []

    def test_looking_at_a_repair_offers_a_share_to_whoever_has_none(
        self, study: Study, coordinator: Client
    ) -> None:
        newcomer = a_member(study, Role.JUDGE).pseudonym
        answer = looked_at(coordinator, study, joins=newcomer)
        assert f'aria-label="{newcomer} joins"' in words(answer)
        assert {move.given_to for move in answer.context["plan"].moves} == {newcomer}

    def test_looking_at_a_repair_knows_nobody_of_another_study_or_role(
        self, study: Study, coordinator: Client
    ) -> None:
        for name in ("J-9999", members_of(study, Role.WRITER)[0].pseudonym):
            answer = looked_at(coordinator, study, leaves=name)
            assert answer.context["plan"] is None
            assert f"{name} has nothing to give" in words(answer)

    def test_looking_at_a_repair_is_over_once_work_is_over(self, study: Study, coordinator: Client) -> None:
        Study.objects.filter(pk=study.pk).update(state="closed")
        assert "Nothing can change hands now" in words(looked_at(coordinator, study, leaves=judge(study)))

    def test_looking_at_a_repair_is_not_begun_before_work_is_given_out(self) -> None:
        study = a_writing_study()
        WritingAssignment.objects.filter(study=study).delete()
        answer = looked_at(signed_in(coordinator_of(study)), study)
        assert "Nothing can change hands now" in words(answer)


class TestMaking:
    def test_making_a_repair_does_what_was_shown_and_tells_it_on_the_certificate(
        self, study: Study, coordinator: Client
    ) -> None:
        plan = looked_at(coordinator, study, leaves=judge(study)).context["plan"]
        answer = made(coordinator, study, plan.digest, leaves=judge(study))
        assert answer.redirect_chain[-1][0] == reverse("certificate", args=[study.slug])
        assert f"Done: {len(plan.moves)} items changed hands. Nobody is told by mail" in words(answer)
        assert f'<a href="{reverse("reminders", args=[study.slug])}">remind the people concerned</a>' in words(
            answer
        )
        assert "“Fell ill.”" in words(answer)
        assert members_of(study, Role.JUDGE)[0].left_at
        assert JudgingItem.objects.filter(replaces__isnull=False).count() == len(plan.moves)

    def test_making_a_repair_with_an_old_look_shows_the_new_one_and_moves_nothing(
        self, study: Study, coordinator: Client
    ) -> None:
        leaver = judge(study, 1)
        old = looked_at(coordinator, study, leaves=leaver).context["plan"].digest
        submitted(judging_items_of(study, judge=1)[0])
        answer = made(coordinator, study, old, leaves=leaver)
        assert answer.status_code == 400
        assert "Things have changed since you looked." in words(answer)
        assert f'value="{answer.context["plan"].digest}"' in words(answer)
        assert old not in words(answer)
        assert not JudgingItem.objects.filter(replaces__isnull=False).exists()
        assert made(coordinator, study, answer.context["plan"].digest, leaves=leaver).status_code == 200

    def test_making_a_repair_needs_a_reason_and_keeps_what_was_ticked(
        self, study: Study, coordinator: Client
    ) -> None:
        digest = looked_at(coordinator, study, late=judge(study)).context["plan"].digest
        answer = made(coordinator, study, digest, late=judge(study), reason=" ")
        assert answer.status_code == 400
        assert answer.context["plan"].digest == digest
        assert not JudgingItem.objects.filter(replaces__isnull=False).exists()

    def test_making_a_repair_gives_answers_to_other_writers(self) -> None:
        study = a_writing_study(writers=3, prompts=4, answers_per_prompt=2)
        client = signed_in(coordinator_of(study))
        leaver = members_of(study, Role.WRITER)[0].pseudonym
        plan = looked_at(client, study, leaves=leaver).context["plan"]
        answer = made(client, study, plan.digest, leaves=leaver)
        assert answer.status_code == 200
        left = WritingAssignment.objects.filter(study=study).exclude(state="cancelled")
        assert left.count() == 8  # 4 prompts × 2 answers
        assert not left.filter(participation__pseudonym=leaver).exists()
        assert "Every rule holds" in words(answer)
