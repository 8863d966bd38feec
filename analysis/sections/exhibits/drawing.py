"""What pictures are made of: their size, their axes, their legends.

Whatever differs in colour differs in its mark, its hatching or its text too. Pictures are as wide as a column of
text, and their letters stay readable where that is halved. Lengths are in inches, type sizes in points.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.data.core.number_format import percentage
from analysis.data.core.results import Estimate
from analysis.sections.exhibits.theme import EDGE, Maker

WIDTH: Final = 5.0
LETTER: Final = 0.068  # the mean width of one
MAX_LABEL_LENGTH: Final = 28  # letters of a label in one line
LINE_OF_TEXT: Final = 0.14
FOOT: Final = 0.46  # tick labels, and what is measured
MAX_IN_LINE: Final = 5  # entries of a legend
LEGEND: Final = 0.27
MARGIN: Final = 0.12
BETWEEN: Final = 0.3  # panels beside each other, whose outer tick labels reach beyond them
REFERENCE: Final[dict[str, Any]] = {"color": EDGE, "linewidth": 0.9, "linestyle": (0, (4, 2)), "zorder": 1}


@dataclass(frozen=True, slots=True)
class Scale:
    """What is measured along an axis. It reaches at least to the values in `reaches`; `reference` has a line, which
    the legend calls `reference_name`, where it is not plain from the axis.

    `is_reversed`: the low end is on the right, or above.
    """

    label: str
    reaches: tuple[float, ...] = ()
    reference: float | None = None
    reference_name: str = ""
    is_share: bool = False
    is_reversed: bool = False


def new_figure(height: float, *, left: float, head: float = MARGIN, foot: float = FOOT, panels: int = 1) -> Figure:
    """A picture of the common width with room for axes `height` high, and beside, above and below them for text.

    `panels` stand beside each other.
    """
    whole = head + height + foot
    right = WIDTH - 1.6 * MARGIN
    panel = (right - left - (panels - 1) * BETWEEN) / panels
    figure = Figure(figsize=(WIDTH, whole))
    figure.subplots_adjust(
        left=left / WIDTH, right=right / WIDTH, top=1 - head / whole, bottom=foot / whole, wspace=BETWEEN / panel
    )
    return figure


def room_for(labels: Iterable[str]) -> float:
    """What labels at the side take."""
    return 2 * MARGIN + LETTER * max((len(line) for label in labels for line in label.split("\n")), default=0)


def set_scale(
    axes: Axes, side: str, scale: Scale, estimates: Iterable[Estimate], *, ticks: int = 6, has_lines: bool = True
) -> None:
    """The axis `side`, x or y: as far as the estimates and their intervals go, with at most so many round ticks.

    `has_lines`: at the ticks and at the reference; false for pictures that draw their own.
    """
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
        axis.set_major_formatter(FuncFormatter(lambda value, _place: percentage(value, 0)))
    if not has_lines:
        return
    axis.grid(visible=True)
    axes.set_axisbelow(True)
    if scale.reference is not None:
        draw_line = axes.axvline if side == "x" else axes.axhline
        draw_line(scale.reference, **REFERENCE)


def add_legend(figure: Figure, handles: Sequence[Line2D | Patch]) -> None:
    """Above the axes, closer together where there are many; `legend_lines` says in how many lines."""
    if handles:
        spacing = {"columnspacing": 1.0, "handletextpad": 0.5} if len(handles) > 4 else {}
        columns = -(-len(handles) // legend_lines(len(handles)))
        figure.legend(
            handles=[handle for first in range(columns) for handle in handles[first::columns]],  # it fills columns
            loc="upper right",
            ncols=columns,
            borderaxespad=0.2,
            handlelength=1.4,
            **spacing,
        )


def legend_lines(entries: int) -> int:
    """The lines of a legend with so many entries."""
    return 1 if entries <= MAX_IN_LINE else 2


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
