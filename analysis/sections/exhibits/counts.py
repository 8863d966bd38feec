"""The picture of counts that go down from step to step."""

from collections.abc import Sequence
from textwrap import fill
from typing import Final

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from analysis.data.core.number_format import numeral
from analysis.sections.exhibits.drawing import MAX_LABEL_LENGTH, new_figure, room_for
from analysis.sections.exhibits.theme import BLUE, EDGE, INK, SOFT

LANE: Final = 0.3
ROOM: Final = 6.0  # times the most, so that its number stands beside the bar


def counts_plot(groups: Sequence[tuple[str, Sequence[tuple[str, int]]]], *, what: str) -> Figure:
    """A bar for every label under its heading, on a logarithmic scale, with its count beside it; a count of 0 has
    no bar. `what` is counted.
    """
    labels: list[str] = []
    counts: list[int | None] = []
    headings: list[int] = []
    for heading, bars in groups:
        headings.append(len(labels))
        labels += [heading, *(fill(label, MAX_LABEL_LENGTH) for label, _ in bars)]
        counts += [None, *(count for _, count in bars)]
    figure = new_figure(LANE * max(len(labels), 1), left=room_for(labels))
    axes = figure.subplots()
    axes.set_xscale("log")
    most = max((count for count in counts if count), default=1)
    axes.set(xlabel=what, xlim=(0.7, ROOM * most), ylim=(max(len(labels), 1) - 0.5, -0.5))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: numeral(value, 0)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    for place in headings:
        axes.get_yticklabels()[place].set_color(INK)
    for place, count in enumerate(counts):
        if count is None:
            continue
        if count:
            axes.barh(place, count - 0.7, 0.7, 0.7, color=BLUE, edgecolor=EDGE, linewidth=0.5, zorder=2)
        axes.annotate(
            numeral(count, 0), (max(count, 0.7), place), (3, 0), textcoords="offset points", va="center", color=SOFT
        )
    return figure
