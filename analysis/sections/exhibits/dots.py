"""The picture of estimates as marks along lanes, with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from textwrap import fill
from typing import Any, Final, Literal

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.data.core.results import Estimate
from analysis.sections.exhibits.drawing import (
    LEGEND,
    LETTER,
    LINE_OF_TEXT,
    MARGIN,
    MAX_LABEL_LENGTH,
    REFERENCE,
    WIDTH,
    Scale,
    add_legend,
    ends_of,
    level_of,
    mark_of,
    new_figure,
    room_for,
    set_scale,
)
from analysis.sections.exhibits.theme import EDGE, LINE, NOBODY, ORANGE, SOFT, Maker
from analysis.sections.exhibits.wording import level_name

LANE: Final = 0.19
HEADING: Final = 1.3  # lanes that a group's heading takes
MAX_LABELLED_LANES: Final = 70  # lanes
MAX_HEIGHT: Final = 8.0


@dataclass(frozen=True, slots=True)
class Lane:
    """One line across the panels of a dot plot: an estimate for each of them, `None` where there is nothing, and in
    the first panel a stroke, where there is something to compare with: what `chance` would bring; or a `span`, from
    and to where it was expected.
    """

    label: str
    estimates: tuple[Estimate | None, ...]
    maker: Maker = NOBODY
    chance: float | None = None
    span: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Lanes under a heading; a blank one takes no room."""

    heading: str
    lanes: tuple[Lane, ...]


def dot_plot(groups: Sequence[Group], scales: Sequence[Scale], *, stroke: str = "Chance (1/m)") -> Figure:
    """Each lane's estimates as marks with their intervals, in a panel for each scale; undefined ones say so.

    The legend calls the lanes' strokes as `stroke` says.

    Where all of a panel's are undefined it is left out, unless no panel has anything to show.

    More than `MAX_LABELLED_LANES` lanes stand closely, without their labels, in a picture of fixed height.
    """
    lanes = [lane for group in groups for lane in group.lanes]
    shown = [place for place in range(len(scales)) if _is_anywhere_defined(lanes, place)] or range(len(scales))
    labels = [fill(lane.label, MAX_LABEL_LENGTH) for lane in lanes]
    places, total = _lane_positions(groups)
    is_labelled = len(lanes) <= MAX_LABELLED_LANES
    lane = max(LANE, LINE_OF_TEXT * max((label.count("\n") + 1 for label in labels), default=1))
    names = dict.fromkeys(scales[place].reference_name for place in shown)
    handles = [
        *_legend_of(lanes, stroke, has_strokes=0 in shown),
        *(Line2D([], [], label=name, **REFERENCE) for name in names if name),
    ]
    figure = new_figure(
        total * lane if is_labelled else MAX_HEIGHT,
        left=room_for(labels) if is_labelled else MARGIN,
        head=LEGEND if handles else MARGIN,
        panels=len(shown),
    )
    panels = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    for axes, place in zip(panels, shown, strict=True):
        estimates = [each.estimates[place] for each in lanes]
        scale = scales[place]
        set_scale(axes, "x", scale, filter(None, estimates), ticks=8 // len(shown) + 1, has_lines=False)
        _keep_ticks_apart(axes)
        has_words = [is_labelled and each is not None and each.value is None for each in estimates]
        _draw_lines(axes, scale, [y for y, has in zip(places, has_words, strict=True) if not has])
        _draw_marks(axes, lanes, estimates, places, size=4.5 if is_labelled else 2.2)
        if is_labelled:
            _say_undefined(axes, estimates, places)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
    first: Axes = panels[0]
    if 0 in shown:
        _draw_chance(first, lanes, places)
        _draw_spans(first, lanes, places)
    first.set_ylim(total, 0)
    first.set_yticks(places if is_labelled else [], labels if is_labelled else [])
    _draw_headings(first, groups, places)
    add_legend(figure, handles)
    return figure


def _lane_positions(groups: Sequence[Group]) -> tuple[list[float], float]:
    """Where each lane stands, counted in lanes from the top, and how far down all of them reach."""
    places, top = [], 0.0
    for group in groups:
        top += HEADING if group.heading else 0
        places += [top + number + 0.5 for number in range(len(group.lanes))]
        top += len(group.lanes)
    return places, max(top, 1.0)


def _is_anywhere_defined(lanes: Sequence[Lane], place: int) -> bool:
    return any((estimate := lane.estimates[place]) and estimate.value is not None for lane in lanes)


def _keep_ticks_apart(axes: Axes) -> None:
    """Leave out every second tick, or more, where their labels would run into each other; two stay, whose labels
    make room for each other.
    """
    low, high = sorted(axes.get_xlim())
    ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
    if len(ticks) < 2:
        return
    longest = max(map(len, axes.xaxis.get_major_formatter().format_ticks(ticks)))
    figure: Any = axes.figure
    apart = (ticks[1] - ticks[0]) / (high - low) * axes.get_position().width * figure.get_figwidth()
    needed = LETTER * (longest + 1)
    kept = ticks[:: min(ceil(needed / apart), len(ticks) - 1)]
    axes.set_xticks(kept)
    if len(kept) == 2 and apart * (len(ticks) - 1) < needed:
        inch = apart / (ticks[1] - ticks[0])
        outwards: tuple[Literal["left", "right"], ...] = ("right", "left")
        if axes.xaxis_inverted():
            outwards = ("left", "right")
        sides = zip((kept[0] - low, high - kept[1]), outwards, strict=True)
        for label, (room, side) in zip(axes.get_xticklabels(), sides, strict=True):
            if room * inch > needed / 2:
                label.set_horizontalalignment(side)


def _draw_lines(axes: Axes, scale: Scale, free: Sequence[float]) -> None:
    """The lines at the ticks and at the reference, along lanes that have no words in them: those at `free`."""
    runs: list[tuple[float, float]] = []
    for y in free:
        if runs and y - 0.5 - runs[-1][1] < 0.01:
            runs[-1] = (runs[-1][0], y + 0.5)
        else:
            runs.append((y - 0.5, y + 0.5))
    low, high = sorted(axes.get_xlim())
    ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
    for top, bottom in runs:
        axes.vlines(ticks, top, bottom, color=LINE, linewidth=0.6, zorder=0.5)
        if scale.reference is not None:
            axes.vlines(scale.reference, top, bottom, **REFERENCE)


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
        # At the panel's edge half of a mark lies beyond it.
        axes.plot(
            values,
            ys,
            maker.marker,
            color=maker.colour,
            markersize=size,
            markeredgewidth=0,
            zorder=3,
            clip_on=False,
        )


def _draw_chance(axes: Axes, lanes: Sequence[Lane], places: Sequence[float]) -> None:
    strokes = [
        ((lane.chance, y - 0.36), (lane.chance, y + 0.36))
        for lane, y in zip(lanes, places, strict=True)
        if lane.chance is not None
    ]
    axes.add_collection(LineCollection(strokes, colors=ORANGE, linewidths=1.4, zorder=2.5), autolim=False)


def _draw_spans(axes: Axes, lanes: Sequence[Lane], places: Sequence[float]) -> None:
    for lane, y in zip(lanes, places, strict=True):
        if lane.span:
            axes.fill_betweenx([y - 0.36, y + 0.36], *lane.span, color=LINE, linewidth=0, zorder=0.8)


def _say_undefined(axes: Axes, estimates: Sequence[Estimate | None], places: Sequence[float]) -> None:
    for estimate, y in zip(estimates, places, strict=True):
        if estimate and estimate.value is None:
            axes.annotate(
                "undefined", (0.02, y), xycoords=("axes fraction", "data"), va="center", size=7, color=SOFT
            )


def _legend_of(lanes: Sequence[Lane], stroke: str, *, has_strokes: bool) -> list[Line2D]:
    makers = [maker for maker in {lane.maker: None for lane in lanes} if maker.name]
    handles = [mark_of(maker) for maker in makers]
    if has_strokes and any(lane.chance is not None for lane in lanes):
        handles.append(Line2D([], [], color=ORANGE, marker="|", linestyle="none", markersize=7, label=stroke))
    if has_strokes and any(lane.span for lane in lanes):
        handles.append(Line2D([], [], color=LINE, marker="s", linestyle="none", markersize=7, label="Expected"))
    levels = sorted({level for lane in lanes for estimate in lane.estimates if (level := level_of(estimate))})
    return handles + [Line2D([], [], color=EDGE, label=f"{level_name(level)} interval") for level in levels]
