"""Claiming: the one door through which requests leave. What may leave is written down, and paid for, beforehand."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q

from annotation.services.clock import database_now
from generation.core.catalogue import Endpoint
from generation.core.lifecycles import CALL
from generation.core.prices import worst_cost
from generation.models.runs import Attempt, Call, GenerationRun, ProviderBatch, RunShare
from generation.models.targets import Target
from generation.providers import provider
from generation.providers.base import Request
from generation.providers.catalogue import catalogue
from generation.services import runs
from generation.services.batched import batched_targets
from generation.services.ledger import Ledger, hold_run
from generation.services.purposes import purpose_of
from generation.services.retrying import Failure, follow_up

# As long as any provider keeps a batch's results: until then its calls are nobody else's.
BATCH_LEASE = timedelta(days=29)
LOST = "The worker that sent it was gone before a reply was kept. It may have been paid for."


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request about to leave, and the attempt that stands for it."""

    attempt_id: int
    call_id: int
    provider: str
    request: Request


@transaction.atomic
def claim(run_id: int, *, room: Mapping[str, int], batch: ProviderBatch | None = None) -> list[Outgoing] | None:
    """Lease calls that are due, at most `room` of them by provider, and write their attempts.

    `None` when the run is not running, or no reply could be taken in. A call is claimed only where its worst case
    fits under the cap together with all that was spent and is on its way; where nothing fits and nothing is on its
    way, the run stops. A lease that ran out ends its attempt as lost first. With a `batch`, only its target's calls
    are claimed; without one, a run that is sent in batches keeps for them what can go in one.
    """
    run = hold_run(run_id)
    if run.state != "running" or purpose_of(run).closed(run):
        return None
    now = database_now()
    ledger = Ledger(run)
    calls = _still_wanted(_due(run, room, batch=batch, now=now), ledger=ledger, now=now)
    drafts = _drafts(calls, ledger=ledger, is_batch=batch is not None)
    outgoing = _written(drafts, batch=batch, now=now)
    ledger.write()
    unpayable = not drafts and any(call.state == "pending" for call in calls)
    if unpayable and not _is_anything_on_its_way(run):
        runs.stop_run(run=run, reason=_out_of_money(run, ledger), by=None)
    return outgoing


def endpoints(run_id: int) -> list[Endpoint]:
    """The providers of a run's models. One that the site does not know any more stops the run."""
    names = RunShare.objects.filter(run=run_id).order_by().values_list("target__provider", flat=True).distinct()
    known = catalogue().endpoints
    if unknown := sorted(set(names) - known.keys()):
        reason = f"The site knows the provider {unknown[0]} no more. Ask whoever runs it."
        runs.stop_run(run=GenerationRun.objects.get(pk=run_id), reason=reason, by=None)
    return [known[name] for name in sorted(known.keys() & set(names))]


def renew(call_ids: Collection[int]) -> None:
    """Keep calls that are on their way."""
    Call.objects.filter(pk__in=call_ids, leased_until__isnull=False).update(leased_until=database_now() + _lease())


@transaction.atomic
def take_back(run_id: int, attempt_ids: Collection[int]) -> None:
    """Undo claims whose requests never left."""
    ledger = Ledger(hold_run(run_id))
    unsent = Attempt.objects.filter(pk__in=attempt_ids, ended_at__isnull=True)
    for reserved in unsent.values_list("reserved", flat=True):
        ledger.set_aside(-reserved)
    Call.objects.filter(attempts__in=unsent.values("pk"), state="pending").update(leased_until=None)
    unsent.delete()
    ledger.write()


def _lease() -> timedelta:
    return timedelta(seconds=settings.LEASE_SECONDS)


# -- which calls -----------------------------------------------------------------------------------------------
def _due(run: GenerationRun, room: Mapping[str, int], *, batch: ProviderBatch | None, now: datetime) -> list[Call]:
    """Pending calls that nobody has and that may be tried now, locked; what another worker looks at is skipped."""
    left = dict(room)
    found: list[Call] = []
    for target in _targets(run, batch):
        calls = (
            Call.objects.select_for_update(skip_locked=True)
            .filter(Q(leased_until__isnull=True) | Q(leased_until__lt=now))
            .filter(Q(due_at__isnull=True) | Q(due_at__lte=now))
            .filter(run=run, target=target, state="pending")
            .order_by("id")[: left.get(target.provider, 0)]
        )
        for call in calls:
            call.target = target
            left[target.provider] -= 1
            found.append(call)
    return found


def _targets(run: GenerationRun, batch: ProviderBatch | None) -> list[Target]:
    if batch:
        return [batch.target]
    batched = batched_targets(run)
    targets = (share.target for share in run.shares.select_related("target"))
    return [target for target in targets if target not in batched]


def _still_wanted(calls: Sequence[Call], *, ledger: Ledger, now: datetime) -> list[Call]:
    """The calls without those whose lost attempt was the last."""
    lapsed = {call.pk: call for call in calls if call.leased_until}
    if lapsed:
        _lose(lapsed, ledger=ledger, now=now)
        follow_up([Failure(call, "lost") for call in lapsed.values()], ledger=ledger, now=now)
    return [call for call in calls if call.state == "pending"]


def _lose(lapsed: Mapping[int, Call], *, ledger: Ledger, now: datetime) -> None:
    attempts = list(Attempt.objects.filter(call__in=lapsed, ended_at__isnull=True).defer("request"))
    for attempt in attempts:
        attempt.call = lapsed[attempt.call_id]
        attempt.ended_at, attempt.outcome, attempt.detail = now, "lost", LOST
        attempt.cost = attempt.reserved
        ledger.end(attempt)
    Attempt.objects.bulk_update(attempts, ["ended_at", "outcome", "detail", "cost"])


# -- what leaves -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Draft:
    call: Call
    request: Request
    body: str
    worst: Decimal


def _drafts(calls: Sequence[Call], *, ledger: Ledger, is_batch: bool) -> list[_Draft]:
    """The requests that can be paid for, with their worst case set aside."""
    requests = purpose_of(ledger.run).requests(ledger.run, calls) if calls else {}
    _give_up([call for call in calls if call.pk not in requests], ledger=ledger)
    drafts = []
    for call in calls:
        if (request := requests.get(call.pk)) is None:
            continue
        body = json.dumps(provider(call.target.provider).body(request), ensure_ascii=False)
        worst = worst_cost(
            ledger.price(call.target_id),
            input_bytes=len(body.encode()),
            max_output_tokens=request.max_output_tokens,
            in_batch=is_batch,
        )
        if worst <= ledger.left:
            ledger.set_aside(worst)
            drafts.append(_Draft(call, request, body, worst))
    return drafts


def _give_up(calls: Iterable[Call], *, ledger: Ledger) -> None:
    """What these calls are about is gone, such as an answer whose writer withdrew."""
    for call in calls:
        call.state = CALL.after("fail", call.state)
        call.leased_until = None
        call.save(update_fields=["state", "leased_until"])
        ledger.settle(call)


def _written(drafts: Sequence[_Draft], *, batch: ProviderBatch | None, now: datetime) -> list[Outgoing]:
    ids = [draft.call.pk for draft in drafts]
    last = dict(Attempt.objects.filter(call__in=ids).order_by().values_list("call_id").annotate(Max("number")))
    attempts = Attempt.objects.bulk_create(
        Attempt(
            call=draft.call,
            number=last.get(draft.call.pk, 0) + 1,
            batch=batch,
            sent_at=now,
            request=draft.body,
            reserved=draft.worst,
        )
        for draft in drafts
    )
    Call.objects.filter(pk__in=ids).update(leased_until=now + (BATCH_LEASE if batch else _lease()), due_at=None)
    return [
        Outgoing(attempt.pk, draft.call.pk, draft.call.target.provider, draft.request)
        for draft, attempt in zip(drafts, attempts, strict=True)
    ]


def _is_anything_on_its_way(run: GenerationRun) -> bool:
    return Attempt.objects.filter(ended_at__isnull=True, call__run=run).exists()


def _out_of_money(run: GenerationRun, ledger: Ledger) -> str:
    return (
        f"Of the spending limit of {run.spend_cap:.2f} US dollars {ledger.left:.2f} are left, and the next call may"
        " cost more. What was collected is kept. Start the run again with a higher limit."
    )
