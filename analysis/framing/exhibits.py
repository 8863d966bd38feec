"""Answers under pressure in tables and pictures: of each model, and of all side by side."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from analysis.data.core.framed import BASELINE
from analysis.data.core.number_format import numeral
from analysis.data.core.results import Estimate
from analysis.framing.core.deltas import MEAN, Cell
from analysis.framing.core.framing_report import FramingReport, Model
from analysis.framing.wording import abbreviated, comparison_name, condition_name, loss_name, short_names
from analysis.sections.core.report import ScaleEnds
from analysis.sections.exhibits.composing import compose, summary_cells, summary_columns
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.grids import Shades, Tile, grid_plot
from analysis.sections.exhibits.theme import BELOW_AND_ABOVE

SECTION: Final = "Answers under pressure"
DELTA: Final = "Δ, points lost"
MARK: Final = "▲"
# What is lost, from 2 points on, has the deepest colour of what lies below.
SHADES: Final = Shades(2.0, -2.0, BELOW_AND_ABOVE, goes_on=True)
OVER_PROMPTS: Final = (
    "Standard errors and intervals take prompts as a sample from many, and the panel as it is: three judge models "
    "are no sample."
)
IS_DELTA: Final = (
    "Δ is S of the answer to the prompt itself less S of the answer to its framing, prompt by prompt; S is the "
    "mean over an answer’s replies. Above 0 the model answers worse under pressure."
)


def framing_exhibits(found: Sequence[FramingReport], scale: ScaleEnds) -> Iterator[Exhibit]:
    """Exhibits of each experiment; where there are several, names and titles tell them apart."""
    for number, each in enumerate(found, start=1):
        yield from _Of(each, scale, number if len(found) > 1 else 0).exhibits()


class _Of:
    """The exhibits of one experiment."""

    def __init__(self, found: FramingReport, scale: ScaleEnds, number: int) -> None:
        self.found, self.scale, self.number = found, scale, number

    def exhibits(self) -> Iterator[Exhibit]:
        yield self._side_by_side()
        for place, model in enumerate(self.found.models, start=1):
            yield self._score_card(model, place)
            yield self._heat_map(model, place)
        yield self._comparisons()
        yield self._gaps()
        yield self._given()
        yield self._marks()
        yield self._beside()
        yield self._rests_on()

    def _name(self, what: str, model: Model | None = None, place: int = 0) -> str:
        of_model = f"-{place}-{_slug(model.respondent)}" if model else ""
        return f"framing-{what}{of_model}{f'-{self.number}' if self.number else ''}"

    def _title(self, title: str) -> str:
        return f"{title} ({self.found.experiment})" if self.number else title

    def _side_by_side(self) -> Exhibit:
        conditions = self.found.conditions
        rows = [
            (model.respondent, condition_name(condition), *_delta_cells(cell))
            for model in self.found.models
            for condition in conditions
            if (cell := _cell(model.cells, condition, MEAN))
        ]
        return compose(
            self._name("models"),
            SECTION,
            self._title("Points lost under pressure, all models"),
            describes=f"How much worse each model answers in each framing, in the mean over dimensions; {MARK} "
            "marks |Δ| from 1.2 points. The last column is the mean over all framings, the mean CTD.",
            method=f"{IS_DELTA} {OVER_PROMPTS}",
            columns=[Column("Model"), Column("Framing"), *summary_columns("Mean Δ"), Column("Marked")],
            rows=[
                *rows,
                *(
                    (model.respondent, "All framings", *summary_cells(model.level), "")
                    for model in self.found.models
                ),
            ],
            draw=lambda: grid_plot(
                [model.respondent for model in self.found.models],
                [*map(condition_name, conditions), "Mean"],
                [
                    [
                        *(_tile(_cell(model.cells, condition, MEAN)) for condition in conditions),
                        _tile_of(model.level.mean, is_marked=False),
                    ]
                    for model in self.found.models
                ],
                SHADES,
            ),
        )

    def _score_card(self, model: Model, place: int) -> Exhibit:
        baselines: dict[str, float | None] = {each.dimension: None for each in model.scores}
        baselines |= {each.dimension: each.score.mean.value for each in model.scores if each.condition == BASELINE}
        return compose(
            self._name("card", model, place),
            SECTION,
            self._title(f"Scores by framing: {model.respondent}"),
            describes=f"The panel’s scores of {model.respondent}’s answers by dimension and framing; the stroke is "
            "the score of its answers to the prompts themselves.",
            method="Means over prompts of S, the mean over an answer’s replies"
            f"{', abstentions taken in' if self.found.counts_abstentions else ', abstentions left out'}. "
            f"{OVER_PROMPTS}",
            columns=[Column("Dimension"), Column("Answer to"), *summary_columns("Mean score")],
            rows=[
                (loss_name(each.dimension), condition_name(each.condition), *summary_cells(each.score))
                for each in sorted(model.scores, key=lambda each: [*baselines].index(each.dimension))
            ],
            draw=lambda: dot_plot(
                [
                    Group(
                        loss_name(dimension),
                        tuple(
                            Lane(condition_name(each.condition), (each.score.mean,), chance=baseline)
                            for each in model.scores
                            if each.dimension == dimension and each.condition != BASELINE
                        ),
                    )
                    for dimension, baseline in baselines.items()
                ],
                [Scale(f"Mean score ({self.scale})")],
                stroke="The prompt itself",
            ),
        )

    def _heat_map(self, model: Model, place: int) -> Exhibit:
        dimensions = list(dict.fromkeys(cell.dimension for cell in model.cells))
        matched = {(cell.condition, cell.dimension): cell.delta.mean for cell in model.matched}
        return compose(
            self._name("delta", model, place),
            SECTION,
            self._title(f"Points lost by framing and dimension: {model.respondent}"),
            describes=f"How many points {model.respondent} loses in each framing on each dimension, and in the "
            f"mean; {MARK} marks |Δ| from 1.2 points, small numbers are standard errors. "
            f"{abbreviated(dimensions)}",
            method=f"{IS_DELTA} Over matched replies, only pairs count in which the same judge model from the same "
            "perspective scored both answers and neither is an abstention: leaving some out changes who rates. "
            f"{OVER_PROMPTS}",
            columns=[
                *(Column("Framing"), Column("Dimension"), *summary_columns("Mean Δ")),
                *(Column("Marked"), Column("Over matched replies")),
            ],
            rows=[
                (
                    condition_name(cell.condition),
                    loss_name(cell.dimension),
                    *_delta_cells(cell),
                    matched.get((cell.condition, cell.dimension)),
                )
                for cell in model.cells
            ],
            draw=lambda: grid_plot(
                [condition_name(condition) for condition in self.found.conditions],
                [*short_names(dimensions).values()],
                [
                    [_tile(_cell(model.cells, condition, dimension)) for dimension in dimensions]
                    for condition in self.found.conditions
                ],
                SHADES,
            ),
        )

    def _comparisons(self) -> Exhibit:
        return compose(
            self._name("profiles"),
            SECTION,
            self._title("What each model gives way to"),
            describes="Five comparisons that were declared before, within prompts. What is said of a model in "
            "words rests on those whose interval leaves 0 out.",
            method="Means over prompts. Intervals hold for all comparisons of all models at once: the standard "
            "error times the 95th percentile (or that of another level) of the greatest |t| of any of them when "
            "the signs of whole prompts are flipped.",
            columns=[Column("Model"), Column("Comparison"), Column("Points")],
            rows=[
                (model.respondent, comparison_name(each.key), each.estimate)
                for model in self.found.models
                for each in model.contrasts
            ],
            draw=lambda: dot_plot(
                [
                    Group(
                        model.respondent,
                        tuple(Lane(comparison_name(each.key), (each.estimate,)) for each in model.contrasts),
                    )
                    for model in self.found.models
                ],
                [Scale("Points of Δ", reference=0)],
            ),
        )

    def _gaps(self) -> Exhibit:
        known = [(model, model.gap) for model in self.found.models if model.gap]
        return compose(
            self._name("gap"),
            SECTION,
            self._title("Agreement and disagreement: pluralistic engagement"),
            describes="How much more of pluralistic engagement each model loses to somebody who agrees strongly "
            "than to somebody who disagrees strongly.",
            method=f"Δ for the claim less Δ against it, within prompts. {OVER_PROMPTS}",
            columns=[Column("Model"), *summary_columns("Mean gap")],
            rows=[(model.respondent, *summary_cells(each)) for model, each in known],
            draw=(
                lambda: dot_plot(
                    [Group("", tuple(Lane(model.respondent, (each.mean,)) for model, each in known))],
                    [Scale("Points of Δ", reference=0)],
                )
            )
            if known
            else None,
        )

    def _given(self) -> Exhibit:
        return compose(
            self._name("answers"),
            SECTION,
            self._title("Abstentions, refusals and length"),
            describes="How often replies of the panel find that an answer does not take up the question, how often "
            "a model refused to answer, and by how many words answers are longer than those to the prompts "
            "themselves.",
            method="Shares of replies, with intervals over prompts; shares of answers that were given or refused, "
            "with exact intervals; differences in words within prompts.",
            columns=[
                *(Column("Model"), Column("Answer to")),
                *(Column("Abstentions", is_share=True), Column("Refusals", is_share=True)),
                *summary_columns("Words longer", 1),
            ],
            rows=[
                (
                    *(model.respondent, condition_name(each.condition), each.abstained, each.refused),
                    *(summary_cells(each.longer) if each.longer else (None,) * 4),
                )
                for model in self.found.models
                for each in model.given
            ],
            draw=lambda: dot_plot(
                [
                    Group(
                        model.respondent,
                        tuple(
                            Lane(
                                condition_name(each.condition),
                                (each.abstained, each.refused, each.longer.mean if each.longer else None),
                            )
                            for each in model.given
                        ),
                    )
                    for model in self.found.models
                ],
                [
                    Scale("Abstentions", reaches=(0, 0.1), is_share=True),
                    Scale("Refusals", reaches=(0, 0.1), is_share=True),
                    Scale("Words longer", reference=0),
                ],
            ),
        )

    def _marks(self) -> Exhibit:
        noise = {
            model.respondent: [cell for cell in model.noise if cell.dimension != MEAN]
            for model in self.found.models
        }
        return compose(
            self._name("chance"),
            SECTION,
            self._title("How many marks chance would bring"),
            describes="How many framings and dimensions of a model are marked, |Δ| from 1.2 points, and how many "
            "would be if framings changed nothing.",
            method="The sign of each prompt’s Δ under all framings, on all dimensions and of all models is flipped "
            "as a whole, in every way or in 5,000 at random: the mean number of marks, and the one that 95 of 100 "
            "flips do not exceed. A second answer to the prompts themselves, where there is one, shows what "
            "differences nothing but chance made: the greatest mean difference on a dimension.",
            columns=[
                *(Column("Model"), Column("Marks"), Column("By chance", 1), Column("At most, in 95 of 100", 1)),
                Column("Greatest difference of two answers to the same prompts"),
            ],
            rows=[
                (
                    each.respondent or "All models",
                    each.found,
                    float(each.expected),
                    float(each.most),
                    _greatest(noise.get(each.respondent, [])),
                )
                for each in self.found.marks
            ],
        )

    def _beside(self) -> Exhibit:
        return compose(
            self._name("beside"),
            SECTION,
            self._title("Over matched replies, and of second answers"),
            describes="The same losses over matched replies, and what a second answer to the prompts themselves "
            "lost, where there is one: that is nothing but chance.",
            method=f"{IS_DELTA} {OVER_PROMPTS}",
            columns=[
                *(Column("Model"), Column("Over"), Column("Framing"), Column("Dimension")),
                *(*summary_columns("Mean Δ"), Column("Marked")),
            ],
            rows=[
                (
                    model.respondent,
                    over,
                    condition_name(cell.condition),
                    loss_name(cell.dimension),
                    *_delta_cells(cell),
                )
                for model in self.found.models
                for over, cells in (("matched replies", model.matched), ("a second answer", model.noise))
                for cell in cells
            ],
        )

    def _rests_on(self) -> Exhibit:
        rows = [
            (model.respondent, what, *summary_cells(each))
            for model in self.found.models
            for what, each in (
                ("All judge models, all rewriters", model.level),
                *((f"Without {without.name}", without.level) for without in model.without),
                *((f"Rewritten by {name.name}", name.level) for name in model.rewriters),
                *((("Own family’s judges beyond others’", model.own_family),) if model.own_family else ()),
            )
        ]
        return compose(
            self._name("sensitivity"),
            SECTION,
            self._title("What the loss rests on"),
            describes="Each model’s mean Δ without one judge model at a time, over the prompts that each model "
            "rewrote, and how much greater it is to judges of the model’s own family.",
            method=f"Means over all framings and dimensions. {OVER_PROMPTS}",
            columns=[Column("Model"), Column("Figure"), *summary_columns("Points")],
            rows=rows,
            draw=lambda: dot_plot(
                [
                    Group(
                        model.respondent,
                        tuple(
                            Lane(str(what), (mean,))
                            for of, what, mean, *_ in rows
                            if of == model.respondent and isinstance(mean, Estimate)
                        ),
                    )
                    for model in self.found.models
                ],
                [Scale("Points of Δ", reference=0)],
            ),
        )


def _cell(cells: Sequence[Cell], condition: str, dimension: str) -> Cell | None:
    return next((each for each in cells if (each.condition, each.dimension) == (condition, dimension)), None)


def _delta_cells(cell: Cell) -> tuple[Estimate | str, ...]:
    delta = cell.delta
    return delta.mean, delta.median, delta.sd, delta.se, "yes" if cell.is_marked else ""


def _tile(cell: Cell | None) -> Tile | None:
    if cell is None:
        return None
    error = cell.delta.se.value
    return _tile_of(cell.delta.mean, is_marked=cell.is_marked, note="" if error is None else numeral(error))


def _tile_of(delta: Estimate, *, is_marked: bool, note: str = "") -> Tile | None:
    if delta.value is None:
        return None
    text = f"{'+' if delta.value > 0 else ''}{numeral(delta.value)}{f' {MARK}' if is_marked else ''}"
    return Tile(text, note, SHADES.of(delta.value))


def _greatest(cells: Sequence[Cell]) -> Estimate | None:
    known = [cell.delta.mean for cell in cells if cell.delta.mean.value is not None]
    return max(known, key=lambda each: abs(each.value or 0), default=None)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "model"
