"""Amounts of money, calls, tokens and time."""

from decimal import Decimal

from django import template

from generation.providers.core.money import in_dollars

register = template.Library()


@register.filter
def dollars(amount: Decimal) -> str:
    """An amount with cents: "$1,204.50"."""
    return in_dollars(amount)


@register.filter
def grouped(number: int) -> str:
    """A number with a comma between thousands: "424,000"."""
    return f"{number:,}"


@register.filter
def seconds(milliseconds: int) -> str:
    """Seconds with one decimal: 1,340 is "1.3"."""
    return f"{milliseconds / 1000:,.1f}"
