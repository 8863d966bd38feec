"""The picture of a grid of tiles, each with a figure and the colour that goes with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.data.core.number_format import numeral
from analysis.sections.exhibits.drawing import (
    LEGEND,
    LETTER,
    LINE_OF_TEXT,
    MARGIN,
    MAX_LABEL_LENGTH,
    WIDTH,
    new_figure,
    room_for,
)
from analysis.sections.exhibits.theme import DEEP, EDGE, INK, ON_DEEP, RAMP

STRIP, THICK = 0.36, 0.09  # inches: how wide a colour is in the strip that explains them, and how high
SMALL = 0.055  # of a character of its labels


@dataclass(frozen=True, slots=True)
class Shades:
    """What colours stand for: the `ramp`'s lie in equal steps from `low` to `high`, which may be the lesser one.
    Where it `goes_on`, the colours at the ends are of all that lies beyond, too.
    """

    low: float
    high: float
    ramp: Sequence[str] = RAMP
    goes_on: bool = False

    def of(self, value: float) -> str:
        """The colour of a value; beyond the ends it is that of the end."""
        share = (value - self.low) / (self.high - self.low) if self.high != self.low else 0.5
        return self.ramp[min(max(int(share * len(self.ramp)), 0), len(self.ramp) - 1)]

    def values(self) -> list[float]:
        """Where colours begin and end, one more than there are."""
        steps = len(self.ramp)
        return [self.low + (self.high - self.low) * step / steps for step in range(steps + 1)]

    def digits(self) -> int:
        """Decimal places that tell each of the values from the next."""
        step = abs(self.high - self.low) / len(self.ramp)
        usual = 1 if step > 1 else 2
        return max(usual, ceil(-log10(step))) if step else usual


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile of a grid: its text, a smaller one below it, and its colour."""

    text: str
    note: str = ""
    colour: str = RAMP[0]


def grid_plot(
    rows: Sequence[str],
    columns: Sequence[str],
    tiles: Sequence[Sequence[Tile | None]],
    shades: Shades | None = None,
) -> Figure:
    """Tiles by row and column, with the columns' names above, and above these what their `shades` stand for; `None`
    leaves its place free.
    """
    labels = [fill(row, MAX_LABEL_LENGTH) for row in rows]
    left = room_for(labels)
    letters = max(4, int((WIDTH - left - MARGIN) / max(len(columns), 1) / LETTER))
    headings = [fill(column, letters) for column in columns]
    head = MARGIN + LINE_OF_TEXT * max((heading.count("\n") + 1 for heading in headings), default=1)
    head += LEGEND if shades else 0
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
    if shades:
        _draw_shades(figure, shades)
    return figure


def _draw_tile(axes: Axes, x: int, y: int, tile: Tile) -> None:
    axes.add_patch(Rectangle((x + 0.02, y + 0.04), 0.96, 0.92, facecolor=tile.colour, linewidth=0))
    ink = ON_DEEP if tile.colour in DEEP else INK
    axes.text(x + 0.5, y + (0.34 if tile.note else 0.5), tile.text, ha="center", va="center", color=ink)
    if tile.note:
        axes.text(x + 0.5, y + 0.72, tile.note, ha="center", va="center", color=ink, size=6)


def _draw_shades(figure: Figure, shades: Shades) -> None:
    """A strip of all colours above the grid, with the values between them, and those at its ends; of one colour
    where the ends are one value.
    """
    wide, high = figure.get_size_inches()
    colours, values = list(shades.ramp), shades.values()
    if values[0] > values[-1]:
        colours, values = colours[::-1], values[::-1]
    shown: dict[float, float] = dict(enumerate(values))
    if shades.goes_on:
        del shown[0], shown[len(colours)]
    if shades.low == shades.high:
        colours, shown = [shades.of(shades.low)], {0.5: shades.low}
    labels = [numeral(value, shades.digits()) for value in shown.values()]
    longest = SMALL * max(map(len, labels))
    width = max(STRIP, longest + SMALL) * len(colours)
    behind = max(2 * MARGIN, MARGIN + longest / 2)
    place = ((wide - width - behind) / wide, 1 - (MARGIN + THICK) / high, width / wide, THICK / high)
    strip = figure.add_axes(place)
    strip.set_xlim(0, len(colours))
    strip.set_ylim(0, 1)
    strip.spines[:].set_visible(False)
    for at, colour in enumerate(colours):
        strip.add_patch(Rectangle((at, 0), 1, 1, facecolor=colour, edgecolor=EDGE, linewidth=0.5))
    strip.set_xticks([*shown], labels)
    strip.set_yticks([])
    strip.tick_params(length=0, labelsize=6, pad=1)
