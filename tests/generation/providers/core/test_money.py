"""Money in words."""

from decimal import Decimal

from generation.providers.core.money import at_least, in_dollars


def test_dollars_have_cents_and_commas() -> None:
    assert in_dollars(Decimal("1250.4")) == "$1,250.40"


def test_an_amount_that_is_needed_is_rounded_up_to_cents() -> None:
    assert at_least(Decimal("0.400001")) == "$0.41"
    assert at_least(Decimal("0.4")) == "$0.40"
