"""How an exhibit is put together from the figures of a report."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from matplotlib.figure import Figure

from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate, Summary
from analysis.sections.exhibits.exhibit import Cell, Column, Exhibit, Table
from analysis.sections.exhibits.wording import intervals_sentence

UNDEFINED: Final = "Where there is no value, a note says why."


def compose(
    name: str,
    section: str,
    title: str,
    *,
    describes: str,
    method: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    draw: Callable[[], Figure] | None = None,
    scope: str = WHOLE,
) -> Exhibit:
    """An exhibit whose name and title tell its scope, and whose method tells how its intervals were found. It has
    no picture where none of its table's estimates is defined: notes say why, and a picture would show nothing.
    """
    table = Table(tuple(columns), tuple(tuple(row) for row in rows))
    cells = [cell for row in table.rows for cell in row]
    are_undefined = [cell.value is None for cell in cells if isinstance(cell, Estimate)]
    shows_nothing = bool(are_undefined) and all(are_undefined)
    return Exhibit(
        name=f"{name}-{_slug(scope)}" if scope else name,
        section=section,
        scope=scope,
        title=f"{title}: {scope}" if scope else title,
        describes=describes,
        method=" ".join(filter(None, (method, intervals_sentence(cells), UNDEFINED * any(are_undefined)))),
        table=table,
        draw=None if shows_nothing else draw,
    )


def summary_columns(what: str, digits: int = 2) -> tuple[Column, ...]:
    """The columns of `summary_cells`."""
    return tuple(Column(heading, digits) for heading in (what, "Median", "SD", "SE"))


def summary_cells(summary: Summary) -> tuple[Cell, ...]:
    return summary.mean, summary.median, summary.sd, summary.se


def _slug(scope: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", scope.casefold()).strip("-") or "domain"
