"""Tables of exhibits on a page: numbers with their intervals, or the reason why there are none."""

from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from analysis.data.core.number_format import interval_text, number, value_text
from analysis.data.core.results import Estimate
from analysis.sections.exhibits.exhibit import Cell, Column, Table

register = template.Library()


class Footnotes:
    """The remarks that the cells of one table refer to, each under one letter."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}

    def letter(self, remark: str) -> str:
        return self._letters.setdefault(remark, _letter(len(self._letters)))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((letter, remark) for remark, letter in self._letters.items())

    def __bool__(self) -> bool:
        return bool(self._letters)


@register.simple_tag
def footnotes() -> Footnotes:
    """`{% footnotes as notes %}` before a table, whose cells write them; they are listed after it."""
    return Footnotes()


@register.simple_tag
def headings(table: Table) -> SafeString:
    """The cells of a table's head."""
    return format_html_join(
        "",
        '<th scope="col"{}>{}</th>',
        ((_class(table, place), column.heading) for place, column in enumerate(table.columns)),
    )


@register.simple_tag
def body(table: Table, notes: Footnotes) -> SafeString:
    """A table's rows, each named by its first cell."""
    columns = [(column, _class(table, place)) for place, column in enumerate(table.columns)]
    return format_html_join("\n", "<tr>{}</tr>", ((_row(row, columns, notes),) for row in table.rows))


def _row(row: Sequence[Cell], columns: Sequence[tuple[Column, SafeString]], notes: Footnotes) -> SafeString:
    cells = [(css, cell(value, column, notes)) for value, (column, css) in zip(row, columns, strict=True)]
    return format_html('<th scope="row"{}>{}</th>', *cells[0]) + format_html_join("", "<td{}>{}</td>", cells[1:])


def cell(value: Cell, column: Column, notes: Footnotes) -> str:
    """What a cell shows; an estimate with its interval, or with the letter of the footnote that says why not."""
    if isinstance(value, Estimate):
        return _estimate(value, column, notes)
    if isinstance(value, int | float):
        return number(value, column.digits)
    return value or ""


def _estimate(estimate: Estimate, column: Column, notes: Footnotes) -> SafeString:
    if estimate.value is None:
        return format_html(
            '<span class="undefined"><span aria-hidden="true">–</span>'
            '<span class="visually-hidden">undefined, note </span><sup>{}</sup></span>',
            notes.letter(f"Undefined: {estimate.reason}."),
        )
    value = value_text(estimate, column.digits, is_share=column.is_share)
    if estimate.interval is None:
        return format_html("{}", value)
    if estimate.interval.reason:
        return format_html(
            '<span class="undefined">{}<span class="visually-hidden">, note </span><sup>{}</sup></span>',
            value,
            notes.letter(f"No interval: {estimate.interval.reason}."),
        )
    ends = interval_text(estimate.interval, column.digits, is_share=column.is_share)
    return format_html('{} <span class="soft interval">{}</span>', value, ends)


def _class(table: Table, place: int) -> SafeString:
    is_numeric = any(isinstance(row[place], Estimate | int) for row in table.rows)
    return mark_safe(' class="num"') if is_numeric else mark_safe("")


def _letter(number: int) -> str:
    """a to z, then aa, ab and so on."""
    more, last = divmod(number, len(ascii_lowercase))
    return (_letter(more - 1) if more else "") + ascii_lowercase[last]
