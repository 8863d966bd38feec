"""Settling by hand what was assumed at worst, from the provider's invoice."""

from decimal import ROUND_CEILING, ROUND_DOWN, Decimal

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.policies.roles import check_coordinator
from generation.calls.models import Attempt, GenerationRun
from generation.calls.services.ledger import NOTHING, Ledger, lock_run
from generation.providers.core.money import CENT, at_least

MICRODOLLAR = Decimal("0.000001")
AT_REST = ("stopped", "finished")


@transaction.atomic
def settle_assumed(*, run: GenerationRun, billed: Decimal, by: User | None) -> None:
    """Put what was `billed`, in US dollars, in the place of all that the run assumes at worst.

    It is divided among the requests concerned as their worst cases are. A reply that comes after all counts as what
    it is. Pages and invoices tell whole cents: up to the next cent above what is assumed, all of it is billed.
    Raises `Refused` while the run is at work, where nothing is assumed, and for more than that.
    """
    if run.study and by:
        check_coordinator(by, run.study)
    run = lock_run(run.pk)
    attempts = list(
        Attempt.objects.filter(call__run=run, is_assumed=True).select_related("call").defer("request", "reply")
    )
    assumed = sum((attempt.cost or NOTHING for attempt in attempts), NOTHING)
    if run.state not in AT_REST:
        raise Refused("The run is at work. Settle its costs once it has ended or is stopped.")
    if not attempts:
        raise Refused("Nothing is assumed: all that the run has cost was billed.")
    if not 0 <= billed <= assumed.quantize(CENT, ROUND_CEILING):
        raise Refused(f"No more than the {at_least(assumed)} assumed can have been billed for these requests.")
    billed = min(billed, assumed)
    ledger = Ledger(run)
    left, left_assumed = billed, assumed
    for attempt in attempts:
        ledger.take_out(attempt)
        share = attempt.cost or NOTHING
        part = (left * share / left_assumed).quantize(MICRODOLLAR, ROUND_DOWN) if left_assumed > share else left
        left, left_assumed = left - part, left_assumed - share
        attempt.cost, attempt.is_assumed = part, False
        ledger.end(attempt)
    Attempt.objects.bulk_update(attempts, ["cost", "is_assumed"])
    ledger.write()
    audit.record(
        verb=AuditVerb.RUN_SETTLED,
        by=by,
        study=run.study,
        subject=run.pk,
        billed=str(billed),
        requests=len(attempts),
    )
