"""Acting as the judge of an item, and letting time pass for it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import F
from django.test import Client
from django.urls import reverse

from annotation.judging.models.judging import JudgingItem, RankedSlot, Score
from annotation.judging.selectors.judging import ItemPage, item_page
from annotation.judging.services import guessing, judging, scoring
from annotation.judging.services.scoring import Conflicts, Given, ScoreGiven
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from tests.clients import signed_in
from tests.factories import a_judging_study, judging_items_of, scored, slots_of

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
CLARITY, EVIDENCE = "conceptual_clarity", "evidential_grounding"


def an_item(human: int = 2, model: int = 2, **parameters: Any) -> JudgingItem:
    """The first of two items of the first of two judges."""
    return judging_items_of(a_judging_study(human, model, judges=2, prompts=2, **parameters))[0]


def opened_an_hour_ago(item: JudgingItem) -> JudgingItem:
    """The item after its judge has had an hour for it."""
    JudgingItem.objects.filter(pk=item.pk).update(opened_at=F("opened_at") - HOUR)
    return item


def save(item: JudgingItem, **given: Any) -> Conflicts:
    """Send what is given with the study's rubric."""
    sent = Given(rubric=item.study.rubric_id, **given)
    return scoring.save(item_id=item.pk, given=sent, by=item.participation.user)


def score(item: JudgingItem, scores: Mapping[UUID, Mapping[str, Any]]) -> Conflicts:
    """Send scores by answer and dimension, whatever they replace."""
    return save(item, scores=Given.of_scores("", scores).scores)


def score_over(item: JudgingItem, label: str, value: int, *over: int | None) -> Conflicts:
    """Send a score for clarity from a window that knows only of the values in `over`."""
    return save(item, scores=(ScoreGiven(slots_of(item)[label], CLARITY, value, over),))


def submit(item: JudgingItem, **form: Any) -> JudgingItem:
    """The item after its judge submitted it, with what a form holds or else with what is saved."""
    confirmed = judging.Confirmed(**{"scores": {}, "places": {}, **form}) if form else None
    judging.submit_item(item_id=item.pk, by=item.participation.user, confirmed=confirmed)
    item.refresh_from_db()
    return item


def submitted(item: JudgingItem) -> JudgingItem:
    """The item, scored 9, 8, 7 … in the order of its labels, and submitted."""
    levels = {label: 9 - number for number, label in enumerate(slots_of(item))}
    return submit(scored(item, **levels))


def state_of(item: JudgingItem) -> str:
    return str(JudgingItem.objects.values_list("state", flat=True).get(pk=item.pk))


def page_of(item: JudgingItem) -> ItemPage:
    """The item as its judge sees it."""
    page = item_page(item.participation.user, item.pk)
    assert page
    return page


def values_of(item: JudgingItem) -> dict[tuple[str, str], int]:
    """The scores that are kept, by label and dimension."""
    scores = Score.objects.filter(slot__item=item).select_related("slot")
    return {(score.slot.label, score.dimension): score.value for score in scores}


def ranking_of(item: JudgingItem) -> dict[str, tuple[int, float, float | None]]:
    """Rank, mid-rank and composite by label."""
    rows = RankedSlot.objects.filter(slot__item=item).select_related("slot")
    return {row.slot.label: (row.rank, row.mid_rank, row.composite) for row in rows}


def events_of(item: JudgingItem) -> list[AuditEvent]:
    """What the audit trail says of the item, in order."""
    return list(AuditEvent.objects.filter(verb__startswith="item.", subject=str(item.pk)).order_by("id"))


def verbs_of(item: JudgingItem) -> list[str]:
    return [event.verb for event in events_of(item)]


def pass_time(item: JudgingItem, passed: timedelta) -> None:
    """Let the clock go on for the item: all its times lie that much further back."""
    of_item = JudgingItem.objects.filter(pk=item.pk)
    of_item.update(
        opened_at=F("opened_at") - passed,
        touched_at=F("touched_at") - passed,
        leased_until=F("leased_until") - passed,
        submitted_at=F("submitted_at") - passed,
    )
    Task.objects.filter(subject=str(item.pk), done_at__isnull=True).update(due_at=F("due_at") - passed)
    item.refresh_from_db()


def client_of(item: JudgingItem) -> Client:
    return signed_in(item.participation.user)


def url(route: str, item: JudgingItem) -> str:
    return reverse(route, args=[item.pk])


def form_of(item: JudgingItem, **levels: int) -> dict[str, str]:
    """The room's fields where every dimension of the answers in `levels` has that value."""
    slots, dimensions = slots_of(item), rubric_by_hash(item.study.rubric_id).dimensions
    return {
        f"score:{slots[label]}:{dimension.key}": str(value)
        for label, value in levels.items()
        for dimension in dimensions
    }


def all_guessed(study: Study) -> None:
    """Every judge who is asked takes every answer for a model's, with the confidence 4."""
    for item in JudgingItem.objects.filter(study=study, asks_guess=True).select_related("participation__user"):
        guesses = dict.fromkeys(slots_of(item).values(), guessing.Guessed("model", 4))
        guessing.guess(item_id=item.pk, guesses=guesses, by=item.participation.user)
