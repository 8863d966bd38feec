"""An item while it is judged: keeping what the judge gives, as it is given.

The common save, of a score or a few, is one statement: either all of it fits an open item and is committed, or
nothing happens and the case is looked at under a lock. Nothing that another window has given meanwhile is ever
replaced unawares: every change names the values it may replace.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import connection, transaction

from annotation.judging.core.judgments import JUSTIFICATION, place_field, score_field
from annotation.judging.models.judging import BlindedSlot, JudgingItem, Score
from annotation.judging.models.traces import Dwell, Mark
from annotation.judging.policies import check_may_change, checked_text
from annotation.judging.services import items, judging
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean
from annotation.platform.models.users import User
from annotation.platform.services.rows import first_named
from annotation.study.models.studies import Rubric, Study
from annotation.study.selectors.rubrics import rubric_by_hash

MAX_MARKS = 500  # in an item
MAX_WINDOWS = 500  # whose readings of an answer are kept
# Standard consent texts that do not mention reading times: of who agreed to these, none are kept.
CONSENTS_WITHOUT_READING = frozenset({"1", "2"})
OTHER_RUBRIC = "This page shows another rubric than the study's. Reload it; what is saved stays."


@dataclass(frozen=True)
class ScoreGiven:
    """A score, `None` for one that is taken back, and the values it may replace: those its window knew of.

    Where `over` is `None`, it may replace any.
    """

    slot: UUID
    dimension: str
    value: int | None
    over: tuple[int | None, ...] | None = None


@dataclass(frozen=True)
class PlaceGiven:
    """An answer's place in a direct ranking, `None` for no place, and the places it may replace."""

    slot: UUID
    value: int | None
    over: tuple[int | None, ...] | None = None


@dataclass(frozen=True)
class JustificationGiven:
    value: str
    over: tuple[str, ...] | None = None


@dataclass(frozen=True)
class MarkMade:
    """A mark as it is now. Marks are one judge's own, so the last one sent counts."""

    id: UUID
    slot: UUID
    start: int | None
    end: int | None
    dimension: str
    note: str


@dataclass(frozen=True)
class Read:
    """One window's totals for an answer: milliseconds in view, and the percentage of its text that was."""

    slot: UUID
    milliseconds: int
    depth: int


@dataclass(frozen=True)
class Given:
    """What a window sends at a time. `rubric` is the hash of the one it scores with."""

    rubric: str = ""
    window: str = ""
    scores: tuple[ScoreGiven, ...] = ()
    places: tuple[PlaceGiven, ...] = ()
    justification: JustificationGiven | None = None
    marks: tuple[MarkMade, ...] = ()
    unmarked: tuple[UUID, ...] = ()
    readings: tuple[Read, ...] = ()
    view: dict[str, Any] | None = None

    @classmethod
    def of_scores(cls, rubric: str, scores: Mapping[UUID, Mapping[str, int]]) -> "Given":
        """Scores by slot and dimension, whatever they replace."""
        return cls(
            rubric=rubric,
            scores=tuple(
                ScoreGiven(slot, dimension, value)
                for slot, values in scores.items()
                for dimension, value in values.items()
            ),
        )

    @property
    def only_scores(self) -> bool:
        others = (self.places, self.justification, self.marks, self.unmarked, self.readings, self.view)
        return bool(self.scores) and not any(others) and all(score.value is not None for score in self.scores)

    @property
    def only_readings(self) -> bool:
        others = (self.scores, self.places, self.justification, self.marks, self.unmarked)
        return not any(others)


# By field, the values that are held because they may not be replaced unawares.
Conflicts = dict[str, int | str | None]

# A value that came from elsewhere meanwhile stays: the row in the way decides, not the statement's snapshot.
SAVE_SCORES = """
WITH sent AS (
    SELECT * FROM unnest(%(slots)s::uuid[], %(dimensions)s::text[], %(values)s::smallint[])
        AS sent(slot, dimension, value)
), item AS (
    UPDATE annotation_judgingitem item
    SET touched_at = clock_timestamp(),
        leased_until = clock_timestamp() + make_interval(hours => study.lease_hours)
    FROM annotation_participation judge, annotation_study study
    WHERE item.id = %(item)s AND item.state = 'open'
        AND judge.id = item.participation_id AND judge.user_id = %(person)s AND judge.left_at IS NULL
        AND study.id = item.study_id AND study.state = 'judging' AND study.judging_mode = 'scores'
        AND study.rubric_id = %(rubric)s
        AND EXISTS (
            SELECT FROM annotation_consent consent
            WHERE consent.participation_id = judge.id AND consent.withdrawn_at IS NULL
        )
        AND NOT EXISTS (
            SELECT FROM sent LEFT JOIN annotation_blindedslot slot ON slot.id = sent.slot
            WHERE slot.item_id IS DISTINCT FROM item.id
        )
    RETURNING item.id
), saved AS (
    INSERT INTO annotation_score AS held (slot_id, dimension, value, scored_at)
    SELECT sent.slot, sent.dimension, sent.value, clock_timestamp() FROM item, sent
    ON CONFLICT (slot_id, dimension) DO UPDATE SET value = excluded.value, scored_at = excluded.scored_at
    WHERE held.value = excluded.value
        OR %(over)s::jsonb -> (excluded.slot_id || ' ' || excluded.dimension) = 'null'
        OR %(over)s::jsonb -> (excluded.slot_id || ' ' || excluded.dimension) @> to_jsonb(held.value)
    RETURNING slot_id, dimension
)
SELECT EXISTS (SELECT FROM item) AS fits, (SELECT array_agg(slot_id || ' ' || dimension) FROM saved) AS saved
"""


def save(*, item_id: int, given: Given, by: User) -> Conflicts:
    """Keep what is given, except what would replace a value its window did not know: that is returned.

    Raises `Refused`, and keeps nothing, where the item takes no scores or a part does not belong to it;
    `JudgingItem.DoesNotExist` or `PermissionDenied` where there is no such item of `by`'s.
    """
    if given.only_scores:
        _check_scores(given)
        conflicts = _save_scores(item_id, given, by)
        if conflicts is not None:
            return conflicts
    return _save_under_lock(item_id, given, by)


def _check_scores(given: Given) -> None:
    try:
        rubric = rubric_by_hash(given.rubric)
    except Rubric.DoesNotExist as error:
        raise Refused(OTHER_RUBRIC) from error
    for score in given.scores:
        try:
            rubric.check(score.dimension, rubric.scale.minimum if score.value is None else score.value)
        except ValueError as error:
            raise Refused(str(error)) from error


def _save_scores(item_id: int, given: Given, by: User) -> Conflicts | None:
    """Keep scores that were checked. `None`: they do not fit the item as it is, and nothing happened."""
    with connection.cursor() as cursor:
        cursor.execute(
            SAVE_SCORES,
            {
                "item": item_id,
                "person": by.pk,
                "rubric": given.rubric,
                "slots": [score.slot for score in given.scores],
                "dimensions": [score.dimension for score in given.scores],
                "values": [score.value for score in given.scores],
                "over": json.dumps({f"{score.slot} {score.dimension}": score.over for score in given.scores}),
            },
        )
        row = first_named(cursor)
    if not (row and row["fits"]):
        return None
    kept = set(row["saved"] or ())
    return _held_instead([score for score in given.scores if f"{score.slot} {score.dimension}" not in kept])


def _held_instead(refused: Sequence[ScoreGiven]) -> Conflicts:
    if not refused:
        return {}
    held = {
        (slot, dimension): value
        for slot, dimension, value in Score.objects.filter(slot__in={score.slot for score in refused}).values_list(
            "slot_id", "dimension", "value"
        )
    }
    return {score_field(score.slot, score.dimension): held[score.slot, score.dimension] for score in refused}


# -- everything else ---------------------------------------------------------------------------------------------


@transaction.atomic
def _save_under_lock(item_id: int, given: Given, by: User) -> Conflicts:
    item = items.locked(item_id, by)
    check_may_change(state=item.state, study_state=item.study_state)
    _check_fits(item, given)
    if not given.only_readings:  # looking at an item is not yet going on with it
        judging.go_on(item, by=by)
    conflicts: Conflicts = {}
    if given.scores:
        conflicts |= _save_fitting_scores(item_id, given, by)
        conflicts |= _take_back_scores([score for score in given.scores if score.value is None])
    conflicts |= _save_places(given.places)
    if given.justification is not None:
        conflicts |= _save_justification(item, given.justification)
    _save_marks(given, item)
    _save_readings(given, item)
    if given.view is not None:
        JudgingItem.objects.filter(pk=item_id).update(view=given.view)
    return conflicts


def _save_fitting_scores(item_id: int, given: Given, by: User) -> Conflicts:
    there = tuple(score for score in given.scores if score.value is not None)
    conflicts = _save_scores(item_id, replace(given, scores=there), by) if there else {}
    if conflicts is None:  # the item was theirs a moment ago, and is locked
        raise PermissionDenied("This judge has left the study.")
    return conflicts


def _take_back_scores(scores: Sequence[ScoreGiven]) -> Conflicts:
    held = {
        (slot, dimension): value
        for slot, dimension, value in Score.objects.select_for_update()
        .filter(slot__in={score.slot for score in scores})
        .values_list("slot_id", "dimension", "value")
    }
    conflicts: Conflicts = {}
    for score in scores:
        value = held.get((score.slot, score.dimension))
        if value is None or score.over is None or value in score.over:
            Score.objects.filter(slot=score.slot, dimension=score.dimension).delete()
        else:
            conflicts[score_field(score.slot, score.dimension)] = value
    return conflicts


def _check_fits(item: items.LockedItem, given: Given) -> None:
    """Raise `Refused` where a part of what is given is not of this item, study or rubric."""
    slots = dict(BlindedSlot.objects.filter(item=item.id).values_list("pk", "response__text"))
    parts: tuple[ScoreGiven | PlaceGiven | MarkMade | Read, ...]
    parts = (*given.scores, *given.places, *given.marks, *given.readings)
    if any(part.slot not in slots for part in parts):
        raise Refused("This answer is not part of the item.")
    if given.scores:
        _check_takes_scores(item, given)
    if given.places and item.mode != Study.Mode.RANKING:
        raise Refused("In this study answers are scored, not ranked directly.")
    if any(place.value is not None and not 1 <= place.value <= len(slots) for place in given.places):
        raise Refused(f"Places go from 1 to {len(slots)}.")
    dimensions = {"", *(dimension.key for dimension in rubric_by_hash(item.rubric_id).dimensions)}
    for mark in given.marks:
        if mark.dimension not in dimensions:
            raise Refused(f"The rubric has no dimension “{mark.dimension}”.")
        if mark.end is not None and mark.end > len(slots[mark.slot]):
            raise Refused("This passage is not part of the answer.")


def _check_takes_scores(item: items.LockedItem, given: Given) -> None:
    if item.mode == Study.Mode.RANKING:
        raise Refused("In this study answers are ranked, not scored.")
    if given.rubric != item.rubric_id:
        raise Refused(OTHER_RUBRIC)
    _check_scores(given)


def _save_places(places: Sequence[PlaceGiven]) -> Conflicts:
    held = dict(BlindedSlot.objects.filter(pk__in={place.slot for place in places}).values_list("pk", "place"))
    conflicts: Conflicts = {}
    for place in places:
        if place.over is None or held[place.slot] in (place.value, *place.over):
            BlindedSlot.objects.filter(pk=place.slot).update(place=place.value)
        else:
            conflicts[place_field(place.slot)] = held[place.slot]
    return conflicts


def _save_justification(item: items.LockedItem, given: JustificationGiven) -> Conflicts:
    text = checked_text(given.value)
    if given.over is not None and item.justification not in (text, *map(clean, given.over)):
        return {JUSTIFICATION: item.justification}
    JudgingItem.objects.filter(pk=item.id).update(justification=text)
    return {}


def _save_marks(given: Given, item: items.LockedItem) -> None:
    of_item = Mark.objects.filter(slot__item=item.id)
    of_item.filter(pk__in=given.unmarked).delete()
    if not given.marks:
        return
    known = set(of_item.values_list("pk", flat=True))
    made = {mark.id for mark in given.marks}
    if len(known | made) > MAX_MARKS:
        raise Refused(f"An item holds at most {MAX_MARKS} marks.")
    if Mark.objects.filter(pk__in=made - known).exists():
        raise Refused("This mark is not part of the item.")
    Mark.objects.bulk_create(
        (
            Mark(
                id=mark.id,
                slot_id=mark.slot,
                start=mark.start,
                end=mark.end,
                dimension=mark.dimension,
                note=checked_text(mark.note),
                made_at=item.now,
            )
            for mark in given.marks
        ),
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["slot", "start", "end", "dimension", "note"],
    )


READ = """
INSERT INTO annotation_dwell AS known (slot_id, "window", milliseconds, depth)
SELECT * FROM unnest(%(slots)s::uuid[], %(windows)s::text[], %(milliseconds)s::bigint[], %(depths)s::smallint[])
ON CONFLICT (slot_id, "window") DO UPDATE SET
    milliseconds = GREATEST(known.milliseconds, excluded.milliseconds),
    depth = GREATEST(known.depth, excluded.depth)
"""


def _save_readings(given: Given, item: items.LockedItem) -> None:
    """Keep totals: one that arrives late, or twice, takes nothing back and adds nothing.

    Nobody has read for longer than the item has been open.
    """
    agreed = (item.consent_version or "").partition(".")[0]  # "2.1" is a study's own wording of "2"
    if not given.readings or item.opened_at is None or agreed in CONSENTS_WITHOUT_READING:
        return
    windows = Dwell.objects.filter(slot__item=item.id).values("window").distinct()
    if windows.exclude(window=given.window).count() >= MAX_WINDOWS:
        return
    longest = (item.now - item.opened_at) // timedelta(milliseconds=1)
    with connection.cursor() as cursor:
        cursor.execute(
            READ,
            {
                "slots": [read.slot for read in given.readings],
                "windows": [given.window] * len(given.readings),
                "milliseconds": [min(read.milliseconds, longest) for read in given.readings],
                "depths": [read.depth for read in given.readings],
            },
        )
