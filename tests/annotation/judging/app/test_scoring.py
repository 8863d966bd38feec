"""Keeping what a judge gives: all of it or nothing, and nothing replaced that its window did not know."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from annotation.judging.models.judging import JudgingItem, Score
from annotation.judging.models.traces import Dwell, Mark
from annotation.judging.services import scoring
from annotation.judging.services.scoring import Given, JustificationGiven, MarkMade, PlaceGiven, Read
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Consent
from annotation.study.selectors.rubrics import RUBRICS
from tests.factories import a_judging_study, judging_items_of, opened, scored, slots_of
from tests.judging import (
    CLARITY,
    EVIDENCE,
    an_item,
    opened_an_hour_ago,
    page_of,
    save,
    score,
    score_over,
    values_of,
)

pytestmark = pytest.mark.django_db


# -- scores --------------------------------------------------------------------------------------------------------


def test_a_later_score_replaces_the_earlier_one() -> None:
    item = opened(an_item())
    slot = slots_of(item)["B"]
    score(item, {slot: {CLARITY: 4, EVIDENCE: 9}})
    score(item, {slot: {CLARITY: 6}})
    assert values_of(item) == {("B", CLARITY): 6, ("B", EVIDENCE): 9}


@pytest.mark.parametrize("value", [0, 11, -1, 10**30, True, 7.0, "7"])
def test_of_scores_with_one_off_the_scale_none_is_kept(value: Any) -> None:
    item = opened(an_item())
    slots = slots_of(item)
    with pytest.raises(Refused, match="whole numbers from 1 to 10"):
        score(item, {slots["A"]: {CLARITY: 5}, slots["B"]: {CLARITY: value}})
    assert values_of(item) == {}


def test_a_score_is_taken_back_where_its_window_knew_it_and_with_a_message_of_others() -> None:
    item = opened(an_item())
    slot = slots_of(item)["A"]
    score(item, {slot: {CLARITY: 4, EVIDENCE: 9}})
    back = scoring.ScoreGiven(slot, CLARITY, None, (4,))
    given = scoring.ScoreGiven(slot, EVIDENCE, 8, (9,))
    assert save(item, scores=(back, given)) == {}
    assert values_of(item) == {("A", EVIDENCE): 8}
    unaware = scoring.ScoreGiven(slot, EVIDENCE, None, (9,))
    assert save(item, scores=(unaware,)) == {f"score:{slot}:{EVIDENCE}": 8}
    assert values_of(item) == {("A", EVIDENCE): 8}


def test_of_scores_with_an_unknown_dimension_none_is_kept() -> None:
    item = opened(an_item())
    with pytest.raises(Refused, match="no dimension charm"):
        score(item, {slots_of(item)["A"]: {CLARITY: 5, "charm": 5}})
    assert values_of(item) == {}


def test_an_answer_of_another_item_cannot_be_scored() -> None:
    study = a_judging_study(2, 2, judges=2, prompts=2)
    mine, also_mine = judging_items_of(study)
    others = judging_items_of(study, judge=1)[0]
    opened(mine)
    for foreign in (slots_of(also_mine)["A"], slots_of(others)["A"], uuid4()):
        with pytest.raises(Refused, match="not part of the item"):
            score(mine, {slots_of(mine)["A"]: {CLARITY: 5}, foreign: {CLARITY: 5}})
    assert not Score.objects.exists()


def test_the_scale_is_that_of_the_study_s_own_rubric() -> None:
    toml = (RUBRICS / "constitutional_reasoning-2.toml").read_text()
    item = scored(an_item(1, 1, rubric_toml=toml), A=85, B=0)
    assert values_of(item)["A", "epistemic_integrity"] == 85
    with pytest.raises(Refused, match="from 0 to 100"):
        scored(item, A=101)


@pytest.mark.parametrize("rubric", ["", "0" * 64])
def test_scores_on_another_rubric_are_refused(rubric: str) -> None:
    item = opened(an_item(1, 1))
    given = Given.of_scores(rubric, {slots_of(item)["A"]: {CLARITY: 5}})
    with pytest.raises(Refused, match="another rubric"):
        scoring.save(item_id=item.pk, given=given, by=item.participation.user)
    assert values_of(item) == {}


def test_an_item_takes_scores_only_after_it_was_begun() -> None:
    item = an_item(1, 1)
    with pytest.raises(Refused, match="Open it first"):
        score(item, {slots_of(item)["A"]: {CLARITY: 5}})


# -- two windows ---------------------------------------------------------------------------------------------------


def test_a_score_does_not_replace_one_that_its_window_did_not_know() -> None:
    item = opened(an_item(1, 1))
    slot = slots_of(item)["A"]
    assert score_over(item, "A", 4, None) == {}
    assert score_over(item, "A", 9, None) == {f"score:{slot}:{CLARITY}": 4}
    assert values_of(item) == {("A", CLARITY): 4}


@pytest.mark.parametrize(
    ("over", "kept"),
    [((4,), 9), ((None, 4), 9), ((3, 4, 5), 9), ((3,), 4), ((), 4), ((None,), 4)],
)
def test_a_score_replaces_the_values_it_names_and_no_others(over: tuple[int | None, ...], kept: int) -> None:
    item = opened(an_item(1, 1))
    score_over(item, "A", 4, None)
    score_over(item, "A", 9, *over)
    assert values_of(item) == {("A", CLARITY): kept}


def test_the_same_score_sent_twice_is_no_conflict() -> None:
    item = opened(an_item(1, 1))
    assert score_over(item, "A", 4, None) == {}
    assert score_over(item, "A", 4, None) == {}


def test_of_several_scores_those_without_a_conflict_are_kept() -> None:
    item = opened(an_item(1, 1))
    a, b = slots_of(item).values()
    score_over(item, "A", 4, None)
    sent = (scoring.ScoreGiven(a, CLARITY, 9, (None,)), scoring.ScoreGiven(b, CLARITY, 7, (None,)))
    assert save(item, scores=sent) == {f"score:{a}:{CLARITY}": 4}
    assert values_of(item) == {("A", CLARITY): 4, ("B", CLARITY): 7}


def test_a_justification_is_not_replaced_unawares() -> None:
    item = opened(an_item(1, 1, rationale="optional"))
    assert save(item, justification=JustificationGiven("B leads.", ("",))) == {}
    assert save(item, justification=JustificationGiven("A leads.", ("",))) == {"justification": "B leads."}
    assert save(item, justification=JustificationGiven("A leads.", ("B leads.",))) == {}
    assert page_of(item).justification == "A leads."


def test_a_justification_has_an_end() -> None:
    item = opened(an_item(1, 1))
    with pytest.raises(Refused, match="at most 10,000 characters; this one has 10,001"):
        save(item, justification=JustificationGiven("x" * 10_001))


# -- places --------------------------------------------------------------------------------------------------------


@pytest.fixture
def ranked() -> JudgingItem:
    """An item of four answers that is ranked directly."""
    return opened(an_item(judging_mode="ranking"))


def places_of(item: JudgingItem) -> list[int | None]:
    return [answer.place for answer in page_of(item).answers]


def test_places_are_kept_and_taken_back(ranked: JudgingItem) -> None:
    slots = list(slots_of(ranked).values())
    save(ranked, places=tuple(PlaceGiven(slot, 1 + number) for number, slot in enumerate(slots)))
    save(ranked, places=(PlaceGiven(slots[1], None, (2,)),))
    assert places_of(ranked) == [1, None, 3, 4]
    assert page_of(ranked).ranking == []


def test_a_place_is_not_replaced_unawares(ranked: JudgingItem) -> None:
    slot = slots_of(ranked)["A"]
    save(ranked, places=(PlaceGiven(slot, 2, (None,)),))
    assert save(ranked, places=(PlaceGiven(slot, 3, (None,)),)) == {f"place:{slot}": 2}
    assert places_of(ranked)[0] == 2


@pytest.mark.parametrize("place", [0, 5])
def test_a_place_beyond_the_answers_is_refused(ranked: JudgingItem, place: int) -> None:
    with pytest.raises(Refused, match="Places go from 1 to 4"):
        save(ranked, places=(PlaceGiven(slots_of(ranked)["A"], place),))


def test_scores_and_places_keep_to_their_kind_of_study(ranked: JudgingItem) -> None:
    with pytest.raises(Refused, match="ranked, not scored"):
        score(ranked, {slots_of(ranked)["A"]: {CLARITY: 5}})
    item = opened(judging_items_of(a_judging_study(1, 1, judges=1, prompts=1, slug="other"))[0])
    with pytest.raises(Refused, match="scored, not ranked"):
        save(item, places=(PlaceGiven(slots_of(item)["A"], 1),))


# -- marks and reading ---------------------------------------------------------------------------------------------


def a_mark(
    slot: UUID, start: int | None = 0, end: int | None = 8, *, note: str = "", dimension: str = ""
) -> MarkMade:
    return MarkMade(uuid4(), slot, start, end, dimension, note)


def test_a_mark_is_made_changed_and_removed() -> None:
    item = opened(an_item(1, 1))
    mark = a_mark(slots_of(item)["A"], note="Says who?", dimension=EVIDENCE)
    save(item, marks=(mark,))
    changed = MarkMade(mark.id, mark.slot, 3, 12, "", "Better.")
    save(item, marks=(changed,))
    [kept] = page_of(item).marks
    assert (kept.id, kept.start, kept.end, kept.note) == (mark.id, 3, 12, "Better.")
    save(item, unmarked=(mark.id,))
    assert page_of(item).marks == ()


def test_a_mark_belongs_to_a_passage_of_an_answer_of_its_item() -> None:
    study = a_judging_study(1, 1, judges=2, prompts=1)
    item, other = (opened(judging_items_of(study, judge=judge)[0]) for judge in (0, 1))
    mine, theirs = slots_of(item)["A"], slots_of(other)["A"]
    long = len(page_of(item).answers[0].text)
    save(item, marks=(a_mark(mine, 0, long),))
    with pytest.raises(Refused, match="passage is not part"):
        save(item, marks=(a_mark(mine, 0, long + 1),))
    with pytest.raises(Refused, match="not part of the item"):
        save(item, marks=(a_mark(theirs),))


def test_nobody_s_mark_can_be_taken_over_or_removed_by_another_judge() -> None:
    study = a_judging_study(1, 1, judges=2, prompts=1)
    item, other = (opened(judging_items_of(study, judge=judge)[0]) for judge in (0, 1))
    mark = a_mark(slots_of(item)["A"], note="Mine.")
    save(item, marks=(mark,))
    with pytest.raises(Refused, match="not part of the item"):
        save(other, marks=(MarkMade(mark.id, slots_of(other)["A"], 0, 5, "", "Theirs."),))
    save(other, unmarked=(mark.id,))
    assert Mark.objects.get().note == "Mine."
    assert page_of(other).marks == ()


def test_reading_counts_every_window_once_however_often_its_totals_arrive() -> None:
    item = opened_an_hour_ago(opened(an_item(1, 1)))
    slot = slots_of(item)["A"]
    for window, milliseconds, depth in (("one", 900, 40), ("one", 2000, 70), ("one", 900, 40), ("two", 500, 90)):
        save(item, window=window, readings=(Read(slot, milliseconds, depth),))
    assert list(Dwell.objects.values_list("window", "milliseconds", "depth")) == [
        ("one", 2000, 70),
        ("two", 500, 90),
    ]
    assert page_of(item).answers[0].depth == 90


@pytest.mark.parametrize(("version", "kept"), [("2", 0), ("2.1", 0), ("3", 1), ("4", 1), ("4.2", 1)])
def test_reading_is_kept_of_those_whose_consent_names_it(version: str, kept: int) -> None:
    item = opened_an_hour_ago(opened(an_item(1, 1)))
    Consent.objects.filter(participation=item.participation).update(version=version)
    save(item, window="one", readings=(Read(slots_of(item)["A"], 900, 40),))
    assert Dwell.objects.count() == kept
