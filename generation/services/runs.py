"""Approving, stopping and resuming runs, and the end of them."""

from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import Count, F, Min
from django.db.models.functions import Greatest
from django.utils import timezone

from annotation.core.errors import Refused
from annotation.models.people import User
from annotation.policies.roles import check_coordinator
from annotation.services import audit, work
from generation.core.lifecycles import CALL, RUN
from generation.core.work_kinds import SEND_BATCH, WORK_RUN, subject_of_lane
from generation.models.runs import Call, GenerationRun, RunShare
from generation.providers.catalogue import catalogue
from generation.providers.keys import NoKey, key_of
from generation.services.batched import batched_targets
from generation.services.ledger import hold_run
from generation.services.purposes import purpose_of


@transaction.atomic
def start_run(*, run: GenerationRun, spend_cap: Decimal, by: User | None) -> None:
    """Approve a plan, or let a stopped run go on, and say how many US dollars it may cost in all.

    Raises `Refused` where its replies cannot be taken in any more, and for a limit that is used up already.
    """
    run = _held(run, by)
    _check_open(run)
    if spend_cap < run.spent + run.reserved:
        raise Refused(f"The run has cost {run.spent + run.reserved:.2f} US dollars already. Set a higher limit.")
    run.state = RUN.after("start", run.state)
    run.approved_at, run.approved_by, run.spend_cap, run.stopped_because = timezone.now(), by, spend_cap, ""
    run.save(update_fields=["state", "approved_at", "approved_by", "spend_cap", "stopped_because"])
    _ask_workers(run)
    audit.record(verb="run.started", by=by, study=run.study, subject=run.pk, spend_cap=str(spend_cap))


@transaction.atomic
def stop_run(*, run: GenerationRun, reason: str, by: User | None) -> None:
    """Let no further request leave; replies on their way are still kept.

    The system (`by` is `None`) may find that there is nothing to stop any more.
    """
    run = _held(run, by)
    if by is None and run.state != "running":
        return
    run.state = RUN.after("stop", run.state)
    run.stopped_because = reason
    run.save(update_fields=["state", "stopped_because"])
    audit.record(verb="run.stopped", by=by, study=run.study, subject=run.pk, reason=reason)


@transaction.atomic
def retry_failed(*, run: GenerationRun, by: User | None) -> int:
    """Ask again for what failed in a finished run, of models that are not retired; how many calls that are."""
    run = _held(run, by)
    _check_open(run)
    run.state = RUN.after("retry", run.state)
    failed = Call.objects.filter(run=run, state="failed", target__retired_at__isnull=True)
    by_target = dict(failed.order_by().values_list("target").annotate(Count("pk")))
    if not by_target:
        raise Refused("Nothing has failed that could be asked again.")
    failed.update(state=CALL.after("retry", "failed"), due_at=None)
    for target, number in by_target.items():
        RunShare.objects.filter(run=run, target=target).update(failed=F("failed") - number)
    run.finished_at = None
    run.save(update_fields=["state", "finished_at"])
    _ask_workers(run)
    total = sum(by_target.values())
    audit.record(verb="run.retried", by=by, study=run.study, subject=run.pk, calls=total)
    return total


@transaction.atomic
def withdraw_plan(*, run: GenerationRun, by: User) -> None:
    """Give up a plan that nobody has started; what it listed can be planned again."""
    try:
        GenerationRun.objects.select_for_update(no_key=True, nowait=True).get(pk=run.pk)
    except OperationalError as error:
        raise Refused("The plan is just being made. Withdraw it when it is there.") from error
    run = _held(run, by)
    run.state = RUN.after("withdraw", run.state)
    run.save(update_fields=["state"])
    with connection.cursor() as cursor:  # half a million rows that need not be looked at
        cursor.execute("DELETE FROM generation_call WHERE run_id = %s", [run.pk])
    audit.record(verb="run.withdrawn", by=by, study=run.study, subject=run.pk)


@transaction.atomic
def go_on(run_id: int, lane: int) -> None:
    """After a worker's turn: ask for the lane's next one, as soon as a call may be due, or finish the run.

    What providers have in batches needs no lane: it is asked for once a batch has ended.
    """
    run = hold_run(run_id)
    if run.state != "running":
        return
    if why := purpose_of(run).closed(run):
        stop_run(run=run, reason=why, by=None)
    elif not finish_when_settled(run_id) and (due := _next_due(run)):
        work.ask(kind=WORK_RUN, subject=subject_of_lane(run_id, lane), due=due)


@transaction.atomic
def finish_when_settled(run_id: int) -> bool:
    """Finish a run in which every call has its outcome; whether that is so."""
    run = hold_run(run_id)
    if run.state != "running" or Call.objects.filter(run=run, state="pending").exists():
        return False
    run.state = RUN.after("finish", run.state)
    run.finished_at = timezone.now()
    run.save(update_fields=["state", "finished_at"])
    audit.record(verb="run.finished", by=None, study=run.study, subject=run.pk)
    return True


def _next_due(run: GenerationRun) -> datetime | None:
    """When a lane may find a call to claim; `None` where there is none for lanes."""
    pending = Call.objects.filter(run=run, state="pending").exclude(target__in=batched_targets(run))
    if pending.filter(due_at__isnull=True, leased_until__isnull=True).exists():
        return timezone.now()
    due: datetime | None = pending.aggregate(due=Min(Greatest("due_at", "leased_until")))["due"]
    return due


def _held(run: GenerationRun, by: User | None) -> GenerationRun:
    """The run as it is now, held, for a coordinator of its study or the system."""
    if run.study and by:
        check_coordinator(by, run.study)
    return hold_run(run.pk)


def _check_open(run: GenerationRun) -> None:
    """Refuse what could only fail: replies nobody takes in, and requests that cannot leave."""
    if why := purpose_of(run).closed(run):
        raise Refused(why)
    for name in sorted({share.target.provider for share in run.shares.select_related("target")}):
        try:
            key_of(catalogue().endpoints[name])
        except NoKey as error:
            raise Refused(f"{error} Ask whoever runs this site to set it.") from error


def _ask_workers(run: GenerationRun) -> None:
    for lane in range(settings.LANES):
        work.ask(kind=WORK_RUN, subject=subject_of_lane(run.pk, lane))
    if run.uses_batches:
        work.ask(kind=SEND_BATCH, subject=run.pk)
