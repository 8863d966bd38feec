"""Approving, stopping and resuming runs, and the end of them."""

from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import Count, F, Min, QuerySet
from django.db.models.functions import Greatest

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now, database_today
from annotation.study.policies.roles import check_coordinator
from generation.calls.core.lifecycles import CALL, RUN
from generation.calls.core.work_kinds import SEND_BATCH, WORK_RUN, subject_of_lane
from generation.calls.models import Call, GenerationRun, RunShare
from generation.calls.selectors.batch_eligibility import batched_targets
from generation.calls.services import early_stops, lost_attempts, waiting_calls
from generation.calls.services.ledger import NOTHING, Ledger, frozen_price, lock_run
from generation.calls.services.purposes import purpose_of
from generation.catalogue.models import Target
from generation.catalogue.services.targets import price_of
from generation.providers.catalogue import endpoint
from generation.providers.core.money import at_least
from generation.providers.core.prices import price_at, price_row
from generation.providers.keys import NoKey, key_of

# A call that is one of these has no outcome yet.
UNSETTLED = ("pending", "waiting")
# So often a run looks whether calls of others, for which its own wait, have their replies.
LOOK_AROUND = timedelta(minutes=1)


@transaction.atomic
def start_run(*, run: GenerationRun, spend_cap: Decimal, by: User | None) -> None:
    """Approve a plan, or let a stopped run go on, and say how many US dollars it may cost in all.

    What a stopped run was planned at and is not in force any more becomes today's price. Raises `Refused` where its
    replies cannot be taken in any more, for a plan whose prices have ended, and for a limit below `least_cap`.
    """
    run = _locked(run, by)
    check_open(run)
    state = RUN.after("start", run.state)
    _renew_prices(run)
    if spend_cap < least_cap(run):
        raise Refused(_too_low(run))
    run.state = state
    run.approved_at, run.approved_by, run.spend_cap, run.stopped_because = database_now(), by, spend_cap, ""
    run.save(update_fields=["state", "approved_at", "approved_by", "spend_cap", "stopped_because", "materials"])
    early_stops.try_anew(run.shares.all())
    look_around(run)
    ask_workers(run)
    audit.record(verb=AuditVerb.RUN_STARTED, by=by, study=run.study, subject=run.pk, spend_cap=str(spend_cap))


def least_cap(run: GenerationRun) -> Decimal:
    """US dollars below which the run could not go on: what is spent and set aside, and one call."""
    least: Decimal = run.spent + run.reserved + _call_at_worst(run)
    return least


@transaction.atomic
def stop_run(*, run: GenerationRun, reason: str, by: User | None) -> None:
    """Let no further request leave; replies on their way are still kept.

    The system (`by` is `None`) may find that there is nothing to stop any more.
    """
    run = _locked(run, by)
    if by is None and run.state != "running":
        return
    run.state = RUN.after("stop", run.state)
    run.stopped_because = reason
    run.save(update_fields=["state", "stopped_because"])
    _settle_lanes(run)
    audit.record(verb=AuditVerb.RUN_STOPPED, by=by, study=run.study, subject=run.pk, reason=reason)


@transaction.atomic
def stop_provider(run_id: int, provider: str, why: str) -> None:
    """Ask none of the provider's models anything more, and stop the run where nothing else is left to ask."""
    run = lock_run(run_id)
    if run.state == "running" and (reasons := early_stops.stop_provider(provider, run=run, why=why)):
        stop_run(run=run, reason=reasons, by=None)


@transaction.atomic
def retry_failed(*, run: GenerationRun, by: User | None) -> int:
    """Ask again for what failed in a finished run, of models that are not retired, and for what was not asked for
    that reason; how many calls that are.
    """
    run = _locked(run, by)
    check_open(run)
    state = RUN.after("retry", run.state)
    of_models = Call.objects.filter(run=run, target__retired_at__isnull=True)
    failed = of_models.filter(state="failed")
    by_target = dict(failed.order_by().values_list("target").annotate(Count("pk")))
    failed.update(state=CALL.after("retry", "failed"), due_at=None)
    for target, number in by_target.items():
        RunShare.objects.filter(run=run, target=target).update(failed=F("failed") - number)
    ledger = Ledger(run)
    waiting_calls.hold_again(of_models.filter(state="not_asked"), ledger=ledger)
    ledger.write()
    look_around(run)
    total = of_models.filter(state__in=UNSETTLED).count()
    if not total:
        raise Refused("Nothing has failed that could be asked again.")
    early_stops.try_anew(run.shares.all())
    run.state, run.finished_at = state, None
    run.save(update_fields=["state", "finished_at"])
    ask_workers(run)
    audit.record(verb=AuditVerb.RUN_RETRIED, by=by, study=run.study, subject=run.pk, calls=total)
    return total


@transaction.atomic
def withdraw_plan(*, run: GenerationRun, by: User | None) -> None:
    """Give up a plan that nobody has started; what it listed can be planned again."""
    try:
        GenerationRun.objects.select_for_update(no_key=True, nowait=True).get(pk=run.pk)
    except OperationalError as error:
        raise Refused("The plan is just being made. Withdraw it when it is there.") from error
    run = _locked(run, by)
    run.state = RUN.after("withdraw", run.state)
    if Call.objects.filter(after__run=run).exclude(run=run).exists():
        raise Refused("Another plan goes on conversations that this one begins. Withdraw that one first.")
    run.save(update_fields=["state"])
    with connection.cursor() as cursor:  # half a million rows that need not be looked at
        cursor.execute("DELETE FROM generation_call WHERE run_id = %s", [run.pk])
    audit.record(verb=AuditVerb.RUN_WITHDRAWN, by=by, study=run.study, subject=run.pk)


@transaction.atomic
def go_on(run_id: int, lane: int) -> None:
    """Go on after a worker's turn: ask for the lane's next one, as soon as a call may be due, or finish the run.

    What providers have in batches needs no lane: it is asked for once a batch has ended.
    """
    run = lock_run(run_id)
    if run.state != "running":
        return
    if why := purpose_of(run).closed(run):
        stop_run(run=run, reason=why, by=None)
    elif not finish_when_settled(run_id) and not _stop_refused(run):
        if due := _next_due(run):
            work.ask(kind=WORK_RUN, subject=subject_of_lane(run_id, lane), due=due)
        if _untouched(run).filter(target__in=batched_targets(run)).exists():  # freed by what this lane asked
            work.ask(kind=SEND_BATCH, subject=run_id)


def _stop_refused(run: GenerationRun) -> bool:
    """Stop a run whose remaining calls are all to models that are asked nothing more; whether that is so."""
    why = early_stops.reasons(run)
    if not why or lost_attempts.on_their_way(run).exists():
        return False
    stop_run(run=run, reason=why, by=None)
    return True


def look_around(run: GenerationRun) -> None:
    """Tell calls of the run, which is locked, what became of those that they wait for."""
    ledger = Ledger(run)
    waiting_calls.look_around(ledger=ledger)
    ledger.write()


@transaction.atomic
def finish_when_settled(run_id: int) -> bool:
    """Finish a run in which every call has its outcome and nothing is on its way; whether that is so."""
    run = lock_run(run_id)
    if run.state != "running":
        return False
    lost_attempts.give_up_leftovers(run, now=database_now())
    look_around(run)
    if Call.objects.filter(run=run, state__in=UNSETTLED).exists() or lost_attempts.on_their_way(run).exists():
        return False
    run.state = RUN.after("finish", run.state)
    run.finished_at = database_now()
    run.save(update_fields=["state", "finished_at"])
    _settle_lanes(run)
    brought = purpose_of(run).brought_sha256(run)
    audit.record(verb=AuditVerb.RUN_FINISHED, by=None, study=run.study, subject=run.pk, brought_sha256=brought)
    return True


def _next_due(run: GenerationRun) -> datetime | None:
    """When a lane may find a call to claim, something to give up, or a reply that came to another run; `None` where
    a batch has to end first.
    """
    elsewhere = [*batched_targets(run), *Target.objects.filter(pk__in=early_stops.stopped_targets(run))]
    pending = Call.objects.filter(run=run, state="pending").exclude(target__in=elsewhere)
    if _untouched(run).filter(pk__in=pending).exists():
        return database_now()
    due: datetime | None = pending.aggregate(due=Min(Greatest("due_at", "leased_until")))["due"]
    if due is None and waiting_calls.waiting_for_others(run).exists():
        due = database_now() + LOOK_AROUND
    return due or lost_attempts.leftovers_end(run)


def _untouched(run: GenerationRun) -> QuerySet[Call]:
    """Calls that may be asked now and that nobody has."""
    return Call.objects.filter(run=run, state="pending", due_at__isnull=True, leased_until__isnull=True)


def _locked(run: GenerationRun, by: User | None) -> GenerationRun:
    """The run as it is now, locked, for a coordinator of its study or the system."""
    if run.study and by:
        check_coordinator(by, run.study)
    return lock_run(run.pk)


def check_open(run: GenerationRun) -> None:
    """Refuse what could only fail: replies nobody takes in, and requests that cannot leave."""
    if why := purpose_of(run).closed(run):
        raise Refused(why)
    for name in sorted({target.provider for target in _targets(run)}):
        try:
            key_of(endpoint(name))
        except NoKey as error:
            raise Refused(f"{error} Ask whoever runs this site to set it.") from error


def _too_low(run: GenerationRun) -> str:
    """Not what a stopped run has cost: of a run of a few calls that would tell a weak answer from another."""
    call = at_least(_call_at_worst(run))
    if run.spent or run.reserved:
        return (
            f"What this limit leaves may not be enough for a single call, which may cost {call}. Set a higher one."
        )
    return f"A single call may cost {call}. Set a limit of {call} or more."


def _call_at_worst(run: GenerationRun) -> Decimal:
    """US dollars that a call still to be made may cost: the dearest that the plan has of its model."""
    waiting = run.shares.filter(target__in=_waiting_targets(run))
    return max((share.worst_call or NOTHING for share in waiting), default=NOTHING)


def _renew_prices(run: GenerationRun) -> None:
    """Put today's prices in the place of those that have ended since the plan was made."""
    today = database_today()
    for target in _waiting_targets(run):
        if price_at([frozen_price(run, target.pk)], today):
            continue
        if run.state == "planned":
            raise Refused(f"The price of “{target.family}” has changed since. Withdraw the plan and make another.")
        price = price_of(target)
        if price is None or price_at([price], today) is None:
            raise Refused(f"What “{target.family}” costs today is not known. Ask whoever runs this site.")
        run.materials["prices"][str(target.pk)] = price_row(price)


def _targets(run: GenerationRun) -> list[Target]:
    """The run's models that are not retired."""
    shares = run.shares.filter(target__retired_at__isnull=True)
    return [share.target for share in shares.select_related("target")]


def _waiting_targets(run: GenerationRun) -> list[Target]:
    """Targets with calls that have no outcome yet."""
    pending = Call.objects.filter(run=run, state__in=UNSETTLED)
    return [target for target in _targets(run) if pending.filter(target=target).exists()]


def _settle_lanes(run: GenerationRun) -> None:
    """The run has ended: no worker is woken up for it."""
    work.cancel_waiting_tasks(kind=WORK_RUN, subjects_from=subject_of_lane(run.pk, ""))


def ask_workers(run: GenerationRun) -> None:
    """Have the run, which is running, worked on."""
    for lane in range(settings.LANES):
        work.ask(kind=WORK_RUN, subject=subject_of_lane(run.pk, lane))
    if run.uses_batches:
        work.ask(kind=SEND_BATCH, subject=run.pk)
