"""The picture of counts that go down from step to step."""

from collections.abc import Sequence
from math import ceil, log10
from textwrap import fill
from typing import Final

from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from analysis.data.core.number_format import numeral
from analysis.sections.exhibits.drawing import LETTER, MARGIN, MAX_LABEL_LENGTH, WIDTH, new_figure, room_for
from analysis.sections.exhibits.theme import BLUE, EDGE, INK, SOFT

LANE: Final = 0.3
ORIGIN: Final = 0.7  # where bars begin
MIN_ROOM: Final = 6.0  # times the most, so that its number stands beside the bar


def counts_plot(groups: Sequence[tuple[str, Sequence[tuple[str, int]]]], *, what: str) -> Figure:
    """A bar for every label under its heading, on a logarithmic scale, with its count beside it; a count of 0 has
    no bar. `what` is counted.
    """
    labels: list[str] = []
    counts: list[int | None] = []
    headings: list[int] = []
    for heading, bars in groups:
        headings.append(len(labels))
        labels += [fill(each, MAX_LABEL_LENGTH) for each in (heading, *(label for label, _ in bars))]
        counts += [None, *(count for _, count in bars)]
    left = room_for(labels)
    figure = new_figure(LANE * max(len(labels), 1), left=left)
    axes = figure.subplots()
    axes.set_xscale("log")
    most = max((count for count in counts if count), default=1)
    # The share of the axes that the longest number takes, with a letter's room on either side.
    share = LETTER * (len(numeral(most, 0)) + 2) / (WIDTH - left - 2 * MARGIN)
    room = max(MIN_ROOM, (most / ORIGIN) ** (share / (1 - share)))
    axes.set(xlabel=what, xlim=(ORIGIN, room * most), ylim=(max(len(labels), 1) - 0.5, -0.5))
    powers = range(0, int(log10(2 * most)) + 1, ceil(share * log10(room * most / ORIGIN)))
    axes.set_xticks([10**power for power in powers], [numeral(10**power, 0) for power in powers])
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
            axes.barh(place, count - ORIGIN, 0.7, ORIGIN, color=BLUE, edgecolor=EDGE, linewidth=0.5, zorder=2)
        axes.annotate(
            numeral(count, 0),
            (count or ORIGIN, place),
            (3, 0),
            textcoords="offset points",
            va="center",
            color=SOFT,
        )
    return figure
