"""The kinds of picture that exhibits are drawn as: estimates along lanes, a grid of tiles, bars of parts.

Whatever differs in colour differs in its mark, its hatching or its text too. Pictures are as wide as a column of
text, and their letters stay readable where that is halved. Lengths are in inches, type sizes in points.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Final

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.core.exhibits.theme import DEEP, EDGE, INK, NOBODY, ON_DEEP, RAMP, SOFT, Maker
from analysis.core.exhibits.wording import level_name
from analysis.core.numerals import numeral
from analysis.core.results import Estimate

WIDTH: Final = 5.0
LETTER: Final = 0.068  # the mean width of one
LONGEST: Final = 28  # letters of a label in one line
LANE: Final = 0.19
LINE_OF_TEXT: Final = 0.14
HEADING: Final = 1.3  # lanes that a group's heading takes
FOOT: Final = 0.46  # tick labels, and what is measured
LEGEND: Final = 0.27
MARGIN: Final = 0.12
MOST_LABELLED: Final = 70  # lanes
TALLEST: Final = 8.0


@dataclass(frozen=True, slots=True)
class Lane:
    """One line across the panels of a dot plot: an estimate for each of them, `None` where there is nothing."""

    label: str
    estimates: tuple[Estimate | None, ...]
    maker: Maker = NOBODY


@dataclass(frozen=True, slots=True)
class Group:
    """Lanes under a heading; a blank one takes no room."""

    heading: str
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """What is measured along an axis. It reaches at least to the values in `reaches`; `reference` has a line.

    `is_reversed`: the low end is on the right, or above.
    """

    label: str
    reaches: tuple[float, ...] = ()
    reference: float | None = None
    is_share: bool = False
    is_reversed: bool = False


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile of a grid: its text, a smaller one below it, and its colour."""

    text: str
    note: str = ""
    colour: str = RAMP[0]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of every bar, with the colour and hatching that it has in all of them."""

    name: str
    colour: str
    hatch: str = ""


# -- estimates along lanes --------------------------------------------------------------------------------------


def dot_plot(groups: Sequence[Group], scales: Sequence[Scale]) -> Figure:
    """Each lane's estimates as marks with their intervals, in a panel for each scale; undefined ones say so.

    More than `MOST_LABELLED` lanes stand closely, without their labels, in a picture of fixed height.
    """
    lanes = [lane for group in groups for lane in group.lanes]
    labels = [fill(lane.label, LONGEST) for lane in lanes]
    places, total = _places(groups)
    is_labelled = len(lanes) <= MOST_LABELLED
    lane = max(LANE, LINE_OF_TEXT * max((label.count("\n") + 1 for label in labels), default=1))
    handles = _legend_of(lanes)
    figure = new_figure(
        total * lane if is_labelled else TALLEST,
        left=room_for(labels) if is_labelled else MARGIN,
        head=LEGEND if handles else MARGIN,
    )
    panels = figure.subplots(1, len(scales), sharey=True, squeeze=False)[0]
    for place, (axes, scale) in enumerate(zip(panels, scales, strict=True)):
        estimates = [each.estimates[place] for each in lanes]
        set_scale(axes, "x", scale, [estimate for estimate in estimates if estimate], ticks=8 // len(scales) + 1)
        _draw_marks(axes, lanes, estimates, places, size=4.5 if is_labelled else 2.2)
        if is_labelled:
            _say_undefined(axes, estimates, places)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
    first: Axes = panels[0]
    first.set_ylim(total, 0)
    first.set_yticks(places if is_labelled else [], labels if is_labelled else [])
    _draw_headings(first, groups, places)
    add_legend(figure, handles)
    return figure


def _places(groups: Sequence[Group]) -> tuple[list[float], float]:
    """Where each lane stands, counted in lanes from the top, and how far down all of them reach."""
    places, top = [], 0.0
    for group in groups:
        top += HEADING if group.heading else 0
        places += [top + number + 0.5 for number in range(len(group.lanes))]
        top += len(group.lanes)
    return places, max(top, 1.0)


def _draw_headings(axes: Axes, groups: Sequence[Group], places: Sequence[float]) -> None:
    start = 0
    for group in groups:
        if group.heading and group.lanes:
            axes.annotate(
                group.heading,
                (MARGIN / WIDTH, places[start] - 1.05),
                xycoords=("figure fraction", "data"),
                va="center",
                annotation_clip=False,
            )
        start += len(group.lanes)


def _draw_marks(
    axes: Axes, lanes: Sequence[Lane], estimates: Sequence[Estimate | None], places: Sequence[float], *, size: float
) -> None:
    for maker in {lane.maker: None for lane in lanes}:
        own = [
            (estimate.value, y, ends_of(estimate))
            for lane, estimate, y in zip(lanes, estimates, places, strict=True)
            if lane.maker == maker and estimate and estimate.value is not None
        ]
        reaches = [((ends[0], y), (ends[1], y)) for _, y, ends in own if ends]
        lines = LineCollection(reaches, colors=maker.colour, linewidths=size / 4, zorder=2)
        axes.add_collection(lines, autolim=False)
        values, ys = [value for value, _, _ in own], [y for _, y, _ in own]
        axes.plot(values, ys, maker.marker, color=maker.colour, markersize=size, markeredgewidth=0, zorder=3)


def _say_undefined(axes: Axes, estimates: Sequence[Estimate | None], places: Sequence[float]) -> None:
    for estimate, y in zip(estimates, places, strict=True):
        if estimate and estimate.value is None:
            axes.annotate(
                "undefined", (0.02, y), xycoords=("axes fraction", "data"), va="center", size=7, color=SOFT
            )


def _legend_of(lanes: Sequence[Lane]) -> list[Line2D]:
    makers = [maker for maker in {lane.maker: None for lane in lanes} if maker.name]
    handles = [mark_of(maker) for maker in makers]
    levels = sorted({level for lane in lanes for estimate in lane.estimates if (level := level_of(estimate))})
    return handles + [Line2D([], [], color=EDGE, label=f"{level_name(level)} interval") for level in levels]


# -- a grid of tiles --------------------------------------------------------------------------------------------


def grid_plot(rows: Sequence[str], columns: Sequence[str], tiles: Sequence[Sequence[Tile | None]]) -> Figure:
    """Tiles by row and column, with the columns' names above; `None` leaves its place free."""
    labels = [fill(row, LONGEST) for row in rows]
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


# -- bars of parts ----------------------------------------------------------------------------------------------


def bar_plot(bars: Sequence[tuple[str, Sequence[int]]], parts: Sequence[Part]) -> Figure:
    """Each bar's counts as shares of it, with the counts written on their parts."""
    labels = [fill(label, LONGEST) for label, _ in bars]
    figure = new_figure(0.34 * max(len(bars), 1), left=room_for(labels), head=LEGEND)
    axes = figure.subplots()
    set_scale(axes, "x", Scale("", reaches=(0, 1), is_share=True), [])
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


# -- what pictures are made of ----------------------------------------------------------------------------------


def new_figure(height: float, *, left: float, head: float = MARGIN, foot: float = FOOT) -> Figure:
    """A picture of the common width with room for axes `height` high, and beside, above and below them for text."""
    whole = head + height + foot
    figure = Figure(figsize=(WIDTH, whole))
    figure.subplots_adjust(
        left=left / WIDTH, right=1 - 1.6 * MARGIN / WIDTH, top=1 - head / whole, bottom=foot / whole, wspace=0.28
    )
    return figure


def room_for(labels: Iterable[str]) -> float:
    """What labels at the side take."""
    return 2 * MARGIN + LETTER * max((len(line) for label in labels for line in label.split("\n")), default=0)


def set_scale(axes: Axes, side: str, scale: Scale, estimates: Iterable[Estimate], *, ticks: int = 6) -> None:
    """The axis `side`, x or y: as far as the estimates and their intervals go, with at most so many round ticks."""
    reached = [*scale.reaches, *(() if scale.reference is None else (scale.reference,))]
    for estimate in estimates:
        if estimate.value is not None:
            reached += [estimate.value, *(ends_of(estimate) or ())]
    low, high = min(reached, default=0.0), max(reached, default=1.0)
    margin = (high - low) * 0.04 or 0.5
    ends = (high + margin, low - margin) if scale.is_reversed else (low - margin, high + margin)
    axis = getattr(axes, f"{side}axis")
    axes.set(**{f"{side}lim": ends, f"{side}label": scale.label})
    axis.set_major_locator(MaxNLocator(ticks - 1, steps=[1, 2, 2.5, 5, 10]))
    if scale.is_share:
        axis.set_major_formatter(FuncFormatter(lambda value, _place: f"{numeral(100 * value, 0)} %"))
    axis.grid(visible=True)
    axes.set_axisbelow(True)
    if scale.reference is not None:
        draw_line = axes.axvline if side == "x" else axes.axhline
        draw_line(scale.reference, color=EDGE, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)


def add_legend(figure: Figure, handles: Sequence[Line2D | Patch]) -> None:
    """Above the axes, in one line."""
    if handles:
        figure.legend(
            handles=list(handles), loc="upper right", ncols=len(handles), borderaxespad=0.2, handlelength=1.4
        )


def mark_of(maker: Maker) -> Line2D:
    """The maker's mark, for a legend."""
    return Line2D(
        [], [], marker=maker.marker, color=maker.colour, linestyle="none", markersize=4.5, label=maker.name
    )


def ends_of(estimate: Estimate | None) -> tuple[float, float] | None:
    """Both ends of an estimate's interval, where it has one."""
    interval = estimate.interval if estimate else None
    return (
        None if interval is None or interval.low is None or interval.high is None else (interval.low, interval.high)
    )


def level_of(estimate: Estimate | None) -> float | None:
    return estimate.interval.level if estimate and estimate.interval and ends_of(estimate) else None
