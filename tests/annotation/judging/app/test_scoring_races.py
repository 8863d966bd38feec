"""Windows that save and submit at the same moment: every message counts as a whole or not at all."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from annotation.judging.core.judgments import score_field
from annotation.judging.models.judging import JudgingItem, RankedSlot, Score
from annotation.judging.models.traces import Dwell, Mark
from annotation.judging.services import judging, scoring
from annotation.judging.services.scoring import Conflicts, Given, JustificationGiven, MarkMade, Read, ScoreGiven
from annotation.platform.core.errors import Refused
from annotation.study.selectors.rubrics import rubric_by_hash
from tests.factories import a_judging_study, judging_items_of, opened, scored, slots_of
from tests.judging import opened_an_hour_ago

pytestmark = pytest.mark.django_db(transaction=True)

CLARITY = "conceptual_clarity"
ROUNDS = 5


def together(verbs: Sequence[Callable[[], Any]]) -> list[Any]:
    """What the calls return, or the refusal they end with; all begin at once, each on a connection of its own."""
    start = Barrier(len(verbs))

    def run(verb: Callable[[], Any]) -> Any:
        try:
            start.wait()
            return verb()
        except Refused as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(verbs)) as pool:
        return list(pool.map(run, verbs))


@pytest.fixture
def item() -> JudgingItem:
    return opened(judging_items_of(a_judging_study(1, 1, judges=1, prompts=1))[0])


def save(item: JudgingItem, given: Given) -> Conflicts:
    return scoring.save(item_id=item.pk, given=given, by=item.participation.user)


def submit(item: JudgingItem, confirmed: judging.Confirmed | None = None) -> bool:
    return judging.submit_item(item_id=item.pk, by=item.participation.user, confirmed=confirmed)


def all_at(item: JudgingItem, level: int, *, backwards: bool = False, **more: Any) -> Given:
    """Every score of the item at one level, whatever it replaces; `backwards` in another order."""
    dimensions = [dimension.key for dimension in rubric_by_hash(item.study.rubric_id).dimensions]
    scores = [ScoreGiven(slot, key, level) for slot in slots_of(item).values() for key in dimensions]
    return Given(rubric=item.study.rubric_id, scores=tuple(scores[::-1] if backwards else scores), **more)


def levels_held(item: JudgingItem) -> set[int]:
    return set(Score.objects.filter(slot__item=item).values_list("value", flat=True))


def test_of_first_scores_given_at_once_one_is_kept_and_the_others_are_told_of_it(item: JudgingItem) -> None:
    slot = slots_of(item)["A"]
    messages = [
        Given(rubric=item.study.rubric_id, scores=(ScoreGiven(slot, CLARITY, value, (None,)),))
        for value in range(1, 9)
    ]

    answers = together([partial(save, item, message) for message in messages])

    kept = [message.scores[0].value for message, answer in zip(messages, answers, strict=True) if not answer]
    assert kept == [Score.objects.get().value]
    assert [answer for answer in answers if answer] == [{score_field(slot, CLARITY): kept[0]}] * 7


def test_messages_of_many_scores_are_not_mixed_whatever_their_order(item: JudgingItem) -> None:
    """Also where some come with a text, and so take another way."""
    for _ in range(ROUNDS):
        messages = [
            all_at(
                item,
                level,
                backwards=level % 2 == 0,
                justification=JustificationGiven(f"All {level}.") if level > 4 else None,
            )
            for level in range(1, 9)
        ]
        assert together([partial(save, item, message) for message in messages]) == [{}] * 8
        assert len(levels_held(item)) == 1


def test_a_message_of_which_a_part_is_refused_leaves_nothing_behind(item: JudgingItem) -> None:
    good = all_at(item, 3)
    bad = all_at(item, 9, marks=(MarkMade(uuid4(), slots_of(item)["A"], 0, 10**6, "", ""),))

    answers = together([partial(save, item, message) for message in [good, bad] * 4])

    assert [isinstance(answer, Refused) for answer in answers] == [False, True] * 4
    assert levels_held(item) == {3}
    assert not Mark.objects.exists()


def test_a_message_delivered_many_times_at_once_counts_once(item: JudgingItem) -> None:
    slot = slots_of(opened_an_hour_ago(item))["A"]
    message = Given(
        rubric=item.study.rubric_id,
        window="w",
        scores=(ScoreGiven(slot, CLARITY, 4, (None,)),),
        justification=JustificationGiven("So.", ("",)),
        marks=(MarkMade(uuid4(), slot, 0, 5, "", "Here."),),
        readings=(Read(slot, 700, 30),),
    )

    assert together([lambda: save(item, message)] * 8) == [{}] * 8

    assert Score.objects.get().value == 4
    assert Mark.objects.get().note == "Here."
    assert Dwell.objects.get().milliseconds == 700


def test_a_save_that_meets_a_submission_is_part_of_it_or_refused() -> None:
    items = judging_items_of(a_judging_study(1, 1, judges=1, prompts=ROUNDS))
    for item in items:
        scored(item, A=5, B=5)
        levels = range(6, 10)
        saves = [partial(save, item, all_at(item, level)) for level in levels]
        *saved, is_submitted = together([*saves, partial(submit, item)])

        kept = {level for level, answer in zip(levels, saved, strict=True) if answer == {}}
        assert all(answer == {} or "has been submitted" in str(answer) for answer in saved)
        (level,) = levels_held(item)
        assert level in kept or (level == 5 and not kept)
        # Five dimensions at one level; both answers share the first place.
        ranking = RankedSlot.objects.filter(slot__item=item).values_list("composite", "rank")
        assert list(ranking) == [(5.0 * level, 1)] * 2
        assert is_submitted is True


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_what_a_judge_has_confirmed_is_submitted_or_the_difference_is_told(_round: int, item: JudgingItem) -> None:
    """A window shows 5s, all saved; another one gives 9s just as the first submits."""
    scored(item, A=5, B=5)
    fives = {slot: {score.dimension: 5 for score in all_at(item, 5).scores} for slot in slots_of(item).values()}
    confirmed = judging.Confirmed(scores=fives, places={}, is_saved=True)

    saved, submitted = together([lambda: save(item, all_at(item, 9)), lambda: submit(item, confirmed)])

    is_submitted = isinstance(saved, Refused)
    assert levels_held(item) == {5 if is_submitted else 9}
    assert isinstance(submitted, Refused) != is_submitted
    assert (JudgingItem.objects.get(pk=item.pk).state == "submitted") == is_submitted


def test_many_submissions_at_once_are_one(item: JudgingItem) -> None:
    scored(item, A=7, B=4)

    assert together([lambda: submit(item)] * 8) == [True] * 8
    assert RankedSlot.objects.count() == 2
