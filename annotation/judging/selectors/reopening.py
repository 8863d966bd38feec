"""Judges who may still take their last submitted item back."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from annotation.judging.models.judging import JudgingItem
from annotation.judging.policies import reopens_until
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class OpenReturn:
    """A judge by pseudonym, and until when they may take back the item they submitted last."""

    judge: str
    until: datetime


def open_returns(study: Study, *, now: datetime) -> list[OpenReturn]:
    """Returns open at `now`, the database's time, the last to end first.

    Who is gone or has begun to guess takes nothing back.
    """
    span = timedelta(minutes=study.reopen_minutes)
    guessed = JudgingItem.objects.filter(participation=OuterRef("participation"), guessed_at__isnull=False)
    here = Participation.objects.filter(study=study, left_at__isnull=True, consent__withdrawn_at__isnull=True)
    submitted = JudgingItem.objects.filter(~Exists(guessed), study=study, state="submitted")
    last = (
        submitted.filter(participation__in=here, submitted_at__gte=now - span)
        .order_by("participation_id", "-submitted_at")
        .distinct("participation_id")
        .values_list("participation__pseudonym", "submitted_at")
    )
    found = [
        OpenReturn(judge, reopens_until(submitted_at=at, reopen_minutes=study.reopen_minutes))
        for judge, at in last
        if at
    ]
    return sorted(found, key=lambda each: each.until, reverse=True)
