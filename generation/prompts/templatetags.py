"""Figures about prompts, and pictures that stand beside them, hidden from screen readers for that reason."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

# The room that a mark at either end of a scale needs, in percent of the picture's width.
MARGIN = 4


@register.filter
def percent(share: float) -> str:
    """A share of 1 with one decimal: 0.125 is "12.5 %"."""
    return f"{100 * share:.1f}\u00a0%"


@register.filter
def decimals(value: float, digits: int) -> str:
    """A number with so many decimals and a minus sign that is one: −0.048; what is rounded to 0 has none."""
    return f"{value:z.{digits}f}".replace("-", "−")


@register.simple_tag
def parts_bar(parts: Sequence[int]) -> SafeString:
    """A bar as wide as its place, of parts in this order, from pale to dark: their sum is the whole."""
    whole = sum(parts)
    rects, x = [], 0.0
    for step, number in enumerate(parts, start=1):
        width = 100 * number / whole if whole else 0.0
        rects.append((f"{x:.2f}", f"{width:.2f}", step))
        x += width
    return format_html(
        '<svg class="parts-bar" width="100%" height="14" aria-hidden="true">{}</svg>',
        format_html_join("", '<rect x="{}%" width="{}%" height="14" class="part-{}" />', rects),
    )


@register.simple_tag
def estimate_mark(mean: float, error: float | None) -> SafeString:
    """A mark on a scale from 0 to 1, with a line from one standard error below it to one above."""
    low, high = (min(max(end, 0), 1) for end in (mean - (error or 0), mean + (error or 0)))
    return format_html(
        '<svg class="estimate-mark" width="100%" height="18" aria-hidden="true">'
        '<line class="estimate-scale" x1="{}" x2="{}" y1="9" y2="9" />'
        '<line class="estimate-error" x1="{}" x2="{}" y1="9" y2="9" /><circle cx="{}" cy="9" r="4.5" /></svg>',
        *map(_across, (0, 1, low, high, mean)),
    )


def _across(share: float) -> str:
    return f"{MARGIN + share * (100 - 2 * MARGIN):.2f}%"
