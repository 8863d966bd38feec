"""Task 2: scores that replace each other or are refused whole, and one submission that fixes the ranking."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection

from annotation.core.errors import Refused
from annotation.models.audit import AuditEvent
from annotation.models.judging import JudgingItem, RankedSlot, Score
from annotation.models.participation import Role
from annotation.selectors.judging import item_page
from annotation.services import judging
from annotation.services.studies import RUBRICS
from tests.factories import (
    a_judging_study,
    a_person,
    judging_items_of,
    members_of,
    opened,
    scored,
    slots_of,
)

pytestmark = pytest.mark.django_db

CLARITY, EVIDENCE = "conceptual_clarity", "evidential_grounding"


def an_item(human: int = 2, model: int = 2, **parameters: Any) -> JudgingItem:
    """The first item of the first of two judges."""
    return judging_items_of(a_judging_study(human, model, judges=2, prompts=2, **parameters))[0]


def values_of(item: JudgingItem) -> dict[tuple[str, str], int]:
    """What is kept, by label and dimension."""
    scores = Score.objects.filter(slot__item=item).select_related("slot")
    return {(score.slot.label, score.dimension): score.value for score in scores}


def ranking_of(item: JudgingItem) -> dict[str, tuple[int, float, float | None]]:
    """Rank, mid-rank and composite by label."""
    rows = RankedSlot.objects.filter(slot__item=item).select_related("slot")
    return {row.slot.label: (row.rank, row.mid_rank, row.composite) for row in rows}


def verbs_of(item: JudgingItem) -> list[str]:
    found = AuditEvent.objects.filter(verb__startswith="item.", subject=str(item.pk)).order_by("id")
    return list(found.values_list("verb", flat=True))


# -- opening -------------------------------------------------------------------------------------------------------


def test_opening_twice_keeps_the_first_time() -> None:
    item = opened(an_item())
    assert item.state == "open"
    assert opened(item).opened_at == item.opened_at
    assert verbs_of(item) == ["item.opened"]


def test_an_item_cannot_be_opened_without_consent() -> None:
    study = a_judging_study(2, 2, judges=2, prompts=2)
    judge = members_of(study, Role.JUDGE)[0]
    judge.consent.delete()
    with pytest.raises(Refused, match="consent"):
        opened(judging_items_of(study)[0])


def test_an_item_cannot_be_opened_once_judging_has_ended() -> None:
    item = an_item()
    item.study.state = "closed"
    item.study.save()
    with pytest.raises(Refused, match="not open"):
        opened(item)


# -- scoring -------------------------------------------------------------------------------------------------------


def test_a_later_score_replaces_the_earlier_one() -> None:
    item = opened(an_item())
    slot, judge = slots_of(item)["B"], item.participation.user
    judging.score(item=item, scores={slot: {CLARITY: 4, EVIDENCE: 9}}, by=judge)
    judging.score(item=item, scores={slot: {CLARITY: 6}}, by=judge)
    assert values_of(item) == {("B", CLARITY): 6, ("B", EVIDENCE): 9}


@pytest.mark.parametrize("value", [0, 11, -1, 10**30, True, 7.0, "7", None])
def test_of_scores_with_one_off_the_scale_none_is_kept(value: Any) -> None:
    item = opened(an_item())
    slots = slots_of(item)
    scores = {slots["A"]: {CLARITY: 5}, slots["B"]: {CLARITY: value}}
    with pytest.raises(Refused, match="whole numbers from 1 to 10"):
        judging.score(item=item, scores=scores, by=item.participation.user)
    assert values_of(item) == {}


def test_of_scores_with_an_unknown_dimension_none_is_kept() -> None:
    item = opened(an_item())
    slot = slots_of(item)["A"]
    with pytest.raises(Refused, match="no dimension charm"):
        judging.score(item=item, scores={slot: {CLARITY: 5, "charm": 5}}, by=item.participation.user)
    assert values_of(item) == {}


def test_an_answer_of_another_item_cannot_be_scored() -> None:
    study = a_judging_study(2, 2, judges=2, prompts=2)
    mine, also_mine = judging_items_of(study)
    others = judging_items_of(study, judge=1)[0]
    opened(mine)
    for foreign in (slots_of(also_mine)["A"], slots_of(others)["A"], uuid4()):
        scores = {slots_of(mine)["A"]: {CLARITY: 5}, foreign: {CLARITY: 5}}
        with pytest.raises(Refused, match="not part of the item"):
            judging.score(item=mine, scores=scores, by=mine.participation.user)
    assert not Score.objects.exists()


def test_the_scale_is_that_of_the_study_s_own_rubric() -> None:
    toml = (RUBRICS / "constitutional_reasoning-2.toml").read_text()
    item = scored(an_item(1, 1, rubric_toml=toml), A=85, B=0)
    assert values_of(item)["A", "epistemic_integrity"] == 85
    with pytest.raises(Refused, match="from 0 to 100"):
        scored(item, A=101)
    judging.submit_item(item=item, by=item.participation.user)
    # Two dimensions of 85 each, combined by their mean: (85 + 85) / 2.
    assert ranking_of(item) == {"A": (1, 1.0, 85.0), "B": (2, 2.0, 0.0)}


# -- submitting scores ---------------------------------------------------------------------------------------------


def test_an_incomplete_item_is_not_submitted_and_the_answer_is_named() -> None:
    item = scored(an_item(), A=9, B=7, D=5)
    slot, judge = slots_of(item)["C"], item.participation.user
    judging.score(item=item, scores={slot: {CLARITY: 7, EVIDENCE: 7}}, by=judge)
    with pytest.raises(Refused, match="Answer C still needs 3 of its 5 scores"):
        judging.submit_item(item=item, by=judge)
    item.refresh_from_db()
    assert item.state == "open"
    assert ranking_of(item) == {}


def test_equal_composites_share_a_rank_and_the_next_ranks_are_left_out() -> None:
    item = scored(an_item(), A=7, B=9, C=5, D=7)
    judging.submit_item(item=item, by=item.participation.user)
    # Sums of five dimensions: 35, 45, 25, 35. A and D share places 2 and 3, whose mean is 2.5.
    assert ranking_of(item) == {"B": (1, 1.0, 45.0), "A": (2, 2.5, 35.0), "D": (2, 2.5, 35.0), "C": (4, 4.0, 25.0)}


def test_six_equal_answers_are_all_first() -> None:
    item = scored(an_item(3, 3), **dict.fromkeys("ABCDEF", 6))
    judging.submit_item(item=item, by=item.participation.user)
    # The mean of places 1 to 6 is 3.5.
    assert ranking_of(item) == dict.fromkeys("ABCDEF", (1, 3.5, 30.0))


def test_submitting_again_changes_nothing() -> None:
    item = scored(an_item(1, 1), A=4, B=8)
    judge = item.participation.user
    first = judging.submit_item(item=item, by=judge, justification="B is better argued.")
    again = judging.submit_item(item=item, by=judge, justification="On second thoughts, A.")
    assert again.submitted_at == first.submitted_at
    assert again.justification == "B is better argued."
    assert verbs_of(item) == ["item.opened", "item.submitted"]


def test_a_submitted_item_is_locked() -> None:
    item = scored(an_item(1, 1), A=4, B=8)
    judging.submit_item(item=item, by=item.participation.user)
    with pytest.raises(Refused, match="submitted"):
        judging.score(item=item, scores={slots_of(item)["A"]: {CLARITY: 10}}, by=item.participation.user)
    assert values_of(item)["A", CLARITY] == 4


def test_a_required_justification_must_not_be_blank() -> None:
    item = scored(an_item(1, 1, rationale="required"), A=4, B=8)
    judge = item.participation.user
    with pytest.raises(Refused, match="justify"):
        judging.submit_item(item=item, by=judge, justification=" \n\u200b ")
    assert judging.submit_item(item=item, by=judge, justification=" B leads.\r\n").justification == "B leads."


@pytest.mark.django_db(transaction=True)
def test_of_parallel_submissions_one_counts() -> None:
    item = scored(an_item(1, 1), A=4, B=8)
    judge = item.participation.user

    def submit(number: int) -> object:
        try:
            return judging.submit_item(item=item, by=judge, justification=f"Reason {number}.").justification
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=8) as pool:
        kept = set(pool.map(submit, range(8)))
    assert len(kept) == 1
    assert verbs_of(item) == ["item.opened", "item.submitted"]


# -- direct ranking ------------------------------------------------------------------------------------------------


def submitted_places(item: JudgingItem, places: Iterable[int]) -> dict[str, tuple[int, float, float | None]]:
    opened(item)
    ranks = dict(zip(slots_of(item).values(), places, strict=False))
    judging.submit_item(item=item, by=item.participation.user, justification="Because.", ranks=ranks)
    return ranking_of(item)


@pytest.mark.parametrize(
    ("places", "ranks", "mid_ranks"),
    [
        ((2, 1, 4, 3), (2, 1, 4, 3), (2, 1, 4, 3)),
        ((2, 1, 2, 4), (2, 1, 2, 4), (2.5, 1, 2.5, 4)),
        # People also write 1, 2, 2, 3: the last is still fourth, with three answers before it.
        ((2, 1, 2, 3), (2, 1, 2, 4), (2.5, 1, 2.5, 4)),
        ((1, 1, 1, 1), (1, 1, 1, 1), (2.5, 2.5, 2.5, 2.5)),
        ((3, 3, 4, 4), (1, 1, 3, 3), (1.5, 1.5, 3.5, 3.5)),
    ],
)
def test_places_become_competition_ranks(
    places: tuple[int, ...], ranks: tuple[int, ...], mid_ranks: tuple[float, ...]
) -> None:
    found = submitted_places(an_item(judging_mode="ranking"), places)
    assert found == {
        label: (rank, mid_rank, None) for label, rank, mid_rank in zip("ABCD", ranks, mid_ranks, strict=True)
    }


def test_a_ranking_without_a_place_for_every_answer_names_those_left() -> None:
    with pytest.raises(Refused, match="without a place: C, D"):
        submitted_places(an_item(judging_mode="ranking"), (1, 2))


@pytest.mark.parametrize("place", [0, 5, -1])
def test_places_beyond_the_number_of_answers_are_refused(place: int) -> None:
    with pytest.raises(Refused, match="Places go from 1 to 4"):
        submitted_places(an_item(judging_mode="ranking"), (1, 2, 3, place))


# -- whose item it is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verb",
    [
        lambda item, by: judging.open_item(item=item, by=by),
        lambda item, by: judging.score(item=item, scores={}, by=by),
        lambda item, by: judging.submit_item(item=item, by=by),
    ],
    ids=["open", "score", "submit"],
)
def test_nobody_else_can_work_on_an_item(verb: Callable[..., object]) -> None:
    study = a_judging_study(1, 1, judges=2, prompts=2)
    item = scored(judging_items_of(study)[0], A=4, B=8)
    for other in (members_of(study, Role.JUDGE)[1].user, members_of(study, Role.COORDINATOR)[0].user, a_person()):
        with pytest.raises(PermissionDenied):
            verb(item, other)


# -- what the page is told -----------------------------------------------------------------------------------------


def test_the_ranking_appears_only_when_every_answer_has_every_score() -> None:
    item = scored(an_item(), A=7, B=9, C=5)
    page = item_page(item)
    assert (page.given, page.wanted, page.ranking) == (15, 20, [])
    page = item_page(scored(item, D=7))
    assert [(place.rank, place.labels, place.composite, place.mean) for place in page.ranking] == [
        (1, ("B",), 45, 9.0),
        (2, ("A", "D"), 35, 7.0),
        (4, ("C",), 25, 5.0),
    ]


def test_a_submitted_direct_ranking_is_shown_without_composites() -> None:
    item = an_item(judging_mode="ranking")
    submitted_places(item, (2, 1, 2, 4))
    item.refresh_from_db()
    assert [(place.rank, place.labels, place.composite) for place in item_page(item).ranking] == [
        (1, ("B",), None),
        (2, ("A", "C"), None),
        (4, ("D",), None),
    ]


def test_the_time_an_item_takes_is_rounded_up_to_five_minutes() -> None:
    item = an_item(3, 3)
    page = item_page(item)
    # About 220 words an answer: 6 * 220 / 200 + 6 * 2 minutes is a little over 18.
    assert page.minutes == 20
