"""The picture of estimates as bars from zero, several for each label, beside one estimate as a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from analysis.data.core.results import Estimate
from analysis.sections.exhibits.drawing import (
    LEGEND,
    MAX_LABEL_LENGTH,
    Scale,
    add_legend,
    ends_of,
    new_figure,
    room_for,
    set_scale,
)
from analysis.sections.exhibits.theme import EDGE, INK, ORANGE, RAMP, SOFT

THICK: Final = 0.36  # of the room that a label has
FILLS: Final = ((RAMP[3], ""), (RAMP[1], "////"))  # colour and hatching


@dataclass(frozen=True, slots=True)
class Bars:
    """Estimates under one label."""

    label: str
    estimates: tuple[Estimate, Estimate]


def bars_plot(
    bars: Sequence[Bars], names: tuple[str, str], scale: Scale, *, line: Estimate, line_name: str
) -> Figure:
    """Two bars for each label, called `names` in the legend, with their intervals; `line` has its own as a band."""
    labels = [fill(each.label, MAX_LABEL_LENGTH) for each in bars]
    figure = new_figure(0.5 * len(bars), left=room_for(labels), head=LEGEND)
    axes = figure.subplots()
    set_scale(axes, "x", scale, [line, *(estimate for each in bars for estimate in each.estimates)])
    axes.set_ylim(len(bars), 0)
    axes.set_yticks([place + 0.5 for place in range(len(bars))], labels)
    axes.tick_params(axis="y", length=0)
    axes.axvline(0, color=EDGE, linewidth=0.6)
    for place, each in enumerate(bars):
        for number, estimate in enumerate(each.estimates):
            _draw_bar(axes, place + 0.5 + (number - 0.5) * THICK, estimate, *FILLS[number])
    handles: list[Line2D | Patch] = [
        Patch(facecolor=colour, hatch=hatch, edgecolor=EDGE, linewidth=0.5, label=name)
        for name, (colour, hatch) in zip(names, FILLS, strict=True)
    ]
    if line.value is not None:
        handles.append(_draw_line(axes, line, line_name))
    add_legend(figure, handles)
    return figure


def _draw_bar(axes: Axes, y: float, estimate: Estimate, colour: str, hatch: str) -> None:
    if estimate.value is None:
        axes.annotate(
            "undefined", (0, y), xytext=(4, 0), textcoords="offset points", va="center", size=7, color=SOFT
        )
        return
    axes.barh(y, estimate.value, THICK * 0.9, color=colour, hatch=hatch, edgecolor=EDGE, linewidth=0.5, zorder=2)
    if ends := ends_of(estimate):
        axes.hlines(y, *ends, color=INK, linewidth=1.1, zorder=3)


def _draw_line(axes: Axes, line: Estimate, name: str) -> Line2D:
    if ends := ends_of(line):
        axes.axvspan(*ends, color=ORANGE, alpha=0.12, linewidth=0, zorder=0)
    return axes.axvline(line.value or 0.0, color=ORANGE, linewidth=1.2, linestyle=(0, (4, 2)), zorder=4, label=name)
