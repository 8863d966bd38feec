"""Providers' batches: calls handed over together, at half price, and taken in within a day."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

from django.db import transaction
from django.db.models import Min, Q
from django.db.models.functions import Greatest

from annotation.services import work
from annotation.services.clock import database_now
from generation.core.lifecycles import BATCH
from generation.core.work_kinds import LOOK_AT_BATCH, SEND_BATCH, WORK_RUN, subject_of_lane
from generation.models.runs import Call, GenerationRun, ProviderBatch
from generation.models.targets import Target
from generation.providers.base import Outcome
from generation.providers.batch_exchange import BatchFault, Progress, left_out
from generation.providers.batches import batches
from generation.services import claiming, recording, runs
from generation.services.batched import batched_targets
from generation.services.recording import Arrival

# Far below what providers allow, so that neither a worker's memory nor a lost batch is large.
MOST_CALLS = 2000
LOOK_AGAIN = timedelta(minutes=5)
# Longer than handing over can take: after that nobody is at it any more, and what arrived is listed.
PATIENCE = timedelta(minutes=30)
TOGETHER = 100
NOT_ANSWERED = "The batch ended without a reply to it."
NOT_ARRIVED = "The provider does not know this batch; its calls go out again."


def send_batch(run_id: int) -> None:
    """Hand the run's next batch over, and ask for the one after it.

    A batch that may or may not have arrived is looked for when that can be told; until then no other leaves.
    """
    run = GenerationRun.objects.get(pk=run_id)
    for unsure in run.batches.select_related("target").filter(state="sending"):
        if unsure.made_at < database_now() - PATIENCE:
            _look_for(unsure)
    if run.batches.filter(state="sending").exists():
        work.ask(kind=SEND_BATCH, subject=run_id, due=database_now() + LOOK_AGAIN)
        return
    targets = batched_targets(run)
    if batch := next(filter(None, (_made(run, target) for target in targets)), None):
        _hand_over(batch)
        work.ask(kind=SEND_BATCH, subject=run_id)
    elif due := _next_due(run, targets):
        work.ask(kind=SEND_BATCH, subject=run_id, due=due)


def look_at_batch(batch_id: int) -> None:
    """Take the replies in if the batch has ended; otherwise look again later."""
    batch = ProviderBatch.objects.select_related("run", "target").get(pk=batch_id)
    if batch.state != "sent":
        return
    try:
        progress = batches(batch.target.provider).look(batch.remote_id)
        if progress.has_ended:
            _take_in(batch)
    except BatchFault as fault:
        progress = Progress(has_ended=False, detail=str(fault), failed=fault.outcome is not Outcome.RETRYABLE)
    if progress.failed:
        _stop(batch, progress.detail)
    if progress.has_ended or batch.made_at < database_now() - claiming.BATCH_LEASE:
        _end(batch, progress.detail)
    else:
        _look_again(batch, progress.detail)


# -- on the way out --------------------------------------------------------------------------------------------
@transaction.atomic
def _made(run: GenerationRun, target: Target) -> ProviderBatch | None:
    """A new batch of the target's calls that are due, if there are any that may leave."""
    batch = ProviderBatch.objects.create(run=run, target=target)
    if claiming.claim(run.pk, room={target.provider: MOST_CALLS}, batch=batch):
        return batch
    batch.delete()
    return None


def _hand_over(batch: ProviderBatch) -> None:
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
            size=batch.attempts.count(),
            since=batch.made_at,
            known=frozenset(others.values_list("remote_id", flat=True)),
        )
    except BatchFault as fault:
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
    claiming.take_back(batch.run_id, list(batch.attempts.values_list("pk", flat=True)))
    _note(batch, state=BATCH.after("lose", batch.state), detail=detail, ended_at=database_now())


def _next_due(run: GenerationRun, targets: list[Target]) -> datetime | None:
    """When one of the calls that now wait may next leave."""
    pending = Call.objects.filter(run=run, target__in=targets, state="pending", run__state="running")
    later = pending.annotate(due=Greatest("due_at", "leased_until")).filter(due__gt=database_now())
    earliest: datetime | None = later.aggregate(earliest=Min("due"))["earliest"]
    return earliest


# -- on the way back -------------------------------------------------------------------------------------------
def _take_in(batch: ProviderBatch) -> None:
    """Record what has come. What was recorded before, where this was interrupted, changes nothing."""
    arrivals = _arrivals(batch)
    while group := list(islice(arrivals, TOGETHER)):
        recording.record(batch.run_id, group)
        work.renew(kind=LOOK_AT_BATCH, subject=batch.pk)


def _arrivals(batch: ProviderBatch) -> Iterator[Arrival]:
    """The replies to our calls, then those of our calls that have none."""
    open_ones = batch.attempts.filter(Q(ended_at__isnull=True) | Q(outcome="lost"))
    waiting = dict(open_ones.values_list("call__key", "pk"))
    for key, reply in batches(batch.target.provider).replies(batch.remote_id):
        if key in waiting:
            yield Arrival(waiting.pop(key), reply)
    for attempt_id in waiting.values():
        yield Arrival(attempt_id, left_out(NOT_ANSWERED))


@transaction.atomic
def _end(batch: ProviderBatch, detail: str) -> None:
    """Nothing more comes: what has no reply goes out again, and the run may be done."""
    _note(batch, state=BATCH.after("end", batch.state), detail=detail, ended_at=database_now())
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
    runs.stop_run(run=batch.run, reason=f"{batch.target.provider} does not work on a batch: {detail}", by=None)
