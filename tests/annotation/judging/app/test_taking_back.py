"""For a while a judge may take back the item submitted last, and nothing of what it was is forgotten."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from annotation.judging.core.work_kinds import LAPSE_ITEM
from annotation.judging.models.judging import JudgingItem, RankedSlot
from annotation.judging.selectors.own_items import items_of
from annotation.judging.services import guessing, judging
from annotation.judging.services.guessing import Guessed
from annotation.platform.core.errors import Refused
from annotation.platform.models.work import Task
from scrub_site.management.commands.run_loop import tick
from tests.factories import a_judging_study, judging_items_of, opened, scored, slots_of
from tests.judging import (
    CLARITY,
    HOUR,
    MINUTE,
    an_item,
    client_of,
    events_of,
    page_of,
    pass_time,
    ranking_of,
    score,
    state_of,
    submit,
    submitted,
    url,
    values_of,
    verbs_of,
)

pytestmark = pytest.mark.django_db
OFFER = "Take this item back"


@pytest.fixture
def item() -> JudgingItem:
    """An item of two answers, just submitted, that can be taken back for ten minutes."""
    return submitted(an_item(1, 1))


def reopen(item: JudgingItem) -> None:
    judging.reopen(item_id=item.pk, by=item.participation.user)


def receipt_of(item: JudgingItem) -> str:
    return client_of(item).get(url("judging_receipt", item)).content.decode()


# -- what it does --------------------------------------------------------------------------------------------------


def test_an_item_taken_back_is_open_with_all_its_scores_and_without_a_ranking(item: JudgingItem) -> None:
    before = values_of(item)
    reopen(item)
    item.refresh_from_db()
    assert (item.state, item.submitted_at, item.sha256) == ("open", None, "")
    assert values_of(item) == before
    assert not RankedSlot.objects.filter(slot__item=item).exists()


def test_a_justification_stays_when_its_item_is_taken_back() -> None:
    item = submit(scored(an_item(1, 1, rationale="required"), A=4, B=8), justification="B leads.")
    reopen(item)
    assert page_of(item).justification == "B leads."


def test_the_trail_keeps_what_had_been_submitted(item: JudgingItem) -> None:
    sha256 = item.sha256
    reopen(item)
    taken_back = events_of(item)[-1]
    assert (taken_back.verb, taken_back.actor) == ("item.reopened", item.participation.user)
    assert taken_back.detail == {"sha256": sha256, "ranks": {"A": 1, "B": 2}}


def test_an_item_submitted_again_has_a_ranking_and_a_hash_of_its_own(item: JudgingItem) -> None:
    first = item.sha256
    reopen(item)
    score(item, {slots_of(item)["A"]: {CLARITY: 1}})
    item = submit(item)
    # A: 1 + 4 * 9 = 37 against B's 40.
    assert ranking_of(item) == {"A": (2, 2.0, 37.0), "B": (1, 1.0, 40.0)}
    assert item.sha256 != first
    assert verbs_of(item) == ["item.opened", "item.submitted", "item.reopened", "item.submitted"]


def test_taking_back_twice_is_once(item: JudgingItem) -> None:
    for _ in range(2):
        response = client_of(item).post(url("judging_reopen", item))
        assert response["Location"] == url("judging_item", item)
    assert verbs_of(item).count("item.reopened") == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_who_take_an_item_back_at_once_one_does() -> None:
    item = submitted(an_item(1, 1))

    def take_back(_: int) -> None:
        try:
            reopen(item)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(take_back, range(8)))
    assert verbs_of(item).count("item.reopened") == 1


def test_an_item_taken_back_and_left_lying_lapses_and_can_still_be_submitted() -> None:
    item = submitted(an_item(1, 1, lease_hours=3))
    reopen(item)
    assert Task.objects.filter(kind=LAPSE_ITEM, subject=str(item.pk), done_at=None).count() == 1
    pass_time(item, 4 * HOUR)
    tick()
    assert state_of(item) == "lapsed"
    submit(item)
    assert verbs_of(item)[2:] == ["item.reopened", "item.lapsed", "item.taken_up", "item.submitted"]


# -- when it is too late -------------------------------------------------------------------------------------------


def test_after_the_grace_period_a_submission_stays(item: JudgingItem) -> None:
    pass_time(item, 11 * MINUTE)
    assert OFFER not in receipt_of(item)
    response = client_of(item).post(url("judging_reopen", item), follow=True)
    assert "The time for taking this item back has passed" in response.content.decode()
    assert state_of(item) == "submitted"


def test_within_the_grace_period_the_receipt_says_until_when(item: JudgingItem) -> None:
    pass_time(item, 9 * MINUTE)
    until = page_of(item).reopens_until
    assert until is not None
    found = receipt_of(item)
    assert OFFER in found
    assert f"{until:%-d %B, %H:%M}" in found


def test_the_study_says_for_how_long_items_can_be_taken_back() -> None:
    item = submitted(an_item(1, 1, reopen_minutes=0))
    pass_time(item, MINUTE)
    assert OFFER not in receipt_of(item)
    with pytest.raises(Refused, match="has passed"):
        reopen(item)


def test_only_the_item_submitted_last_can_be_taken_back() -> None:
    first, second = judging_items_of(a_judging_study(1, 1, judges=1, prompts=2))
    submitted(second)
    submitted(first)
    assert OFFER not in receipt_of(second)
    with pytest.raises(Refused, match="Only the item you submitted last"):
        reopen(second)
    assert OFFER in receipt_of(first)
    reopen(first)
    assert OFFER in receipt_of(second)  # now it is the last one


def test_another_judge_s_submission_does_not_matter_to_taking_back() -> None:
    study = a_judging_study(1, 1, judges=2, prompts=1)
    mine, theirs = (submitted(judging_items_of(study, judge=judge)[0]) for judge in (0, 1))
    assert mine.submitted_at is not None
    assert theirs.submitted_at is not None
    assert theirs.submitted_at > mine.submitted_at
    reopen(mine)
    assert [state_of(mine), state_of(theirs)] == ["open", "submitted"]


def test_an_item_begun_meanwhile_does_not_matter_to_taking_back(item: JudgingItem) -> None:
    opened(judging_items_of(item.study)[1])
    reopen(item)
    assert state_of(item) == "open"


def test_once_guessing_has_begun_scores_stay() -> None:
    item, other = (
        submitted(item) for item in judging_items_of(a_judging_study(1, 1, judges=1, prompts=2, guess_items=2))
    )
    unknown = {slot: Guessed("unknown") for slot in slots_of(item).values()}
    guessing.guess(item_id=item.pk, guesses=unknown, by=item.participation.user)
    assert OFFER not in receipt_of(other)
    with pytest.raises(Refused, match="begun to guess"):
        reopen(other)
    assert state_of(other) == "submitted"


def test_once_judging_has_closed_scores_stay(item: JudgingItem) -> None:
    item.study.state = "closed"
    item.study.save()
    assert OFFER not in receipt_of(item)
    with pytest.raises(Refused, match="Judging is closed"):
        reopen(item)


def test_an_item_that_is_not_submitted_cannot_be_taken_back() -> None:
    item = an_item(1, 1)
    with pytest.raises(Refused, match="applies only when it is “submitted”"):
        reopen(item)


# -- what comes next -----------------------------------------------------------------------------------------------


def test_the_study_s_page_says_that_an_item_waits_to_be_submitted_again(item: JudgingItem) -> None:
    reopen(item)
    own = items_of(item.participation)
    assert own.next is not None
    assert (own.next.id, own.next.is_complete, own.left) == (item.pk, True, 2)


def test_the_receipt_leads_to_the_next_item_and_counts_those_left(item: JudgingItem) -> None:
    following = judging_items_of(item.study)[1]
    found = receipt_of(item)
    assert url("judging_item", following) in found
    assert "You have 1 item left" in found
    submitted(following)
    assert "That was all" in receipt_of(following) or "One short step is left" in receipt_of(following)
