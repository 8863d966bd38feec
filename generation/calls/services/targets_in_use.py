"""Changing and retiring models. One that was asked anything stays as it is; it can only be retired."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from generation.calls.core.lifecycles import CALL
from generation.calls.core.work_kinds import WORK_RUN, subject_of_lane
from generation.calls.models import Call, GenerationRun, RunShare
from generation.calls.services import waiting_calls
from generation.calls.services.ledger import Ledger
from generation.catalogue.models import Target
from generation.catalogue.services.targets import configure, lock_target


@transaction.atomic
def change_target(
    *,
    target: Target,
    by: User,
    family: str,
    provider: str,
    model_id: str,
    effort: str = "",
    weak_temperature: float | None = None,
    options: Mapping[str, Any] | None = None,
    price: Mapping[str, Any] | None = None,
) -> None:
    """Configure a model that no plan contains anew. Raises `Refused` for any other, and as `add_target` does."""
    lock_target(target, by)
    if is_used(target):
        raise Refused(f"“{target.family}” is part of a plan and stays as it is. Retire it and add another one.")
    configure(
        target,
        verb=AuditVerb.TARGET_CHANGED,
        by=by,
        family=family,
        provider=provider,
        model_id=model_id,
        effort=effort,
        weak_temperature=weak_temperature,
        options=options or {},
        price=price,
    )


def is_used(target: Target) -> bool:
    """Whether a plan that was not withdrawn contains the model."""
    return RunShare.objects.filter(target=target).exclude(run__state="withdrawn").exists()


@transaction.atomic
def retire_target(*, target: Target, by: User) -> None:
    """Plan nothing for the model any more and give up what it was still to be asked. What it answered stays."""
    lock_target(target, by)
    target.refresh_from_db()
    if target.retired_at:
        raise Refused(f"“{target.family}” is retired already.")
    target.retired_at, target.retired_by = database_now(), by
    target.save(update_fields=["retired_at", "retired_by"])
    given_up = _give_up_calls(target)
    audit.record(verb=AuditVerb.TARGET_RETIRED, by=by, study=target.study, subject=target.family, given_up=given_up)


def _give_up_calls(target: Target) -> int:
    """Runs before calls, and runs in their order, as everybody locks them."""
    runs = GenerationRun.objects.filter(shares__target=target).exclude(state__in=["finished", "withdrawn"])
    total = 0
    for run in runs.order_by("pk").select_for_update(of=("self",), no_key=True):
        calls = Call.objects.filter(run=run, target=target)
        pending = calls.filter(state="pending")
        number = pending.update(state=CALL.after("fail", "pending"), leased_until=None, due_at=None)
        RunShare.objects.filter(run=run, target=target).update(failed=F("failed") + number)
        ledger = Ledger(run)
        waiting_calls.not_asked(calls.filter(state="waiting"), ledger=ledger)
        waiting_calls.look_around(ledger=ledger)
        ledger.write()
        total += number
        if run.state == "running":  # and may have waited for just this
            work.ask(kind=WORK_RUN, subject=subject_of_lane(run.pk, 0))
    return total
