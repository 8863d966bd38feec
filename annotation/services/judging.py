"""Task 2: opening an item, scoring its answers, ranking and submitting."""

from collections.abc import Mapping
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.core.errors import Refused
from annotation.core.lifecycle import JUDGING
from annotation.core.ranking import competition_ranks, mid_ranks
from annotation.core.rubric import Rubric
from annotation.core.text import clean
from annotation.models.judging import BlindedSlot, JudgingItem, RankedSlot, Score
from annotation.models.people import User
from annotation.models.studies import Study
from annotation.policies.judging import check_may_change, check_may_judge
from annotation.selectors.rubrics import rubric_by_hash
from annotation.services import audit, studies
from annotation.services.clock import database_now


def _locked(item_id: int, by: User) -> JudgingItem:
    item = (
        JudgingItem.objects.select_for_update(of=("self",))
        .select_related("participation__study", "participation__consent", "participation__profile")
        .get(pk=item_id)
    )
    item.study = item.participation.study  # the same one; the database sees to that
    if item.participation.user_id != by.pk:
        raise PermissionDenied("This is another judge's item.")
    return item


@transaction.atomic
def open_item(*, item: JudgingItem, by: User) -> JudgingItem:
    """Begin an item; beginning again changes nothing."""
    item = _locked(item.pk, by)
    check_may_judge(item)
    if item.state == "assigned":
        item.state = JUDGING.after("open", item.state)
        item.opened_at = database_now()
        item.save(update_fields=["state", "opened_at"])
        audit.record(verb="item.opened", by=by, study=item.study, subject=item.pk)
    return item


@transaction.atomic
def score(*, item: JudgingItem, scores: Mapping[UUID, Mapping[str, int]], by: User) -> None:
    """Keep scores by slot and dimension; a later value replaces an earlier one.

    Raises `Refused` for an answer that is not in the item, an unknown dimension or a value off the scale; then
    none of the values is kept.
    """
    item = _locked(item.pk, by)
    check_may_change(item)
    if item.study.judging_mode == Study.Mode.RANKING:
        raise Refused("In this study answers are ranked, not scored.")
    known = set(BlindedSlot.objects.filter(item=item).values_list("pk", flat=True))
    rubric = rubric_by_hash(item.study.rubric_id)
    now = database_now()
    rows = []
    for slot, values in scores.items():
        if slot not in known:
            raise Refused("This answer is not part of the item.")
        for dimension, value in values.items():
            try:
                rubric.check(dimension, value)
            except ValueError as error:
                raise Refused(str(error)) from error
            rows.append(Score(slot_id=slot, dimension=dimension, value=value, scored_at=now))
    Score.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["slot", "dimension"], update_fields=["value", "scored_at"]
    )


@transaction.atomic
def submit_item(
    *, item: JudgingItem, by: User, justification: str = "", ranks: Mapping[UUID, int] | None = None
) -> JudgingItem:
    """Rank the answers and lock the item. Submitting again changes nothing.

    With scores, ranks follow from the composites; in ranking mode `ranks` gives each answer's place, 1 for the
    best, equal places for ties, and only their order counts. Raises `Refused` naming what is missing.
    """
    studies.steady(item.study)  # closing waits for this submission, or this one for the closing
    item = _locked(item.pk, by)
    if item.state == "submitted":
        return item
    check_may_change(item)
    slots = list(BlindedSlot.objects.filter(item=item).order_by("label").prefetch_related("scores"))
    composites: list[float | None] = [None] * len(slots)
    strengths: list[float]
    if item.study.judging_mode == Study.Mode.RANKING:
        strengths = [-place for place in _checked_places(slots, ranks)]
    else:
        strengths = _composites(slots, rubric_by_hash(item.study.rubric_id))
        composites = [*strengths]
    item.justification = clean(justification).strip()
    if item.study.rationale == Study.Rationale.REQUIRED and not item.justification:
        raise Refused("Please justify your ranking in a few sentences.")
    RankedSlot.objects.filter(slot__item=item).delete()
    RankedSlot.objects.bulk_create(
        RankedSlot(slot=slot, composite=composite, rank=rank, mid_rank=mid_rank)
        for slot, composite, rank, mid_rank in zip(
            slots, composites, competition_ranks(strengths), mid_ranks(strengths), strict=True
        )
    )
    item.state = JUDGING.after("submit", item.state)
    item.submitted_at = database_now()
    item.save(update_fields=["state", "submitted_at", "justification"])
    audit.record(verb="item.submitted", by=by, study=item.study, subject=item.pk)
    return item


def _composites(slots: list[BlindedSlot], rubric: Rubric) -> list[float]:
    composites = []
    for slot in slots:
        scores = {score.dimension: score.value for score in slot.scores.all()}
        if missing := rubric.missing(scores):
            raise Refused(f"Answer {slot.label} still needs {len(missing)} of its {len(rubric.dimensions)} scores.")
        composites.append(rubric.composite(scores))
    return composites


def _checked_places(slots: list[BlindedSlot], ranks: Mapping[UUID, int] | None) -> list[int]:
    """The given places in the slots' order; refuses an incomplete ranking."""
    given = ranks or {}
    if unplaced := [slot.label for slot in slots if slot.pk not in given]:
        raise Refused(f"Still without a place: {', '.join(unplaced)}.")
    places = [given[slot.pk] for slot in slots]
    if any(not 1 <= place <= len(slots) for place in places):
        raise Refused(f"Places go from 1 to {len(slots)}.")
    return places
