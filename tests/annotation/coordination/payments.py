"""Paying somebody in a test."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from annotation.coordination.models.honoraria import Payment
from annotation.coordination.selectors.honoraria import LedgerLine, ledger
from annotation.coordination.services import honoraria
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from tests.factories import coordinator_of

DAY = date(2026, 3, 1)


def line_of(study: Study, pseudonym: str) -> LedgerLine:
    [line] = ledger(study, only=[pseudonym]).lines
    return line


def pay(study: Study, pseudonym: str, amount: str, **changed: Any) -> Payment:
    """The study's coordinator records a payment, having seen the account as it is."""
    given = {"mark": line_of(study, pseudonym).account.mark, "by": coordinator_of(study), "note": "", "day": DAY}
    return honoraria.pay(study=study, person=pseudonym, amount=Decimal(amount), **{**given, **changed})


def a_payment(person: Participation, amount: str = "20") -> Payment:
    return pay(person.study, person.pseudonym, amount)


def pay_open(study: Study, pseudonyms: Sequence[str] = ("W-0001", "W-0002")) -> list[Payment]:
    """The study's coordinator records that what is open for these people was paid."""
    marks = {pseudonym: line_of(study, pseudonym).account.mark for pseudonym in pseudonyms}
    return honoraria.pay_open(study=study, marks=marks, day=DAY, note="", by=coordinator_of(study))


def reverse(payment: Payment) -> Payment:
    by = coordinator_of(payment.participation.study)
    return honoraria.reverse(payment=payment, reason="Wrong person.", day=DAY, by=by)
