"""Judging: opening an item, and one submission that fixes its ranking."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection

from annotation.judging.core.judgments import JudgedAnswer, judgment_sha256
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.services import judging, scoring
from annotation.judging.services.scoring import Given
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from annotation.study.selectors.rubrics import RUBRICS
from tests.factories import a_judging_study, a_person, judging_items_of, members_of, opened, scored, slots_of
from tests.judging import (
    CLARITY,
    EVIDENCE,
    an_item,
    events_of,
    page_of,
    ranking_of,
    score,
    state_of,
    submit,
    values_of,
    verbs_of,
)

pytestmark = pytest.mark.django_db


# -- opening -------------------------------------------------------------------------------------------------------


def test_opening_twice_keeps_the_first_time() -> None:
    item = opened(an_item())
    assert item.state == "open"
    assert opened(item).opened_at == item.opened_at
    assert verbs_of(item) == ["item.opened"]


def test_an_item_cannot_be_opened_without_consent() -> None:
    item = an_item()
    item.participation.consent.delete()
    with pytest.raises(Refused, match="consent"):
        opened(item)


def test_an_item_cannot_be_opened_once_judging_has_ended() -> None:
    item = an_item()
    item.study.state = "closed"
    item.study.save()
    with pytest.raises(Refused, match="closed"):
        opened(item)


# -- submitting scores ---------------------------------------------------------------------------------------------


def test_an_incomplete_item_is_not_submitted_and_all_that_is_missing_is_named() -> None:
    item = scored(an_item(), A=9, B=7)
    score(item, {slots_of(item)["C"]: {CLARITY: 7, EVIDENCE: 7}})
    with pytest.raises(Refused, match=r"^Scores are missing: C 3, D 5\.$"):
        submit(item)
    assert state_of(item) == "open"
    assert ranking_of(item) == {}


def test_equal_composites_share_a_rank_and_the_next_ranks_are_left_out() -> None:
    item = submit(scored(an_item(), A=7, B=9, C=5, D=7))
    # Sums of five dimensions: 35, 45, 25, 35. A and D share places 2 and 3, whose mean is 2.5.
    assert ranking_of(item) == {"B": (1, 1.0, 45.0), "A": (2, 2.5, 35.0), "D": (2, 2.5, 35.0), "C": (4, 4.0, 25.0)}


def test_six_equal_answers_are_all_first() -> None:
    item = submit(scored(an_item(3, 3), **dict.fromkeys("ABCDEF", 6)))
    # The mean of places 1 to 6 is 3.5.
    assert ranking_of(item) == dict.fromkeys("ABCDEF", (1, 3.5, 30.0))


def test_a_rubric_that_takes_the_mean_ranks_by_it() -> None:
    toml = (RUBRICS / "constitutional_reasoning-2.toml").read_text()
    item = submit(scored(an_item(1, 1, rubric_toml=toml), A=85, B=0))
    # Two dimensions of 85 each, combined by their mean: (85 + 85) / 2.
    assert ranking_of(item) == {"A": (1, 1.0, 85.0), "B": (2, 2.0, 0.0)}


def test_scores_that_come_with_the_submission_count() -> None:
    item = scored(an_item(1, 1), A=4, B=8)
    submit(item, scores={slots_of(item)["A"]: {CLARITY: 10}})
    assert values_of(item)["A", CLARITY] == 10
    # 10 + 4 * 4 is 26.
    assert ranking_of(item)["A"][2] == 26.0


def test_a_submission_that_showed_everything_as_saved_tells_what_another_window_changed() -> None:
    item = scored(an_item(1, 1), A=4, B=8)
    shown = {slot: {CLARITY: value} for slot, value in zip(slots_of(item).values(), (4, 8), strict=True)}
    score(item, {slots_of(item)["B"]: {CLARITY: 2}})
    with pytest.raises(Refused, match="A score of answer B was changed in another window"):
        submit(item, scores=shown, is_saved=True)
    assert values_of(item)["B", CLARITY] == 2
    assert state_of(item) == "open"


@pytest.mark.parametrize("scores", [{CLARITY: 11}, {"charm": 5}])
def test_a_submission_with_a_score_that_is_none_is_refused(scores: dict[str, int]) -> None:
    item = scored(an_item(1, 1), A=4, B=8)
    with pytest.raises(Refused):
        submit(item, scores={slots_of(item)["A"]: scores})
    assert state_of(item) == "open"


def test_a_submission_cannot_bring_an_answer_of_another_item() -> None:
    study = a_judging_study(1, 1, judges=2, prompts=2)
    item, another = judging_items_of(study)
    scored(item, A=4, B=8)
    for foreign in (slots_of(another)["A"], slots_of(judging_items_of(study, judge=1)[0])["A"], uuid4()):
        with pytest.raises(Refused, match="not part of the item"):
            submit(item, scores={foreign: {CLARITY: 5}})


def test_submitting_again_changes_nothing() -> None:
    item = submit(scored(an_item(1, 1), A=4, B=8), justification="B is better argued.")
    again = submit(JudgingItem.objects.get(pk=item.pk), justification="On second thoughts, A.")
    assert (again.submitted_at, again.sha256) == (item.submitted_at, item.sha256)
    assert again.justification == "B is better argued."
    assert verbs_of(item) == ["item.opened", "item.submitted"]


def test_a_submitted_item_is_locked() -> None:
    item = submit(scored(an_item(1, 1), A=4, B=8))
    with pytest.raises(Refused, match="submitted"):
        score(item, {slots_of(item)["A"]: {CLARITY: 10}})
    assert values_of(item)["A", CLARITY] == 4


def test_a_required_justification_must_not_be_blank() -> None:
    item = scored(an_item(1, 1, rationale="required"), A=4, B=8)
    with pytest.raises(Refused, match="justify"):
        submit(item, justification=" \n\u200b ")
    assert submit(item, justification=" B leads.\r\n").justification == "B leads."


def test_a_saved_justification_is_submitted_with_the_item() -> None:
    item = scored(an_item(1, 1, rationale="required"), A=4, B=8)
    draft = Given(justification=scoring.JustificationGiven("B leads."))
    scoring.save(item_id=item.pk, given=draft, by=item.participation.user)
    assert submit(item).justification == "B leads."


def test_the_trail_seals_what_anybody_can_hash_again() -> None:
    item = submit(scored(an_item(1, 1), A=4, B=8), justification="B leads.")
    responses = dict(BlindedSlot.objects.filter(item=item).values_list("label", "response"))
    dimensions = {dimension for _, dimension in values_of(item)}
    judged = [
        JudgedAnswer("A", responses["A"], dict.fromkeys(dimensions, 4), 2),
        JudgedAnswer("B", responses["B"], dict.fromkeys(dimensions, 8), 1),
    ]
    expected = judgment_sha256(
        judge=item.participation.pseudonym,
        prompt=item.prompt.code,
        rubric=item.study.rubric_id,
        answers=judged,
        justification="B leads.",
    )
    assert item.sha256 == expected
    assert events_of(item)[-1].detail == {"sha256": expected}


@pytest.mark.django_db(transaction=True)
def test_of_parallel_submissions_one_counts() -> None:
    item = scored(an_item(1, 1), A=4, B=8)

    def submit_for(number: int) -> bool:
        confirmed = judging.Confirmed({}, {}, f"Reason {number}.")
        try:
            return judging.submit_item(item_id=item.pk, by=item.participation.user, confirmed=confirmed)
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=8) as pool:
        counts = list(pool.map(submit_for, range(8)))
    item.refresh_from_db()
    assert [f"Reason {number}." for number, counted in enumerate(counts) if counted] == [item.justification]
    assert verbs_of(item) == ["item.opened", "item.submitted"]


# -- direct ranking ------------------------------------------------------------------------------------------------


def placed(item: JudgingItem, places: Iterable[int]) -> dict[str, tuple[int, float, float | None]]:
    opened(item)
    submit(item, places=dict(zip(slots_of(item).values(), places, strict=False)), justification="Because.")
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
    found = placed(an_item(judging_mode="ranking"), places)
    assert found == {
        label: (rank, mid_rank, None) for label, rank, mid_rank in zip("ABCD", ranks, mid_ranks, strict=True)
    }


def test_a_ranking_without_a_place_for_every_answer_names_those_left() -> None:
    with pytest.raises(Refused, match="without a place: C, D"):
        placed(an_item(judging_mode="ranking"), (1, 2))


@pytest.mark.parametrize("place", [0, 5, -1])
def test_places_beyond_the_number_of_answers_are_refused(place: int) -> None:
    with pytest.raises(Refused, match="Places go from 1 to 4"):
        placed(an_item(judging_mode="ranking"), (1, 2, 3, place))


def test_a_place_that_another_window_changed_is_told() -> None:
    item = opened(an_item(1, 1, judging_mode="ranking"))
    a, b = slots_of(item).values()
    by = item.participation.user
    given = Given(places=(scoring.PlaceGiven(a, 1), scoring.PlaceGiven(b, 2)))
    scoring.save(item_id=item.pk, given=given, by=by)
    with pytest.raises(Refused, match="The place of answer A was changed in another window"):
        submit(item, places={a: 2, b: 2}, is_saved=True)
    submit(item)
    assert ranking_of(item) == {"A": (1, 1.0, None), "B": (2, 2.0, None)}


# -- whose item it is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verb",
    [
        lambda item, by: judging.open_item(item=item, by=by),
        lambda item, by: scoring.save(item_id=item.pk, given=Given(), by=by),
        lambda item, by: judging.submit_item(item_id=item.pk, by=by),
        lambda item, by: judging.reopen(item_id=item.pk, by=by),
    ],
    ids=["open", "save", "submit", "reopen"],
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
    page = page_of(item)
    assert (page.given, page.wanted, page.ranking) == (15, 20, [])
    scored(item, D=7)
    assert [(place.rank, place.labels, place.composite, place.mean) for place in page_of(item).ranking] == [
        (1, ("B",), 45, 9.0),
        (2, ("A", "D"), 35, 7.0),
        (4, ("C",), 25, 5.0),
    ]


def test_a_submitted_direct_ranking_is_shown_without_composites() -> None:
    item = an_item(judging_mode="ranking")
    placed(item, (2, 1, 2, 4))
    assert [(place.rank, place.labels, place.composite) for place in page_of(item).ranking] == [
        (1, ("B",), None),
        (2, ("A", "C"), None),
        (4, ("D",), None),
    ]


def test_a_judge_is_told_the_minutes_that_the_design_plans_for_an_item() -> None:
    """Whatever the length of its texts, which would tell of them."""
    assert page_of(an_item(3, 3, minutes_per_item=17)).minutes_per_item == 17
