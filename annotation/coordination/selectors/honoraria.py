"""What a study's people have earned and were paid. Names and addresses are for its coordinators alone."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from annotation.benchmarks.selectors.own_reviews import pieces_of
from annotation.coordination.core.honoraria import Account
from annotation.coordination.models.honoraria import Payment
from annotation.judging.models.judging import JudgingItem
from annotation.platform.core.csv_cells import Number, csv_line
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import STUDIED
from annotation.writing.models import WritingAssignment

COLUMNS = "pseudonym name address role left_on finished fee earned paid open currency".split()


@dataclass(frozen=True)
class LedgerLine:
    """A writer or judge; those who have left stay."""

    participation: int
    pseudonym: str
    name: str
    email: str
    role: str
    left_at: datetime | None
    account: Account


@dataclass(frozen=True)
class Ledger:
    """Every line by pseudonym. Totals are the sums of their columns."""

    currency: str
    lines: tuple[LedgerLine, ...]

    @property
    def earned(self) -> Decimal:
        return sum((line.account.earned for line in self.lines), Decimal(0))

    @property
    def paid(self) -> Decimal:
        return sum((line.account.paid for line in self.lines), Decimal(0))

    @property
    def owed(self) -> tuple[LedgerLine, ...]:
        """People to whom something is still to be paid."""
        return tuple(line for line in self.lines if line.account.open > 0)

    @property
    def all_owed(self) -> Decimal:
        """What they are to be paid in all, whatever others were paid ahead."""
        return sum((line.account.owed for line in self.lines), Decimal(0))

    @property
    def all_ahead(self) -> Decimal:
        return sum((line.account.ahead for line in self.lines), Decimal(0))


@dataclass(frozen=True)
class PaymentLine:
    """A payment, or what reverses one; `is_reversed` says that another line has taken it back."""

    id: int
    pseudonym: str
    name: str
    amount: Decimal
    paid_on: date
    note: str
    recorded_by: str
    is_reversal: bool
    is_reversed: bool


def ledger(study: Study, *, only: Collection[str] | None = None) -> Ledger:
    """All writers and judges of the study, or those with these pseudonyms.

    Every answer and item that was submitted counts, also a judgment that enters no figure: the work was done.
    """
    members = Participation.objects.filter(study=study, role__in=STUDIED).select_related("user")
    if only is not None:
        members = members.filter(pseudonym__in=only)
    people = list(members.order_by("pseudonym"))
    pieces = _finished(people)
    sums = Payment.objects.filter(participation__in=people).order_by().values_list("participation")
    paid = {person: (total, entries) for person, total, entries in sums.annotate(Sum("amount"), Count("pk"))}
    fees = {Role.WRITER: study.fee_per_answer}  # whoever else is paid works on items
    lines = []
    for person in people:
        total, entries = paid.get(person.pk, (Decimal(0), 0))
        account = Account(pieces.get(person.pk, 0), fees.get(Role(person.role), study.fee_per_item), total, entries)
        lines.append(_line(person, account))
    return Ledger(study.currency, tuple(lines))


def _finished(people: Collection[Participation]) -> dict[int, int]:
    """How many pieces of work each person has submitted."""
    finished: dict[int, int] = {}
    for model in (WritingAssignment, JudgingItem):
        submitted = model.objects.filter(participation__in=people, state="submitted").order_by()
        finished |= dict(submitted.values_list("participation").annotate(Count("pk")))
    return finished | {person: work["submitted"] for person, work in pieces_of(people).items()}


def _line(person: Participation, account: Account) -> LedgerLine:
    return LedgerLine(
        participation=person.pk,
        pseudonym=person.pseudonym,
        name=person.user.name,
        email=person.user.email,
        role=person.get_role_display(),
        left_at=person.left_at,
        account=account,
    )


def as_csv(ledger: Ledger) -> str:
    """The ledger as a file for spreadsheets: texts are quoted and inert, amounts are numbers with two decimals."""
    return csv_line(COLUMNS) + "".join(csv_line(_cells(line, ledger.currency)) for line in ledger.lines)


def _cells(line: LedgerLine, currency: str) -> list[str]:
    account = line.account
    left_on = f"{timezone.localtime(line.left_at):%Y-%m-%d}" if line.left_at else ""
    return [
        *(line.pseudonym, line.name, line.email, line.role, left_on),
        Number(account.pieces),
        *(Number(f"{amount:.2f}") for amount in (account.fee, account.earned, account.paid, account.open)),
        currency,
    ]


def payments(study: Study) -> QuerySet[Payment]:
    """Everything recorded, the latest first; for `payment_line`, a page at a time."""
    recorded = Payment.objects.filter(participation__study=study)
    return recorded.select_related("participation__user", "recorded_by", "reversal").order_by("-pk")


def payment_line(payment: Payment) -> PaymentLine:
    return PaymentLine(
        id=payment.pk,
        pseudonym=payment.participation.pseudonym,
        name=payment.participation.user.name,
        amount=payment.amount,
        paid_on=payment.paid_on,
        note=payment.note,
        recorded_by=payment.recorded_by.name,
        is_reversal=payment.reverses_id is not None,
        is_reversed=hasattr(payment, "reversal"),
    )
