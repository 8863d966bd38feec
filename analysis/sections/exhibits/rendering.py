"""Exhibits as files: pictures as SVG, PNG and PDF, tables as CSV. The same exhibit gives the same bytes."""

import io
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

import matplotlib
from matplotlib.figure import Figure

from analysis.data.core.results import Estimate
from analysis.sections.exhibits.exhibit import Cell, Exhibit, Table
from analysis.sections.exhibits.fonts import FACES, make_faces_known
from analysis.sections.exhibits.theme import IN_THE_DARK, STYLE
from annotation.platform.core.csv_cells import Number, csv_line

Kind = Literal["svg", "png", "pdf"]
KINDS: Final[tuple[Kind, ...]] = ("svg", "png", "pdf")

# No dates and no versions: nothing but the exhibit decides the bytes.
_UNSAID: Final[dict[Kind, tuple[str, ...]]] = {
    "svg": ("Creator", "Date", "Format", "Type"),
    "png": ("Software",),
    "pdf": ("Creator", "Producer", "CreationDate"),
}
_DRAWN_IN: Final = ", ".join(f"'{face}'" for face in FACES).encode()
# Faces that a reader's machine has; the one that was measured with is the widest of them, so that all texts fit.
_READ_IN: Final = b"system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'DejaVu Sans', sans-serif"
_COUNTERPARTS: Final = {light.encode(): in_the_dark.encode() for light, in_the_dark in IN_THE_DARK.items()}
_COLOUR: Final = re.compile(rb"#[0-9a-f]{6}(?![0-9a-f])")
_OF_ESTIMATES: Final = ("", " (low)", " (high)", " (n)", " (left out)", " (note)")


def render(exhibit: Exhibit, kind: Kind) -> bytes:
    """The exhibit's picture. SVG lies on whatever is behind it and has its texts as texts, PNG has a white ground
    and 1,200 pixels across.

    Raises ValueError for an exhibit without a picture.
    """
    return _rendered(exhibit, (kind,))[kind]


def pictures(exhibit: Exhibit) -> dict[Kind, bytes]:
    """What `render` gives, of every kind; drawn once, which is faster. Empty for an exhibit without a picture."""
    return _rendered(exhibit, KINDS) if exhibit.draw else {}


def _rendered(exhibit: Exhibit, kinds: Iterable[Kind]) -> dict[Kind, bytes]:
    if exhibit.draw is None:
        raise ValueError(f"{exhibit.name} has no picture")
    make_faces_known()
    with matplotlib.rc_context(STYLE):
        figure = exhibit.draw()
        return {kind: _saved(figure, kind, exhibit.title) for kind in kinds}


def _saved(figure: Figure, kind: Kind, title: str) -> bytes:
    buffer = io.BytesIO()
    metadata: dict[str, Any] = {"Title": title, **dict.fromkeys(_UNSAID[kind])}
    ground = "white" if kind == "png" else "none"
    figure.savefig(buffer, format=kind, metadata=metadata, facecolor=ground, dpi=240)
    content = buffer.getvalue()
    return content.replace(_DRAWN_IN, _READ_IN) if kind == "svg" else content


def dark(svg: bytes) -> bytes:
    """The same picture for a dark page: every colour of the light one swapped for its counterpart."""
    return _COLOUR.sub(lambda found: _COUNTERPARTS.get(found[0], found[0]), svg)


def table_csv(table: Table) -> bytes:
    """Every cell at full precision, in UTF-8; shares lie between 0 and 1.

    A column of estimates becomes six: the value, both ends of its interval, `n`, how many were left out, and a note
    (the reason why there is no value or no interval, or else how the interval was found).
    """
    is_estimated = [
        any(isinstance(row[place], Estimate) for row in table.rows) for place in range(len(table.columns))
    ]
    headings = (
        f"{column.heading}{ending}"
        for column, wide in zip(table.columns, is_estimated, strict=True)
        for ending in (_OF_ESTIMATES if wide else ("",))
    )
    lines = [headings, *(_cells(row, is_estimated) for row in table.rows)]
    return "".join(map(csv_line, lines)).encode("utf-8")


def _cells(row: Iterable[Cell], is_estimated: Iterable[bool]) -> Iterator[str]:
    for cell, wide in zip(row, is_estimated, strict=True):
        if isinstance(cell, Estimate):
            yield from _of_estimate(cell)
        else:
            yield cell if isinstance(cell, str) else _number(cell)
            yield from [Number()] * (len(_OF_ESTIMATES) - 1) * wide


def _of_estimate(estimate: Estimate) -> Iterator[str]:
    interval = estimate.interval
    ends = (interval.low, interval.high) if interval else (None, None)
    yield from map(_number, (estimate.value, *ends))
    yield from (Number(estimate.n), Number(estimate.left_out))
    yield estimate.reason or (interval.reason or interval.method if interval else "")


def _number(value: float | None) -> Number:
    """The shortest digits that read back exactly; blank where there is none."""
    return Number() if value is None else Number(repr(value))
