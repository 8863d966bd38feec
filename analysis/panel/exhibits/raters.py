"""How far judge models agree, who of the panel is strict, and the panel's scores against people's ranks."""

from collections.abc import Iterator, Sequence
from typing import Final

from analysis.panel.core.panel_raters import KINDS, PanelRaters
from analysis.panel.core.panel_report import asked_for
from analysis.sections.core.report import ScaleEnds
from analysis.sections.exhibits.composing import compose, summary_cells, summary_columns
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.scatter import Speck, scatter_plot
from analysis.sections.exhibits.theme import maker_of
from analysis.sections.exhibits.wording import source_name

ASKED: Final = Column("Way of asking")
PROMPTS: Final = "Intervals take prompts as a sample from many, and the panel as it is."


def rater_exhibits(found: Sequence[PanelRaters], scale: ScaleEnds) -> Iterator[Exhibit]:
    """None where no panel was asked."""
    if not found:
        return
    yield agreement_of_panel(found)
    yield raters_of_panel(found)
    yield from (validity_scatter(each, scale) for each in found if each.answers)


def agreement_of_panel(panel: Sequence[PanelRaters]) -> Exhibit:
    found = [(asked_for(each), line) for each in panel for line in each.agreement]
    rows = [(name, _without(line.without), line.r.n, line.r, line.tau_b, line.alpha) for name, line in found]
    return compose(
        "panel-agreement",
        "Judge models",
        "How far judge models agree, and without each",
        describes="Whether judge models score the same answers alike: 1 is full agreement, 0 chance. Where a "
        "figure rises without a judge model, that one disagrees with the others.",
        method="A judge model’s score of an answer is its mean over perspectives. Pearson’s r over all answers "
        "that two judge models scored, in the mean over pairs; Kendall’s τ-b within prompts, over pairs and "
        f"prompts; Krippendorff’s α for intervals, over all answers. {PROMPTS}",
        columns=[ASKED, Column("Judge models"), *map(Column, ("Answers", "Pearson’s r", "τ-b", "α of scores"))],
        rows=rows,
        draw=lambda: dot_plot(
            [
                Group(name, tuple(Lane(row[1], row[3:]) for row in rows if row[0] == name))
                for name in dict.fromkeys(row[0] for row in rows)
            ],
            [Scale(label, reaches=(0, 1)) for label in ("Pearson’s r", "Kendall’s τ-b", "Krippendorff’s α")],
        ),
    )


def raters_of_panel(panel: Sequence[PanelRaters]) -> Exhibit:
    found = [(asked_for(each), rater) for each in panel for rater in each.raters]
    return compose(
        "panel-severity",
        "Judge models",
        "How strict judge models and perspectives are",
        describes="By how many points each judge model, and each perspective, scored answers above the others (or "
        "below, where negative), and how often it found that an answer does not take up the question.",
        method="Each one’s mean score of an answer less the mean of the others of its kind on the same answer, "
        "over answers. Standard errors take prompts as a sample from many, and the panel as it is.",
        columns=[
            ASKED,
            *map(Column, ("Kind", "Name")),
            *summary_columns("Points above others"),
            *map(Column, ("Replies", "Abstentions")),
        ],
        rows=[
            (
                name,
                each.kind[:1].upper() + each.kind[1:],
                each.name,
                *summary_cells(each.lead),
                each.given,
                each.abstentions,
            )
            for name, each in found
        ],
        draw=lambda: dot_plot(
            [
                Group(
                    f"{name}: {kind}s",
                    tuple(
                        Lane(each.name, (each.lead.mean,))
                        for asked, each in found
                        if asked == name and each.kind == kind
                    ),
                )
                for name in dict.fromkeys(asked for asked, _ in found)
                for kind in KINDS
                if any(asked == name and each.kind == kind for asked, each in found)
            ],
            [Scale("Points above others", reference=0)],
        ),
    )


def validity_scatter(panel: PanelRaters, scale: ScaleEnds) -> Exhibit:
    given, expected = panel.given, panel.expected
    return compose(
        f"panel-against-people-{panel.mode}-{panel.presentation}".replace("_", "-"),
        "Judge models",
        f"The panel’s score of each answer against people’s rank ({asked_for(panel)})",
        describes="Each mark is an answer: the better people ranked it, the further to the right, and the higher "
        f"the panel scored it, the further up. It rests on {given:,} of {expected:,} replies wanted.",
        method="The panel’s composite and the mean of people’s ranks, ties sharing their places as the mode of the "
        "report has it. The line is that of least squares over all answers; Kendall’s τ-b stands with the panel’s "
        "validity.",
        columns=[*map(Column, ("Prompt", "Answer", "Source")), Column("Mean rank"), Column("Panel’s score")],
        rows=[
            (each.prompt_id, each.response_id, source_name(each.source), each.rank, each.panel)
            for each in panel.answers
        ],
        draw=lambda: scatter_plot(
            (),
            [Speck(each.rank, each.panel, maker_of(each.source)) for each in panel.answers],
            across=Scale("People’s mean rank (1 = best)", is_reversed=True),
            up=Scale(f"Panel’s score ({scale})"),
            has_trend=True,
        ),
    )


def _without(judge: str) -> str:
    return f"Without {judge}" if judge else "All"
