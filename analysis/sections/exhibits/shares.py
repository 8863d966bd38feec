"""The picture of counts as shares of a bar."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from analysis.sections.exhibits.drawing import (
    LEGEND,
    MAX_LABEL_LENGTH,
    Scale,
    add_legend,
    legend_lines,
    new_figure,
    room_for,
    set_scale,
)
from analysis.sections.exhibits.theme import DEEP, EDGE, INK, ON_DEEP


@dataclass(frozen=True, slots=True)
class Part:
    """A part of every bar, with the colour and hatching that it has in all of them."""

    name: str
    colour: str
    hatch: str = ""


def shares_plot(bars: Sequence[tuple[str, Sequence[int]]], parts: Sequence[Part], *, what: str) -> Figure:
    """Each bar's counts as shares of it, with the counts written on their parts; `what` is counted."""
    labels = [fill(label, MAX_LABEL_LENGTH) for label, _ in bars]
    figure = new_figure(0.34 * max(len(bars), 1), left=room_for(labels), head=LEGEND * legend_lines(len(parts)))
    axes = figure.subplots()
    set_scale(axes, "x", Scale(what, reaches=(0, 1), is_share=True), [])
    axes.set_xlim(0, 1)
    axes.set_ylim(max(len(bars), 1), 0)
    axes.set_yticks([number + 0.5 for number in range(len(bars))], labels)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    for y, (_, counts) in enumerate(bars):
        _draw_bar(axes, y + 0.5, counts, parts)
    add_legend(
        figure,
        [
            Patch(facecolor=part.colour, edgecolor=EDGE, hatch=part.hatch, linewidth=0.5, label=part.name)
            for part in parts
        ],
    )
    return figure


def _draw_bar(axes: Axes, y: float, counts: Sequence[int], parts: Sequence[Part]) -> None:
    total, start = sum(counts), 0.0
    for count, part in zip(counts, parts, strict=True):
        share = count / total if total else 0.0
        axes.barh(
            y, share, 0.72, start, color=part.colour, edgecolor=EDGE, hatch=part.hatch, linewidth=0.5, zorder=2
        )
        if share > 0.015 * len(str(count)) + 0.02:
            axes.text(
                start + share / 2,
                y,
                str(count),
                ha="center",
                va="center",
                color=ON_DEEP if part.colour in DEEP else INK,
                bbox={"facecolor": part.colour, "linewidth": 0, "pad": 1.2},
            )
        start += share
