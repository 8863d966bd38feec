"""The picture of a grid of tiles, each with a figure and the colour that goes with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.sections.exhibits.drawing import (
    LETTER,
    LINE_OF_TEXT,
    MARGIN,
    MAX_LABEL_LENGTH,
    WIDTH,
    new_figure,
    room_for,
)
from analysis.sections.exhibits.theme import DEEP, INK, ON_DEEP, RAMP


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile of a grid: its text, a smaller one below it, and its colour."""

    text: str
    note: str = ""
    colour: str = RAMP[0]


def grid_plot(rows: Sequence[str], columns: Sequence[str], tiles: Sequence[Sequence[Tile | None]]) -> Figure:
    """Tiles by row and column, with the columns' names above; `None` leaves its place free."""
    labels = [fill(row, MAX_LABEL_LENGTH) for row in rows]
    left = room_for(labels)
    letters = max(4, int((WIDTH - left - MARGIN) / max(len(columns), 1) / LETTER))
    headings = [fill(column, letters) for column in columns]
    head = MARGIN + LINE_OF_TEXT * max((heading.count("\n") + 1 for heading in headings), default=1)
    figure = new_figure(0.36 * max(len(rows), 1), left=left, head=head, foot=MARGIN)
    axes = figure.subplots()
    axes.set_xlim(0, max(len(columns), 1))
    axes.set_ylim(max(len(rows), 1), 0)
    axes.set_xticks([number + 0.5 for number in range(len(columns))], headings)
    axes.set_yticks([number + 0.5 for number in range(len(rows))], labels)
    axes.tick_params(length=0, labelcolor=INK, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    for y, row in enumerate(tiles):
        for x, tile in enumerate(row):
            if tile:
                _draw_tile(axes, x, y, tile)
    return figure


def _draw_tile(axes: Axes, x: int, y: int, tile: Tile) -> None:
    axes.add_patch(Rectangle((x + 0.02, y + 0.04), 0.96, 0.92, facecolor=tile.colour, linewidth=0))
    ink = ON_DEEP if tile.colour in DEEP else INK
    axes.text(x + 0.5, y + (0.34 if tile.note else 0.5), tile.text, ha="center", va="center", color=ink)
    if tile.note:
        axes.text(x + 0.5, y + 0.72, tile.note, ha="center", va="center", color=ink, size=6)


def shade(value: float, low: float, high: float, ramp: Sequence[str] = RAMP) -> str:
    """The colour of a value on a ramp from `low` to `high`; beyond these it is that of the end."""
    share = (value - low) / (high - low) if high > low else 0.5
    return ramp[min(max(int(share * len(ramp)), 0), len(ramp) - 1)]
