"""Calls whose attempt failed: tried again later, given up, or a reason to stop the run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count

from generation.core import retries
from generation.core.lifecycles import CALL
from generation.core.retries import Rules, Then
from generation.models.runs import Attempt, Call, GenerationRun
from generation.services.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Failure:
    """How the newest attempt at a pending call ended, and how many seconds the provider asks to wait."""

    call: Call
    outcome: str
    asked_to_wait: float | None = None


def follow_up(failures: Iterable[Failure], *, ledger: Ledger, now: datetime) -> list[Failure]:
    """Free the calls for another attempt or give them up; returns the failures that are a reason to stop the run.

    The attempts are written by then.
    """
    failures = list(failures)
    tries = _tries([failure.call for failure in failures])
    rules = _rules(ledger.run)
    reasons = []
    for failure in failures:
        call = failure.call
        found = retries.verdict(
            failure.outcome,
            tries=sum(tries.get((call.pk, outcome), 0) for outcome in retries.alike(failure.outcome)),
            rules=rules,
            jitter=int(call.key[:8], 16) / 2**32,  # as good as random, and each call its own
            asked_to_wait=failure.asked_to_wait,
        )
        call.leased_until = None
        call.due_at = now + timedelta(seconds=found.seconds) if found.seconds else None
        if found.then is Then.FAIL:
            call.state = CALL.after("fail", call.state)
            ledger.settle(call)
        elif found.then is Then.STOP:
            reasons.append(failure)
    Call.objects.bulk_update([failure.call for failure in failures], ["state", "leased_until", "due_at"])
    return reasons


def _tries(calls: Iterable[Call]) -> Mapping[tuple[int, str], int]:
    """Attempts by call and outcome."""
    rows = Attempt.objects.filter(call__in=[call.pk for call in calls]).order_by()
    counted = rows.values_list("call_id", "outcome").annotate(Count("pk"))
    return {(call_id, outcome): number for call_id, outcome, number in counted}


def _rules(run: GenerationRun) -> Rules:
    study = run.study
    return Rules(1 + study.panel_retries, study.over_limit_attempts) if study else Rules()
