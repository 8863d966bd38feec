"""Claiming calls: the only way to send requests. What is sent is recorded, and its cost set aside, beforehand."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q
from django.db.models.functions import Now

from annotation.platform.core.errors import Refused
from annotation.platform.services import many_rows
from annotation.platform.services.clock import database_now, database_today
from generation.calls.core.lifecycles import CALL
from generation.calls.models import Attempt, Call, GenerationRun, ProviderBatch, RunShare
from generation.calls.selectors.batch_eligibility import batched_targets
from generation.calls.services import early_stops, runs, waiting_calls
from generation.calls.services.ledger import NOTHING, Ledger, frozen_price, lock_run
from generation.calls.services.lost_attempts import lose, on_their_way
from generation.calls.services.prepared_requests import PreparedRequest, prepared_requests
from generation.calls.services.purposes import purpose_of
from generation.calls.services.retrying import Failure, follow_up
from generation.catalogue.models import Target
from generation.providers.base import Request
from generation.providers.catalogue import endpoint
from generation.providers.core.catalogue import Endpoint
from generation.providers.core.money import in_dollars
from generation.providers.core.prices import price_at

# As long as any provider keeps a batch's results: until then its calls are nobody else's.
BATCH_LEASE = timedelta(days=29)


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

    `None` when the run is not running, or no reply could be taken in; it stops where a price that it was approved
    with has ended, or the site does not know the provider any more with which a conversation began. A call is
    claimed only where its worst case fits under the cap together with all that was spent and is on its way; where
    nothing fits and nothing is on its way, the run stops. A lease that ran out ends its attempt as lost first. With
    a `batch`, only its target's calls are claimed; without one, a run that is sent in batches keeps for them what
    can go in one.
    """
    run = lock_run(run_id)
    if run.state != "running" or purpose_of(run).closed(run):
        return None
    now = database_now()
    ledger = Ledger(run)
    due = _due(run, room, batch=batch, now=now)
    if ended := _price_ended(run, due):
        runs.stop_run(run=run, reason=ended, by=None)
        return None
    calls = _still_wanted(due, ledger=ledger, now=now)
    try:
        prepared = _prepared(calls, ledger=ledger, is_batch=batch is not None)
    except Refused as refusal:
        ledger.write()
        runs.stop_run(run=run, reason=str(refusal), by=None)
        return None
    payable = _payable(prepared, ledger)
    outgoing = _written(payable, batch=batch, now=now)
    given_up = [call.pk for call in due if call.state == "failed"]
    waiting_calls.follow_up_on(given_up, ledger=ledger)
    ledger.write()
    if prepared and not payable and not on_their_way(run).exists():
        runs.stop_run(run=run, reason=_out_of_money(run), by=None)
    return outgoing


def left_some(run_id: int) -> bool:
    """Whether calls of the run may be asked now that nobody has: the last claim had no room for them."""
    pending = Call.objects.filter(run=run_id, state="pending", leased_until__isnull=True)
    return pending.filter(Q(due_at__isnull=True) | Q(due_at__lte=Now())).exists()


def endpoints(run_id: int) -> list[Endpoint]:
    """The providers of a run's models. One that the site does not know any more stops the run."""
    asked = RunShare.objects.filter(run=run_id, target__retired_at__isnull=True, stopped_because="")
    shares = asked.order_by("target__provider")
    found = []
    for name in shares.values_list("target__provider", flat=True).distinct():
        try:
            found.append(endpoint(name))
        except Refused as refusal:
            runs.stop_run(run=GenerationRun.objects.get(pk=run_id), reason=str(refusal), by=None)
    return found


def renew(attempt_ids: Collection[int]) -> None:
    """Keep the calls of attempts that are on their way. Where an attempt was lost, another may have its call."""
    on_their_way = Attempt.objects.filter(pk__in=attempt_ids, ended_at__isnull=True)
    calls = Call.objects.filter(pk__in=on_their_way.values("call"), leased_until__isnull=False)
    calls.update(leased_until=database_now() + _lease())


@transaction.atomic
def take_back(run_id: int, attempt_ids: Collection[int]) -> None:
    """Undo claims whose requests never left."""
    ledger = Ledger(lock_run(run_id))
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
    on_trial = {} if batch else early_stops.left_to_try(run)
    for target in _targets(run, batch):
        most = left.get(target.provider, 0)
        calls = (
            Call.objects.select_for_update(skip_locked=True)
            .filter(Q(leased_until__isnull=True) | Q(leased_until__lt=now))
            .filter(Q(due_at__isnull=True) | Q(due_at__lte=now))
            .filter(run=run, target=target, state="pending")
            .order_by("id")[: min(most, on_trial.get(target.pk, most))]
        )
        for call in calls:
            call.target = target
            left[target.provider] -= 1
            found.append(call)
    return found


def _targets(run: GenerationRun, batch: ProviderBatch | None) -> list[Target]:
    asked = [share.target for share in run.shares.filter(stopped_because="").select_related("target")]
    batched = [batch.target] if batch else batched_targets(run)
    return [target for target in asked if (target in batched) == (batch is not None)]


def _price_ended(run: GenerationRun, calls: Iterable[Call]) -> str:
    """Why nothing may leave at the prices the run was approved with; "" while they are in force."""
    today = database_today()
    for target in {call.target for call in calls}:
        price = frozen_price(run, target.pk)
        if price_at([price], today) is None:
            return (
                f"The price of “{target.family}” that this run was approved with ended on {price.until}. Start the"
                " run again to go on at today's price."
            )
    return ""


def _still_wanted(calls: Sequence[Call], *, ledger: Ledger, now: datetime) -> list[Call]:
    """The calls without those whose lost attempt was the last."""
    lapsed = {call.pk: call for call in calls if call.leased_until}
    if lapsed:
        attempts = list(Attempt.objects.filter(call__in=lapsed, ended_at__isnull=True).defer("request"))
        for attempt in attempts:
            attempt.call = lapsed[attempt.call_id]
        lose(attempts, ledger=ledger, now=now)
        follow_up([Failure(call, "lost") for call in lapsed.values()], ledger=ledger, now=now)
    return [call for call in calls if call.state == "pending"]


# -- what leaves -----------------------------------------------------------------------------------------------
def _prepared(calls: Sequence[Call], *, ledger: Ledger, is_batch: bool) -> list[PreparedRequest]:
    prepared = prepared_requests(ledger.run, calls, is_batch=is_batch)
    ready = {each.call.pk for each in prepared}
    _give_up([call for call in calls if call.pk not in ready], ledger=ledger)
    return prepared


def _payable(prepared: Iterable[PreparedRequest], ledger: Ledger) -> list[PreparedRequest]:
    """Calls that fit under the cap, with their worst case set aside."""
    payable = []
    for each in prepared:
        if each.worst <= ledger.left:
            ledger.set_aside(each.worst)
            payable.append(each)
    return payable


def _give_up(calls: Iterable[Call], *, ledger: Ledger) -> None:
    """What these calls are about is gone, such as an answer whose writer withdrew."""
    for call in calls:
        call.state = CALL.after("fail", call.state)
        call.leased_until = None
        call.save(update_fields=["state", "leased_until"])
        ledger.settle(call)


def _written(prepared: Sequence[PreparedRequest], *, batch: ProviderBatch | None, now: datetime) -> list[Outgoing]:
    ids = [each.call.pk for each in prepared]
    last = dict(Attempt.objects.filter(call__in=ids).order_by().values_list("call_id").annotate(Max("number")))
    attempts = [
        Attempt(
            call=each.call,
            number=last.get(each.call.pk, 0) + 1,
            batch=batch,
            sent_at=now,
            request=each.body,
            reserved=each.worst,
        )
        for each in prepared
    ]
    many_rows.insert(attempts)
    Call.objects.filter(pk__in=ids).update(leased_until=now + (BATCH_LEASE if batch else _lease()), due_at=None)
    return [
        Outgoing(attempt.pk, each.call.pk, each.call.target.provider, each.request)
        for each, attempt in zip(prepared, attempts, strict=True)
    ]


def _out_of_money(run: GenerationRun) -> str:
    """Not how much is left: what a run of a few calls has cost would tell a weak answer from another."""
    return (
        f"What is left of the spending limit of {in_dollars(run.spend_cap or NOTHING)} may not be enough for the"
        " next call. What was collected is kept. Let the run go on with a higher limit."
    )
