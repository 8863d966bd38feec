"""Judging, at the very end: who a judge thinks wrote the answers of some items. Nobody is told what is right."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.judging.models.judging import BlindedSlot, Guess, GuessOption, JudgingItem
from annotation.judging.policies import check_may_guess
from annotation.judging.selectors.guessing import options_of
from annotation.judging.services import items
from annotation.judging.services.items import LockedItem
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.studies import Study

MIN_CONFIDENCE, MAX_CONFIDENCE = 1, 5  # confidence: a pure guess, quite sure


@dataclass(frozen=True)
class Guessed:
    """A guess about one answer. `confidence` is from 1 to 5; it is not asked where the source is unknown."""

    source: str
    confidence: int | None = None


@transaction.atomic
def guess(*, item_id: int, guesses: Mapping[UUID, Guessed], by: User) -> None:
    """Keep a guess about every answer of the item. They are final: guessing again changes nothing.

    Raises `Refused` while an item of the judge's is not submitted, and where a guess is missing or invalid.
    """
    items.lock_all_items_of_judge(item_id, by)
    item = items.locked(item_id, by)
    if not item.asks_guess:
        raise PermissionDenied("Nobody asks who wrote the answers of this item.")
    if item.guessed_at:
        return
    check_may_guess(study_state=item.study_state, left=_left(item))
    _check_complete(item_id, guesses, options_of(item.study_id))
    Guess.objects.bulk_create(_row(slot, given, item.now) for slot, given in guesses.items())
    JudgingItem.objects.filter(pk=item_id).update(guessed_at=item.now)
    audit.record(verb=AuditVerb.ITEM_GUESSED, by=by, study=item.study_id, subject=item_id)


def _left(item: LockedItem) -> int:
    """How many items the judge has still to submit. No repair adds any now: it would have to lock the study."""
    own = JudgingItem.objects.filter(participation=item.participation_id)
    return own.exclude(state__in=("submitted", "cancelled")).count()


def set_options(*, study: Study, options: Mapping[str, str]) -> None:
    """Have judges guess among these in the end, names by key, in this order; among people and models where
    there are none. For services that change a study’s design, and have checked who may.
    """
    GuessOption.objects.filter(study=study).delete()
    GuessOption.objects.bulk_create(
        GuessOption(study=study, position=place, key=key, name=name)
        for place, (key, name) in enumerate(options.items(), start=1)
    )


def _check_complete(item_id: int, guesses: Mapping[UUID, Guessed], options: Collection[str]) -> None:
    labels = dict(BlindedSlot.objects.filter(item=item_id).values_list("pk", "label"))
    if not guesses.keys() <= labels.keys():
        raise Refused("This answer is not part of the item.")
    if missing := sorted(label for slot, label in labels.items() if slot not in guesses):
        raise Refused(f"Still without a guess: {', '.join(missing)}.")
    for slot, given in guesses.items():
        if given.source not in ([*options, Guess.Source.UNKNOWN] if options else Guess.Source.values):
            offered = "choose one of those given, or that" if options else "a person, a model, or"
            raise Refused(f"Answer {labels[slot]}: {offered} you don’t know.")
        if given.source != Guess.Source.UNKNOWN and given.confidence not in range(
            MIN_CONFIDENCE, MAX_CONFIDENCE + 1
        ):
            raise Refused(f"Answer {labels[slot]}: how sure are you, from {MIN_CONFIDENCE} to {MAX_CONFIDENCE}?")


def _row(slot: UUID, given: Guessed, now: datetime) -> Guess:
    confidence = None if given.source == Guess.Source.UNKNOWN else given.confidence
    return Guess(slot_id=slot, source=given.source, confidence=confidence, guessed_at=now)
