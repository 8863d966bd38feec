"""Methods and results of a report: the text, of which plain text and LaTeX are two views."""

from analysis.report.prose.methods import methods
from analysis.report.prose.title_block import Basis, title_block
from analysis.report.sections import registered
from analysis.sections.core.report import Report
from analysis.sections.prose.passage import Chapter, Passage


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
    parts = [*filter(None, (block.title, block.warning, lines, "\n".join(block.sentences)))]
    for chapter in chapters(report):
        parts.append(chapter.heading.upper())
        for passage in chapter.passages:
            parts += [passage.heading, *passage.paragraphs]
    return "\n\n".join(parts) + "\n"


def _results(report: Report) -> Chapter:
    """What every section says. One that begins under the heading before goes on with that passage."""
    found: list[Passage] = []
    for section in registered("text"):
        if not section.is_shown(report):
            continue
        first, *others = *section.passages(report[section], report), None
        if first and found and first.heading == found[-1].heading:
            found[-1] = Passage(first.heading, (*found[-1].paragraphs, *first.paragraphs))
        elif first:
            found.append(first)
        found += filter(None, others)
    return Chapter("Results", tuple(found))
