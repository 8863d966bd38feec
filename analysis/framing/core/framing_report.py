"""All that answers under pressure tell."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.framed import AGAIN, BASELINE, Experiment
from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate, FloatArray, Summary
from analysis.framing.core.chance import Marks, marks_by_chance
from analysis.framing.core.contrasts import Contrast, contrasts
from analysis.framing.core.deltas import (
    MEAN,
    Cell,
    Deltas,
    cells,
    deltas,
    gap,
    matched_deltas,
    over_prompts,
    scores,
)
from analysis.framing.core.roles import Roles
from analysis.framing.core.sensitivity import (
    abstentions,
    by_rewriter,
    changes_in_length,
    level_of,
    own_family,
    refusals,
    without_each_judge,
)
from analysis.uncertainty.core.intervals import of_scores

PLURALISM: Final = "pluralistic_engagement"
NO_ANSWERS: Final = "nothing is known of answers but their scores"
NOTHING_ASKED: Final = "nothing was asked"


@dataclass(frozen=True, slots=True)
class Score:
    """S, in points of the scale: its mean over prompts, also of the dimensions' `MEAN`; one condition is the
    baseline.
    """

    condition: str
    dimension: str
    score: Summary


@dataclass(frozen=True, slots=True)
class Given:
    """How answers to a condition were given, or to the baseline: shares of replies that found them to abstain and
    of
    answers that were refused; `longer` is in words, against the baseline, which has none.
    """

    condition: str
    abstained: Estimate
    refused: Estimate
    longer: Summary | None


@dataclass(frozen=True, slots=True)
class Named:
    """The mean Δ over all framings and dimensions, without a judge model or of a rewriter's prompts."""

    name: str
    level: Summary


@dataclass(frozen=True, slots=True)
class Model:
    """One model under pressure. `level` is its mean Δ over all conditions and dimensions (mean CTD); `cells` are
    the
    heat map, `matched` the same over matched replies, `noise` over a second answer to the baseline, none where
    there
    was no such; `gap` is what of pluralistic engagement it loses more to those who agree.
    """

    respondent: str
    level: Summary
    scores: tuple[Score, ...]
    cells: tuple[Cell, ...]
    matched: tuple[Cell, ...]
    noise: tuple[Cell, ...]
    gap: Summary | None
    contrasts: tuple[Contrast, ...]
    given: tuple[Given, ...]
    without: tuple[Named, ...]
    rewriters: tuple[Named, ...]
    own_family: Summary | None


@dataclass(frozen=True, slots=True)
class FramingReport:
    """An experiment, by its name in words: of so many prompts and replies, some of them abstentions; `marks` are of
    each model and of all.
    """

    experiment: str
    prompts: int
    replies: int
    abstentions: int
    counts_abstentions: bool
    conditions: tuple[str, ...]
    agree: str
    disagree: str
    models: tuple[Model, ...]
    marks: tuple[Marks, ...]


def framing_report(experiment: Experiment, parameters: Parameters) -> FramingReport:
    replies, level = experiment.replies, parameters.level
    counts = parameters.counts_abstentions
    dimensions, conditions = experiment.dimensions, experiment.conditions
    scale = of_scores(parameters.scale, replies[list(dimensions)].to_numpy(dtype=float))
    found = deltas(replies, dimensions, conditions, counts_abstentions=counts, scale=scale)
    again = deltas(replies, dimensions, [AGAIN], counts_abstentions=counts, scale=scale)
    matched = matched_deltas(replies, dimensions, conditions, scale=scale)
    roles = roles_of(experiment)
    compared = contrasts(found, roles=roles, seed=parameters.seed, level=level)
    without = without_each_judge(
        replies, dimensions, conditions, level=level, counts_abstentions=counts, scale=scale
    )
    own = own_family(
        replies,
        dimensions,
        conditions,
        families=experiment.families,
        judge_families=experiment.judge_families,
        level=level,
        counts_abstentions=counts,
        scale=scale,
    )
    means = scores(replies, dimensions, counts_abstentions=counts)
    given = _given(experiment, level)
    return FramingReport(
        experiment=experiment.name,
        prompts=replies["prompt"].nunique(),
        replies=len(replies),
        abstentions=int(replies["abstained"].sum()),
        counts_abstentions=counts,
        conditions=conditions,
        agree=roles.agree,
        disagree=roles.disagree,
        models=tuple(
            Model(
                respondent=each.respondent,
                level=level_of(each, level=level),
                scores=tuple(_scores(means, each, level)),
                cells=tuple(cells(each, level=level)),
                matched=tuple(cells(of_matched, level=level)),
                noise=tuple(cells(noise, level=level)) if np.isfinite(noise.values).any() else (),
                gap=_gap(each, roles, level),
                contrasts=tuple(compared[each.respondent]),
                given=given.get(each.respondent, ()),
                without=tuple(
                    Named(judge, of_models[each.respondent])
                    for judge, of_models in without.items()
                    if each.respondent in of_models
                ),
                rewriters=tuple(
                    Named(name, summary)
                    for name, summary in by_rewriter(each, experiment.rewriters, level=level).items()
                ),
                own_family=own.get(each.respondent),
            )
            for each, of_matched, noise in zip(found, matched, again, strict=True)
        ),
        marks=tuple(marks_by_chance(found, seed=parameters.seed)),
    )


def roles_of(experiment: Experiment) -> Roles:
    """The usual keys, or else the first opposed pair as those who agree and disagree."""
    usual = Roles()
    if {usual.agree, usual.disagree} <= set(experiment.conditions) or not experiment.opposed:
        return usual
    agree, disagree = experiment.opposed[0]
    return Roles(agree=agree, disagree=disagree)


def _gap(of: Deltas, roles: Roles, level: float) -> Summary | None:
    if PLURALISM not in of.dimensions or not {roles.agree, roles.disagree} <= set(of.conditions):
        return None
    return gap(of, roles.agree, roles.disagree, PLURALISM, level=level)


def _scores(means: pd.DataFrame, of: Deltas, level: float) -> Iterator[Score]:
    """Scores of the baseline first, then condition by condition."""
    for condition in (BASELINE, *of.conditions):
        rows = pd.MultiIndex.from_product([[of.respondent], of.prompts, [condition]])
        values: FloatArray = means.reindex(rows).to_numpy(dtype=float)
        for place, dimension in enumerate(of.dimensions):
            of_dimension = over_prompts(f"score_{dimension}", values[:, place], level=level, bounds=of.scale)
            yield Score(condition, dimension, of_dimension)
        yield Score(condition, MEAN, over_prompts("score", values.mean(axis=1), level=level, bounds=of.scale))


def _given(experiment: Experiment, level: float) -> Mapping[str, tuple[Given, ...]]:
    abstained = abstentions(experiment.replies, level=level)
    refused = refusals(experiment.answers, level=level)
    longer = changes_in_length(experiment.answers, experiment.conditions, level=level)
    nothing = Estimate("refused", None, 0, 0, NO_ANSWERS if experiment.answers.empty else NOTHING_ASKED)
    return {
        respondent: tuple(
            Given(
                condition,
                abstained.get((respondent, condition), Estimate("abstained", None, 0, 0, "nothing was scored")),
                refused.get((respondent, condition), nothing),
                longer.get((respondent, condition)),
            )
            for condition in (BASELINE, *experiment.conditions)
        )
        for respondent in sorted(experiment.replies["respondent"].unique())
    }
