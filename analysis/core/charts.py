"""Geometry of the figures: where things stand, for a template to write as SVG.

Across, places are percentages of the figure's width, so that it fits a phone as well as a page while its text keeps
its size. Down, they are pixels.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.core.results import Estimate

GUTTER = 22.0  # percent on the left, where lanes have their names
MARGIN = 4.0  # percent on the right, so that a mark at the end is whole
LANE = 20  # pixels from one lane to the next
HEADING = 32  # pixels that a group's heading takes, most of them above it
AXIS = 40  # pixels below the last lane, for tick labels and the axis title
TOP = 6

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
# A dot as a share of the narrowest figure that is read: dots that are closer than this are moved apart.
DOT_WIDTH = 2.0
DOT_HEIGHT = 7


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale across the figure: `low` to `high` in the data's unit, with ticks at round values."""

    low: float
    high: float
    ticks: tuple[Tick, ...]

    def x(self, value: float) -> float:
        """Where `value` stands, in percent of the figure's width; values outside the axis stand at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return _across(share)


@dataclass(frozen=True, slots=True)
class Mark:
    """One estimate to be drawn: its mean, the standard error around it, and whether people or models made it."""

    label: str
    is_human: bool
    mean: Estimate
    se: Estimate


@dataclass(frozen=True, slots=True)
class Lane:
    """A mark in its place. Undefined estimates have a `reason` and no places; without a standard error there is
    no whisker."""

    label: str
    is_human: bool
    y: float
    x: float | None
    whisker: tuple[float, float] | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """Lanes under a heading at `y`; an empty heading takes no room."""

    heading: str
    y: float
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class DotPlot:
    axis: Axis
    groups: tuple[Group, ...]
    plot_height: float
    height: float


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Strip:
    """The dots of one group around its middle line `y`, and the place of their mean."""

    label: str
    y: float
    dots: tuple[Dot, ...]
    mean_x: float | None


@dataclass(frozen=True, slots=True)
class StripPlot:
    axis: Axis
    strips: tuple[Strip, ...]
    plot_height: float
    height: float


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a whole: `share` is 0 to 1, `x` and `width` are percentages of the bar."""

    label: str
    count: int
    share: float
    x: float
    width: float


def axis(low: float, high: float, *, about: int = 5) -> Axis:
    """An axis over `low` to `high`, widened to round values, with roughly `about` steps between ticks.

    Steps are 1, 2, 2.5 or 5 times a power of ten. Raises ValueError unless both are finite and `low` ≤ `high`.
    """
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise ValueError(f"an axis cannot go from {low} to {high}")
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = _step((high - low) / about)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(
        Tick(_across((number - first) / (last - first)), f"{number * step:g}") for number in range(first, last + 1)
    )
    return Axis(first * step, last * step, ticks)


def dot_plot(groups: Sequence[tuple[str, Sequence[Mark]]]) -> DotPlot:
    """Means with their standard errors, one lane each, under the groups' headings and over one common axis."""
    scale = axis(*_extent([mark for _, marks in groups for mark in marks]))
    placed, y = [], float(TOP)
    for heading, marks in groups:
        top = y
        y += HEADING if heading else 0
        lanes = tuple(_lane(mark, y + LANE * (number + 0.5), scale) for number, mark in enumerate(marks))
        placed.append(Group(heading, top + 0.65 * HEADING, lanes))
        y += LANE * len(lanes)
    return DotPlot(scale, tuple(placed), y, y + AXIS)


def strip_plot(groups: Sequence[tuple[str, Sequence[Estimate]]], *, low: float, high: float) -> StripPlot:
    """All the estimates of each group as dots on a line, moved apart where they would cover each other.

    The axis goes at least from `low` to `high`. Undefined estimates have no dot.
    """
    values = [estimate.value for _, estimates in groups for estimate in estimates if estimate.value is not None]
    scale = axis(min([low, *values]), max([high, *values]))
    strips, top = [], float(TOP)
    for label, estimates in groups:
        defined = sorted((e.value, e.name) for e in estimates if e.value is not None)
        places = _apart([scale.x(value) for value, _ in defined])
        reach = max((abs(place) for place in places), default=0) * DOT_HEIGHT + LANE / 2
        y = top + reach
        mean = math.fsum(value for value, _ in defined) / len(defined) if defined else None
        strips.append(
            Strip(
                label=label,
                y=y,
                dots=tuple(
                    Dot(scale.x(value), y + place * DOT_HEIGHT, name)
                    for (value, name), place in zip(defined, places, strict=True)
                ),
                mean_x=None if mean is None else scale.x(mean),
            )
        )
        top = y + reach
    return StripPlot(scale, tuple(strips), top, top + AXIS)


def share_bar(parts: Sequence[tuple[str, int]]) -> tuple[Segment, ...]:
    """Counts as parts of one bar, in their order; empty where there is nothing to share."""
    total = sum(count for _, count in parts)
    segments, before = [], 0
    for label, count in parts if total else ():
        segments.append(Segment(label, count, count / total, 100 * before / total, 100 * count / total))
        before += count
    return tuple(segments)


def _across(share: float) -> float:
    return round(GUTTER + (100 - GUTTER - MARGIN) * share, 3)


def _step(wanted: float) -> float:
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in STEPS if step * power >= wanted * (1 - 1e-9))


def _extent(marks: Sequence[Mark]) -> tuple[float, float]:
    """From the lowest end of a whisker to the highest; 0 to 1 where nothing is defined."""
    ends = [
        mark.mean.value + side * (mark.se.value or 0)
        for mark in marks
        for side in (-1, 1)
        if mark.mean.value is not None
    ]
    return (min(ends), max(ends)) if ends else (0.0, 1.0)


def _lane(mark: Mark, y: float, scale: Axis) -> Lane:
    mean, se = mark.mean.value, mark.se.value
    whisker = None if mean is None or se is None else (scale.x(mean - se), scale.x(mean + se))
    x = None if mean is None else scale.x(mean)
    return Lane(mark.label, mark.is_human, y, x, whisker, mark.mean.reason)


def _apart(xs: Sequence[float]) -> list[int]:
    """For places in ascending order, steps up (−) or down (+) that keep dots from covering each other.

    Each dot takes the place nearest to the line that no dot within its width has.
    """
    steps: list[int] = []
    for number, x in enumerate(xs):
        taken = {step for step, other in zip(steps, xs[:number], strict=True) if x - other < DOT_WIDTH}
        nearest = (side * distance for distance in range(len(xs) + 1) for side in (1, -1))
        steps.append(next(step for step in nearest if step not in taken))
    return steps
