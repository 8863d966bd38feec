"""Methods and results of a report: the text, of which plain text and LaTeX are two views."""

from analysis.data.core.parameters import WHOLE
from analysis.report.core.report import Report
from analysis.report.prose.agreement import agreement, judges, rubric
from analysis.report.prose.checks import blinding, calibration
from analysis.report.prose.methods import methods
from analysis.report.prose.outcomes import outcomes
from analysis.report.prose.panel import panel
from analysis.report.prose.passage import Chapter
from analysis.report.prose.people import participants
from analysis.report.prose.title_block import Basis, title_block


def chapters(report: Report) -> tuple[Chapter, ...]:
    """Methods, then results; of a masked report agreement alone. Passages with nothing to say are left out."""
    return tuple(
        Chapter(chapter.heading, tuple(passage for passage in chapter.passages if passage.paragraphs))
        for chapter in (methods(report), _results(report))
    )


def plain(report: Report, basis: Basis) -> str:
    """The text without marks behind its title block, a paragraph on one line, headings on their own, blank lines
    between.
    """
    block = title_block(report, basis)
    lines = "\n".join(f"{name}: {value}" for name, value in block.lines)
    parts = [*filter(None, (block.title, block.warning, lines))]
    for chapter in chapters(report):
        parts.append(chapter.heading.upper())
        for passage in chapter.passages:
            parts += [passage.heading, *passage.paragraphs]
    return "\n\n".join(parts) + "\n"


def _results(report: Report) -> Chapter:
    passages = [participants(report.participants), agreement(report.agreement)]
    if (sources := report.sources) is not None:
        people = report.agreement[WHOLE].summary.tau_b_pooled
        passages += [
            outcomes(sources.outcomes, sources.precision),
            calibration(sources.floor, sources.attribution),
            blinding(sources),
            *(panel(each, people, report.parameters) for each in sources.panel),
        ]
    return Chapter("Results", (*passages, rubric(report.diagnostics), judges(report.diagnostics)))
