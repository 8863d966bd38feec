"""The picture of where texts lie among each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.sections.exhibits.drawing import LEGEND, MARGIN, WIDTH, add_legend, mark_of, new_figure
from analysis.sections.exhibits.theme import BLUE, EDGE, GREEN, GREY, OLIVE, ORANGE, PURPLE, Maker

MARKS: Final = (
    *((BLUE, "o"), (ORANGE, "s"), (GREEN, "^")),
    *((PURPLE, "D"), (OLIVE, "P"), (GREY, "v")),
)
REACH: Final = 1.05


@dataclass(frozen=True, slots=True)
class MapPoint:
    """Coordinates from −1 to 1, and who wrote what lies there; blank for what was written about."""

    x: float
    y: float
    writer: str


def map_plot(points: Sequence[MapPoint], *, ring: str) -> Figure:
    """Every writer's marks, in a colour and a shape of its own, and rings for what they wrote about, which the
    legend calls a `ring`.
    """
    writers = sorted({point.writer for point in points if point.writer})
    makers = [Maker(writer, *MARKS[number % len(MARKS)]) for number, writer in enumerate(writers)]
    figure = new_figure(WIDTH - 4 * MARGIN, left=MARGIN * 1.6, head=LEGEND, foot=MARGIN)
    axes = figure.subplots()
    axes.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH), aspect="equal", xticks=[], yticks=[])
    for maker in makers:
        across, up = _coordinates(points, maker.name)
        axes.scatter(across, up, s=9, marker=maker.marker, color=maker.colour, linewidths=0, zorder=2)
    across, up = _coordinates(points, "")
    axes.scatter(across, up, s=34, marker="o", facecolors="none", edgecolors=EDGE, linewidths=0.8, zorder=3)
    hollow = Line2D([], [], marker="o", color=EDGE, markerfacecolor="none", linestyle="none", label=ring)
    axes.spines[:].set_visible(False)
    add_legend(figure, [*map(mark_of, makers), *([hollow] if across else [])])
    return figure


def _coordinates(points: Sequence[MapPoint], writer: str) -> tuple[list[float], list[float]]:
    own = [point for point in points if point.writer == writer]
    return [point.x for point in own], [point.y for point in own]
