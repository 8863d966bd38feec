"""page.json: what the page of a run shows, as it was when the run was computed.

Code that draws or words something otherwise later on changes no earlier run. Pictures are files of their own.
"""

from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter
from pydantic_core import to_json as written

from analysis.data.core.results import Estimate
from analysis.report.core.exhibits import exhibits
from analysis.report.prose.headlines import headlines
from analysis.report.prose.text import chapters
from analysis.sections.core.report import Report
from analysis.sections.exhibits.exhibit import Column, Exhibit, Table
from analysis.sections.prose.passage import Chapter

PAGE_VERSION: Final = 2  # 1 had no headlines at first


@dataclass(frozen=True, slots=True)
class Page:
    """Every exhibit of a run, its methods and results in words, and what it found in a few sentences. There are no
    such `headlines` where the version that kept the page knew none.
    """

    exhibits: tuple[Exhibit, ...]
    chapters: tuple[Chapter, ...]
    headlines: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class _Table:
    """A table whose whole numbers stay whole."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str | int | float | Estimate | None, ...], ...]


@dataclass(frozen=True, slots=True)
class _Exhibit:
    """An exhibit without the way to draw it."""

    name: str
    section: str
    scope: str
    title: str
    describes: str
    method: str
    table: _Table


@dataclass(frozen=True, slots=True)
class _Page:
    schema_version: int
    exhibits: tuple[_Exhibit, ...]
    chapters: tuple[Chapter, ...]
    headlines: tuple[str, ...] = ()


_PAGE: Final = TypeAdapter(_Page)
_NAMES: Final = ("name", "section", "scope", "title", "describes", "method")


def page(report: Report) -> Page:
    """As this code shows the report."""
    return Page(exhibits(report), chapters(report), headlines(report))


def page_to_json(shown: Page) -> bytes:
    """`page_from_json` gives an equal one back, but for what draws its pictures."""
    return written(
        {
            "schema_version": PAGE_VERSION,
            "exhibits": [
                {**{name: getattr(exhibit, name) for name in _NAMES}, "table": exhibit.table}
                for exhibit in shown.exhibits
            ],
            "chapters": shown.chapters,
            "headlines": shown.headlines,
        }
    )


def page_from_json(content: bytes) -> Page:
    """Raises ValueError for what is no such page."""
    kept = _PAGE.validate_json(content)
    return Page(
        tuple(
            Exhibit(
                **{name: getattr(exhibit, name) for name in _NAMES},
                table=Table(exhibit.table.columns, exhibit.table.rows),
            )
            for exhibit in kept.exhibits
        ),
        kept.chapters,
        kept.headlines or (None if kept.schema_version == 1 else ()),
    )
