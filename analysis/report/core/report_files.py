"""A report as files: its figures at full precision, its text, its exhibits as pictures and tables."""

from collections.abc import Iterator

from analysis.report.core.latex import document
from analysis.report.core.page_file import page, page_to_json
from analysis.report.core.report_leaves import figures
from analysis.report.core.results_file import to_json
from analysis.report.prose.text import plain
from analysis.report.prose.title_block import Basis, title_block
from analysis.sections.core.report import SILENT, Progress, Report
from analysis.sections.exhibits.exhibit import Column, Table
from analysis.sections.exhibits.rendering import pictures, table_csv


def files(report: Report, basis: Basis, progress: Progress = SILENT) -> Iterator[tuple[str, bytes]]:
    """Every file of a report with its path in the folder; the same report on the same basis gives the same bytes in
    the same order.

    Progress is counted in exhibits, once the figures themselves are there.
    """
    shown = page(report)
    found = shown.exhibits
    yield "results.json", to_json(report)
    yield "figures.csv", figures_csv(report)
    yield "report.txt", plain(report, basis).encode("utf-8")
    yield "report.tex", document(title_block(report, basis), shown.chapters, found).encode("utf-8")
    yield "page.json", page_to_json(shown)
    for number, exhibit in enumerate(found):
        progress.tell("files", number, len(found))
        yield f"tables/{exhibit.name}.csv", table_csv(exhibit.table)
        for kind, picture in pictures(exhibit).items():
            yield f"figures/{exhibit.name}.{kind}", picture


def figures_csv(report: Report) -> bytes:
    """Every figure a line, with all its digits, in the columns of an exhibit's table."""
    return table_csv(Table((Column("figure"), Column("value")), tuple(figures(report))))
