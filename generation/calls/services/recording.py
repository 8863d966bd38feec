"""Recording replies: each is kept, whatever follows from it, because it has been paid for."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import connection, transaction

from annotation.platform.services.clock import database_now
from annotation.study.core.workload import in_hours
from annotation.study.models.prompts import PromptVersion
from generation.calls.core.lifecycles import CALL
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import early_stops, runs, waiting_calls
from generation.calls.services.good_replies import GoodReply
from generation.calls.services.ledger import Ledger, frozen_price, lock_run
from generation.calls.services.purposes import purpose_of
from generation.calls.services.retrying import Failure, follow_up
from generation.catalogue.models import Target
from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import cost

_USAGE = ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens", "reasoning_tokens")
# What is written of an attempt that ended, with the database's types.
_ENDED = {
    "ended_at": "timestamptz",
    "outcome": "text",
    "detail": "text",
    "reply": "text",
    "status": "smallint",
    "request_id": "text",
    "model": "text",
    "milliseconds": "integer",
    "cost": "numeric",
    "is_assumed": "boolean",
    **dict.fromkeys(_USAGE, "integer"),
}
_WRITE = (
    f"UPDATE generation_attempt AS attempt SET {', '.join(f'{name} = told.{name}' for name in _ENDED)}"  # noqa: S608
    f" FROM unnest(%b::bigint[], {', '.join(f'%b::{kind}[]' for kind in _ENDED.values())})"
    f" AS told (id, {', '.join(_ENDED)}) WHERE attempt.id = told.id"
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A reply to an attempt, and how long it took."""

    attempt_id: int
    reply: Reply
    milliseconds: int | None = None


@transaction.atomic
def record(run_id: int, arrivals: Sequence[Arrival]) -> int:
    """Keep these replies, all or none. One that was kept before changes nothing. How many calls waited for these
    replies and may be asked now.

    The first good reply of a call is accepted, even where the call was given up meanwhile; a later one stays as a
    paid attempt. The reply to an attempt that was taken for lost counts as what it is, but leaves the call to
    whoever has it now, unless it is good.
    """
    run = lock_run(run_id)
    now = database_now()
    ledger = Ledger(run)
    replies = {arrival.attempt_id: arrival for arrival in arrivals}
    attempts = [attempt for attempt in _attempts(replies) if not attempt.ended_at or attempt.outcome == "lost"]
    late = {attempt.pk for attempt in attempts if attempt.outcome == "lost"}
    for attempt in attempts:
        if attempt.pk in late:
            ledger.take_out(attempt)
        _fill_in(attempt, replies[attempt.pk], ledger=ledger, now=now)
    _take_in([attempt for attempt in attempts if attempt.outcome == Outcome.OK], replies, ledger=ledger)
    for attempt in attempts:
        ledger.end(attempt)
    failures = [
        Failure(attempt.call, attempt.outcome, replies[attempt.pk].reply.retry_after)
        for attempt in attempts
        if attempt.call.state == "pending" and attempt.pk not in late
    ]
    _write(attempts)
    reasons = follow_up(failures, ledger=ledger, now=now)
    settled = {attempt.call_id for attempt in attempts if attempt.call.state in ("accepted", "failed")}
    freed = waiting_calls.follow_up_on(settled, ledger=ledger)
    ledger.write()
    early_stops.ask_again({a.call.target for a in attempts if a.outcome == Outcome.OK}, run=run)
    early_stops.stop_refused({a.call.target for a in attempts if a.outcome != Outcome.OK}, run=run)
    _stop(reasons, attempts, run=run)
    return freed


def _attempts(by_id: Collection[int]) -> list[Attempt]:
    """The attempts in the order of their ids, with one object for each call, model and prompt: these are few, and
    to make one for each attempt takes longer than all else. Requests are left where they are.
    """
    attempts = list(Attempt.objects.filter(pk__in=by_id).order_by("pk").defer("request", "reply"))
    calls = Call.objects.in_bulk({attempt.call_id for attempt in attempts})
    targets = Target.objects.in_bulk({call.target_id for call in calls.values()})
    about = {call.prompt_version_id for call in calls.values() if call.prompt_version_id}
    versions = PromptVersion.objects.select_related("prompt").in_bulk(about) if about else {}
    for call in calls.values():
        call.target = targets[call.target_id]
        call.prompt_version = versions[call.prompt_version_id] if call.prompt_version_id else None
    for attempt in attempts:
        attempt.call = calls[attempt.call_id]
    return attempts


def _accept(calls: Iterable[Call]) -> set[int]:
    """Mark as accepted those of the calls that have no reply yet; their ids. Of several replies one can win.

    What was given up for a retired model stays so: another model may have been asked in its place.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE generation_call SET state = %s, leased_until = NULL, due_at = NULL"
            " WHERE id = ANY(%s) AND (state = 'pending' OR state = 'failed' AND target_id IN"
            " (SELECT id FROM generation_target WHERE retired_at IS NULL)) RETURNING id",
            [CALL.after("accept", "pending"), [call.pk for call in calls]],
        )
        return {call_id for (call_id,) in cursor.fetchall()}


def _fill_in(attempt: Attempt, arrival: Arrival, *, ledger: Ledger, now: datetime) -> None:
    reply = arrival.reply
    attempt.ended_at, attempt.milliseconds = now, arrival.milliseconds
    attempt.outcome, attempt.detail = str(reply.outcome), reply.detail
    attempt.reply, attempt.status = reply.raw, reply.status
    attempt.request_id, attempt.model = reply.request_id, reply.model
    for name in _USAGE:
        setattr(attempt, name, getattr(reply.usage, name))
    attempt.cost = _cost(attempt, reply, ledger)
    attempt.is_assumed = reply.charged is None and reply.cost_unknown


def _cost(attempt: Attempt, reply: Reply, ledger: Ledger) -> Decimal:
    """What the provider says it charges, or the price of what was used; the worst case where nothing tells."""
    if reply.charged is not None:
        return reply.charged
    if reply.cost_unknown:
        worst: Decimal = attempt.reserved
        return worst
    price = frozen_price(ledger.run, attempt.call.target_id)
    return cost(price, reply.usage, in_batch=attempt.batch_id is not None)


def _take_in(attempts: Sequence[Attempt], replies: Mapping[int, Arrival], *, ledger: Ledger) -> None:
    """Settle calls that have no reply yet by these good ones. Where one is not taken in, its call's next is tried.

    What became of an attempt is its outcome then.
    """
    waiting = list(attempts)
    won = _accept(attempt.call for attempt in attempts)
    while waiting:
        first = {attempt.call_id: attempt for attempt in reversed(waiting)}
        good = [
            GoodReply(attempt.call, attempt, replies[attempt.pk].reply)
            for call_id, attempt in first.items()
            if call_id in won
        ]
        instead = purpose_of(ledger.run).accept(good, run=ledger.run) if good else {}
        for call_id, attempt in first.items():
            if call_id not in won:
                attempt.outcome = "superseded"
            elif call_id in instead:
                attempt.outcome = instead[call_id]
            else:
                won.remove(call_id)
                _settle(attempt.call, ledger)
        waiting = [attempt for attempt in waiting if first[attempt.call_id] is not attempt]
    Call.objects.bulk_update(
        {attempt.call for attempt in attempts if attempt.call_id in won}, ["state", "leased_until", "due_at"]
    )


def _settle(call: Call, ledger: Ledger) -> None:
    if call.state == "failed":
        ledger.unsettle(call)
        waiting_calls.wait_anew(call, ledger=ledger)
    call.state = CALL.after("accept", call.state)
    ledger.settle(call)


def _write(attempts: Sequence[Attempt]) -> None:
    """All of them in one statement, as `many_rows` does."""
    if not attempts:
        return
    told = [[getattr(attempt, name) for attempt in attempts] for name in _ENDED]
    with connection.cursor() as cursor:
        cursor.execute(_WRITE, [[attempt.pk for attempt in attempts], *told])


def _stop(failures: Iterable[Failure], attempts: Iterable[Attempt], *, run: GenerationRun) -> None:
    """Stop the models whose account is not accepted, or that ask to wait for long, and the run where nothing else
    is left to ask.
    """
    details = {attempt.call_id: attempt.detail for attempt in attempts}
    why = ""
    for failure in {failure.call.target: failure for failure in failures}.values():
        target, detail = failure.call.target, details[failure.call.pk]
        if failure.outcome == Outcome.FINAL_ACCOUNT:
            unaccepted = f"{target.provider} does not accept the site's key or account. {detail}"
            told = f"{unaccepted} Once that is mended, let the run go on."
        else:
            wait = in_hours(round((failure.asked_to_wait or 0) / 60))
            told = f"{target.provider} asks to wait {wait}: {detail} Let the run go on after that."
        why = early_stops.stop(target, run=run, why=told)
    if why:
        runs.stop_run(run=run, reason=why, by=None)
