"""Methods and results of a report: the text, of which plain text and LaTeX are two views."""

from analysis.core.prose.agreement import agreement, judges, rubric
from analysis.core.prose.checks import blinding, calibration
from analysis.core.prose.methods import methods
from analysis.core.prose.outcomes import outcomes
from analysis.core.prose.panel import panel
from analysis.core.prose.passage import Chapter
from analysis.core.prose.people import participants
from analysis.core.report import WHOLE, Report


def chapters(report: Report) -> tuple[Chapter, ...]:
    """Methods, then results; of a masked report agreement alone. Passages with nothing to say are left out."""
    return tuple(
        Chapter(chapter.heading, tuple(passage for passage in chapter.passages if passage.paragraphs))
        for chapter in (methods(report), _results(report))
    )


def plain(report: Report) -> str:
    """The text without marks, a paragraph on one line, headings on their own, blank lines between."""
    parts = []
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
            *(panel(each, people) for each in sources.panel),
        ]
    return Chapter("Results", (*passages, rubric(report.diagnostics), judges(report.diagnostics)))
