"""What is earned, paid and open, by hand."""

from decimal import Decimal

import pytest

from annotation.coordination.core.honoraria import Account


@pytest.mark.parametrize(
    ("pieces", "fee", "paid", "earned", "still_open"),
    [
        (0, "30", "0", "0", "0"),
        (3, "30", "0", "90", "90"),
        (3, "30", "90", "90", "0"),
        (3, "33.33", "50", "99.99", "49.99"),  # 99.99 − 50
        (6, "12.50", "100", "75", "-25"),  # paid ahead
        (7, "0.10", "0", "0.70", "0.70"),  # exact, where 7 × 0.1 in binary is not
    ],
)
def test_open_is_what_was_earned_less_what_was_paid(
    pieces: int, fee: str, paid: str, earned: str, still_open: str
) -> None:
    account = Account(pieces, Decimal(fee), Decimal(paid), entries=0)
    assert (account.earned, account.open) == (Decimal(earned), Decimal(still_open))


@pytest.mark.parametrize(("paid", "owed", "ahead"), [(50, 40, 0), (90, 0, 0), (100, 0, 10)])
def test_of_90_earned_the_rest_is_owed_and_what_is_above_was_paid_ahead(paid: int, owed: int, ahead: int) -> None:
    account = Account(3, Decimal(30), Decimal(paid), entries=1)
    assert (account.owed, account.ahead) == (Decimal(owed), Decimal(ahead))


def test_the_mark_changes_with_every_entry_and_every_open_amount() -> None:
    accounts = [
        Account(3, Decimal(30), Decimal(0), entries=0),
        Account(4, Decimal(30), Decimal(0), entries=0),  # one piece more
        Account(3, Decimal(30), Decimal(10), entries=1),  # 10 paid
        Account(3, Decimal(30), Decimal(0), entries=2),  # and taken back
    ]
    assert len({account.mark for account in accounts}) == 4


def test_the_mark_is_the_same_however_the_database_writes_the_amount() -> None:
    assert Account(3, Decimal("30.00"), Decimal(0), 0).mark == Account(3, Decimal(30), Decimal("0.0"), 0).mark
