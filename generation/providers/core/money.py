"""US dollars in words for a person."""

from decimal import ROUND_CEILING, Decimal

CENT = Decimal("0.01")


def in_dollars(amount: Decimal) -> str:
    """An amount such as $1,250.40."""
    return f"${amount:,.2f}"


def at_least(amount: Decimal) -> str:
    """The amount rounded up, so that it is enough."""
    return in_dollars(amount.quantize(CENT, ROUND_CEILING))
