"""What the panel of judge models said, in every way in which it was asked."""

from collections.abc import Iterator, Sequence
from typing import Final

from analysis.agreement.core.agreement_by_scope import Agreement
from analysis.data.core.parameters import WHOLE
from analysis.outcomes.core.outcomes_by_scope import Outcomes
from analysis.outcomes.exhibits.outcomes import draw_score_card
from analysis.panel.core.panel_report import PanelOutcomes, PanelReport, PanelSource, asked_for
from analysis.panel.exhibits.raters import ASKED
from analysis.sections.core.report import ScaleEnds
from analysis.sections.exhibits.bars import Bars, bars_plot
from analysis.sections.exhibits.composing import compose, summary_cells, summary_columns
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.theme import PURPLE, Maker, maker_of
from analysis.sections.exhibits.wording import dimension_name, source_name

PEOPLE_SAID: Final = "People’s judgments"
MAXIMUM: Final = Maker("Maximum capability", PURPLE, "^")
COMPOSITE: Final = (
    "A composite is the unweighted mean of an answer’s replies, over judge models and perspectives. Replies that "
    "failed or were not asked for are missing, and nothing takes their place."
)


def panel_exhibits(
    found: Sequence[PanelReport], agreement: Agreement, outcomes: Outcomes, scale: ScaleEnds, scope: str
) -> Iterator[Exhibit]:
    """Exhibits of all prompts, or of one domain's, beside people's own; none where no panel was asked."""
    panel = [each for each in found if scope in each.outcomes]
    if not panel:
        return
    is_alone = panel[0].is_alone
    if not is_alone:
        yield _validity(panel, agreement, scope)
    yield _scores(panel, None if is_alone else outcomes, scale, scope)
    for each in panel:
        yield _score_card(each, scale, scope)
    if scope == WHOLE:
        yield _effects(panel)
        yield _frontier(panel)
        yield _mentions(panel)


def _validity(panel: Sequence[PanelReport], agreement: Agreement, scope: str) -> Exhibit:
    found = [(asked_for(each), each.outcomes[scope]) for each in panel]
    people = agreement.summary
    return compose(
        "panel-validity",
        "Panel",
        "The panel’s order of answers beside people’s",
        scope=scope,
        describes="How far the panel puts answers in the order in which people do: 1 is the same order, 0 none, −1 "
        "the reverse. The line is how far two people agree. It rests on the replies that count, of those wanted: "
        f"{'; '.join(_of_wanted(name, each) for name, each in found)}.",
        method="Kendall’s τ-b between the panel’s composites and minus people’s mean ranks: pooled over answers, "
        "with a p-value that takes answers as independent, and within prompts, whose mean, median, SD and SE are "
        f"given. People’s own is the mean τ-b over pairs of judges of a prompt, pooled, and by prompt. {COMPOSITE}",
        columns=[
            ASKED,
            *(Column(heading) for heading in ("Answers", "Replies", "Wanted")),
            *(Column("Pooled"), Column("p", 4), *summary_columns("Within prompts")),
        ],
        rows=[
            *(
                (
                    *(name, each.validity.pooled.n, *each.replies),
                    *(each.validity.pooled, each.validity.pooled_p, *summary_cells(each.validity.within)),
                )
                for name, each in found
            ),
            ("Two people", people.n_answers, None, None, people.tau_b_pooled, None, *summary_cells(people.tau_b)),
        ],
        draw=lambda: bars_plot(
            [Bars(name, (each.validity.pooled, each.validity.within.mean)) for name, each in found],
            ("Pooled over answers", "Within prompts"),
            Scale("Kendall’s τ-b", reaches=(0,)),
            line=people.tau_b_pooled,
            line_name="Between two people",
        ),
    )


def _of_wanted(name: str, outcomes: PanelOutcomes) -> str:
    given, expected = outcomes.replies
    return f"{given:,} of {expected:,} ({name[:1].lower()}{name[1:]})"


def _scores(panel: Sequence[PanelReport], outcomes: Outcomes | None, scale: ScaleEnds, scope: str) -> Exhibit:
    """Scores beside people's `outcomes`, if they judged."""
    people = outcomes.sources if outcomes else ()
    beside = ", beside people’s" * bool(people)
    sources = [(asked_for(each), source) for each in panel for source in each.outcomes[scope].sources]
    groups = [
        *(Group(asked_for(each), tuple(map(_lane, each.outcomes[scope].sources))) for each in panel),
    ]
    if people:
        lanes = (Lane(source_name(each.source), (each.score.mean,), maker_of(each.source)) for each in people)
        groups.append(Group(PEOPLE_SAID, tuple(lanes)))
    return compose(
        "panel-scores",
        "Panel",
        f"The panel’s scores by source{beside}",
        scope=scope,
        describes="The mean score that the panel gave the answers of each source"
        f"{', and that people gave them' * bool(people)}.",
        method=f"Means over answers. {COMPOSITE} Standard errors take prompts as a sample from many, and the panel "
        f"as it is{'; people’s take judges as a sample too' * bool(people)}. Replies that count stand beside those "
        "that the design wants; of the others, abstentions apart, it is not known here which failed and which were "
        "not asked for.",
        columns=[
            ASKED,
            Column("Source"),
            *summary_columns("Mean score"),
            *(Column(heading) for heading in ("Replies", "Wanted", "Abstentions")),
        ],
        rows=[
            *(
                (name, _name(each), *summary_cells(each.score), each.given, each.expected, each.abstentions)
                for name, each in sources
            ),
            *(
                (PEOPLE_SAID, source_name(each.source), *summary_cells(each.score), None, None, None)
                for each in people
            ),
        ],
        draw=lambda: dot_plot(groups, [Scale(f"Mean score ({scale})")]),
    )


def _lane(source: PanelSource) -> Lane:
    return Lane(_name(source), (source.score.mean,), MAXIMUM if source.is_maximum else maker_of(source.source))


def _name(source: PanelSource) -> str:
    return f"{source_name(source.source)}, maximum" if source.is_maximum else source_name(source.source)


def _score_card(panel: PanelReport, scale: ScaleEnds, scope: str) -> Exhibit:
    """The score card; without rows where the panel gave no dimension a score."""
    card = panel.outcomes[scope].card
    return compose(
        f"panel-card-{panel.mode}-{panel.presentation}".replace("_", "-"),
        "Panel",
        f"The panel’s scores by dimension ({asked_for(panel)})",
        scope=scope,
        describes="The panel’s mean score on each dimension by source, with its interval; darker is higher.",
        method="Means over answers, of each answer’s mean over the replies that scored the dimension. Standard "
        f"errors take prompts as a sample from many, and the panel as it is. Shades go over the scale, {scale}.",
        columns=[Column("Source"), Column("Dimension"), *summary_columns("Mean")],
        rows=[
            (source_name(cell.source), dimension_name(cell.dimension), *summary_cells(cell.score)) for cell in card
        ],
        draw=lambda: draw_score_card(card, scale),
    )


def _effects(panel: Sequence[PanelReport]) -> Exhibit:
    found = [(asked_for(each), each) for each in panel]
    none = (None, None, None, None)
    return compose(
        "panel-effects",
        "Panel",
        "What else the panel’s scores follow",
        describes="By how many points each judge model favours answers of its own family, and how many points go "
        "with 100 more words. Where neither matters, both are 0.",
        method="Own family: a judge model’s lead over the other judge models on answers of its family, less its "
        "lead on other models’ answers, by prompt. Length: the slope within a prompt’s answers by people and those "
        "by models, with a jackknife error over prompts.",
        columns=[
            ASKED,
            Column("Judge model"),
            *summary_columns("Own family"),
            Column("100 more words"),
            Column("SE of it"),
        ],
        rows=[
            (
                name,
                judge.judge or "Whole panel",
                *(summary_cells(judge.self_family) if judge.self_family else none),
                *(judge.length.slope, judge.length.se),
            )
            for name, each in found
            for judge in each.judges
        ],
        draw=lambda: dot_plot(
            [
                Group(
                    name,
                    tuple(
                        Lane(
                            judge.judge or "Whole panel",
                            (judge.self_family.mean if judge.self_family else None, judge.length.slope),
                        )
                        for judge in each.judges
                    ),
                )
                for name, each in found
            ],
            [Scale("Points for own family", reference=0), Scale("Points with 100 more words", reference=0)],
        ),
    )


def _frontier(panel: Sequence[PanelReport]) -> Exhibit:
    found = [(asked_for(each), each.frontier) for each in panel if each.frontier]
    return compose(
        "panel-frontier",
        "Panel",
        "What maximum capability brings",
        describes="By how many points the panel scored a model’s answers at maximum capability above its ordinary "
        "ones.",
        method="Differences of composites, over prompts that have both answers. Standard errors take prompts as a "
        "sample from many, and the panel as it is.",
        columns=[ASKED, Column("Source"), *summary_columns("Gain")],
        rows=[
            (name, source_name(each.source), *summary_cells(each.gain)) for name, gains in found for each in gains
        ],
        draw=lambda: dot_plot(
            [
                Group(name, tuple(Lane(source_name(each.source), (each.gain.mean,), MAXIMUM) for each in gains))
                for name, gains in found
            ],
            [Scale("Points gained", reference=0)],
        ),
    )


def _mentions(panel: Sequence[PanelReport]) -> Exhibit:
    mentions = [mention for each in panel for mention in each.mentions]
    by_dimension = [
        (dimension, [mention for mention in mentions if mention.dimension == dimension])
        for dimension in dict.fromkeys(mention.dimension for mention in mentions)
    ]
    return compose(
        "panel-mentions",
        "Panel",
        "What people’s justifications speak of",
        describes="How often judges speak of a dimension where they justify what they gave an answer, by source.",
        method="Shares of the answers that justifications are about, as judge models read them; where several read "
        "the same words, the mean of what they found. Intervals take prompts as a sample from many.",
        columns=[Column("Dimension"), Column("Source"), Column("Share", is_share=True)],
        rows=[
            (dimension_name(dimension), source_name(each.source), each.share)
            for dimension, found in by_dimension
            for each in found
        ],
        draw=lambda: dot_plot(
            [
                Group(
                    dimension_name(dimension),
                    tuple(Lane(source_name(each.source), (each.share,), maker_of(each.source)) for each in found),
                )
                for dimension, found in by_dimension
            ],
            [Scale("Share of answers", reaches=(0, 1), is_share=True)],
        ),
    )
