"""Figures in tables: a number, or a mark that leads to the reason why there is none."""

from collections.abc import Iterator
from string import ascii_lowercase

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from analysis.core.results import Estimate

register = template.Library()


class Footnotes:
    """The reasons that the cells of one table refer to, each under one letter."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}

    def letter(self, reason: str) -> str:
        return self._letters.setdefault(reason, ascii_lowercase[len(self._letters)])

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((letter, reason) for reason, letter in self._letters.items())

    def __bool__(self) -> bool:
        return bool(self._letters)


@register.simple_tag
def footnotes() -> Footnotes:
    """`{% footnotes as notes %}` before a table, `analysis/_footnotes.html` after it."""
    return Footnotes()


@register.simple_tag
def figure(estimate: Estimate, notes: Footnotes, digits: int = 3) -> str:
    """The value with `digits` decimals, or a dash with the letter of its footnote."""
    if estimate.value is None:
        return _undefined(estimate, notes)
    return _number(estimate.value, digits)


@register.simple_tag
def percentage(estimate: Estimate, notes: Footnotes) -> str:
    """A share as a percentage with one decimal, or a dash with the letter of its footnote."""
    if estimate.value is None:
        return _undefined(estimate, notes)
    return f"{100 * estimate.value:.1f} %"


@register.filter
def decimals(value: float, digits: int) -> str:
    """A number with `digits` decimals and a true minus sign."""
    return _number(value, digits)


@register.filter
def per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


def _undefined(estimate: Estimate, notes: Footnotes) -> SafeString:
    letter = notes.letter(estimate.reason or "")
    return format_html(
        '<span class="undefined"><span aria-hidden="true">–</span>'
        '<span class="visually-hidden">undefined, note </span><sup>{}</sup></span>',
        letter,
    )
