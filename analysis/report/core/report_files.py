"""A report as files: its figures at full precision, its text, its exhibits as pictures and tables."""

from collections.abc import Iterator
from typing import Final

from pydantic import TypeAdapter

from analysis.report.core.latex import document
from analysis.report.core.report import SILENT, Progress, Report
from analysis.report.core.report_leaves import figures
from analysis.report.exhibits.every import exhibits
from analysis.report.exhibits.exhibit import Column, Table
from analysis.report.exhibits.rendering import pictures, table_csv
from analysis.report.prose.text import chapters, plain
from analysis.report.prose.title_block import Basis, title_block

_REPORT: Final = TypeAdapter(Report)


def files(report: Report, basis: Basis, progress: Progress = SILENT) -> Iterator[tuple[str, bytes]]:
    """Every file of a report with its path in the folder; the same report on the same basis gives the same bytes in
    the same order.

    Progress is told in exhibits, once the figures themselves are there.
    """
    found = exhibits(report)
    yield "results.json", to_json(report)
    yield "figures.csv", figures_csv(report)
    yield "report.txt", plain(report, basis).encode("utf-8")
    yield "report.tex", document(title_block(report, basis), chapters(report), found).encode("utf-8")
    for number, exhibit in enumerate(found):
        progress.tell("files", number, len(found))
        yield f"tables/{exhibit.name}.csv", table_csv(exhibit.table)
        for kind, picture in pictures(exhibit).items():
            yield f"figures/{exhibit.name}.{kind}", picture


def to_json(report: Report) -> bytes:
    """The report as JSON; `from_json` gives an equal one back."""
    return _REPORT.dump_json(report, indent=1) + b"\n"


def from_json(content: bytes | str) -> Report:
    return _REPORT.validate_json(content)


def figures_csv(report: Report) -> bytes:
    """Every figure a line, with all its digits, in the columns of an exhibit's table."""
    return table_csv(Table((Column("figure"), Column("value")), tuple(figures(report))))
