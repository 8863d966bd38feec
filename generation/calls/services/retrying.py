"""Calls whose attempt failed: tried again later, given up, or a reason to stop the run."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Window
from django.db.models.functions import Lead

from generation.calls.core import retries
from generation.calls.core.lifecycles import CALL
from generation.calls.core.retries import Rules, Then
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Failure:
    """How the newest attempt at a pending call ended, and how many seconds the provider asks to wait."""

    call: Call
    outcome: str
    asked_to_wait: float | None = None


def follow_up(failures: Iterable[Failure], *, ledger: Ledger, now: datetime) -> list[Failure]:
    """Free the calls for another attempt or give them up; returns the failures that are a reason to ask
    their models nothing more.

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
            tries=sum(tries[call.pk, outcome] for outcome in retries.alike(failure.outcome)),
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


def _tries(calls: Iterable[Call]) -> Counter[tuple[int, str]]:
    """Attempts by call and outcome.

    An attempt that ended after the next one was sent had been judged as lost, and stays so whatever came of it: no
    count ever falls, or grows by more than one between two verdicts.
    """
    rows = Attempt.objects.filter(call__in=[call.pk for call in calls], ended_at__isnull=False)
    after = Window(Lead("sent_at"), partition_by=F("call_id"), order_by="number")
    found = rows.annotate(next_sent_at=after).order_by()
    return Counter(
        (call_id, "lost" if next_sent_at and ended_at > next_sent_at else outcome)
        for call_id, outcome, ended_at, next_sent_at in found.values_list(
            "call_id", "outcome", "ended_at", "next_sent_at"
        )
    )


def _rules(run: GenerationRun) -> Rules:
    study = run.study
    return Rules(1 + study.panel_retries, study.over_limit_attempts) if study else Rules()
