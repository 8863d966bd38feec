"""Pictures of where prompts come from, beside the tables that they are drawn from.

They show nothing that these tables do not hold, and are drawn from them alone, so that readers can draw them anew.
"""

from collections.abc import Iterable
from typing import Final

from analysis.data.core.parameters import DEFAULTS
from analysis.data.core.study_tables import StudyTables
from analysis.pool.core.pool_report import pool_report
from analysis.pool.exhibits import pool_exhibits
from analysis.release.core.pool_layouts import POOLED
from analysis.sections.exhibits.exhibit import Exhibit
from analysis.sections.exhibits.rendering import pictures, table_csv

FIGURES: Final = f"{POOLED}/figures"


def pool_figures(tables: StudyTables) -> tuple[Exhibit, ...]:
    """The exhibits of a report's section on where prompts come from, at the usual level; none where that is not
    known. The tables have their rows in order, on which it depends what is drawn first.
    """
    if tables.pool_funnel.empty:
        return ()
    return tuple(pool_exhibits(pool_report(tables, level=DEFAULTS.level)))


def figure_files(exhibits: Iterable[Exhibit]) -> dict[str, bytes]:
    """Each exhibit as SVG, PNG and PDF, and its figures at full precision as CSV, by name in the release."""
    files: dict[str, bytes] = {}
    for each in exhibits:
        files[f"{FIGURES}/{each.name}.csv"] = table_csv(each.table)
        files |= {f"{FIGURES}/{each.name}.{kind}": content for kind, content in pictures(each).items()}
    return files
