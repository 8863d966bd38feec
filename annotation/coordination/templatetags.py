"""The heat map and the bars of the progress page, put together in Python: a map may have 20,000 cells."""

from collections.abc import Mapping, Sequence
from typing import Final

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from annotation.coordination.selectors.heat_map import HeatMap, Row
from annotation.coordination.selectors.pace import Day
from annotation.coordination.selectors.progress import Phase, Stage
from annotation.study.models.studies import Study

register = template.Library()

# What is written into a cell, the class that gives its shape and colour, and the words for either phase.
LETTERS: Final = {
    Stage.ASSIGNED: "A",
    Stage.BEGUN: "B",
    Stage.LAPSED: "L",
    Stage.SUBMITTED: "S",
    Stage.OUT: "R",
    Stage.WITHDRAWN: "X",
}
CLASSES: Final = {stage: f"at-{letter.lower()}" for stage, letter in LETTERS.items()}
WORDS: Final = {
    Phase.WRITING: {
        Stage.ASSIGNED: "assigned, not begun",
        Stage.BEGUN: "being written",
        Stage.LAPSED: "lapsed",
        Stage.SUBMITTED: "submitted",
        Stage.OUT: "text rejected or withdrawn",
        Stage.WITHDRAWN: "assignment withdrawn",
    },
    Phase.JUDGING: {
        Stage.ASSIGNED: "assigned, not begun",
        Stage.BEGUN: "begun",
        Stage.LAPSED: "stalled",
        Stage.SUBMITTED: "submitted",
        Stage.WITHDRAWN: "withdrawn, or given to somebody else",
    },
}
BAR, GAP, MAX_HEIGHT = 8, 2, 28


@register.simple_tag
def heat_map_legend(phase: Phase) -> SafeString:
    entries = "".join(
        f'<li><span class="heat-cell {CLASSES[stage]}" aria-hidden="true">{LETTERS[stage]}</span> {words}</li>'
        for stage, words in WORDS[phase].items()
    )
    return mark_safe(f"{entries}<li>empty: not assigned</li>")  # noqa: S308  words of ours


@register.simple_tag
def heat_map_table(study: Study, heat_map: HeatMap) -> SafeString:
    """Head, body and foot of the table: a row for each person, a column for each prompt."""
    head = "".join(f'<th scope="col"><span>{escape(code)}</span></th>' for code in heat_map.prompts)
    rows = "".join(_row(study, heat_map, row) for row in heat_map.rows)
    return mark_safe(  # noqa: S308  names and codes are escaped, the rest is ours
        f'<thead><tr><th scope="col">Person</th><th scope="col">Done</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody>"
        f"<tfoot>{_sums('Done', heat_map, heat_map.done)}{_sums('of', heat_map, heat_map.total)}</tfoot>"
    )


def _sums(name: str, heat_map: HeatMap, numbers: Mapping[str, int]) -> str:
    cells = "".join(f"<td>{numbers.get(code, 0)}</td>" for code in heat_map.prompts)
    return f'<tr><th scope="row">{name}</th><td>{sum(numbers.values())}</td>{cells}</tr>'


def _row(study: Study, heat_map: HeatMap, row: Row) -> str:
    page = escape(reverse("person", args=[study.slug, row.pseudonym]))
    gone = ' <span class="badge">gone</span>' if row.is_lost else ""
    return (
        f'<tr><th scope="row"><a href="{page}">{escape(row.pseudonym)}</a> '
        f'<span class="soft">{escape(row.name)}</span>{gone}</th>'
        f"<td>{row.done} of {row.total}</td>{_cells(heat_map, row, page)}</tr>"
    )


def _cells(heat_map: HeatMap, row: Row, page: str) -> str:
    """An answer leads to its record, an item to its line on the judge's page."""
    words, pieces, phase = WORDS[heat_map.phase], row.pieces, heat_map.phase
    before, after = f"{page}#item-", ""
    if phase == Phase.WRITING:
        before, after = reverse("writing_answer", args=[0]).rsplit("0", 1)
    cells = []
    for code in heat_map.prompts:
        if piece := pieces.get(code):
            stage = piece.stage
            cells.append(
                f'<td><a class="heat-cell {CLASSES[stage]}" id="{phase}-{piece.id}" '
                f'href="{before}{piece.id}{after}" aria-label="{words[stage]}">{LETTERS[stage]}</a></td>'
            )
        else:
            cells.append("<td></td>")
    return "".join(cells)


@register.simple_tag
def bars(days: Sequence[Day]) -> SafeString:
    """A bar for each day, the tallest for the day with most; the numbers are its name."""
    most = max(1, *(day.number for day in days))
    heights = [round(MAX_HEIGHT * day.number / most) for day in days]
    drawn = "".join(
        f'<rect x="{place * (BAR + GAP)}" y="{MAX_HEIGHT - height}" width="{BAR}" height="{height}"/>'
        for place, height in enumerate(heights)
    )
    width, numbers = len(days) * (BAR + GAP) - GAP, ", ".join(str(day.number) for day in days)
    return mark_safe(  # noqa: S308  numbers alone
        f'<svg class="day-bars" viewBox="0 0 {width} {MAX_HEIGHT + 1}" role="img" '
        f'aria-label="By day, today last: {numbers}">{drawn}<path d="M0 {MAX_HEIGHT + 0.5}H{width}"/></svg>'
    )
