"""An exhibit of a report: a picture, the table of the same figures, and how they were computed.

Pages, files and texts show exhibits; none of them computes anything.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.data.core.results import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cell = str | float | Estimate | None


@dataclass(frozen=True, slots=True)
class Column:
    """`digits` behind the point of its estimates; a share is shown as a percentage with one."""

    heading: str
    digits: int = 2
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under columns. An estimate is shown with its interval, or with why it has no value."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Exhibit:
    """`name` is that of its files, `section` its heading, `scope` the domain it is about (`WHOLE` for all);
    `describes` says in a sentence what is to be seen, `method` how it was estimated and what an undefined figure
    means. Some have no picture.
    """

    name: str
    section: str
    scope: str
    title: str
    describes: str
    method: str
    table: Table
    draw: "Callable[[], Figure] | None" = None
