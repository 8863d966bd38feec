"""Judging: opening an item, ranking and submitting it, taking the last one back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from annotation.judging.core.judgments import JudgedAnswer, judgment_sha256
from annotation.judging.core.ranking import competition_ranks, mid_ranks
from annotation.judging.core.work_kinds import LAPSE_ITEM
from annotation.judging.models.judging import JudgingItem, RankedSlot
from annotation.judging.policies import (
    check_may_change,
    check_may_judge,
    check_may_reopen,
    checked_text,
    reopens_until,
)
from annotation.judging.services import items
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import JUDGING
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.rows import named
from annotation.study.core.rubric import Rubric
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash


@transaction.atomic
def open_item(*, item: JudgingItem, by: User) -> JudgingItem:
    """Begin an item; beginning again changes nothing."""
    held = items.locked(item.pk, by)
    item = JudgingItem.objects.select_related(
        "study", "participation__study", "participation__consent", "participation__profile"
    ).get(pk=held.id)
    check_may_judge(item)
    if held.state == "assigned":
        _lease(held, JUDGING.after("open", held.state), opened_at=held.now)
        audit.record(verb=AuditVerb.ITEM_OPENED, by=by, study=held.study_id, subject=held.id)
        item.refresh_from_db(fields=["state", "opened_at", "touched_at", "leased_until"])
    return item


# -- the lease ---------------------------------------------------------------------------------------------------


def go_on(item: items.LockedItem, *, by: User) -> None:
    """Extend the lease of an item its judge works on; one that had lapsed is open again, with all it holds."""
    if item.state == "lapsed":
        audit.record(verb=AuditVerb.ITEM_TAKEN_UP, by=by, study=item.study_id, subject=item.id)
    _lease(item, JUDGING.after("take_up", item.state) if item.state == "lapsed" else item.state)


def _lease(item: items.LockedItem, state: str, **changes: Any) -> None:
    until = item.now + timedelta(hours=item.lease_hours)
    JudgingItem.objects.filter(pk=item.id).update(state=state, touched_at=item.now, leased_until=until, **changes)
    if state != item.state:
        work.ask(kind=LAPSE_ITEM, subject=item.id, due=until)


@transaction.atomic
def lapse(*, item_id: int) -> None:
    """Let an item lapse whose lease has run out; the clock's own verb. Idempotent.

    A lapsed item is nobody's loss: everything given stays, and its judge takes it up again by going on. Where the
    lease was extended meanwhile, it asks to be called again.
    """
    item = items.locked(item_id, None)
    if item.state != "open" or item.leased_until is None or item.study_state != "judging":
        return
    if item.leased_until > item.now:
        work.ask(kind=LAPSE_ITEM, subject=item_id, due=item.leased_until)
        return
    JudgingItem.objects.filter(pk=item_id).update(state=JUDGING.after("lapse", item.state))
    audit.record(verb=AuditVerb.ITEM_LAPSED, by=None, study=item.study_id, subject=item_id)


# -- submitting --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Confirmed:
    """What a judge submits with the form: scores by answer and dimension, or places by answer.

    `is_saved` says that the page showed nothing but what the server held. Then a difference comes from another
    window, and is shown instead of replaced.
    """

    scores: Mapping[UUID, Mapping[str, int]]
    places: Mapping[UUID, int]
    justification: str | None = None
    is_saved: bool = False


@dataclass
class _Slot:
    id: UUID
    label: str
    response: UUID
    place: int | None
    scores: dict[str, int]
    added: dict[str, int] = field(default_factory=dict)  # those that the form brought


SLOTS = """
SELECT slot.id, slot.label, slot.response_id AS response, slot.place,
    array_remove(array_agg(score.dimension), NULL) AS dimensions,
    array_remove(array_agg(score.value), NULL) AS values
FROM annotation_blindedslot slot LEFT JOIN annotation_score score ON score.slot_id = slot.id
WHERE slot.item_id = %s GROUP BY slot.id ORDER BY slot.label
"""


@transaction.atomic
def submit_item(*, item_id: int, by: User, confirmed: Confirmed | None = None) -> bool:
    """Rank the answers by what is held and what the form adds, and lock the item.

    Submitting again changes nothing. Returns whether the item is submitted with what was confirmed: not where it
    had been submitted before with something else. Raises `Refused` naming what is missing, or what another window
    has changed.
    """
    item = items.locked(item_id, by)
    confirmed = confirmed or Confirmed({}, {})
    slots = _slots(item_id)
    _check_known(slots, confirmed)
    difference = _difference(item, slots, confirmed)
    if item.state == "submitted":
        return not difference
    check_may_change(state=item.state, study_state=item.study_state)
    if confirmed.is_saved and difference:
        raise Refused(f"{difference} was changed in another window. Check it, then submit again.")
    composites: list[float | None] = [None] * len(slots)
    strengths: list[float]
    if item.mode == Study.Mode.RANKING:
        strengths = [-place for place in _places(slots, confirmed)]
    else:
        rubric = rubric_by_hash(item.rubric_id)
        _take_in_scores(slots, confirmed, rubric)
        strengths = _composites(slots, rubric)
        composites = [*strengths]
    justification = _justification(item, confirmed)
    _record(item, slots, strengths, composites, justification, by=by)
    return True


def _slots(item_id: int) -> list[_Slot]:
    with connection.cursor() as cursor:
        cursor.execute(SLOTS, [item_id])
        return [
            _Slot(scores=dict(zip(row.pop("dimensions"), row.pop("values"), strict=True)), **row)
            for row in named(cursor)
        ]


def _check_known(slots: Sequence[_Slot], confirmed: Confirmed) -> None:
    if not {*confirmed.scores, *confirmed.places} <= {slot.id for slot in slots}:
        raise Refused("This answer is not part of the item.")


def _difference(item: items.LockedItem, slots: Sequence[_Slot], confirmed: Confirmed) -> str:
    """The first thing that is confirmed otherwise than it is held, in words; empty where there is none."""
    for slot in slots:
        scores = confirmed.scores.get(slot.id, {})
        if any(slot.scores.get(dimension) != value for dimension, value in scores.items()):
            return f"A score of answer {slot.label}"
        if confirmed.places.get(slot.id, slot.place) != slot.place:
            return f"The place of answer {slot.label}"
    text = confirmed.justification
    if text is not None and clean(text).strip() != item.justification.strip():
        return "The justification"
    return ""


def _take_in_scores(slots: Sequence[_Slot], confirmed: Confirmed, rubric: Rubric) -> None:
    """Put the form's scores over those that are held."""
    for slot in slots:
        for dimension, value in confirmed.scores.get(slot.id, {}).items():
            if slot.scores.get(dimension) == value:
                continue
            try:
                rubric.check(dimension, value)
            except ValueError as error:
                raise Refused(str(error)) from error
            slot.scores[dimension] = slot.added[dimension] = value


def _composites(slots: Sequence[_Slot], rubric: Rubric) -> list[float]:
    missing = {slot.label: len(rubric.missing(slot.scores)) for slot in slots}
    if lacking := [f"{label} {number}" for label, number in missing.items() if number]:
        raise Refused(f"Scores are missing: {', '.join(lacking)}.")
    return [rubric.composite(slot.scores) for slot in slots]


def _places(slots: Sequence[_Slot], confirmed: Confirmed) -> list[int]:
    """Put the form's places over those that are held; refuses an incomplete ranking."""
    for slot in slots:
        slot.place = confirmed.places.get(slot.id, slot.place)
    if unplaced := [slot.label for slot in slots if slot.place is None]:
        raise Refused(f"Still without a place: {', '.join(unplaced)}.")
    places = [slot.place for slot in slots if slot.place is not None]
    if any(not 1 <= place <= len(slots) for place in places):
        raise Refused(f"Places go from 1 to {len(slots)}.")
    return places


def _justification(item: items.LockedItem, confirmed: Confirmed) -> str:
    given = item.justification if confirmed.justification is None else confirmed.justification
    justification = checked_text(given).strip()
    if item.rationale == Study.Rationale.REQUIRED and not justification:
        raise Refused("Please justify your ranking in a few sentences.")
    return justification


RECORD = """
WITH added AS (
    INSERT INTO annotation_score (slot_id, dimension, value, scored_at)
    SELECT *, %(now)s FROM unnest(%(scored)s::uuid[], %(dimensions)s::text[], %(values)s::smallint[])
    ON CONFLICT (slot_id, dimension) DO UPDATE SET value = excluded.value, scored_at = excluded.scored_at
), placed AS (
    UPDATE annotation_blindedslot slot SET place = sent.place
    FROM unnest(%(slots)s::uuid[], %(places)s::smallint[]) AS sent(id, place)
    WHERE slot.id = sent.id AND slot.place IS DISTINCT FROM sent.place
), submitted AS (
    UPDATE annotation_judgingitem
    SET state = %(state)s, submitted_at = %(now)s, justification = %(justification)s, sha256 = %(sha256)s,
        touched_at = %(now)s, leased_until = NULL
    WHERE id = %(item)s
)
INSERT INTO annotation_rankedslot (slot_id, composite, rank, mid_rank)
SELECT * FROM unnest(%(slots)s::uuid[], %(composites)s::float[], %(ranks)s::smallint[], %(mid_ranks)s::float[])
"""


def _record(
    item: items.LockedItem,
    slots: Sequence[_Slot],
    strengths: Sequence[float],
    composites: Sequence[float | None],
    justification: str,
    *,
    by: User,
) -> None:
    """Write the ranking down, with what the form added, and seal it: its hash goes into the audit trail."""
    ranks = competition_ranks(strengths)
    sha256 = judgment_sha256(
        judge=item.judge,
        prompt=item.prompt,
        rubric=item.rubric_id,
        answers=[
            JudgedAnswer(slot.label, slot.response, slot.scores, rank)
            for slot, rank in zip(slots, ranks, strict=True)
        ],
        justification=justification,
    )
    if item.state == "lapsed":
        go_on(item, by=by)
    with connection.cursor() as cursor:
        cursor.execute(
            RECORD,
            {
                "item": item.id,
                "state": JUDGING.after("submit", "open"),
                "now": item.now,
                "justification": justification,
                "sha256": sha256,
                "scored": [slot.id for slot in slots for _ in slot.added],
                "dimensions": [dimension for slot in slots for dimension in slot.added],
                "values": [value for slot in slots for value in slot.added.values()],
                "slots": [slot.id for slot in slots],
                "places": [slot.place for slot in slots],
                "composites": [None if composite is None else float(composite) for composite in composites],
                "ranks": list(ranks),
                "mid_ranks": [float(rank) for rank in mid_ranks(strengths)],
            },
        )
    audit.record(verb=AuditVerb.ITEM_SUBMITTED, by=by, study=item.study_id, subject=item.id, sha256=sha256)


# -- taking the last item back -----------------------------------------------------------------------------------


@transaction.atomic
def reopen(*, item_id: int, by: User) -> None:
    """Take back the item submitted last, within the study's grace period. One that is open stays as it is.

    What was submitted stays in the audit trail: ranks by label and the hash. Raises `Refused` where it is too late.
    """
    items.lock_all_items_of_judge(item_id, by)
    item = items.locked(item_id, by)
    if item.state == "open":
        return
    state = JUDGING.after("reopen", item.state)
    _check_may_reopen(item)
    ranked = RankedSlot.objects.filter(slot__item=item_id)
    ranks = dict(ranked.values_list("slot__label", "rank"))
    sha256 = JudgingItem.objects.values_list("sha256", flat=True).get(pk=item_id)
    ranked.delete()
    _lease(item, state, submitted_at=None, sha256="")
    audit.record(
        verb=AuditVerb.ITEM_REOPENED, by=by, study=item.study_id, subject=item_id, sha256=sha256, ranks=ranks
    )


def _check_may_reopen(item: items.LockedItem) -> None:
    at, minutes = item.submitted_at, item.reopen_minutes
    own = JudgingItem.objects.filter(participation=item.participation_id)
    check_may_reopen(
        study_state=item.study_state,
        until=at and reopens_until(submitted_at=at, reopen_minutes=minutes),
        now=item.now,
        is_last=not own.filter(submitted_at__gt=at).exists(),
        has_guessed=own.filter(guessed_at__isnull=False).exists(),
    )
