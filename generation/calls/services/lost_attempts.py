"""Attempts whose reply is no longer awaited. They may have been paid for, so they count as paid until it comes."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Case, F, Min, Q, QuerySet, When

from generation.calls.models import Attempt, GenerationRun
from generation.calls.services.early_stops import stopped_targets
from generation.calls.services.ledger import Ledger
from generation.calls.services.retrying import Failure, follow_up
from generation.providers.http import SECONDS as MAX_REQUEST_SECONDS

LOST = "The worker that sent it was gone before a reply was kept. It may have been paid for."
_PENDING = Q(call__state="pending")


def lose(attempts: Iterable[Attempt], *, ledger: Ledger, now: datetime) -> None:
    """End these open attempts, which know their calls, at their worst case."""
    attempts = list(attempts)
    for attempt in attempts:
        attempt.ended_at, attempt.outcome, attempt.detail = now, "lost", LOST
        attempt.cost, attempt.is_assumed = attempt.reserved, True
        ledger.end(attempt)
    Attempt.objects.bulk_update(attempts, ["ended_at", "outcome", "detail", "cost", "is_assumed"])


def on_their_way(run: GenerationRun) -> QuerySet[Attempt]:
    return Attempt.objects.filter(ended_at__isnull=True, call__run=run)


def give_up_leftovers(run: GenerationRun, *, now: datetime) -> None:
    """Lose attempts that no claim will: at calls that were settled in another way, after the longest wait, and at
    models that are asked nothing more, once the lease has run out.

    Those of a batch at settled calls are waited for as long as the batch is.
    """
    ledger = Ledger(run)
    too_old = Q(batch__isnull=True, sent_at__lte=now - _longest_wait()) | Q(batch__state__in=["ended", "lost"])
    is_over = ~_PENDING & too_old | _PENDING & Q(call__leased_until__lt=now)
    lost = list(_leftovers(run).filter(is_over).select_related("call").defer("request"))
    lose(lost, ledger=ledger, now=now)
    pending = [attempt.call for attempt in lost if attempt.call.state == "pending"]
    follow_up([Failure(call, "lost") for call in pending], ledger=ledger, now=now)
    ledger.write()


def leftovers_end(run: GenerationRun) -> datetime | None:
    """When the next of them is given up; `None` where a batch has to end first, or there is none."""
    end = Case(When(_PENDING, then=F("call__leased_until")), default=F("sent_at") + _longest_wait())
    earliest: datetime | None = _leftovers(run).filter(batch__isnull=True).aggregate(at=Min(end))["at"]
    return earliest


def _leftovers(run: GenerationRun) -> QuerySet[Attempt]:
    return on_their_way(run).filter(~_PENDING | Q(call__target__in=stopped_targets(run)))


def _longest_wait() -> timedelta:
    return timedelta(seconds=MAX_REQUEST_SECONDS + settings.LEASE_SECONDS)
