"""How people and models fared: ranks, scores, and one against the other."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from matplotlib.figure import Figure

from analysis.data.core.number_format import interval_text, numeral
from analysis.data.core.parameters import WHOLE
from analysis.outcomes.core.outcomes import AnswerOutcome, DimensionOutcome, PromptOutcome
from analysis.outcomes.core.outcomes_by_scope import AllOutcomes, Outcomes, Precision
from analysis.sections.core.report import ScaleEnds
from analysis.sections.exhibits.composing import compose, summary_cells, summary_columns
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Cell, Column, Exhibit
from analysis.sections.exhibits.grids import Shades, Tile, grid_plot
from analysis.sections.exhibits.scatter import Point, Speck, scatter_plot
from analysis.sections.exhibits.shares import Part, shares_plot
from analysis.sections.exhibits.theme import MODELS, PEOPLE, RAMP, maker_of
from analysis.sections.exhibits.wording import dimension_name, scope_name, source_name

TIES = "tied answers share the best of their places, as published"
CROSSED = "Standard errors take prompts and judges as samples from many."
PARTS = (Part("Wins", RAMP[3]), Part("Ties", RAMP[0], "////"), Part("Losses", RAMP[1]))


def outcome_exhibits(
    found: AllOutcomes, answers: Sequence[AnswerOutcome], scale: ScaleEnds, scope: str
) -> Iterator[Exhibit]:
    """Exhibits of all prompts, or of one domain's; a picture has single `answers` too."""
    outcomes = found.outcomes[scope]
    yield _ranks_and_scores(outcomes, answers, scale, scope)
    if scope == WHOLE and len(found.outcomes) > 2:
        yield _by_domain(found.outcomes, scale)
    yield _score_card(outcomes, scale, scope)
    yield _heads(outcomes, scope)
    yield _firsts(outcomes, scope)
    yield _strengths(outcomes, scope)
    if scope == WHOLE and outcomes.has_both:
        yield _by_prompt(found.prompts)


def _ranks_and_scores(
    outcomes: Outcomes, answers: Sequence[AnswerOutcome], scale: ScaleEnds, scope: str
) -> Exhibit:
    def rows() -> Iterator[tuple[Cell, ...]]:
        for source in outcomes.sources:
            name = source_name(source.source)
            yield name, "Score", *summary_cells(source.score)
            yield name, "Rank, ties sharing the mean place", *summary_cells(source.mid_rank)
            yield name, "Rank, ties sharing the best place", *summary_cells(source.competition_rank)
        if outcomes.has_both:
            yield "Model − human difference", "Score", outcomes.lead, None, None, None

    return compose(
        "ranks-and-scores",
        "Outcomes",
        "Rank and score by source",
        scope=scope,
        describes="Where people’s and models’ answers stand in mean rank (1 is best) and mean score; "
        f"{TIES}. {'Small marks are single answers’ means. ' * bool(answers)}Shaded zones hold the intervals of "
        "all of a kind’s sources.",
        method=f"Over all judgments’ ratings; a score is the mean of the rubric’s dimensions. {CROSSED}",
        columns=[Column("Source"), Column("Figure"), *summary_columns("Mean")],
        rows=rows(),
        draw=lambda: scatter_plot(
            [
                Point(source_name(each.source), each.competition_rank.mean, each.score.mean, maker_of(each.source))
                for each in outcomes.sources
            ],
            [
                Speck(each.rank, each.score, maker_of(each.source))
                for each in answers
                if each.rank is not None and each.score is not None
            ],
            across=Scale("Mean rank (1 = best)", is_reversed=True),
            up=Scale(f"Mean score ({scale})"),
        ),
    )


def _by_domain(by_scope: Mapping[str, Outcomes], scale: ScaleEnds) -> Exhibit:
    groups = [
        Group(
            scope_name(scope),
            tuple(
                Lane(
                    source_name(each.source),
                    (each.competition_rank.mean, each.score.mean),
                    maker_of(each.source),
                )
                for each in outcomes.sources
            ),
        )
        for scope, outcomes in by_scope.items()
    ]
    return compose(
        "ranks-by-domain",
        "Outcomes",
        "Mean rank and score by domain",
        describes=f"Whether the order of the sources is the same in every domain; {TIES}.",
        method="Means over the ratings of each domain.",
        columns=[Column("Domain"), Column("Source"), Column("Mean rank"), Column("Mean score")],
        rows=[(group.heading, lane.label, *lane.estimates) for group in groups for lane in group.lanes],
        draw=lambda: dot_plot(
            groups, [Scale("Mean rank (1 = best)", is_reversed=True), Scale(f"Mean score ({scale})")]
        ),
    )


def _score_card(outcomes: Outcomes, scale: ScaleEnds, scope: str) -> Exhibit:
    return compose(
        "score-card",
        "Outcomes",
        "Scores by dimension",
        scope=scope,
        describes="Each source’s mean score on each dimension of the rubric, with its interval; darker is higher.",
        method=f"Means over all judgments’ ratings, {_of_scale(scale)}. {CROSSED}",
        columns=[Column("Source"), Column("Dimension"), *summary_columns("Mean")],
        rows=[
            (source_name(cell.source), dimension_name(cell.dimension), *summary_cells(cell.score))
            for cell in outcomes.card
        ],
        draw=lambda: draw_score_card(outcomes.card, scale),
    )


def _of_scale(scale: ScaleEnds) -> str:
    return (
        f"over a scale that nobody told, taken to be {scale.span}"
        if scale.is_inferred
        else f"on the rubric’s scale {scale}"
    )


def draw_score_card(card: Sequence[DimensionOutcome], scale: ScaleEnds) -> Figure:
    """Dimensions down, sources across, with shades over the whole of the scale."""
    by_source = {source: list(cells) for source, cells in groupby(card, key=lambda cell: cell.source)}
    dimensions = list(dict.fromkeys(cell.dimension for cell in card))
    shades = Shades(scale.low, scale.high)
    tiles = {(cell.dimension, cell.source): _tile(cell, shades) for cell in card}
    return grid_plot(
        [dimension_name(dimension) for dimension in dimensions],
        [source_name(source) for source in by_source],
        [[tiles.get((dimension, source)) for source in by_source] for dimension in dimensions],
        shades,
    )


def _tile(cell: DimensionOutcome, shades: Shades) -> Tile:
    mean = cell.score.mean
    if mean.value is None:
        return Tile("–")
    return Tile(numeral(mean.value, 2), interval_text(mean.interval, 2), shades.of(mean.value))


def _heads(outcomes: Outcomes, scope: str) -> Exhibit:
    pairs = outcomes.pairs
    both = (MODELS.name, PEOPLE.name, pairs.wins, pairs.ties, pairs.losses, pairs.preference)
    rows = [
        *([both] if outcomes.has_both else []),
        *(
            (source_name(head.one), source_name(head.other), head.wins, head.ties, head.losses, head.preference)
            for head in outcomes.heads
        ),
    ]
    return compose(
        "head-to-head",
        "Outcomes",
        "Pairs of answers, one source against the other",
        scope=scope,
        describes="How often an answer of the first source was ranked above one of the second, level with it, or "
        "below.",
        method="Every pair of answers of different sources within a judgment, by rank. Preference is the first "
        "source’s share of the pairs, with a tie as half a win.",
        columns=[
            *(Column(heading) for heading in ("One", "Other", "Wins", "Ties", "Losses")),
            Column("Preference", is_share=True),
        ],
        rows=rows,
        draw=lambda: shares_plot(
            [(f"{row[0]} – {row[1]}", row[2:5]) for row in rows], PARTS, what="Share of pairs"
        ),
    )


def _firsts(outcomes: Outcomes, scope: str) -> Exhibit:
    models = (
        Lane("Model preferred to person", (outcomes.pairs.preference,), MODELS),
        Lane("Model first, alone or shared", (outcomes.first.any_first,), MODELS),
        Lane("Model first, firsts divided", (outcomes.first.fractional,), MODELS),
        Lane("Prompts led by models", (outcomes.led_by_models,), MODELS),
    )
    sources = tuple(
        Lane(source_name(each.source), (each.first,), maker_of(each.source)) for each in outcomes.sources
    )
    of_both = [Group("Models against people", models)] if outcomes.has_both else []
    groups = (*of_both, Group("First places", sources))
    return compose(
        "first-places",
        "Outcomes",
        "Preferences and first places" if of_both else "First places",
        scope=scope,
        describes="How often models came before people, and which source came first."
        if of_both
        else "Which source came first.",
        method="Shares of pairs of answers, of judgments, of prompts whose mean score by models is above that by "
        "people (equal means count half), and of first places. “Firsts divided” counts a shared first place by "
        "the models’ share in it."
        if of_both
        else "Shares of first places, of which a shared one is divided.",
        columns=[Column("Of"), Column("What"), Column("Share", is_share=True)],
        rows=[(group.heading, lane.label, *lane.estimates) for group in groups for lane in group.lanes],
        draw=lambda: dot_plot(
            groups, [Scale("Share", reaches=(0, 1), reference=0.5, reference_name="Half", is_share=True)]
        ),
    )


def _strengths(outcomes: Outcomes, scope: str) -> Exhibit:
    davidson = {each.item: each for each in outcomes.strengths.items}
    luce = {each.item: each for each in outcomes.plackett_luce.items}
    return compose(
        "strengths",
        "Outcomes",
        "Strengths of the sources",
        scope=scope,
        describes="Log-strengths, with sum 0: a source that is ahead of another by 1 is put before it with odds "
        "of 2.7.",
        method="Davidson’s model of pairs with ties (1970), where ν says how readily judges tie, and "
        "Plackett–Luce’s of whole rankings, with ties after Efron (1977), also those for the last place; by "
        "maximum likelihood.",
        columns=[
            Column("Source"),
            *(
                Column(heading)
                for heading in ("Davidson", "SE of Davidson", "Plackett–Luce", "SE of Plackett–Luce")
            ),
        ],
        rows=[
            *(
                (
                    source_name(item),
                    *(davidson[item].log_strength, davidson[item].se),
                    *(luce[item].log_strength, luce[item].se),
                )
                for item in davidson
            ),
            ("Ties (ν)", outcomes.strengths.ties, None, outcomes.plackett_luce.ties, None),
        ],
        draw=lambda: dot_plot(
            [
                Group(
                    "",
                    tuple(
                        Lane(
                            source_name(item),
                            (davidson[item].log_strength, luce[item].log_strength),
                            maker_of(item),
                        )
                        for item in davidson
                    ),
                )
            ],
            [Scale("Davidson, log-odds", reference=0), Scale("Plackett–Luce, log-odds", reference=0)],
        ),
    )


def _by_prompt(prompts: Sequence[PromptOutcome]) -> Exhibit:
    return compose(
        "scores-by-prompt",
        "Outcomes",
        "Models and people on each prompt",
        describes="By how many points models’ answers were scored above people’s, prompt by prompt, from the "
        "prompts where models lead most down.",
        method="Means over ratings. The difference is that of each judge who scored answers of both, in the mean "
        "over these judges.",
        columns=[
            Column("Prompt"),
            *(Column("Models"), Column("Ratings of models")),
            *(Column("People"), Column("Ratings of people")),
            *(Column("Difference"), Column("Judges")),
        ],
        rows=[
            (
                each.prompt_id,
                *(each.models, each.models.n, each.people, each.people.n, each.lead, each.lead.n),
            )
            for each in prompts
        ],
        draw=lambda: dot_plot(
            [Group("", tuple(Lane(p.prompt_id, (p.lead,)) for p in sorted(prompts, key=_from_the_lead)))],
            [Scale("Model − human difference, points", reference=0)],
        ),
    )


def _from_the_lead(prompt: PromptOutcome) -> tuple[bool, float, str]:
    lead = prompt.lead.value
    return lead is None, -(lead or 0), prompt.prompt_id


def precision_exhibit(precision: Sequence[Precision]) -> Exhibit:
    """What more judges would bring."""
    return compose(
        "precision",
        "Outcomes",
        "What more judges would bring",
        describes="How much surer the models’ lead in mean score would be if more judges read the same prompts.",
        method="From the parts of the lead’s variance that are prompts’, judges’ and what is left, each divided "
        "by its number. The half width is that of the interval to be expected.",
        columns=[Column("More judges"), Column("SE of the lead", 3), Column("Half width", 3)],
        rows=[(each.more, each.se, each.reach) for each in precision],
        draw=lambda: dot_plot(
            [Group("", tuple(Lane(f"{each.more} more judges", (each.se, each.reach)) for each in precision))],
            [Scale("SE of the lead, points", reaches=(0,)), Scale("Half width, points", reaches=(0,))],
        ),
    )
