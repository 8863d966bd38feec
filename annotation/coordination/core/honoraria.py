"""What somebody has earned by finished work, and what of it is still to be paid."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Account:
    """One person's, in the study's currency: `pieces` finished at a `fee` each, and the sum `paid` so far.

    `entries` counts the payments recorded, those that reverse another one included.
    """

    pieces: int
    fee: Decimal
    paid: Decimal
    entries: int

    @property
    def earned(self) -> Decimal:
        return self.pieces * self.fee

    @property
    def open(self) -> Decimal:
        """What is still to be paid; below 0 where more was paid than is earned by now."""
        return self.earned - self.paid

    @property
    def owed(self) -> Decimal:
        return max(self.open, Decimal(0))

    @property
    def ahead(self) -> Decimal:
        return max(-self.open, Decimal(0))

    @property
    def mark(self) -> str:
        """Another one as soon as a payment is recorded or another amount is open.

        Whoever pays says which mark they have seen, so that the same form sent twice pays once.
        """
        return f"{self.entries}/{self.open:.2f}"
