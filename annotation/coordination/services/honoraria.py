"""Recording what was paid. Nothing is changed or deleted: a wrong payment is reversed by another line."""

from collections.abc import Collection, Mapping
from datetime import date
from decimal import Decimal

from django.db import transaction

from annotation.coordination.models.honoraria import Payment
from annotation.coordination.selectors.honoraria import LedgerLine, ledger
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator


@transaction.atomic
def pay(*, study: Study, person: str, amount: Decimal, day: date, note: str, mark: str, by: User) -> Payment:
    """Record that `person` (a pseudonym) was paid `amount` on a day, more or less than is open or just that.

    Raises `Refused` where the person's account is not any more as `mark` says it was when `by` looked.
    """
    check_coordinator(by, study)
    if amount <= 0:
        raise Refused("An amount is above 0. A payment that was wrong is reversed in the list of payments.")
    [line] = _locked(study, {person: mark})
    return _record(study, line, amount, day=day, note=note, by=by)


@transaction.atomic
def pay_open(*, study: Study, marks: Mapping[str, str], day: date, note: str, by: User) -> list[Payment]:
    """Record that each of these people was paid what is open for them: pseudonyms with the marks `by` has seen.

    Raises `Refused`, and records nothing, where one of the accounts is another by now or nothing is open in it.
    """
    check_coordinator(by, study)
    lines = _locked(study, marks)
    if settled := [line.pseudonym for line in lines if line.account.open <= 0]:
        raise Refused(f"Nothing is open for {', '.join(settled)}. Nothing was recorded.")
    return [_record(study, line, line.account.open, day=day, note=note, by=by) for line in lines]


def _locked(study: Study, marks: Mapping[str, str]) -> Collection[LedgerLine]:
    """The lines of these people, locked, so that nobody else pays them before the transaction ends."""
    people = Participation.objects.filter(study=study, pseudonym__in=marks)
    list(people.select_for_update(no_key=True).order_by("pk"))
    lines = ledger(study, only=marks).lines
    if changed := [line.pseudonym for line in lines if line.account.mark != marks[line.pseudonym]]:
        raise Refused(
            f"What is open for {', '.join(changed)} has changed since you opened this page: work was finished, or "
            "a payment was recorded already. Nothing was recorded now; look at the amounts again."
        )
    if len(lines) != len(marks):
        raise Refused("Choose writers or judges of this study.")
    return lines


def _record(study: Study, line: LedgerLine, amount: Decimal, *, day: date, note: str, by: User) -> Payment:
    payment = Payment.objects.create(
        participation_id=line.participation, amount=amount, paid_on=day, note=clean(note).strip(), recorded_by=by
    )
    audit.record(
        verb=AuditVerb.PAYMENT_RECORDED,
        by=by,
        study=study,
        subject=line.pseudonym,
        payment=payment.pk,
        amount=str(amount),
        day=day.isoformat(),
    )
    return payment


@transaction.atomic
def reverse(*, payment: Payment, reason: str, day: date, by: User) -> Payment:
    """Take a wrong payment back by a line of the opposite amount; the same line where that was done already.

    Raises `Refused` for a line that reverses another one itself, and without a reason.
    """
    member = payment.participation
    check_coordinator(by, member.study)
    reason = audit.stated(reason)
    Participation.objects.select_for_update(no_key=True).get(pk=member.pk)
    if payment.reverses_id:
        raise Refused("This line reverses another one. Record a new payment instead.")
    reversal, is_new = Payment.objects.get_or_create(
        reverses=payment,
        defaults={
            "participation": member,
            "amount": -payment.amount,
            "paid_on": day,
            "note": reason,
            "recorded_by": by,
        },
    )
    if is_new:
        audit.record(
            verb=AuditVerb.PAYMENT_REVERSED,
            by=by,
            study=member.study,
            subject=member.pseudonym,
            payment=payment.pk,
            amount=str(reversal.amount),
            reason=reason,
        )
    return reversal
