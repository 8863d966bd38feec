"""Providers' batches: calls handed over together, at half price, and taken in within a day."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import Min, Q
from django.db.models.functions import Greatest

from annotation.platform.services import work
from annotation.platform.services.clock import database_now
from generation.calls.core.lifecycles import BATCH
from generation.calls.core.work_kinds import LOOK_AT_BATCH, SEND_BATCH, WORK_RUN, subject_of_lane
from generation.calls.models import Call, GenerationRun, ProviderBatch
from generation.calls.selectors.batch_eligibility import batched_targets
from generation.calls.services import claiming, early_stops, recording, runs
from generation.calls.services.ledger import lock_run
from generation.calls.services.recording import Arrival
from generation.catalogue.models import Target
from generation.providers.base import Outcome, Reply
from generation.providers.batch_exchange import BatchFault, Progress
from generation.providers.batches import batches

# Far below what providers allow, so that neither a worker's memory nor a lost batch is large.
MAX_CALLS = 2000
LOOK_AGAIN = timedelta(minutes=5)
# Longer than handing over can take: after that nobody is at it any more, and what arrived is listed.
PATIENCE = timedelta(minutes=30)
TOGETHER = 100
NOT_ANSWERED = "No word of it came back from its batch. It may have been paid for."
NOT_WORKED_ON = "Its batch was given up before any work on it."
NOT_ARRIVED = "The provider does not know this batch; its calls go out again."


def send_batch(run_id: int) -> None:
    """Hand the run's next batch over, and ask for the one after it.

    A batch that may or may not have arrived is looked for when that can be told; until then no other leaves to its
    provider.
    """
    run = GenerationRun.objects.get(pk=run_id)
    unsure = run.batches.select_related("target").filter(state="sending")
    for each in unsure:
        if each.made_at < database_now() - PATIENCE:
            _look_for(each)
    held_up = set(unsure.values_list("target__provider", flat=True))
    targets = [target for target in batched_targets(run) if target.provider not in held_up]
    if batch := next(filter(None, (_made(run, target) for target in targets)), None):
        _submit(batch)
        work.ask(kind=SEND_BATCH, subject=run_id)
        return
    look_again = database_now() + LOOK_AGAIN if held_up else None
    if due := min(filter(None, (look_again, _next_due(run, targets))), default=None):
        work.ask(kind=SEND_BATCH, subject=run_id, due=due)


def look_at_batch(batch_id: int) -> None:
    """Take the replies in if the batch has ended; otherwise look again later.

    A batch that the provider does not know any more, or has not ended for as long as it keeps results, is given up:
    its calls may have been paid for, and go out again.
    """
    batch = ProviderBatch.objects.select_related("run", "target").get(pk=batch_id)
    if batch.state != "sent":
        return
    try:
        provider = batches(batch.target.provider)
        progress = provider.look(batch.remote_id)
        if progress.has_ended:
            _take_in(batch, provider.replies(batch.remote_id))
    except BatchFault as fault:
        progress = Progress(has_ended=False, detail=str(fault), failed=fault.outcome is Outcome.FINAL_ACCOUNT)
        is_over = _is_over(batch, fault)
    else:
        is_over = progress.has_ended or _is_over(batch)
    if progress.failed:
        _stop(batch, progress.detail)
    if is_over:
        _miss(batch, is_free=progress.has_ended and progress.failed)
        _end(batch, progress.detail)
    else:
        _look_again(batch, progress.detail)


def _is_over(batch: ProviderBatch, fault: BatchFault | None = None) -> bool:
    """Whether nothing will ever be heard of the batch."""
    is_gone = fault is not None and fault.outcome is Outcome.FINAL_REQUEST
    return is_gone or batch.made_at < database_now() - claiming.BATCH_LEASE


# -- on the way out --------------------------------------------------------------------------------------------
@transaction.atomic
def _made(run: GenerationRun, target: Target) -> ProviderBatch | None:
    """A new batch of the target's calls that are due, if there are any that may leave."""
    lock_run(run.pk)  # before a row refers to it, in the order in which everybody locks
    batch = ProviderBatch.objects.create(run=run, target=target)
    if claiming.claim(run.pk, room={target.provider: MAX_CALLS}, batch=batch):
        return batch
    batch.delete()
    return None


def _submit(batch: ProviderBatch) -> None:
    attempts = batch.attempts.values_list("call__key", "request")
    bodies = {key: json.loads(request) for key, request in attempts}
    try:
        remote_id = batches(batch.target.provider).send(_name(batch), bodies)
    except BatchFault as fault:
        if fault.outcome is Outcome.RETRYABLE:
            _note(batch, detail=str(fault))
        else:
            _lose(batch, str(fault))
            _stop(batch, str(fault))
    else:
        _arrived(batch, remote_id)


def _look_for(batch: ProviderBatch) -> None:
    others = ProviderBatch.objects.exclude(remote_id="")
    try:
        remote_id = batches(batch.target.provider).find(
            _name(batch),
            keys=frozenset(batch.attempts.values_list("call__key", flat=True)),
            since=batch.made_at,
            until=batch.made_at + PATIENCE,
            known=frozenset(others.values_list("remote_id", flat=True)),
        )
    except BatchFault as fault:
        if _is_over(batch, fault):
            _miss(batch)
            _forget(batch, str(fault))
        else:
            _note(batch, detail=str(fault))
        return
    if remote_id:
        _arrived(batch, remote_id)
    else:
        _lose(batch, NOT_ARRIVED)


def _name(batch: ProviderBatch) -> str:
    return f"scrub-studio batch {batch.pk} of {batch.made_at.isoformat()}"


@transaction.atomic
def _arrived(batch: ProviderBatch, remote_id: str) -> None:
    _note(batch, state=BATCH.after("send", batch.state), remote_id=remote_id, detail="")
    work.ask(kind=LOOK_AT_BATCH, subject=batch.pk, due=database_now() + LOOK_AGAIN)


@transaction.atomic
def _lose(batch: ProviderBatch, detail: str) -> None:
    """Give a batch up that never left."""
    claiming.take_back(batch.run_id, list(batch.attempts.values_list("pk", flat=True)))
    _forget(batch, detail)


@transaction.atomic
def _forget(batch: ProviderBatch, detail: str) -> None:
    _note(batch, state=BATCH.after("lose", batch.state), detail=detail, ended_at=database_now())
    _go_on(batch)


def _next_due(run: GenerationRun, targets: list[Target]) -> datetime | None:
    """When one of the calls that now wait may next leave."""
    pending = Call.objects.filter(run=run, target__in=targets, state="pending", run__state="running")
    later = pending.annotate(due=Greatest("due_at", "leased_until")).filter(due__gt=database_now())
    earliest: datetime | None = later.aggregate(earliest=Min("due"))["earliest"]
    return earliest


# -- on the way back -------------------------------------------------------------------------------------------
def _take_in(batch: ProviderBatch, replies: Iterable[tuple[str, Reply]]) -> None:
    """Record what has come. What was recorded before, where this was interrupted, changes nothing."""
    open_ones = batch.attempts.filter(Q(ended_at__isnull=True) | Q(outcome="lost"))
    waiting = dict(open_ones.values_list("call__key", "pk"))
    _record(batch, (Arrival(waiting.pop(key), reply) for key, reply in replies if key in waiting))


def _miss(batch: ProviderBatch, *, is_free: bool = False) -> None:
    """End what no reply will come to. It may have been paid for, unless the batch is known to be free."""
    cost: dict[str, Any] = {"charged": Decimal(0)} if is_free else {"cost_unknown": True}
    reply = Reply(Outcome.RETRYABLE, detail=NOT_WORKED_ON if is_free else NOT_ANSWERED, **cost)
    missing = list(batch.attempts.filter(ended_at__isnull=True).values_list("pk", flat=True))
    _record(batch, (Arrival(attempt_id, reply) for attempt_id in missing))


def _record(batch: ProviderBatch, arrivals: Iterator[Arrival]) -> None:
    while group := list(islice(arrivals, TOGETHER)):
        recording.record(batch.run_id, group)
        work.renew()


@transaction.atomic
def _end(batch: ProviderBatch, detail: str) -> None:
    """Nothing more comes: what has no reply goes out again, and the run may be done."""
    _note(batch, state=BATCH.after("end", batch.state), detail=detail, ended_at=database_now())
    _go_on(batch)


def _go_on(batch: ProviderBatch) -> None:
    work.ask(kind=SEND_BATCH, subject=batch.run_id)
    work.ask(kind=WORK_RUN, subject=subject_of_lane(batch.run_id, 0))


@transaction.atomic
def _look_again(batch: ProviderBatch, detail: str) -> None:
    _note(batch, detail=detail, looked_at=database_now())
    work.ask(kind=LOOK_AT_BATCH, subject=batch.pk, due=database_now() + LOOK_AGAIN)


def _note(batch: ProviderBatch, **changes: object) -> None:
    for name, value in changes.items():
        setattr(batch, name, value)
    batch.save(update_fields=list(changes))


def _stop(batch: ProviderBatch, detail: str) -> None:
    """Ask the batch's model nothing more, and stop the run where nothing else is left to ask."""
    why = f"{batch.target.provider} does not work on a batch: {detail}"
    if reasons := early_stops.stop(batch.target, run=batch.run, why=why):
        runs.stop_run(run=batch.run, reason=reasons, by=None)
