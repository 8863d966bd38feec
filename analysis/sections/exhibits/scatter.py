"""The picture of sources between two scales, with the zones of people and of models."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from analysis.data.core.results import Estimate
from analysis.sections.exhibits.drawing import Scale, add_legend, ends_of, level_of, mark_of, new_figure, set_scale
from analysis.sections.exhibits.theme import EDGE, Maker
from analysis.sections.exhibits.wording import level_name

HEIGHT: Final = 3.1
APART: Final = 0.15  # of two labels, from one line to the next


@dataclass(frozen=True, slots=True)
class Point:
    label: str
    across: Estimate
    up: Estimate
    maker: Maker


@dataclass(frozen=True, slots=True)
class _Position:
    """Where a point stands, and the ends of its intervals: left, right, low, high."""

    x: float
    y: float
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Speck:
    """One of the things that a point is the mean of."""

    across: float
    up: float
    maker: Maker


def scatter_plot(
    points: Sequence[Point],
    specks: Sequence[Speck] = (),
    *,
    across: Scale,
    up: Scale,
    has_trend: bool = False,
) -> Figure:
    """Points with both intervals, each labelled, and a zone around the intervals of all of a maker's points; behind
    them what they are means of, with a line of least squares through these if there is a trend to show.

    A point that is undefined on either scale is left out.
    """
    drawn = [(point, position) for point in points if (position := _position(point))]
    figure = new_figure(HEIGHT, left=0.62, head=0.27)
    axes = figure.subplots()
    across = replace(across, reaches=(*across.reaches, *(speck.across for speck in specks)))
    up = replace(up, reaches=(*up.reaches, *(speck.up for speck in specks)))
    set_scale(axes, "x", across, [point.across for point, _ in drawn])
    set_scale(axes, "y", up, [point.up for point, _ in drawn])
    makers = list(dict.fromkeys(point.maker for point, _ in drawn))
    _draw_specks(axes, specks)
    line = _trend(specks) if has_trend else None
    if line:
        axes.plot(*line, color=EDGE, linewidth=1.1, zorder=2)
    for maker in makers:
        _draw_points(axes, maker, [position for point, position in drawn if point.maker == maker])
    _draw_labels(axes, [(point.label, position) for point, position in drawn])
    of_specks = [] if points else list(dict.fromkeys(speck.maker for speck in specks))
    handles = _legend_of([*makers, *of_specks], drawn, has_specks=bool(specks))
    add_legend(figure, [*handles, *([Line2D([], [], color=EDGE, label="Trend")] if line else [])])
    return figure


def _trend(specks: Sequence[Speck]) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The ends of the line of least squares, across and up; None where all specks stand above each other."""
    across, up = (np.array([getattr(speck, name) for speck in specks]) for name in ("across", "up"))
    if not across.size or np.ptp(across) == 0:
        return None
    slope, height = np.polyfit(across, up, 1)
    left, right = float(across.min()), float(across.max())
    return (left, right), (float(height + slope * left), float(height + slope * right))


def _position(point: Point) -> _Position | None:
    x, y = point.across.value, point.up.value
    if x is None or y is None:
        return None
    return _Position(x, y, (*(ends_of(point.across) or (x, x)), *(ends_of(point.up) or (y, y))))


def _draw_points(axes: Axes, maker: Maker, positions: Sequence[_Position]) -> None:
    lefts, rights, lows, highs = zip(*(position.box for position in positions), strict=True)
    left, low = min(lefts), min(lows)
    zone = Rectangle((left, low), max(rights) - left, max(highs) - low, linewidth=0, alpha=0.1, zorder=1)
    zone.set_facecolor(maker.colour)
    axes.add_patch(zone)
    xs, ys = [position.x for position in positions], [position.y for position in positions]
    axes.hlines(ys, lefts, rights, color=maker.colour, linewidth=1.1)
    axes.vlines(xs, lows, highs, color=maker.colour, linewidth=1.1)
    axes.plot(xs, ys, maker.marker, color=maker.colour, markersize=6, markeredgewidth=0, zorder=3)


def _draw_specks(axes: Axes, specks: Sequence[Speck]) -> None:
    for maker in dict.fromkeys(speck.maker for speck in specks):
        own = [speck for speck in specks if speck.maker == maker]
        axes.plot(
            [speck.across for speck in own],
            [speck.up for speck in own],
            maker.marker,
            color=maker.colour,
            markersize=2.2,
            markeredgewidth=0,
            alpha=0.35,
            zorder=0.8,
        )


def _legend_of(
    makers: Sequence[Maker], drawn: Sequence[tuple[Point, _Position]], *, has_specks: bool
) -> list[Line2D | Patch]:
    handles: list[Line2D | Patch] = [mark_of(maker) for maker in makers]
    if has_specks:
        handles.append(Line2D([], [], marker="o", color=EDGE, linestyle="none", markersize=2.2, label="One answer"))
    levels = sorted({level for point, _ in drawn for each in (point.across, point.up) if (level := level_of(each))})
    handles += [Line2D([], [], color=EDGE, label=f"{level_name(level)} interval") for level in levels]
    if drawn:
        handles.append(Patch(facecolor=EDGE, alpha=0.15, linewidth=0, label="Zone"))
    return handles


def _draw_labels(axes: Axes, labelled: Sequence[tuple[str, _Position]]) -> None:
    """Draws labels beside their points, away from points that are near, and moved up where one would cover the
    last.
    """
    low, high = axes.get_ylim()
    left, right = axes.get_xlim()
    in_inches = HEIGHT / (high - low)
    tops = {"left": -APART, "right": -APART}
    for label, position in sorted(labelled, key=lambda each: each[1].y):
        near = [other.x for _, other in labelled if abs(other.y - position.y) * in_inches < APART]
        is_leftmost = min(near) < max(near) and position.x == (min if right > left else max)(near)
        side = "right" if is_leftmost else "left"  # of the label that touches the point
        own = (position.y - low) * in_inches
        tops[side] = max(own + 0.08, tops[side] + APART)
        axes.annotate(
            label,
            (position.x, position.y),
            xytext=(-8 if is_leftmost else 8, 72 * (tops[side] - own)),
            textcoords="offset points",
            ha=side,
        )
