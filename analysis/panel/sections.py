"""What the panel of judge models said, as a section of a report."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE
from analysis.outcomes.sections import OUTCOMES
from analysis.panel.core.panel_analysis import panel_reports, raters_of_panel
from analysis.panel.core.panel_raters import PanelRaters
from analysis.panel.core.panel_report import PanelReport
from analysis.panel.exhibits.panel import panel_exhibits
from analysis.panel.exhibits.raters import rater_exhibits
from analysis.panel.prose import headlines, panel, raters
from analysis.sections.core.inputs import Unblinded
from analysis.sections.core.report import Report
from analysis.sections.core.section import Entries, Order, Section, register
from analysis.sections.exhibits.exhibit import Exhibit
from analysis.sections.prose.passage import Passage


@dataclass(frozen=True, slots=True)
class Panel:
    """A report for each way in which the panel was asked."""

    panel: tuple[PanelReport, ...]


def _panel(unblinded: Unblinded) -> Panel:
    return Panel(panel_reports(unblinded.tables, unblinded.ranked, unblinded.parameters))


def _exhibits(found: Panel, report: Report, scope: str) -> Iterable[Exhibit]:
    """Nothing of a domain that nobody judged: it stands beside what people said."""
    agreement, outcomes = report[AGREEMENT].get(scope), report[OUTCOMES].outcomes.get(scope)
    if agreement is None or outcomes is None:
        return ()
    return panel_exhibits(found.panel, agreement, outcomes, report.data.ends, scope)


def _passages(found: Panel, report: Report) -> Iterator[Passage]:
    """Validity is compared with how far two judges of one prompt agree, τ-b."""
    people = report[AGREEMENT][WHOLE].summary.tau_b_pooled
    return (panel(each, people, report.parameters) for each in found.panel)


PANEL: Final[Section[Panel]] = register(
    Section(
        name="panel",
        beside="sources",
        title="Panel",
        kind=Panel,
        from_unblinded=_panel,
        tables=("answers", "prompts", "panel", "panel_expected"),
        order=Order(file=80, page=80, text=60, differences=70, headlines=50),
        needs=(AGREEMENT, OUTCOMES),
        scopes=lambda found: chain.from_iterable(each.outcomes for each in found.panel),
        exhibits=_exhibits,
        passages=_passages,
        headlines=lambda found, _report: headlines(found.panel),
        entries=(Entries("Panel", r"sources\.panel\."),),
    )
)


@dataclass(frozen=True, slots=True)
class JudgeModels:
    """A report of who the panel consists of, for each way in which it was asked."""

    judge_models: tuple[PanelRaters, ...]


JUDGE_MODELS: Final[Section[JudgeModels]] = register(
    Section(
        name="judge_models",
        beside="sources",
        title="Judge models",
        kind=JudgeModels,
        from_unblinded=lambda unblinded: JudgeModels(
            raters_of_panel(unblinded.tables, unblinded.ranked, unblinded.parameters)
        ),
        tables=("answers", "prompts", "panel", "panel_expected"),
        order=Order(file=81, page=81, text=61, differences=71),
        exhibits=lambda found, report, scope: (
            rater_exhibits(found.judge_models, report.data.ends) if scope == WHOLE else ()
        ),
        passages=lambda found, _report: map(raters, found.judge_models),
        entries=(Entries("Judge models", r"sources\.judge_models\."),),
    )
)
